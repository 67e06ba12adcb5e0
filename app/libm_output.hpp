// The output files of `tmd libm`.
#pragma once

#include "libm_page.hpp"

#include "support/atomic_file.hpp"

#include <optional>

#include <cxxopts.hpp>

namespace tmd::app {

struct LibmOutput {
  std::optional<support::AtomicFile> json; // a record for each fault, and a summary
  std::optional<support::AtomicFile> wc;   // the arguments at which it fails
  std::optional<LibmPage> page;
  bool histogram = false; // whether to print further tables
};

void add_output_options(cxxopts::Options& options);

// Opens the files. Throws UsageError if one cannot be written.
[[nodiscard]] LibmOutput libm_output(const cxxopts::ParseResult& parsed);

} // namespace tmd::app
