// Functions of a library with one result, or two such as sincos.
#pragma once

#include <string_view>

namespace tmd::library {

// The returned value, or one of two that are stored through pointers after the argument. OpenCL's sincos returns the
// first.
enum class Returned { value, first, second };

// "value", "first", "second".
[[nodiscard]] std::string_view to_string(Returned returned);
// The result with that name, as --result takes it. Throws UsageError for any other word.
[[nodiscard]] Returned returned_of(std::string_view word);

// Which result of a symbol belongs to a function: sincos, sincosf and their like have two. Throws UsageError if a
// result of the symbol is not that function.
[[nodiscard]] Returned returned_by(std::string_view symbol, std::string_view function);

} // namespace tmd::library
