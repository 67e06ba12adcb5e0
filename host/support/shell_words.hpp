// Command lines as text, written as a shell reads them, and read as a shell would.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::support {

// The word quoted for a shell; control characters, which would break the line in a file's comment, become `?`.
[[nodiscard]] std::string as_shell_word(std::string_view word);

// A command and its words as one line.
[[nodiscard]] std::string as_shell_line(std::string_view command, std::span<const std::string> words);

// The words of a line: blanks between words, '…' and "…", and a backslash before a character. Nothing is expanded.
// Throws UsageError if a quote is not closed.
[[nodiscard]] std::vector<std::string> shell_words(std::string_view line);

} // namespace tmd::support
