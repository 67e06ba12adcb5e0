// Texts for names of files, and for messages about names that users write.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tmd::support {

// 16 hexadecimal digits that differ when the texts do, as far as 64 bits can tell (FNV-1a; no protection from forgery).
[[nodiscard]] std::string digest(std::string_view text);

// A name for files: lower-case letters and digits, other characters as single hyphens, 100 characters at most. Nothing
// when the text has neither letters nor digits.
[[nodiscard]] std::string file_name_of(std::string_view text);

// The text with control characters as `?`, for what a user has written may have line breaks in it.
[[nodiscard]] std::string on_one_line(std::string_view text);

// A sentence that quotes what a user has written, on one line; of more than 1,000 bytes the middle is left out.
[[nodiscard]] std::string as_sentence(std::string_view text);

// The text without blanks at either end, nor a NUL, with which some OpenCL platforms end their strings.
[[nodiscard]] std::string trimmed(std::string text);

// The edit distance: the fewest letters to insert, delete, replace or swap with their neighbours that make one text the
// other, none of them twice.
[[nodiscard]] std::size_t edit_distance(std::string_view one, std::string_view other);

// "1 entry", "7 entries". several: by default the other word and an s.
[[nodiscard]] std::string counted(std::size_t number, std::string_view one, std::string_view several = {});

// "; did you mean 'search'?" if the text is almost one of the names; else nothing. For the end of a sentence.
[[nodiscard]] std::string did_you_mean(std::string_view wanted, std::span<const std::string_view> names);

} // namespace tmd::support
