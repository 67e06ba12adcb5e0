// A parser that reads line by line: the first line with words decides whether the text is a table, and the first
// character of a line whether it is a record. Messages name the line.
#include "result/case_list.hpp"

#include "result/reader.hpp"
#include "support/text.hpp"
#include "support/text_forms.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::result {

namespace {

using support::take;
using support::take_number;
using support::take_word;

constexpr std::string_view blanks = " \t\r\f\v";

UsageError no_list(std::string_view name, std::string_view why) { return UsageError(fmt::format("{}: {}", name, why)); }

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
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

// Parses a list line by line.
class Parser {
public:
  explicit Parser(std::string_view name) : name_(name) {}

  CaseList parse(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\f\v\n");
    const bool has_records = first != std::string_view::npos && text[first] == '{';
    while (!text.empty()) {
      const std::string_view one = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(one.size() + 1, text.size()));
      ++line_;
      if (one.find_first_not_of(blanks) == std::string_view::npos)
        continue;
      if (has_records)
        add_record(one);
      else
        add_text(one);
    }
    refuse_what_is_no_list(has_records);
    return std::move(list_);
  }

private:
  [[noreturn]] void fail(std::string_view why) const { throw no_list(fmt::format("{}, line {}", name_, line_), why); }

  void refuse_what_is_no_list(bool has_records) const {
    const bool has_entries =
        !list_.entries.empty() || !list_.ranges.empty() || list_.specials > 0 || !list_.pairs.empty();
    if (!has_entries && !list_.claims.is_known())
      throw no_list(name_, "it is no list: there is no number in it");
    if (has_records && first_type_ == "search" && !list_.claims.cases)
      throw no_list(name_, "it is cut off: the record at the end, `summary`, is missing");
    if (first_type_ == "publication")
      throw no_list(name_, "it has no case by itself: the cases are in the .wc beside it");
  }

  void add_text(std::string_view text) {
    if (const auto comment = text.find('#'); comment != std::string_view::npos) {
      add_comment(text.substr(comment + 1));
      text = text.substr(0, comment);
    }
    const std::vector<std::string> words = words_of(text);
    if (words.empty())
      return;
    if (std::any_of(text.begin(), text.end(),
                    [](unsigned char c) { return c >= 0x7f || (c < ' ' && !std::isspace(c)); }))
      fail("it contains a byte that no number has");
    if (is_first_) {
      is_first_ = false;
      if (!format::is_number(words[0]) && std::find(words.begin(), words.end(), "x") != words.end()) {
        columns_ = words;
        return;
      }
      if (text.find(',') == std::string_view::npos && !is_special_number(words[0]) && !format::is_number(words[0]))
        fail(fmt::format("'{}' is not a number: this is not a list", support::on_one_line(words[0])));
    }
    if (!columns_.empty())
      add_row(words);
    else if (text.find(',') != std::string_view::npos)
      add_pair(text);
    else
      add_words(words);
  }

  void add_comment(std::string_view comment) {
    add_claims(list_.claims, comment);
    std::string first;
    std::string last;
    std::string number;
    if (!take(comment, " Range [") || !take_word(comment, first, ", ") || !take_word(comment, last, "]: ") ||
        !take_number(comment, number) || !take(comment, " arguments"))
      return;
    take(comment, ",");
    const bool has_cases = take(comment, " every one a case");
    if (has_cases || take(comment, " not searched"))
      list_.ranges.push_back({first, last, has_cases});
  }

  void add_pair(std::string_view text) {
    const auto comma = text.find(',');
    std::vector<std::string> operands;
    for (const std::string_view half : {text.substr(0, comma), text.substr(comma + 1)}) {
      const std::vector<std::string> words = words_of(half);
      if (words.size() != 1 || (!is_special_number(words[0]) && !format::is_number(words[0])))
        fail(fmt::format("'{}' is not a pair of numbers", support::trimmed(std::string(text))));
      operands.push_back(words[0]);
    }
    list_.pairs.push_back({line_, operands[0], operands[1]});
  }

  void add_words(const std::vector<std::string>& words) {
    if (is_special_number(words[0])) {
      ++list_.specials;
      return;
    }
    ListedArgument entry{line_, words[0], {}, {}, {}, {}, {}};
    if (words.size() > 2)
      fail(fmt::format("'{}' after the number and its count of bits", words[2]));
    if (words.size() == 2) {
      int bits = 0;
      const char* end = words[1].data() + words[1].size();
      if (const auto [rest, error] = std::from_chars(words[1].data(), end, bits); error != std::errc() || rest != end)
        fail(fmt::format("'{}' is not a count of bits", words[1]));
      entry.equal_bits = bits;
    }
    list_.entries.push_back(std::move(entry));
  }

