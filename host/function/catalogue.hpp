// The catalogue of functions: one row a function, and nothing else in the library chooses one by its name.
#pragma once

#include "function/function.hpp"

#include <span>
#include <string_view>

namespace tmd {

// All functions, sorted by name; they live as long as the program.
[[nodiscard]] std::span<const Function> functions();

// Throws UsageError, listing the names, for an unknown one.
[[nodiscard]] const Function& find_function(std::string_view name);

} // namespace tmd
