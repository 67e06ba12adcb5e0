// MPFR judges every entry at any distance from a breakpoint (K = 0), so that wrong bits are found as well as wrong
// entries. Missing and extra cases then follow from a comparison of the two judged lists, binade by binade.
#include "result/list_check.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace tmd::result {

namespace {

// Whether a case is one for this K. If its bits equal K to the last place of a double, they do not decide.
bool is_case_for(int K, const Case& found, const job::Job& job) {
  if (found.kind != Case::Kind::hard || found.bits != K)
    return found.kind == Case::Kind::hard && found.bits > K;
  return verify::Confirmation(*job.function, job.grid(), K).confirm(found.x).has_value();
}
bool is_case(const Case& found, const job::Job& job) { return is_case_for(job.K, found, job); }

// A sentence about what the list says wrongly; empty if there is nothing.
std::string contradiction(const ListedArgument& entry, const Case& found) {
  constexpr double rounding = 0.6e-4; // of bits given to four decimals
  if (entry.kind && *entry.kind != found.kind)
    return fmt::format("{}, not {}", to_string(found.kind), to_string(*entry.kind));
  if (entry.breakpoint && *entry.breakpoint != found.breakpoint)
    return fmt::format("its breakpoint is {}, not {}", to_string(found.breakpoint), to_string(*entry.breakpoint));
  const auto contradicts = [&](double said, double bits, double tolerance) {
    return said < bits - tolerance || (said > bits + tolerance && !found.is_least);
  };
  const std::string_view or_more = found.is_least ? " or more" : "";
  if (entry.bits && contradicts(*entry.bits, found.bits, rounding))
    return fmt::format("{:.4f} bits{}, not {:.4f}", found.bits, or_more, *entry.bits);
  const double whole_bits = std::floor(found.bits);
  if (entry.equal_bits && found.kind == Case::Kind::hard && contradicts(*entry.equal_bits, whole_bits, 0))
    return fmt::format("{:.0f} equal bits{}, not {}", whole_bits, or_more, *entry.equal_bits);
  return {};
}

// With unbounded exponents, values beyond what is searched are no cases; other entries must still be judged.
std::optional<Case> found_at(const Argument& x, const verify::Confirmation& confirmation) {
  try {
    return confirmation.confirm(x);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

// The reason why an argument is at no distance from a breakpoint; empty if f has no value.
std::string why_no_case(const Argument& x, const job::Job& job) {
  const function::ValueEnclosure value = job.function->value(format::to_mpfr(x), job.format.precision + 64);
  if (value.is_undefined())
    return {};
  if (value.is_exact() && mpfr_zero_p(static_cast<mpfr_srcptr>(value.lower)) != 0)
    return "no case: the value is 0";
  const bool is_large = mpfr_cmpabs_ui(value.lower, 1) > 0;
  return fmt::format("no case: the value {}", is_large ? "overflows" : "is nearer to 0 than to any breakpoint");
}

} // namespace

std::string_view to_string(Mistake::Kind kind) {
  switch (kind) {
  case Mistake::Kind::missing:
    return "missing";
  case Mistake::Kind::superfluous:
    return "superfluous";
  case Mistake::Kind::unusable:
    return "unusable";
  case Mistake::Kind::misclassed:
    break;
  }
  return "misclassed";
}

std::size_t count(const std::vector<Mistake>& mistakes, Mistake::Kind kind) {
  return static_cast<std::size_t>(
      std::count_if(mistakes.begin(), mistakes.end(), [&](const Mistake& one) { return one.kind == kind; }));
}

JudgedList judge_list(const CaseList& list, const job::Job& job, const job::Coverage& range) {
  const format::ArgumentSet set = job.arguments();
  const verify::Confirmation confirmation(*job.function, job.grid(), 0);
  const int least_bits = std::min(job.K, list.claims.bits.value_or(job.K));
  std::map<format::ArgumentSet::Rank, std::size_t> lines; // of the entries seen so far
  JudgedList result;
  const auto mistake = [&](Mistake::Kind kind, const ListedArgument& entry, std::string sentence) {
    result.mistakes.push_back({kind, entry.line, entry.x, std::move(sentence)});
  };
  for (const ListedArgument& entry : list.entries) {
    if (!entry.function.empty() && entry.function != job.function->name) {
      ++result.outside;
      continue;
    }
    format::ArgumentSet::Rank rank = 0;
    try {
      rank = set.parse(entry.x, "x");
    } catch (const UsageError&) {
      mistake(Mistake::Kind::unusable, entry,
              fmt::format("no number of {} with {} bits", job.format.name, job.argument_precision));
      continue;
    }
    if (!range.contains(rank)) {
      ++result.outside;
      continue;
    }
    const auto [seen, is_new] = lines.emplace(rank, entry.line);
    if (!is_new) {
      mistake(Mistake::Kind::unusable, entry, fmt::format("same as line {}", seen->second));
      continue;
    }
    const auto found = found_at(set.at(rank), confirmation);
    if (!found) {
      const std::string reason = why_no_case(set.at(rank), job);
      const bool has_value = !reason.empty();
      mistake(has_value ? Mistake::Kind::superfluous : Mistake::Kind::unusable, entry,
              has_value ? reason : fmt::format("{} has no value there", job.function->name));
      continue;
    }
    result.arguments.push_back({entry.line, *found});
    if (std::string sentence = contradiction(entry, *found); !sentence.empty())
      mistake(Mistake::Kind::misclassed, entry, std::move(sentence));
    if (found->kind == Case::Kind::hard && !is_case_for(least_bits, *found, job))
      mistake(Mistake::Kind::superfluous, entry, fmt::format("{:.4f} bits, no {}-bit case", found->bits, least_bits));
  }
  for (const ListedRange& one : list.ranges)
    result.ranges.push_back({set.parse(one.first, "first"), set.parse(one.last, "last") + 1});
  return result;
}

Completeness compare_lists(const JudgedList& list, const JudgedList& complete, const job::Job& job) {
  const format::ArgumentSet set = job.arguments();
  const auto ranks_of = [&](const JudgedList& judged) {
    std::set<format::ArgumentSet::Rank> ranks;
    for (const JudgedArgument& one : judged.arguments)
      if (is_case(one.found, job))
        ranks.insert(set.rank(one.found.x));
    return ranks;
  };
  const auto is_in = [](const std::vector<job::RankInterval>& ranges, format::ArgumentSet::Rank rank) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const job::RankInterval& range) { return range.first <= rank && rank < range.last; });
  };
  const auto listed = ranks_of(list);
  const auto all = ranks_of(complete);
  Completeness result;
  std::map<std::pair<bool, int>, BinadeCheck> binades;
  std::vector<Case> missing;
  for (const JudgedArgument& one : complete.arguments) {
    if (!is_case(one.found, job))
      continue;
    const Argument& x = one.found.x;
    const int exponent = x.unit_exponent + bit_length(x.significand) - 1;
    BinadeCheck& binade =
        binades.try_emplace({x.negative, exponent}, BinadeCheck{x.negative, exponent, 0, 0, double(job.K)})
            .first->second;
    ++binade.cases;
    if (const format::ArgumentSet::Rank rank = set.rank(x); listed.contains(rank) || is_in(list.ranges, rank))
      continue;
    ++binade.missing;
    binade.complete_from = std::max(binade.complete_from, one.found.bits);
    missing.push_back(one.found);
  }
  for (const auto& [place, binade] : binades)
    result.binades.push_back(binade);
  std::sort(missing.begin(), missing.end(), is_harder);
  for (const Case& one : missing)
    result.missing.push_back(
        {Mistake::Kind::missing, 0, to_hex(one.x),
         fmt::format("{:.4f} bits{}, {}", one.bits, one.is_least ? " or more" : "", to_string(one.breakpoint))});
  for (const JudgedArgument& one : list.arguments)
    if (const format::ArgumentSet::Rank rank = set.rank(one.found.x);
        is_case(one.found, job) && !all.contains(rank) && !is_in(complete.ranges, rank))
      result.extra.push_back(one);
  return result;
}

} // namespace tmd::result
