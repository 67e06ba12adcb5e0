// tmd check of a list of pairs.
#pragma once

#include <cxxopts.hpp>

#include <optional>

namespace tmd::app {

// Checks it, and says with which status; nothing where the function is no function of two variables.
[[nodiscard]] std::optional<int> check_pair_list(const cxxopts::ParseResult& parsed);

} // namespace tmd::app
