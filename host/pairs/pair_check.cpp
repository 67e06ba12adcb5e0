#include "pairs/pair_check.hpp"

#include "format/argument.hpp"
#include "pairs/power_lines.hpp"
#include "pairs/scaling_class.hpp"
#include "tmd/error.hpp"
#include "verify/confirm.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

std::uint64_t word(const Argument& x) { return static_cast<std::uint64_t>(x.significand); }

// Requires x ≥ y > 0. Significands of p bits; nothing if the value is a subnormal number.
std::optional<Legs> legs_of(Argument x, Argument y, const Format& format) {
  for (Argument* one : {&x, &y}) {
    const int lacking = format.precision - bit_length(one->significand);
    one->significand <<= lacking;
    one->unit_exponent -= lacking;
  }
  const Legs legs{word(x), word(y), x.unit_exponent - y.unit_exponent};
  return is_subnormal(legs, y.unit_exponent, format) ? std::nullopt : std::optional(legs);
}

} // namespace

bool is_in_family(const PairJob& job, const Operands& operands) {
  if (job.ranges)
    return false;
  constexpr long bits = 256;
  const format::BreakpointGrid grid = job.grid();
  const function::Function bound =
      function::at_operands(*job.function, format::to_mpfr(operands[0]), format::to_mpfr(operands[1]));
  number::Mpfr value = bound.value(number::Mpfr(2), bits).lower;
  const int spacing = grid.spacing_exponent(static_cast<int>(mpfr_get_exp(mpfr_srcptr(value))) - 1);
  mpfr_div_2si(value, value, spacing, MPFR_RNDN);
  if (grid.shifted())
    mpfr_sub_d(value, value, 0.5, MPFR_RNDN);
  mpfr_rint(value, value, MPFR_RNDN);
  if (grid.shifted())
    mpfr_add_d(value, value, 0.5, MPFR_RNDN);
  mpfr_mul_2si(value, value, spacing, MPFR_RNDN); // the breakpoint
  const std::string& name = job.function->name;
  if (name == "hypot")
    return mpfr_equal_p(value, format::to_mpfr(operands[0])) != 0;
  if (name == "atan2") {
    const Ratio ratio = ratio_of(operands[1].negative, word(operands[0]), word(operands[1]),
                                 operands[0].unit_exponent - operands[1].unit_exponent);
    return is_in_family(job, ratio) && mpfr_cmp_ui_2exp(value, ratio.y, ratio.exponent) == 0;
  }
  const bool is_one = mpfr_cmp_ui(value, 1) == 0;
  return name == "atan2pi" ? is_one || mpfr_cmp_ui_2exp(value, 1, -1) == 0 : is_one;
}

Operands entry_of(const PairJob& job, const Operands& operands) {
  if (job.ranges || job.function->name == "compoundn")
    return operands;
  auto [first, second] = operands;
  first.negative = false;
  const std::string& name = job.function->name;
  if (name.starts_with("atan2"))
    return operands_of(ratio_of(second.negative, word(first), word(second), first.unit_exponent - second.unit_exponent),
                       job.format);
  if (name != "hypot")
    return {first, second};
  second.negative = false;
  if (compare(first, second) < 0)
    std::swap(first, second);
  const auto legs = legs_of(first, second, job.format);
  return legs ? operands_of(*legs, job.format) : Operands{first, second};
}

JudgedPairs judge_pairs(const std::vector<result::ListedPair>& list, const PairJob& job) {
  const format::ArgumentSet set(job.format, job.format.precision);
  std::map<std::string, std::size_t> lines; // of the entries seen so far
  const std::optional<PowerLines> ranges = job.ranges ? std::optional<PowerLines>(job) : std::nullopt;
  JudgedPairs result;
  for (const result::ListedPair& entry : list) {
    const auto mistake = [&](result::Mistake::Kind kind, std::string sentence) {
      result.mistakes.push_back({kind, entry.line, entry.first + "," + entry.second, std::move(sentence)});
    };
    Operands operands;
    try {
      for (std::size_t i = 0; i < operands.size(); ++i)
        operands.at(i) = read_operand(*job.function, i, i == 0 ? entry.first : entry.second, set, "x");
    } catch (const UsageError&) {
      if (result::is_special_number(entry.first) || result::is_special_number(entry.second))
        ++result.prescribed;
      else
        mistake(result::Mistake::Kind::unusable, fmt::format("not a pair of numbers of {}{}", job.format.name,
                                                             job.function->takes_integer ? " and an integer" : ""));
      continue;
    }
    const bool has_zero = operands[0].significand == 0 || operands[1].significand == 0;
    if (has_zero || (ranges && !ranges->has(operands)) ||
        job.function->special(format::to_mpfr(operands[0]), format::to_mpfr(operands[1]))) {
      ++result.prescribed;
      continue;
    }
    if (const auto [seen, is_new] = lines.emplace(to_text(*job.function, operands), entry.line); !is_new) {
      mistake(result::Mistake::Kind::unusable, fmt::format("same as line {}", seen->second));
      continue;
    }
    result.pairs.push_back({entry.line, operands, confirm_pair(job, operands)});
    if (!result.pairs.back().found) {
      PairJob any = job;
      any.K = 0;
      const auto near = confirm_pair(any, operands);
      mistake(result::Mistake::Kind::superfluous, near ? fmt::format("{:.4f} bits, no {}-bit case", near->bits, job.K)
                                                       : "no case: the value is near no breakpoint");
    }
  }
  return result;
}

std::vector<result::Mistake> missing_pairs(const JudgedPairs& list, const PairJob& job, const PairResult& found) {
  std::set<std::string> known;
  for (const PairCase& one : found.cases)
    known.insert(to_text(*job.function, entry_of(job, one.operands)));
  std::set<std::string> listed;
  for (const JudgedPair& one : list.pairs) {
    const Operands entry = entry_of(job, one.operands);
    const std::string text = to_text(*job.function, entry);
    listed.insert(text);
    if (one.found && one.found->kind == Case::Kind::hard && !known.contains(text) && !is_in_family(job, entry))
      throw SoundnessError(
          fmt::format("the search has not found {}, which is listed", to_text(*job.function, one.operands)));
  }
  std::vector<result::Mistake> missing;
  for (const PairCase& one : found.cases)
    if (!listed.contains(to_text(*job.function, entry_of(job, one.operands))))
      missing.push_back({result::Mistake::Kind::missing, 0, to_text(*job.function, one.operands),
                         fmt::format("{:.4f} bits from a {}{}", one.found.bits, to_string(one.found.breakpoint),
                                     one.found.breakpoint == Breakpoint::representable ? " number" : "")});
  return missing;
}

} // namespace tmd::pairs
