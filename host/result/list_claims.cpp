// Lists describe themselves in their first comments or records, in a form of its own for each kind of file: our lists,
// our records, and published ones. Agreement compares that with the command line and with other lists.
#include "result/list_claims.hpp"

#include "job/stretch.hpp"
#include "request/numbers.hpp"
#include "request/option_table.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <regex>

#include <fmt/format.h>

namespace tmd::result {

namespace {

// Parses the rest of the line "Hard-to-round cases of FUNCTION on [X, Y), FORMAT with arguments of ...".
void add_heading(ListClaims& claims, const std::string& heading) {
  static const std::regex form(R"((.*?)(?: on \[([^,]*), ([^)]*)\))?, (\w+) with arguments of (\d+) bits, )"
                               R"(breakpoints: (\w+)(, values as the format has them)?(?:, K = (\d+))?)");
  static const std::regex decisive(R"((\S+) <= x < (\S+))");
  static const std::regex of_pairs(R"(, x from (\S+) to (\S+), y from (\S+) to (\S+?)\.?)");
  std::smatch parts;
  if (!std::regex_search(heading, parts, form, std::regex_constants::match_continuous))
    return;
  claims.function = parts[1];
  claims.options = {{"format", parts[4]},
                    {"argument-precision", parts[5]},
                    {"rounding", parts[6]},
                    {"values", parts[7].matched ? "format" : "unbounded"}};
  if (parts[8].matched)
    claims.bits = request::number_of<int>(parts.str(8));
  const std::string reduction = parts.suffix();
  if (std::smatch ends; std::regex_match(reduction, ends, of_pairs))
    claims.pair_ranges = {ends.str(1) + ":" + ends.str(2), ends.str(3) + ":" + ends.str(4)};
  for (std::sregex_iterator range(reduction.begin(), reduction.end(), decisive), end; range != end; ++range)
    claims.ranges.push_back({(*range)[1], (*range)[2]});
  if (claims.ranges.empty() && parts[2].matched)
    claims.ranges.push_back({parts[2], parts[3]});
}

// Adds the job of a search or of a publication.
void add_job(ListClaims& claims, const Json& record) {
  claims.function = record.at("function");
  const auto text = [&](const char* key) { return record.at(key).get<std::string>(); };
  claims.options = {{"format", text("format")},
                    {"argument-precision", std::to_string(record.at("argument_precision").get<int>())},
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
    claims.bits = record.at("bits");
    if (const Json decisive = record.value("decisive", Json()); decisive.is_array())
      for (const Json& range : decisive)
        claims.ranges.push_back({range.at(0), range.at(1)});
    else
      claims.ranges.push_back({record.at("from"), record.at("to")});
  } else if (type == "publication") {
    add_job(claims, record);
    claims.bits = record.at("listed_from");
  } else if (type == "searched") {
    claims.ranges.push_back({record.at("first"), record.at("last"), true});
  } else if (type == "summary") {
    claims.cases = record.at("cases").get<std::size_t>();
  }
}

void add_claims(ListClaims& claims, std::string_view comment) {
  constexpr std::string_view heading = "Hard-to-round cases of ";
  static const std::regex listed(R"(Listed from K = (\d+): (\d+) of .*)");
  static const std::regex counted(R"(\d+ arguments covered; (\d+) cases.*)");
  static const std::regex searched(R"(\[(\S+), (\S+)\]: every argument closer than .*)");
  const std::string text(comment.substr(std::min(comment.find_first_not_of(" \t"), comment.size())));
  std::smatch parts;
  if (!claims.is_known()) { // first line of our files
    if (text.starts_with(heading))
      add_heading(claims, text.substr(heading.size()));
  } else if (std::regex_match(text, parts, listed)) {
    claims.bits = request::number_of<int>(parts.str(1));
    claims.cases = request::number_of<std::size_t>(parts.str(2));
    claims.ranges.clear(); // they follow, block by block
  } else if (std::regex_match(text, parts, counted)) {
    claims.cases = request::number_of<std::size_t>(parts.str(1));
  } else if (std::regex_match(text, parts, searched)) {
    claims.ranges.push_back({parts[1], parts[2], true});
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
