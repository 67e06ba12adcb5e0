// Command lines as text: what is written is what a shell takes, and is read as a shell would.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::support {

// As a shell takes it; control characters, which would break the line in a file's comment, become `?`.
[[nodiscard]] std::string as_shell_word(std::string_view word);

// A command and its words as one such line.
[[nodiscard]] std::string as_shell_line(std::string_view command, std::span<const std::string> words);

// The words of such a line: blanks between words, '…' and "…", and a backslash before a character. Nothing is expanded.
// Throws UsageError where a quote is not closed.
[[nodiscard]] std::vector<std::string> shell_words(std::string_view line);

} // namespace tmd::support
