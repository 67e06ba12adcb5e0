// gnuplot: there, missing, or failing.
#include "host/support/gnuplot.hpp"
#include "host/support/installed_files.hpp"
#include "temporary_folder.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

using namespace tmd;
namespace fs = std::filesystem;

namespace {

std::string sentence_of_requirement() {
  try {
    require_gnuplot();
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

} // namespace

TEST_CASE("a gnuplot that is missing or broken is refused before the work") {
  const TemporaryFolder folder;
  const TemporaryVariable path("PATH", folder.path().string());
  CHECK(sentence_of_requirement() == "gnuplot is not installed (package gnuplot-nox): no figure can be drawn");
  CHECK_THROWS_AS((void)gnuplot_svg("plot x"), UsageError);
  const fs::path program = folder.path() / "gnuplot";
  std::ofstream(program) << "#!/bin/sh\necho 'unknown terminal' >&2\nexit 1\n";
  fs::permissions(program, fs::perms::owner_all);
  CHECK(sentence_of_requirement() == "gnuplot failed, and no figure can be drawn: unknown terminal");
  std::ofstream(program, std::ios::trunc) << "#!/bin/sh\nexit 5\n";
  CHECK(sentence_of_requirement() == "gnuplot failed, and no figure can be drawn: it ended with status 5");
  std::ofstream(program, std::ios::trunc) << "#!/bin/sh\nexit 0\n";
  CHECK(sentence_of_requirement().empty());
  CHECK_THROWS_AS((void)gnuplot_svg("plot x"), UsageError); // of nothing
}

TEST_CASE("a figure's format is told by its name") {
  CHECK(figure_format("a.svg") == FigureFormat::svg);
  CHECK(figure_format("folder.png/a.svg.gz") == FigureFormat::svg);
  CHECK(figure_format("a.svg.png") == FigureFormat::png);
  CHECK(figure_format("a.pdf.xz") == FigureFormat::pdf);
  CHECK(figure_format("-") == FigureFormat::svg);
  for (const char* name : {"", "a", "a.jpeg", "svg", "a.gz", "a.svg/"}) {
    CAPTURE(std::string(name));
    CHECK_THROWS_AS((void)figure_format(name), UsageError);
  }
}

TEST_CASE("a quoted text has no way out of its quotes") {
  CHECK(gnuplot_quoted("exp") == "'exp'");
  CHECK(gnuplot_quoted("a'b\nc") == "'a''b c'");
}

TEST_CASE("the script reaches gnuplot, and its figure comes back") {
  const TemporaryFolder folder;
  const TemporaryVariable path("PATH", folder.path().string());
  const fs::path program = folder.path() / "gnuplot";
  std::ofstream(program) << "#!/bin/sh\nwhile read -r line; do echo \"<$line>\"; done <\"$1\"\n";
  fs::permissions(program, fs::perms::owner_all);
  const std::string svg = gnuplot_svg("plot x", 300);
  CHECK(svg.find("size 300,480") != std::string::npos);
  CHECK(svg.ends_with("<plot x>\n"));
}

TEST_CASE("a real gnuplot draws, and says what is wrong with a script") {
  if (!find_program("gnuplot"))
    return;
  CHECK(sentence_of_requirement().empty());
  CHECK(gnuplot_svg("plot x title 'a curve'").find("a curve") != std::string::npos);
  CHECK_THROWS_AS((void)gnuplot_svg("plot nonsense\nplot x"), UsageError);
  const FigureSize size{.width = 300, .height = 200};
  CHECK(gnuplot_figure("plot x", FigureFormat::svg, size).find("width=\"300\" height=\"200\"") != std::string::npos);
  CHECK(gnuplot_figure("plot x", FigureFormat::png, size).starts_with("\x89PNG\r\n"));
  CHECK(gnuplot_figure("plot x", FigureFormat::pdf, size).starts_with("%PDF-"));
  CHECK(gnuplot_svg("plot x title " + gnuplot_quoted("it's") + " noenhanced").find("it's") != std::string::npos);
}
