// A request for several functions is one for each of them.
#pragma once

#include "tmd/search_spec.hpp"

#include <vector>

namespace tmd::request {

// Where the names of files are to differ by function, this stands for its name.
inline constexpr char for_function = '%';

// A spec for each of the functions. Throws OptionError where they would write the same file.
[[nodiscard]] std::vector<SearchSpec> one_for_each_function(const SearchSpec& spec);

} // namespace tmd::request
