// What a function of a library gives: its value, or two, such as sincos.
#pragma once

#include <string_view>

namespace tmd::library {

// A value, or two through pointers behind its argument, of which one is looked at. OpenCL's sincos returns the first.
enum class Returned { value, first, second };

// "value", "first", "second".
[[nodiscard]] std::string_view to_string(Returned returned);
// What it is of these, as --result takes them. Throws UsageError for anything else.
[[nodiscard]] Returned returned_of(std::string_view word);

// Which result of a symbol is that function's: sincos, sincosf and their like have two. Throws UsageError for another
// function than these.
[[nodiscard]] Returned returned_by(std::string_view symbol, std::string_view function);

} // namespace tmd::library
