#include "tmd/value.hpp"

#include "format/argument.hpp"
#include "format/grid.hpp"
#include "function/expression.hpp"
#include "verify/confirm.hpp"
#include "verify/rounded_value.hpp"

#include <fmt/format.h>

namespace tmd {

ValueAt value_at(const JobSpec& spec, std::string_view x) {
  if (spec.functions.size() != 1)
    throw UsageError("give one function");
  const auto function = function::function_of(spec.functions.front());
  const Format format = find_format(spec.format);
  const format::ArgumentSet set(format, spec.argument_precision.value_or(format.precision));
  const format::ArgumentSet::Rank rank = set.parse(x, "x");
  if (rank == set.end())
    throw UsageError(fmt::format("x: {} is beyond the largest number of {}", x, format.name));
  ValueAt result{set.at(rank), {}, {}};
  const auto value = verify::rounded_value(*function, format, format::to_mpfr(result.x));
  if (!value)
    throw UsageError(fmt::format("{} has no value at {}", function->name, to_hex(result.x)));
  const format::BreakpointGrid grid{spec.rounding, format.precision, format.min_exponent, format.max_exponent};
  result.nearest = verify::Confirmation(*function, grid, 0).confirm(result.x); // K = 0: every distance is below 2^0
  for (const Direction direction : directions)
    if (const std::optional<number::Mpfr>& rounded = value->in(direction))
      result.rounded.at(static_cast<std::size_t>(direction)) = verify::to_hex(mpfr_srcptr(*rounded));
  return result;
}

} // namespace tmd
