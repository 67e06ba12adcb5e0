// `tmd verify` of a search of a function of two variables.
#pragma once

#include "verify_again.hpp"

#include "result/reader.hpp"
#include "support/atomic_file.hpp"

#include <optional>

namespace tmd::app {

// Prints the findings, and writes them to the file, if there is one. Returns the exit status.
[[nodiscard]] int verify_pairs(const result::ResultText& text, const Again& again,
                               std::optional<support::AtomicFile>& json);

} // namespace tmd::app
