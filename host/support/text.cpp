#include "support/text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace tmd::support {

std::string digest(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

std::string file_name_of(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-')
    name.pop_back();
  return name.substr(0, 100);
}

std::string on_one_line(std::string_view text) {
  std::string result(text);
  std::replace_if(
      result.begin(), result.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
  return result;
}

std::string as_sentence(std::string_view text) {
  constexpr std::size_t most = 1000;
  constexpr std::size_t kept_at_end = 300;
  if (text.size() <= most)
    return on_one_line(text);
  const auto is_inside_letter = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U; };
  std::size_t begin = most - kept_at_end;
  while (begin > 0 && is_inside_letter(begin))
    --begin;
  std::size_t end = text.size() - kept_at_end;
  while (end < text.size() && is_inside_letter(end))
    ++end;
  return fmt::format("{} … {}", on_one_line(text.substr(0, begin)), on_one_line(text.substr(end)));
}

std::string counted(std::size_t number, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", number,
                     number == 1       ? std::string(one)
                     : several.empty() ? fmt::format("{}s", one)
                                       : std::string(several));
}

std::size_t edit_distance(std::string_view one, std::string_view other) {
  // Rows of the table of distances between the first i letters of one text and the first j of the other.
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(other.size() + 1);
  for (std::size_t j = 0; j <= other.size(); ++j)
    last[j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::vector<std::size_t> row(other.size() + 1, i);
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const bool same = one[i - 1] == other[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::move(last);
    last = std::move(row);
  }
  return last.back();
}

std::string trimmed(std::string text) {
  const auto is_blank = [](unsigned char c) { return c == '\0' || std::isspace(c) != 0; };
  while (!text.empty() && is_blank(static_cast<unsigned char>(text.back())))
    text.pop_back();
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), is_blank));
  return text;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string_view> names) {
  constexpr std::size_t letters_a_slip = 5;
  constexpr std::size_t longest = 100; // longer than any typed name
  if (wanted.size() < 2 || wanted.size() > longest)
    return {};
  std::size_t least = std::max<std::size_t>(wanted.size() / letters_a_slip, 1) + 1;
  std::string_view nearest;
  for (const std::string_view name : names)
    if (const std::size_t distance = edit_distance(wanted, name); distance < least) {
      least = distance;
      nearest = name;
    }
  return nearest.empty() ? std::string() : fmt::format("; did you mean '{}'?", nearest);
}

} // namespace tmd::support
