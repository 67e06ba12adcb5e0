// Splits a request for several functions into one for each.
#pragma once

#include "tmd/search_spec.hpp"

#include <vector>

namespace tmd::request {

// In the names of files, this stands for the function's name.
inline constexpr char for_function = '%';

// A spec for each of the functions. Throws OptionError if they would write the same file.
[[nodiscard]] std::vector<SearchSpec> one_for_each_function(const SearchSpec& spec);

} // namespace tmd::request
