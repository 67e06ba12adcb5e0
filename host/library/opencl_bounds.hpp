// The errors that OpenCL allows the functions of its C.
#pragma once

#include "tmd/format.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tmd::library {

// Whether OpenCL C has a function of one argument with that name, native_ and half_ variants included.
[[nodiscard]] bool is_built_in(std::string_view name);

// The bound that OpenCL sets for it, as Promise takes it: "correct", "4". Nothing if implementations may choose, as for
// native_exp and lgamma, and with options that allow larger errors. options: of OpenCL's compiler.
[[nodiscard]] std::optional<std::string> built_in_promise(std::string_view name, const Format& format, bool is_embedded,
                                                          std::string_view options);

} // namespace tmd::library
