// Where `tmd libm` writes what it has found.
#pragma once

#include "libm_page.hpp"

#include "support/atomic_file.hpp"

#include <optional>

#include <cxxopts.hpp>

namespace tmd::app {

struct LibmOutput {
  std::optional<support::AtomicFile> json; // a record per fault, and a summary
  std::optional<support::AtomicFile> wc;   // the arguments at which it fails
  std::optional<LibmPage> page;
  bool histogram = false; // further tables
};

void add_output_options(cxxopts::Options& options);

// Their files, tried at once. Throws UsageError where one cannot be written.
[[nodiscard]] LibmOutput libm_output(const cxxopts::ParseResult& parsed);

} // namespace tmd::app
