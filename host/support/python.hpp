// The Python modules that draw figures and write pages: python/ in the sources, share/tmd/python where it is installed.
#pragma once

#include "support/text_source.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::support {

// A Python that has the packages that a module of python/__main__.py needs.
class PythonModule {
public:
  // $TMD_PYTHON, else `python3` of PATH or /usr/bin/python3. Throws UsageError, which says what to install, if none has
  // the packages.
  explicit PythonModule(std::string name);

  // Runs the module with these arguments and standard input; passes on its standard output. Throws UsageError with its
  // message if it fails.
  void run(const std::vector<std::string>& arguments, const TextSink& sink, std::string_view input = "") const;

private:
  std::string name_;
  std::string interpreter_;
};

// The format of a figure, by the extension of its file: svg, png or pdf, before `.gz` or `.xz`, or also html if it can
// be a page. Standard output, `-`, gets SVG. Throws UsageError for any other name.
[[nodiscard]] std::string figure_format(std::filesystem::path name, bool or_page = false);

} // namespace tmd::support
