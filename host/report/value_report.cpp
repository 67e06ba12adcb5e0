#include "report/value_report.hpp"

#include "result/record.hpp"
#include "result/records.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr long most_run = 200;     // equal bits that are looked at: more only where a value is undecided
constexpr std::size_t behind = 8;  // bits shown behind the run
constexpr std::size_t widest = 80; // bits of a run that are printed

// `count` bits of |y| below 2^(exponent + 1), cut off.
std::string bits_below(mpfr_srcptr y, long exponent, long count) {
  Mpfr magnitude(mpfr_get_prec(y));
  mpfr_abs(magnitude, y, MPFR_RNDN);
  std::string text;
  for (long i = 0; i < count; ++i) {
    const bool one = mpfr_cmp_ui_2exp(magnitude, 1, exponent - i) >= 0;
    if (one) {
      Mpfr power(2);
      mpfr_set_ui_2exp(power, 1, exponent - i, MPFR_RNDN);
      mpfr_sub(magnitude, magnitude, power, MPFR_RNDN);
    }
    text.push_back(one ? '1' : '0');
  }
  return text;
}

ShownDigits digits_of(const ValueEnclosure& value, const Format& format) {
  ShownDigits digits;
  const mpfr_srcptr lower = value.lower;
  const mpfr_srcptr upper = value.upper;
  const bool zero = mpfr_zero_p(lower) != 0;
  digits.exponent = zero ? format.min_exponent : ulp_exponent(format, lower) + format.precision - 1;
  const long count = format.precision + 1 + most_run;
  const std::string one = bits_below(lower, digits.exponent, count);
  const std::string other = bits_below(upper, digits.exponent, count);
  const auto p = static_cast<std::size_t>(format.precision);
  const auto known = static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), other.begin()).first - one.begin());
  digits.significand = one.substr(0, 1) + "." + one.substr(1, p - 1);
  digits.round_bit = one.substr(p, 1);
  const std::string rest = one.substr(p + 1, known > p + 1 ? known - p - 1 : 0);
  digits.run = rest.substr(0, rest.find_first_not_of(rest.empty() ? '0' : rest.front()));
  digits.further = rest.substr(digits.run.size(), behind);
  return digits;
}

// Where |f(x)| lies among the numbers of the format.
std::string_view place_of(const RoundedValue& value, const Format& format) {
  const mpfr_srcptr y = value.enclosure.lower;
  const std::optional<Mpfr>& nearest = value.in(Direction::nearest);
  if (mpfr_zero_p(y) != 0)
    return value.enclosure.is_exact() ? "zero" : "underflow";
  if (nearest && mpfr_inf_p(mpfr_srcptr(*nearest)) != 0)
    return "overflow";
  const long exponent = mpfr_get_exp(y) - 1;
  if (exponent >= format.min_exponent)
    return "normal";
  return exponent >= format.min_exponent - format.precision + 1 ? "subnormal" : "underflow";
}

} // namespace

ShownValue show_value(const Job& job, const Argument& x) {
  const Mpfr number = to_mpfr(x);
  const auto value = rounded_value(*job.function, job.format, number);
  const auto found = Confirmation(*job.function, job.grid(), 0).confirm(x);
  if (!value)
    throw UsageError(fmt::format("{} has no value at {}", job.function->name, to_hex(x)));
  ShownValue shown{x,
                   mpfr_signbit(mpfr_srcptr(value->enclosure.lower)) != 0,
                   digits_of(value->enclosure, job.format),
                   found,
                   place_of(*value, job.format),
                   {}};
  for (std::size_t i = 0; i < directions.size(); ++i)
    if (const std::optional<Mpfr>& rounded = value->in(directions.at(i)))
      shown.rounded.at(i) = to_hex(mpfr_srcptr(*rounded));
  return shown;
}

std::string value_table(const Job& job, const ShownValue& shown, std::optional<int> bits) {
  const ShownDigits& digits = shown.digits;
  std::string table = fmt::format("{} at {}, {}\n", job.function->name, to_hex(shown.x), job.format.name);
  const auto line = [&](std::string_view name, const std::string& text) {
    table += fmt::format("  {:<12}{}\n", name, text);
  };
  const bool ends = !digits.further.empty(); // the run
  line("value", fmt::format("{}{} {} {}{}… × 2^{}", shown.negative ? "-" : "", digits.significand, digits.round_bit,
                            digits.run.substr(0, widest), ends ? " " + digits.further : "", digits.exponent));
  line("", ends ? fmt::format("the round bit is {}, {} equal bits follow", digits.round_bit, digits.run.size())
                : fmt::format("the round bit is {}, equal bits follow", digits.round_bit));
  if (shown.found) {
    const std::string_view breakpoint =
        shown.found->breakpoint == Breakpoint::representable ? "a representable number" : "a midpoint";
    if (shown.found->kind == Case::Kind::hard)
      line("distance", fmt::format("{:.4f} bits from {}", shown.found->bits, breakpoint));
    else
      line("distance", fmt::format("{}: {} {}", to_string(shown.found->kind),
                                   shown.found->is_exact() ? "the value is" : "cannot be told from", breakpoint));
  } else {
    line("distance", "none: 0, beyond the largest number, or nearer to 0 than to any breakpoint");
  }
  if (bits) {
    const bool is_case = shown.found && shown.found->kind == Case::Kind::hard && shown.found->bits > *bits;
    line("", fmt::format("{} {}-bit case", is_case ? "a" : "no", *bits));
  }
  line("place", std::string(shown.place));
  for (std::size_t i = 0; i < directions.size(); ++i)
    line(to_string(directions.at(i)), shown.rounded.at(i).empty() ? "undecided" : shown.rounded.at(i));
  return table;
}

Json value_record(const Job& job, const ShownValue& shown) {
  const ShownDigits& digits = shown.digits;
  Json rounded = Json::object();
  for (std::size_t i = 0; i < directions.size(); ++i)
    rounded[std::string(to_string(directions.at(i)))] =
        shown.rounded.at(i).empty() ? Json(nullptr) : Json(shown.rounded.at(i));
  return first_record("value", running_program(),
                      {{"function", job.function->name},
                       {"format", job.format.name},
                       {"argument_precision", job.argument_precision},
                       {"x", to_hex(shown.x)},
                       {"kind", shown.found ? Json(to_string(shown.found->kind)) : Json(nullptr)},
                       {"bits", shown.found && std::isfinite(shown.found->bits) ? Json(four_decimals(shown.found->bits))
                                                                                : Json(nullptr)},
                       {"breakpoint", shown.found ? Json(to_string(shown.found->breakpoint)) : Json(nullptr)},
                       {"negative", shown.negative},
                       {"significand", digits.significand},
                       {"round_bit", digits.round_bit},
                       {"run", digits.run},
                       {"further", digits.further},
                       {"exponent", digits.exponent},
                       {"place", shown.place},
                       {"rounded", rounded}});
}

} // namespace tmd
