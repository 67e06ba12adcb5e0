#include "support/shell_words.hpp"

#include "tmd/error.hpp"

#include <optional>

#include <fmt/format.h>

namespace tmd::support {

std::string as_shell_word(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_=./:,@%^";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos)
    return std::string(word);
  std::string text = "'";
  for (const char c : word)
    text += c == '\'' ? "'\\''" : std::string(1, static_cast<unsigned char>(c) < ' ' || c == 127 ? '?' : c);
  return text + "'";
}

std::string as_shell_line(std::string_view command, std::span<const std::string> words) {
  std::string line(command);
  for (const std::string& word : words)
    line += " " + as_shell_word(word);
  return line;
}

std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (word)
        words.push_back(*word);
      word.reset();
      continue;
    }
    if (!word)
      word.emplace();
    if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (quote != '\'' && c == '\\' && i + 1 < line.size())
      *word += line[++i];
    else
      *word += c;
  }
  if (quote != 0)
    throw UsageError(fmt::format("a quote is not closed in '{}'", line));
  if (word)
    words.push_back(*word);
  return words;
}

} // namespace tmd::support
