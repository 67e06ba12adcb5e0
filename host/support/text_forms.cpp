#include "support/text_forms.hpp"

#include <algorithm>

namespace tmd::support {

namespace {

constexpr std::string_view decimal = "0123456789";
constexpr std::string_view of_names = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view blanks = " \t\n\v\f\r";

// Removes so many characters, or all.
bool take_some(std::string_view& text, std::size_t length, std::string& to) {
  length = std::min(length, text.size());
  if (length == 0)
    return false;
  to = text.substr(0, length);
  text.remove_prefix(length);
  return true;
}

} // namespace

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool take_number(std::string_view& text, std::string& digits) {
  return take_some(text, text.find_first_not_of(decimal), digits);
}

bool take_name(std::string_view& text, std::string& name) {
  return take_some(text, text.find_first_not_of(of_names), name);
}

bool take_word(std::string_view& text, std::string& word, std::string_view end) {
  const auto length = text.find(end);
  if (length == std::string_view::npos || text.substr(0, length).find_first_of(blanks) != std::string_view::npos)
    return false;
  return take_some(text, length, word) && take(text, end);
}

} // namespace tmd::support
