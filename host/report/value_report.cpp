// Ziv's method computes the value (verify/rounded_value.hpp); its digits are cut from the enclosure as far as both ends
// agree. The table and the record are made from the same ShownValue.
#include "report/value_report.hpp"

#include "format/encoding.hpp"
#include "report/library_report.hpp"
#include "result/record.hpp"
#include "result/records.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace tmd::report {

namespace {

constexpr long most_run = 200;     // equal bits computed; more only for an undecided value
constexpr std::size_t behind = 8;  // bits shown after the run
constexpr std::size_t widest = 80; // bits of a run that are printed

// `count` bits of |y| below 2^(exponent + 1), cut off.
std::string bits_below(mpfr_srcptr y, long exponent, long count) {
  number::Mpfr magnitude(mpfr_get_prec(y));
  mpfr_abs(magnitude, y, MPFR_RNDN);
  std::string text;
  for (long i = 0; i < count; ++i) {
    const bool one = mpfr_cmp_ui_2exp(magnitude, 1, exponent - i) >= 0;
    if (one) {
      number::Mpfr power(2);
      mpfr_set_ui_2exp(power, 1, exponent - i, MPFR_RNDN);
      mpfr_sub(magnitude, magnitude, power, MPFR_RNDN);
    }
    text.push_back(one ? '1' : '0');
  }
  return text;
}

// Whether only a bound of a value's size is known.
bool is_beyond(const verify::RoundedValue& value) {
  const bool is_exact = value.enclosure.is_exact();
  const int signs = mpfr_sgn(mpfr_srcptr(value.enclosure.lower)) * mpfr_sgn(mpfr_srcptr(value.enclosure.upper));
  if (value.is_beside_zero || !value.enclosure.is_bounded() || (signs <= 0 && !is_exact))
    return true;
  const auto is_far = [](mpfr_srcptr end) {
    return mpfr_regular_p(end) != 0 && std::labs(mpfr_get_exp(end)) > function::most_value_exponent;
  };
  return is_far(value.enclosure.lower) || is_far(value.enclosure.upper);
}

std::optional<ShownDigits> digits_of(const verify::RoundedValue& rounded, const Format& format) {
  if (is_beyond(rounded))
    return std::nullopt;
  const function::ValueEnclosure& value = rounded.enclosure;
  ShownDigits digits;
  const mpfr_srcptr lower = value.lower;
  const mpfr_srcptr upper = value.upper;
  const bool zero = mpfr_zero_p(lower) != 0;
  digits.exponent = zero ? format.min_exponent : verify::ulp_exponent(format, lower) + format.precision - 1;
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

constexpr std::string_view not_known = "not known";

// The position of |f(x)| among the numbers of the format.
std::string_view place_of(const verify::RoundedValue& value, const Format& format) {
  const mpfr_srcptr y = value.enclosure.lower;
  const std::optional<number::Mpfr>& nearest = value.in(Direction::nearest);
  if (nearest && mpfr_inf_p(mpfr_srcptr(*nearest)) != 0)
    return "overflow";
  if (!value.enclosure.is_bounded())
    return not_known;
  if (mpfr_zero_p(y) != 0)
    return value.enclosure.is_exact() ? "zero" : "underflow";
  const long exponent = mpfr_get_exp(y) - 1;
  if (exponent >= format.min_exponent)
    return "normal";
  return exponent >= format.min_exponent - format.precision + 1 ? "subnormal" : "underflow";
}

// Rounds with exponents that go on below the format's, as far as rounding may lift values out of the subnormal range.
ShownUnderflow underflow_of(const verify::RoundedValue& value, const Format& format) {
  ShownUnderflow result;
  const mpfr_srcptr lower = value.enclosure.lower;
  const mpfr_srcptr upper = value.enclosure.upper;
  const auto is_tiny = [&](mpfr_srcptr y) {
    return mpfr_zero_p(y) != 0 || (mpfr_regular_p(y) != 0 && mpfr_get_exp(y) - 1 < format.min_exponent);
  };
  const std::optional<number::Mpfr>& nearest = value.in(Direction::nearest);
  const bool is_number =
      nearest && value.enclosure.is_exact() && !value.is_beside_zero && mpfr_equal_p(mpfr_srcptr(*nearest), lower) != 0;
  const bool is_zero = value.enclosure.is_exact() && mpfr_zero_p(lower) != 0;
  if (is_zero || is_number || !is_tiny(lower) || !is_tiny(upper))
    return result;
  result.before = true;
  Format wide = format;
  wide.min_exponent -= 2 * format.precision;
  for (const Direction direction : directions) {
    const bool one = is_tiny(verify::round_to(wide, lower, direction));
    if (one == is_tiny(verify::round_to(wide, upper, direction)))
      result.after.at(static_cast<std::size_t>(direction)) = one;
  }
  return result;
}

// All that is shown of a value except its operands.
ShownValue shown_value(const job::Job& job, const verify::RoundedValue& value, const std::optional<Operand>& result) {
  ShownValue shown;
  shown.negative = mpfr_signbit(mpfr_srcptr(value.enclosure.lower)) != 0;
  shown.digits = digits_of(value, job.format);
  shown.place = place_of(value, job.format);
  shown.underflow = underflow_of(value, job.format);
  for (std::size_t i = 0; i < directions.size(); ++i)
    if (const std::optional<number::Mpfr>& rounded = value.in(directions.at(i)))
      shown.rounded.at(i) = verify::to_hex(mpfr_srcptr(*rounded));
  if (result)
    shown.result = {result->text, verify::error_in_ulps(value, job.format, result->value)};
  return shown;
}

// A value that is the same in every direction.
verify::RoundedValue special_value(const number::Mpfr& value) {
  verify::RoundedValue result{function::ValueEnclosure(mpfr_get_prec(mpfr_srcptr(value)))};
  mpfr_set(result.enclosure.lower, value, MPFR_RNDN);
  mpfr_set(result.enclosure.upper, value, MPFR_RNDN);
  result.in_format.fill(value);
  return result;
}

std::string value_text(const ShownValue& shown) {
  if (shown.is_special)
    return shown.rounded.front() + ", as C23 prescribes";
  if (!shown.digits)
    return shown.place == "overflow"  ? "overflows: so large that its digits are not computed"
           : shown.place == not_known ? "not known: a step of the expression is too large to compute"
                                      : "so near to 0, if not 0, that its digits are not computed";
  const ShownDigits& digits = *shown.digits;
  return fmt::format("{}{} {} {}{}… × 2^{}", shown.negative ? "-" : "", digits.significand, digits.round_bit,
                     digits.run.substr(0, widest), digits.further.empty() ? "" : " " + digits.further, digits.exponent);
}

std::string distance_text(const ShownValue& shown) {
  if (!shown.found)
    return shown.place == "overflow" ? "none: the value overflows"
           : shown.place == "zero"   ? "none: the value is 0"
                                     : "none: the value is nearer to 0 than to any breakpoint";
  const std::string_view breakpoint =
      shown.found->breakpoint == Breakpoint::representable ? "a representable number" : "a midpoint";
  if (shown.found->kind == Case::Kind::hard)
    return fmt::format("{:.4f} bits{} from {}", shown.found->bits, shown.found->is_least ? " or more" : "", breakpoint);
  return fmt::format("{}: {} {}", to_string(shown.found->kind),
                     shown.found->is_exact() ? "the value is" : "cannot be told from", breakpoint);
}

std::string underflow_text(const ShownUnderflow& underflow) {
  std::string text;
  for (const Direction direction : directions)
    if (underflow.after.at(static_cast<std::size_t>(direction)) == false)
      text += fmt::format("{}{}", text.empty() ? "" : ", ", to_string(direction));
  return text.empty() ? "before and after rounding" : fmt::format("before rounding; not after rounding {}", text);
}

std::string result_text(const ShownValue& shown) {
  std::string right;
  for (std::size_t i = 0; i < directions.size(); ++i)
    if (shown.rounded.at(i) == shown.result->text)
      right += fmt::format("{}{}", right.empty() ? "" : ", ", to_string(directions.at(i)));
  return fmt::format("{}: error {} ulp, {}", shown.result->text, error_text(shown.result->error),
                     right.empty() ? "not correctly rounded" : "correctly rounded " + right);
}

void require_number(std::string_view name, const Operand& operand) {
  if (mpfr_number_p(mpfr_srcptr(operand.value)) == 0)
    throw UsageError(fmt::format("{}: {} is not a number that can be shown", name, operand.text));
}

} // namespace

Operand read_operand(const job::Job& job, std::string_view text, std::string_view what) {
  const std::string_view magnitude = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  const bool negative = text.starts_with('-');
  if (magnitude == "inf" || magnitude == "nan") {
    Operand special{magnitude == "nan" ? "nan" : negative ? "-inf" : "inf", number::Mpfr(2), true};
    if (magnitude == "inf")
      mpfr_set_inf(special.value, negative ? -1 : 1);
    return special;
  }
  const format::ArgumentSet set = job.arguments();
  const auto [rank, is_exact] = set.nearest(text, what);
  if (rank == set.end() || rank == -set.end())
    throw UsageError(fmt::format("{}: {} is beyond the largest number of {}", what, text, job.format.name));
  Argument x = set.at(rank);
  x.negative = negative;
  Operand operand{to_hex(x), format::to_mpfr(x), is_exact};
  return operand;
}

ShownValue show_value(const job::Job& job, const Operand& x, const std::optional<Operand>& result) {
  require_number("X", x);
  const auto value = verify::rounded_value(*job.function, job.format, x.value);
  if (!value)
    throw UsageError(fmt::format("{} has no value at {}", job.function->name, x.text));
  ShownValue shown = shown_value(job, *value, result);
  const format::ArgumentSet set = job.arguments();
  shown.found = verify::Confirmation(*job.function, job.grid(), 0).confirm(set.at(set.parse(x.text, "X")));
  shown.operands = {{"x", x.text}};
  return shown;
}

ShownValue show_value(job::Job job, const function::PairFunction& function, const Operand& first, const Operand& second,
                      const std::optional<Operand>& result) {
  ShownValue shown;
  if (const auto special = function.special(first.value, second.value)) {
    shown = shown_value(job, special_value(*special), result);
    shown.is_special = true;
    shown.digits.reset();
    shown.place = mpfr_nan_p(mpfr_srcptr(*special)) != 0    ? "not a number"
                  : mpfr_inf_p(mpfr_srcptr(*special)) != 0  ? "infinite"
                  : mpfr_zero_p(mpfr_srcptr(*special)) != 0 ? "zero"
                                                            : "normal";
  } else {
    require_number("X", first); // C23 says nothing of expressions
    require_number("Y", second);
    const function::Function bound = function::at_operands(function, first.value, second.value);
    job.function = &bound;
    const number::Mpfr any(2); // an argument that the function ignores
    const auto value = verify::rounded_value(bound, job.format, any);
    if (!value)
      throw UsageError(fmt::format("{} has no value at {}, {}", function.name, first.text, second.text));
    shown = shown_value(job, *value, result);
    shown.found = verify::Confirmation(bound, job.grid(), 0).confirm(Argument{});
  }
  shown.operands = {{std::string(function.operands[0]), first.text}, {std::string(function.operands[1]), second.text}};
  return shown;
}

std::string value_table(const job::Job& job, std::string_view function, const ShownValue& shown,
                        std::optional<int> bits, bool raw) {
  const auto with_bits = [&](const std::string& number) {
    return raw ? fmt::format("{:<24} {}", number, format::encoding_of(job.format, number)) : number;
  };
  std::string operands;
  for (const auto& [name, text] : shown.operands)
    operands += (operands.empty() ? "" : ", ") + text +
                (raw ? fmt::format(" ({})", format::encoding_of(job.format, text)) : "");
  std::string table = fmt::format("{} at {}, {}\n", function, operands, job.format.name);
  const auto line = [&](std::string_view name, const std::string& text) {
    table += fmt::format("  {:<12}{}\n", name, text);
  };
  line("value", value_text(shown));
  if (shown.digits) {
    const ShownDigits& digits = *shown.digits;
    line("", digits.further.empty()
                 ? fmt::format("the round bit is {}, equal bits follow", digits.round_bit)
                 : fmt::format("the round bit is {}, {} equal bits follow", digits.round_bit, digits.run.size()));
  }
  if (!shown.is_special)
    line("distance", distance_text(shown));
  if (bits) {
    const bool is_case = shown.found && shown.found->kind == Case::Kind::hard && shown.found->bits > *bits;
    line("", fmt::format("{} {}-bit case", is_case ? "a" : "no", *bits));
  }
  line("place", std::string(shown.place));
  if (shown.underflow.before)
    line("underflow", underflow_text(shown.underflow));
  for (std::size_t i = 0; i < directions.size(); ++i)
    line(to_string(directions.at(i)), shown.rounded.at(i).empty() ? "undecided" : with_bits(shown.rounded.at(i)));
  if (shown.result)
    line("result", result_text(shown));
  return table;
}

result::Json value_record(const job::Job& job, std::string_view function, const ShownValue& shown) {
  result::Json record = result::first_record(
      "value", result::running_program(),
      {{"function", function}, {"format", job.format.name}, {"argument_precision", job.argument_precision}});
  for (const auto& [name, text] : shown.operands)
    record[name] = text;
  const auto or_null = [](const auto& optional, const auto& value_in) {
    return optional ? result::Json(value_in(*optional)) : result::Json(nullptr);
  };
  record["kind"] = or_null(shown.found, [](const Case& one) { return to_string(one.kind); });
  record["bits"] = shown.found && std::isfinite(shown.found->bits)
                       ? result::Json(result::four_decimals(shown.found->bits))
                       : result::Json();
  record["breakpoint"] = or_null(shown.found, [](const Case& one) { return to_string(one.breakpoint); });
  if (shown.found && shown.found->is_least)
    record["or_more"] = true;
  record["negative"] = shown.negative;
  record["significand"] = or_null(shown.digits, [](const ShownDigits& digits) { return digits.significand; });
  record["round_bit"] = or_null(shown.digits, [](const ShownDigits& digits) { return digits.round_bit; });
  record["run"] = or_null(shown.digits, [](const ShownDigits& digits) { return digits.run; });
  record["further"] = or_null(shown.digits, [](const ShownDigits& digits) { return digits.further; });
  record["exponent"] = or_null(shown.digits, [](const ShownDigits& digits) { return digits.exponent; });
  record["place"] = shown.place;
  result::Json rounded = result::Json::object();
  result::Json underflows{{"before", shown.underflow.before}, {"after", result::Json::object()}};
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const std::string name(to_string(directions.at(i)));
    rounded[name] = shown.rounded.at(i).empty() ? result::Json() : result::Json(shown.rounded.at(i));
    underflows["after"][name] = or_null(shown.underflow.after.at(i), [](bool tiny) { return tiny; });
  }
  record["rounded"] = rounded;
  record["underflow"] = shown.underflow.before ? underflows : result::Json();
  if (shown.result) {
    record["result"] = shown.result->text;
    record["error"] = std::isfinite(shown.result->error) ? result::Json(shown.result->error) : result::Json();
  }
  return record;
}

} // namespace tmd::report
