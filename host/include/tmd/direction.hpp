// The rounding directions of IEEE 754 for binary formats.
#pragma once

#include "tmd/api.hpp"

#include <array>
#include <string_view>

namespace tmd {

// `nearest` chooses the even number if two are equally near.
enum class Direction { nearest, upward, downward, toward_zero };

inline constexpr std::array<Direction, 4> directions{Direction::nearest, Direction::upward, Direction::downward,
                                                     Direction::toward_zero};

// "nearest", "upward", "downward", "toward-zero".
[[nodiscard]] TMD_API std::string_view to_string(Direction direction);

} // namespace tmd
