// Expected numbers of cases are 2·N·2^−K by field, or those of the leading term; a field is a fair sample if the slope
// of F varies enough over it.

#include "search/expectation.hpp"

#include "job/leading_term.hpp"
#include "job/pieces.hpp"
#include "job/regime_joiner.hpp"
#include "number/in_parallel.hpp"
#include "polynomial/scaled_function.hpp"
#include "search/search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace tmd::searches {

namespace {

constexpr double fewest_expected = 64;
constexpr double most_deviations = 6;
constexpr double least_slope_range = 0x1p-14; // in spacings an argument, over the field

// |F″| in the middle of the field, times so many arguments; 0 where it is not known.
double slope_range(const job::Job& job, const engine::Field& field, uint128 arguments) {
  constexpr long precision = 256;
  const polynomial::ScaledFunction function(*job.function, job.grid(), field.piece());
  number::Arb index;
  number::set(index, field.arguments.count / 2);
  number::ArbVector coefficients(3);
  function.series(coefficients.data(), index, 3, precision);
  const double bend = arf_get_d(arb_midref(coefficients[2]), ARF_RND_NEAR);
  return std::isfinite(bend) ? 2 * std::fabs(bend) * static_cast<double>(arguments) : 0;
}

// Joins neighbours with the same numbers.
void add_or_join(std::vector<Unexpected>& found, const Unexpected& next) {
  Unexpected* const last = found.empty() ? nullptr : &found.back();
  const auto are_more = [](const Unexpected& one) { return static_cast<double>(one.cases) > one.expected; };
  if (last == nullptr || last->ranks.last != next.ranks.first || last->arguments != next.arguments ||
      are_more(*last) != are_more(next)) {
    found.push_back(next);
    return;
  }
  last->ranks.last = next.ranks.last;
  ++last->fields;
  last->cases = std::min(last->cases, next.cases);
  last->most_cases = std::max(last->most_cases, next.cases);
}

} // namespace

Survey survey(const job::Job& job, bool leaves_out, const Claims& claims, const std::function<bool()>& interrupted) {
  Survey result;
  job::Coverage range = job.range();
  if (const auto beside = job::beside_leading_term(job, range)) {
    result.beside = beside->ranks.size();
    range = beside->ranks.complement_in(range);
    for (const job::Stretch& one : job::stretches(job.arguments(), beside->reference.first, beside->reference.last))
      result.to_search.push_back(one);
  }
  std::vector<job::Stretch> open;
  job::divide_in_parallel(
      job, range, interrupted,
      [&](const job::RegimeRange& range) {
        const job::Regime& regime = range.regime;
        (regime.rule ? result.all_cases : regime.is_exact ? result.exact : result.none) += range.size();
      },
      [&](const job::Stretch& stretch) { open.push_back(stretch); });
  struct Parts {
    std::vector<job::Stretch> searched;
    uint128 left_out = 0;
  };
  std::vector<Parts> parts(open.size());
  const auto look = [&](std::uint64_t i, unsigned /*thread*/) {
    const ClaimedParts claimed = claimed_parts(claims, open[i]);
    for (const engine::Field& field : claimed.fields)
      parts[i].searched.push_back(field.arguments);
    for (const job::Stretch& left : claimed.left)
      if (leaves_out && job::has_too_many_pieces(job, left))
        parts[i].left_out += left.count;
      else
        parts[i].searched.push_back(left);
  };
  number::in_parallel(open.size(), number::cores(), look);
  for (const Parts& one : parts) {
    result.left_out += one.left_out;
    for (const job::Stretch& stretch : one.searched) {
      result.rest += stretch.count;
      result.to_search.push_back(stretch);
    }
  }
  result.cases = job::expected_cases(job, result.rest);
  return result;
}

std::vector<Unexpected> unexpected_counts(const job::Job& job, const result::SearchResult& result) {
  struct Counted {
    const engine::Field* field;
    job::RankInterval ranks;
    uint128 arguments; // covered arguments: after an interruption a field may be incomplete
    double expected;
    std::uint64_t cases = 0;
  };
  std::vector<Counted> counted;
  for (const result::FieldReport& report : result.fields) {
    const engine::Field& field = report.field;
    const job::RankInterval ranks = job::ranks_of(job.arguments(), field.arguments, 0, field.arguments.count);
    uint128 arguments = 0;
    for (const auto& [first, last] : result.covered.within(ranks.first, ranks.last))
      arguments += static_cast<uint128>(last - first);
    const double expected = job::expected_cases(job, arguments);
    if (field.values() != nullptr && !report.methods.empty() && expected >= fewest_expected)
      counted.push_back({&field, ranks, arguments, expected});
  }
  std::sort(counted.begin(), counted.end(),
            [](const Counted& left, const Counted& right) { return left.ranks.first < right.ranks.first; });
  const format::ArgumentSet arguments = job.arguments();
  for (const Case& one : result.cases) {
    const format::ArgumentSet::Rank rank = arguments.rank(one.x);
    const auto behind = std::partition_point(counted.begin(), counted.end(),
                                             [&](const Counted& other) { return other.ranks.first <= rank; });
    if (behind != counted.begin() && rank < std::prev(behind)->ranks.last)
      ++std::prev(behind)->cases;
  }
  std::vector<Unexpected> found;
  for (const auto& [field, ranks, arguments, expected, cases] : counted)
    if (std::fabs(static_cast<double>(cases) - expected) > most_deviations * std::sqrt(expected) &&
        slope_range(job, *field, arguments) >= least_slope_range &&
        !job::has_cases_of_leading_term(job, field->arguments))
      add_or_join(found, {ranks, 1, arguments, cases, cases, expected});
  return found;
}

std::string describe(const job::Job& job, const Unexpected& one) {
  const format::ArgumentSet set = job.arguments();
  const std::string expected =
      fmt::format("where {:.0f} ± {:.0f} were to be expected", one.expected, std::sqrt(one.expected));
  if (one.fields == 1)
    return fmt::format("{} cases among {} arguments from {} on, {}", one.cases, to_string(one.arguments),
                       to_hex(set.at(one.ranks.first)), expected);
  const bool are_binades = one.arguments == uint128(1) << (job.argument_precision - 1);
  return fmt::format("in each of {} {} from {} to {} {}{} cases, {}", one.fields,
                     are_binades ? "binades" : fmt::format("ranges of {} arguments", to_string(one.arguments)),
                     to_hex(set.at(one.ranks.first)), to_hex(set.at(one.ranks.last - 1)), one.cases,
                     one.most_cases == one.cases ? "" : fmt::format(" to {}", one.most_cases), expected);
}

} // namespace tmd::searches
