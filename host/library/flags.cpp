// The right flags follow from where a value lies between its neighbours: exact or not, beyond the largest number, below
// the least normal one before or after rounding. A library is judged by the definition of tininess that fits it better.
#include "library/flags.hpp"

#include "library/coded_results.hpp"
#include "library/library_calls.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tmd::library {

namespace {

// For a finite, inexact result: whether it overflows, or is tiny by each of the definitions.
struct Range {
  bool overflows = false;
  bool is_tiny_before = false;
  std::optional<bool> is_tiny_after; // empty if the fraction is not known well enough
};

Range range_of(const Encodings& encodings, const RightResult& right, Direction direction) {
  constexpr double margin = 0x1p-11; // only the fractions 0, 1/2 and 1 are certain
  constexpr double near_limit = 0.75;
  const Code size = encodings.magnitude(right.toward_zero);
  const Code least_normal = Code(1) << (encodings.format().precision - 1);
  const Direction away = encodings.is_negative(right.toward_zero) ? Direction::downward : Direction::upward;
  const bool is_away = direction == away;
  const bool is_nearest = direction == Direction::nearest;
  Range range;
  range.overflows =
      size + 1 == encodings.infinity() && (right.fraction == 1 || is_away || (is_nearest && right.fraction >= 0.5));
  range.is_tiny_before = size < least_normal;
  range.is_tiny_after = range.is_tiny_before;
  if (size + 1 == least_normal) { // with one more bit and no least exponent it may round to the least normal number
    if (is_away)
      range.is_tiny_after = right.fraction <= 0.5;
    else if (is_nearest && std::fabs(right.fraction - near_limit) <= margin)
      range.is_tiny_after = std::nullopt;
    else if (is_nearest)
      range.is_tiny_after = right.fraction < near_limit;
  }
  return range;
}

// Used where the right result is unknown: an infinite result for a number counts as a pole, NaN as outside the domain.
RightFlags flags_of_result(const Encodings& encodings, Code argument, Code result) {
  constexpr std::uint8_t of_sizes = flag_overflow | flag_underflow | flag_inexact;
  if (encodings.is_nan(result))
    return {flag_invalid | errno_domain, 0, false};
  if (!encodings.is_number(argument)) // limits such as that of atan are inexact, those of exp are not
    return {0, flag_inexact, false};
  if (!encodings.is_number(result))
    return {flag_divide_by_zero | errno_range, 0, false};
  return {0, static_cast<std::uint8_t>(of_sizes | errno_range), false};
}

} // namespace

RightFlags right_flags(const Encodings& encodings, Code argument, const std::optional<RightResult>& right,
                       Direction direction, Code result) {
  if (encodings.is_nan(argument)) {
    const bool is_quiet = (argument & encodings.not_a_number()) == encodings.not_a_number();
    return {static_cast<std::uint8_t>(is_quiet ? 0 : flag_invalid), 0, false};
  }
  if (!right)
    return flags_of_result(encodings, argument, result);
  if (std::isnan(right->fraction))
    return {flag_invalid | errno_domain, 0, false};
  if (right->fraction == 0 && encodings.is_number(argument) && !encodings.is_number(right->toward_zero)) // a pole
    return {flag_divide_by_zero | errno_range, 0, false};
  if (right->fraction == 0)
    return {};
  RightFlags flags{flag_inexact, 0, false};
  const Range range = range_of(encodings, *right, direction);
  if (range.overflows)
    flags.set |= flag_overflow | errno_range;
  if (range.is_tiny_before) {
    flags.open |= errno_range; // C leaves it to each implementation
    if (range.is_tiny_after == true)
      flags.set |= flag_underflow;
    else
      flags.open |= flag_underflow;
    flags.tells_tininess = range.is_tiny_after == false;
  }
  // A wrong result may lie on the other side of a limit.
  if (result != encodings.expected(*right, direction)) {
    flags.open |= flag_overflow | flag_underflow | errno_range;
    flags.tells_tininess = false;
  }
  return flags;
}

void MarkedCalls::add(const MarkedCalls& other, const Encodings& encodings) {
  if (other.count == 0)
    return;
  const auto is_less = [&] { // NaN comes last
    if (encodings.is_nan(argument) != encodings.is_nan(other.argument))
      return encodings.is_nan(argument);
    if (encodings.is_before(other.argument, argument) || encodings.is_before(argument, other.argument))
      return encodings.is_before(other.argument, argument);
    return std::tie(other.argument, other.direction) < std::tie(argument, direction);
  };
  if (count == 0 || is_less()) {
    argument = other.argument;
    direction = other.direction;
  }
  count += other.count;
}

void FlagFindings::add(Code argument, const std::optional<RightResult>& right, Direction direction, Code result,
                       std::uint8_t flags) {
  ++calls_;
  ever_set_ |= flags;
  const RightFlags what = right_flags(encodings_, argument, right, direction, result);
  const MarkedCalls marked{1, argument, direction};
  if (what.tells_tininess)
    ((flags & flag_underflow) != 0 ? tiny_before_ : tiny_after_).add(marked, encodings_);
  const auto wrong = static_cast<unsigned>((flags ^ what.set) & ~what.open);
  for (std::size_t i = 0; wrong >> i != 0; ++i)
    if ((wrong >> i & 1) != 0)
      ((flags >> i & 1) != 0 ? spurious_ : missing_).at(i).add(marked, encodings_);
}

void FlagFindings::add(const FlagFindings& other) {
  calls_ += other.calls_;
  ever_set_ |= other.ever_set_;
  for (std::size_t i = 0; i < call_flag_names.size(); ++i) {
    spurious_.at(i).add(other.spurious_.at(i), encodings_);
    missing_.at(i).add(other.missing_.at(i), encodings_);
  }
  tiny_before_.add(other.tiny_before_, encodings_);
  tiny_after_.add(other.tiny_after_, encodings_);
}

MarkedCalls FlagFindings::missing(std::size_t flag) const {
  return uses_errno() || 1U << flag < errno_domain ? missing_.at(flag) : MarkedCalls{};
}

bool FlagFindings::are_right() const {
  for (std::size_t i = 0; i < call_flag_names.size(); ++i)
    if (spurious(i).count != 0 || missing(i).count != 0)
      return false;
  return tiny_before_.count == 0 || tiny_after_.count == 0;
}

FlagFindings judge_flags(const LibraryCalls& calls, const LibraryAnswers& answers, const Format& format) {
  const Encodings encodings(format);
  FlagFindings findings(encodings);
  for (std::size_t i = 0; i < calls.calls.size(); ++i) {
    if (answers.answers[i].kind != LibraryAnswer::Kind::returned)
      continue;
    const verify::RoundedValue& value = calls.values[i / directions.size()];
    const bool has_value = mpfr_nan_p(static_cast<mpfr_srcptr>(value.enclosure.lower)) == 0;
    findings.add(encodings.code(calls.calls[i].x), has_value ? right_result(value, encodings) : RightResult{},
                 calls.calls[i].direction, answers.results[i], answers.flags[i]);
  }
  return findings;
}

} // namespace tmd::library
