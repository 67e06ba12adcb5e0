// The page with pictures for --report. python/tmd/library_page.py makes it from the records.
#pragma once

#include "support/atomic_file.hpp"
#include "support/python.hpp"

#include <optional>
#include <string>
#include <string_view>

#include <cxxopts.hpp>

namespace tmd::app {

class LibmPage {
public:
  // Nothing without --report. Throws UsageError if the file is not .html or .md, cannot be written, or no Python can
  // make it.
  static std::optional<LibmPage> asked(const cxxopts::ParseResult& parsed);

  // Makes the page from the records of one function, or of several in a row.
  void write(std::string_view records) const;

private:
  LibmPage(const std::string& file, std::string format);

  std::string format_;
  support::AtomicFile file_;
  support::PythonModule module_{"library_page"};
};

} // namespace tmd::app