  void add_row(const std::vector<std::string>& words) {
    if (words.size() != columns_.size())
      fail(fmt::format("the table has {} columns, not {}", columns_.size(), words.size()));
    ListedArgument entry{line_, {}, {}, {}, {}, {}, {}};
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& column = columns_[i];
      const std::string& word = words[i];
      if (column == "x")
        entry.x = word;
      else if (column == "function")
        entry.function = word;
      else if (column == "bits" || column == "minus_log2_dist")
        entry.bits = std::strtod(word.c_str(), nullptr);
      else if (column == "breakpoint" || column == "kind")
        entry.breakpoint = breakpoint_of(word);
    }
    list_.entries.push_back(std::move(entry));
  }

  [[nodiscard]] Breakpoint breakpoint_of(std::string_view word) const {
    if (word == "R" || word == to_string(Breakpoint::representable))
      return Breakpoint::representable;
    if (word == "M" || word == to_string(Breakpoint::midpoint))
      return Breakpoint::midpoint;
    fail(fmt::format("'{}' is not a kind of breakpoint", word));
  }

  void add_record(std::string_view text) {
    try {
      const Json record = Json::parse(text);
      const std::string type = record.at("type");
      if (first_type_.empty())
        set_first_type(type);
      add_claims(list_.claims, record);
      if (type == "range" && record.at("cases") != "none")
        list_.ranges.push_back({record.at("first"), record.at("last"), record.at("cases") == "all"});
      const auto kind = kind_of(type);
      if (!kind)
        return;
      ListedArgument entry{line_, record.at("x"), {}, {}, {}, kind, {}};
      if (*kind == Case::Kind::hard)
        entry.bits = record.at("bits").get<double>();
      entry.breakpoint = breakpoint_of(record.at("breakpoint").get<std::string>());
      list_.entries.push_back(std::move(entry));
    } catch (const Json::exception&) {
      fail("not a record of a search, or truncated");
    }
  }

  void set_first_type(const std::string& type) {
    if (type == "journal")
      throw no_list(name_, "it is a journal; `tmd resume` writes the list of what it holds");
    if (type != "search" && type != "publication" && type != "range" && !kind_of(type))
      throw no_list(name_, fmt::format("its records begin with `{}`: they are not those of a search", type));
    first_type_ = type;
  }

  std::string name_;
  CaseList list_;
  std::size_t line_ = 0;
  bool is_first_ = true;             // no line with words was read yet
  std::vector<std::string> columns_; // columns of a table
  std::string first_type_;           // type of the first record
};

} // namespace

bool is_special_number(std::string word) {
  constexpr std::array<std::string_view, 5> specials{"nan", "snan", "qnan", "inf", "infinity"};
  if (word.starts_with('+') || word.starts_with('-'))
    word.erase(0, 1);
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::find(specials.begin(), specials.end(), word) != specials.end();
}

job::Coverage covered(const CaseList& list, const format::ArgumentSet& set) {
  job::Coverage result = list.claims.covered(set);
  for (const ListedRange& range : list.ranges)
    if (!range.is_searched) {
      const job::Coverage gap(set.parse(range.first, "first"), set.parse(range.last, "last") + 1);
      result = result.intersection(gap).complement_in(result);
    }
  return result;
}

CaseList parse_case_list(std::string_view text, std::string_view name) { return Parser(name).parse(text); }

CaseList read_case_list(const std::string& file) {
  const ResultText opened = open_result(file);
  std::string text;
  opened.text([&](std::string_view piece) { text += piece; });
  CaseList list = parse_case_list(text, opened.name);
  list.name = opened.name;
  return list;
}

CaseList read_complete_list(const std::string& file) {
  CaseList list = read_case_list(file);
  const auto is_hard = [](const ListedArgument& one) {
    return one.kind.value_or(Case::Kind::hard) == Case::Kind::hard;
  };
  const auto entries = std::count_if(list.entries.begin(), list.entries.end(), is_hard);
  if (list.claims.cases && *list.claims.cases != static_cast<std::size_t>(entries))
    throw UsageError(
        fmt::format("{} is incomplete: it announces {} cases, but has {}", list.name, *list.claims.cases, entries));
  return list;
}

} // namespace tmd::result
