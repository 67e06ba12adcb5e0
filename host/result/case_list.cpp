#include "result/case_list.hpp"

#include "support/compressed_file.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd {

namespace {

constexpr std::string_view blanks = " \t\r\f\v";

UsageError bad_line(std::string_view name, std::size_t line, std::string_view why) {
  return UsageError(fmt::format("{}, line {}: {}", name, line, why));
}

bool is_special(std::string word) {
  constexpr std::array<std::string_view, 5> specials{"nan", "snan", "qnan", "inf", "infinity"};
  if (word.front() == '+' || word.front() == '-')
    word.erase(0, 1);
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::find(specials.begin(), specials.end(), word) != specials.end();
}

// Of a line that has neither comment nor pair in it.
void add_words(CaseList& list, const std::string& text, std::string_view name, std::size_t line) {
  std::istringstream words(text);
  ListedArgument entry{line, {}, {}, {}, {}, {}};
  std::string count;
  std::string more;
  words >> entry.x >> count >> more;
  if (is_special(entry.x)) {
    ++list.specials;
    return;
  }
  if (!more.empty())
    throw bad_line(name, line, fmt::format("'{}' after the number and its count of bits", more));
  if (!count.empty()) {
    int bits = 0;
    const char* end = count.data() + count.size();
    if (const auto [rest, error] = std::from_chars(count.data(), end, bits); error != std::errc() || rest != end)
      throw bad_line(name, line, fmt::format("'{}' is no count of bits", count));
    entry.equal_bits = bits;
  }
  list.entries.push_back(entry);
}

std::optional<Case::Kind> kind_of(std::string_view type) {
  if (type == "case")
    return Case::Kind::hard;
  if (type == "exact")
    return Case::Kind::exact;
  if (type == "undecided")
    return Case::Kind::undecided;
  return std::nullopt;
}

void add_record(CaseList& list, const std::string& text, std::string_view name, std::size_t line) {
  try {
    const auto record = nlohmann::json::parse(text);
    const std::string type = record.at("type");
    if (type == "search")
      list.format = record.at("format").get<std::string>();
    if (type == "range" && record.at("cases") != "none")
      list.ranges.push_back({record.at("first"), record.at("last")});
    const auto kind = kind_of(type);
    if (!kind)
      return;
    ListedArgument entry{line, record.at("x"), {}, {}, {}, kind};
    if (*kind == Case::Kind::hard)
      entry.bits = record.at("bits").get<double>();
    entry.breakpoint = record.at("breakpoint") == "representable" ? Breakpoint::representable : Breakpoint::midpoint;
    list.entries.push_back(entry);
  } catch (const nlohmann::json::exception&) {
    throw bad_line(name, line, "no record of a search");
  }
}

} // namespace

CaseList parse_case_list(std::string_view text, std::string_view name) {
  CaseList list;
  const std::size_t first = text.find_first_not_of(std::string(blanks) + "\n");
  const bool records = first != std::string_view::npos && text[first] == '{';
  for (std::size_t line = 1; !text.empty(); ++line) {
    std::string_view one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    if (!records)
      one = one.substr(0, one.find('#'));
    if (one.find_first_not_of(blanks) == std::string_view::npos)
      continue;
    if (records)
      add_record(list, std::string(one), name, line);
    else if (one.find(',') != std::string_view::npos)
      ++list.pairs;
    else
      add_words(list, std::string(one), name, line);
  }
  return list;
}

CaseList read_case_list(const std::filesystem::path& file) {
  return parse_case_list(read_file(file), file.filename().string());
}

} // namespace tmd
