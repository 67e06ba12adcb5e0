// Lists describe themselves in their first comments or records, in a form of its own for each kind of file: our lists,
// our records, and published ones. Agreement compares that with the command line and with other lists.
#include "result/list_claims.hpp"

#include "job/stretch.hpp"
#include "request/numbers.hpp"
#include "request/option_table.hpp"
#include "result/records.hpp"
#include "support/text_forms.hpp"
#include "tmd/error.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tmd::result {

namespace {

using support::take;
using support::take_name;
using support::take_number;
using support::take_word;

// Adds what "FIRST <= x < END" says, wherever it stands in a text.
void add_ranges_of_x(ListClaims& claims, std::string_view text) {
  constexpr std::string_view between = " <= x < ";
  for (auto at = text.find(between); at != std::string_view::npos; at = text.find(between, at + 1)) {
    const std::string_view before = text.substr(0, at);
    const std::string_view after = text.substr(at + between.size());
    claims.ranges.push_back(
        {std::string(before.substr(before.rfind(' ') + 1)), std::string(after.substr(0, after.find(' ')))});
  }
}

// Parses the rest of the line "Hard-to-round cases of FUNCTION on [X, Y), FORMAT with arguments of ...".
void add_heading(ListClaims& claims, std::string_view heading) {
  constexpr std::string_view arguments = " with arguments of ";
  const std::string_view job = heading.substr(0, heading.find(arguments));
  const auto comma = job.rfind(", ");
  if (comma == std::string_view::npos || job.size() == heading.size())
    return;
  std::string_view form = heading.substr(job.size() + arguments.size());
  std::string precision;
  std::string rounding;
  if (!take_number(form, precision) || !take(form, " bits, breakpoints: ") || !take_name(form, rounding))
    return;
  const bool has_format = take(form, ", values as the format has them");
  if (std::string bits; take(form, ", K = ") && take_number(form, bits))
    claims.bits = request::number_of<int>(bits);
  claims.options = {{"format", std::string(job.substr(comma + 2))},
                    {"argument-precision", precision},
                    {"rounding", rounding},
                    {"values", has_format ? "format" : "unbounded"}};

  add_ranges_of_x(claims, form);
  std::string_view pairs = form;
  std::string from_x;
  std::string to_x;
  std::string from_y;
  if (take(pairs, ", x from ") && take_word(pairs, from_x, " to ") && take_word(pairs, to_x, ", y from ") &&
      take_word(pairs, from_y, " to ")) {
    if (pairs.ends_with('.'))
      pairs.remove_suffix(1);
    claims.pair_ranges = {from_x + ":" + to_x, fmt::format("{}:{}", from_y, pairs)};
  }

  constexpr std::string_view on = " on [";
  claims.function = job.substr(0, comma);
  if (const auto at = claims.function.find(on); at != std::string::npos) {
    std::string_view range = std::string_view(claims.function).substr(at + on.size());
    std::string first;
    std::string end;
    if (take_word(range, first, ", ") && take_word(range, end, ")") && range.empty()) {
      claims.function.resize(at);
      if (claims.ranges.empty())
        claims.ranges.push_back({first, end});
    }
  }
}

// Adds the job of a search or of a publication.
void add_job(ListClaims& claims, const Json& record) {
  claims.function = record.at("function");
  const auto text = [&](const char* key) { return record.at(key).get<std::string>(); };
  claims.options = {{"format", text("format")},
                    {"argument-precision", std::to_string(to_int(record.at("argument_precision")))},
                    {"rounding", text("rounding")},
                    {"values", text("values")}};
}

} // namespace

job::Coverage ListClaims::covered(const format::ArgumentSet& set) const {
  job::Coverage result;
  for (const Range& range : ranges) {
    const format::ArgumentSet::Rank first = set.parse(range.first, "the list's range");
    const format::ArgumentSet::Rank end = set.parse(range.end, "the list's range") + (range.end_included ? 1 : 0);
    const job::Coverage known = result.intersection(job::Coverage(first, end));
    result.add(known.complement_in(job::Coverage(first, end)));
  }
  return result;
}

