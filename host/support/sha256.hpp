// SHA-256 (FIPS 180-4).
#pragma once

#include <string>
#include <string_view>

namespace tmd::support {

// 64 hexadecimal digits, as sha256sum and CMake print them.
[[nodiscard]] std::string sha256(std::string_view bytes);

} // namespace tmd::support
