#include "support/scanner.hpp"

#include <algorithm>

namespace tmd::support {

namespace {

constexpr std::string_view decimal = "0123456789";
constexpr std::string_view of_names = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view blanks = " \t\n\v\f\r";

} // namespace

bool Scanner::skip(std::string_view text) {
  if (!rest_.starts_with(text))
    return false;
  rest_.remove_prefix(text.size());
  return true;
}

bool Scanner::number(std::string& digits) { return take(rest_.find_first_not_of(decimal), digits); }

bool Scanner::name(std::string& name) { return take(rest_.find_first_not_of(of_names), name); }

bool Scanner::word(std::string& word, std::string_view end) {
  const auto length = rest_.find(end);
  if (length == std::string_view::npos || rest_.substr(0, length).find_first_of(blanks) != std::string_view::npos)
    return false;
  return take(length, word) && skip(end);
}

bool Scanner::take(std::size_t length, std::string& to) {
  length = std::min(length, rest_.size());
  if (length == 0)
    return false;
  to = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return true;
}

} // namespace tmd::support