void add_claims(ListClaims& claims, const Json& record) {
  const std::string type = record.at("type");
  if (type == "search") {
    add_job(claims, record);
    claims.bits = to_int(record.at("bits"));
    if (const Json decisive = record.value("decisive", Json()); decisive.is_array())
      for (const Json& range : decisive)
        claims.ranges.push_back({range.at(0), range.at(1)});
    else
      claims.ranges.push_back({record.at("from"), record.at("to")});
  } else if (type == "publication") {
    add_job(claims, record);
    claims.bits = to_int(record.at("listed_from"));
  } else if (type == "searched") {
    claims.ranges.push_back({record.at("first"), record.at("last"), true});
  } else if (type == "summary") {
    claims.cases = to_count(record.at("cases"));
  }
}

void add_claims(ListClaims& claims, std::string_view comment) {
  constexpr std::string_view heading = "Hard-to-round cases of ";
  std::string_view form = comment.substr(std::min(comment.find_first_not_of(" \t"), comment.size()));
  std::string number;
  std::string first;
  std::string last;
  if (!claims.is_known()) { // first line of our files
    if (take(form, heading))
      add_heading(claims, form);
  } else if (take(form, "Listed from K = ")) {
    std::string cases;
    if (!take_number(form, number) || !take(form, ": ") || !take_number(form, cases) || !take(form, " of "))
      return;
    claims.bits = request::number_of<int>(number);
    claims.cases = request::number_of<std::size_t>(cases);
    claims.ranges.clear(); // they follow, block by block
  } else if (take_number(form, number)) {
    if (take(form, " arguments covered; ") && take_number(form, number) && take(form, " cases"))
      claims.cases = request::number_of<std::size_t>(number);
  } else if (take(form, "[") && take_word(form, first, ", ") &&
             take_word(form, last, "]: every argument closer than ")) {
    claims.ranges.push_back({first, last, true});
  }
}

job::Coverage range_of(const SearchSpec& spec, const format::ArgumentSet& set, const job::Coverage& listed,
                       const job::Coverage& reference) {
  const auto hull = [&](const job::Coverage& coverage) {
    const auto intervals = coverage.intervals();
    return job::RankInterval{intervals.front().first, intervals.back().last};
  };
  job::RankInterval range{1 - set.end(), set.end()};
  if (!listed.empty() || !reference.empty())
    range = hull(listed.empty() ? reference : listed);
  const job::RankInterval asked{spec.from ? set.parse(*spec.from, "--from") : range.first,
                                spec.to ? set.parse(*spec.to, "--to") : range.last};
  if (asked.first >= asked.last)
    throw UsageError("the range is empty: --from is not below --to");
  if (!listed.empty() && (asked.first < range.first || asked.last > range.last))
    throw UsageError(fmt::format("the list covers only [{}, {}): --from and --to must lie within it",
                                 to_hex(set.at(range.first)), to_hex(set.at(range.last))));
  const job::Coverage all(asked.first, asked.last);
  return listed.empty() ? all : listed.intersection(all);
}

Agreement::Agreement(SearchSpec& spec, std::string function, const std::vector<std::string>& given)
    : spec_(spec), function_(std::move(function)) {
  for (const std::string& option : given)
    said_by_[option] = "the command line";
}

void Agreement::adopt_option(const std::string& name, const std::string& text, const std::string& list) {
  const request::SearchOption& option = request::find_option(name);
  if (said_by_.try_emplace(name, list).second) {
    request::set_option(spec_, option, text);
    return;
  }
  SearchSpec claimed;
  request::set_option(claimed, option, text);
  if (option.get(claimed) != option.get(spec_))
    throw UsageError(fmt::format("{} is of --{} {}; {} says otherwise", list, name, text, said_by_.at(name)));
}

void Agreement::adopt(const ListClaims& claims, const std::string& list) {
  if (claims.is_known() && claims.function != function_)
    throw UsageError(fmt::format("{} has the cases of {}, not of {}", list, claims.function, function_));
  for (const auto& [name, text] : claims.options)
    adopt_option(name, text, list);
  if (!claims.bits)
    return;
  if (said_by_.try_emplace("bits", list).second)
    spec_.bits = claims.bits;
  else if (*claims.bits > spec_.bits.value_or(0))
    throw UsageError(fmt::format("{} has the cases from K = {} on: --bits must be {} or more, not {}", list,
                                 *claims.bits, *claims.bits, spec_.bits.value_or(0)));
}

} // namespace tmd::result
