// Texts for the names of files.
#pragma once

#include <string>
#include <string_view>

namespace tmd {

// 16 hexadecimal digits that differ when the texts do, as far as 64 bits can tell (FNV-1a; no protection from forgery).
[[nodiscard]] std::string digest(std::string_view text);

// A name for files: lower-case letters and digits, other characters as single hyphens, 100 characters at most. Nothing
// when the text has neither letters nor digits.
[[nodiscard]] std::string file_name_of(std::string_view text);

} // namespace tmd
