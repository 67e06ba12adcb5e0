// How much OpenCL lets the functions of its C err.
#pragma once

#include "tmd/format.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tmd::library {

// Whether OpenCL C has a function of one argument by that name, its native_ and half_ ones included.
[[nodiscard]] bool is_built_in(std::string_view name);

// What may be asked of it, as Promise takes it: "correct", "4". Nothing where that is left to implementations, as for
// native_exp and lgamma, and with options that allow more. options: of the compiler.
[[nodiscard]] std::optional<std::string> built_in_promise(std::string_view name, const Format& format, bool is_embedded,
                                                          std::string_view options);

} // namespace tmd::library
