#include "pairs/pair_job.hpp"

#include "request/numbers.hpp"
#include "tmd/error.hpp"
#include "verify/confirm.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

// "1 to 2", from "1:2".
std::string range_text(const std::string& range) {
  const std::size_t colon = range.find(':');
  return range.substr(0, colon) + " to " + range.substr(colon + 1);
}

} // namespace

std::string describe(const PairJob& job) {
  return fmt::format(
      "{}, {} with arguments of {} bits, breakpoints: {}, values as the format has them, K = {}{}", job.function->name,
      job.format.name, job.format.precision, to_string(job.rounding), job.K,
      job.ranges ? fmt::format(", x from {}, y from {}", range_text((*job.ranges)[0]), range_text((*job.ranges)[1]))
                 : "");
}

std::string_view reduction_of(const PairJob& job) {
  const function::PairFunction& function = *job.function;
  if (job.ranges)
    return "x,y, each pair by itself; x = 0 and y = 0 are left out";
  if (function.name == "hypot")
    return "x,y with 0 < y <= x, a pair for all that differ by a power of two; signs and order do not matter";
  if (function.name.starts_with("atan2"))
    return "y,x with y > 0, a pair for each ratio y/x and sign of x; f(-y, x) = -f(y, x)";
  if (function.name == "compoundn")
    return "x,n with x > -1 and n from -2^31 to 2^31 - 1, but for x = 0, n = 0 and n = 1";
  if (function.takes_integer)
    return "x,n with x > 0, but for x = 1, n = 0 and n = 1; for x < 0 the value is that of |x|, with a sign, if any";
  return "x,y with x > 0; for x < 0 and an integer y the value is that of |x|, with a sign";
}

std::string to_text(const Operands& operands) { return to_hex(operands[0]) + "," + to_hex(operands[1]); }

std::string to_text(const function::PairFunction& function, const Operands& operands) {
  const auto& [x, n] = operands;
  return function.takes_integer ? fmt::format("{},{}{}", to_hex(x), n.negative ? "-" : "", to_string(n.significand))
                                : to_text(operands);
}

bool is_power(const function::PairFunction& function) {
  return function.name == "pow" || function.name == "powr" || function.name == "compoundn";
}

Argument read_operand(const function::PairFunction& function, std::size_t number, const std::string& text,
                      const format::ArgumentSet& numbers, std::string_view what) {
  if (!function.takes_integer || number == 0)
    return numbers.at(numbers.parse(text, what));
  const auto n = request::number_of<std::int64_t>(text);
  if (!n)
    throw UsageError(fmt::format("{}: '{}' is not a 64-bit integer", what, text));
  return {*n < 0, *n < 0 ? 0 - static_cast<std::uint64_t>(*n) : static_cast<std::uint64_t>(*n), 0};
}

bool is_harder(const PairCase& left, const PairCase& right) {
  if (left.found.bits != right.found.bits)
    return left.found.bits > right.found.bits;
  for (std::size_t i = 0; i < left.operands.size(); ++i)
    if (const int order = compare(left.operands.at(i), right.operands.at(i)); order != 0)
      return order < 0;
  return false;
}

std::optional<Case> confirm_pair(const PairJob& job, const Operands& operands) {
  const number::Mpfr first = format::to_mpfr(operands[0]);
  const number::Mpfr second = format::to_mpfr(operands[1]);
  if (const auto special = job.function->special(first, second); special && mpfr_nan_p(mpfr_srcptr(*special)) != 0)
    return std::nullopt; // x^y has no value for x < 0, unless y is an integer
  const function::Function bound = function::at_operands(*job.function, first, second);
  return verify::Confirmation(bound, job.grid(), job.K).confirm(Argument{});
}

std::string family_rule(const function::PairFunction& function, const Format& format) {
  if (function.name == "hypot")
    return "the nearest breakpoint is the larger operand: y^2/2x is nearly 0";
  if (function.name == "atan2")
    return fmt::format("0 < y/x < 2^-{} and the nearest breakpoint is y/x itself: atan(r) = r - r^3/3 + ...",
                       format.precision + 1);
  if (function::find_pair_function(function.name) == nullptr)
    return "none";
  if (function.name == "atan2pi")
    return "the nearest breakpoint is 1/2 or 1: y/x is very large, or nearly 0 with x < 0";
  return fmt::format("the nearest breakpoint is 1: {} is nearly 0", function.name == "rootn"       ? "log(x)/n"
                                                                    : function.name == "compoundn" ? "n log(1 + x)"
                                                                                                   : "y log(x)");
}

} // namespace tmd::pairs
