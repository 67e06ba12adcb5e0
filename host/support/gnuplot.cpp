#include "support/gnuplot.hpp"

#include "error.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include <fmt/format.h>

namespace tmd {

std::string gnuplot_svg(std::string_view script, int width) {
  namespace fs = std::filesystem;
  std::string pattern = (fs::temp_directory_path() / "tmd-plot-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw UsageError("cannot make a temporary folder for gnuplot");
  const fs::path folder = pattern;
  const fs::path script_file = folder / "plot.gp";
  const fs::path svg_file = folder / "plot.svg";
  std::ofstream(script_file) << "set terminal svg size " << width << ",480 dynamic background 'white'\nset output '"
                             << svg_file.string() << "'\n"
                             << script;
  const int status = std::system(fmt::format("gnuplot '{}' >/dev/null 2>&1", script_file.string()).c_str());
  std::ostringstream svg;
  svg << std::ifstream(svg_file).rdbuf();
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (status != 0 || svg.str().empty())
    throw UsageError("gnuplot failed or is not installed (package gnuplot-nox); no figure was drawn");
  return svg.str();
}

} // namespace tmd
