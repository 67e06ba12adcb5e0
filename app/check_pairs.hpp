// tmd check for a list of pairs.
#pragma once

#include <cxxopts.hpp>

#include <optional>

namespace tmd::app {

// Checks the list and returns the exit status; nothing if the function is not one of two variables.
[[nodiscard]] std::optional<int> check_pair_list(const cxxopts::ParseResult& parsed);

} // namespace tmd::app
