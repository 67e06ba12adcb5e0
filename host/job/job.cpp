#include "job/job.hpp"

#include "error.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tmd {

BreakpointGrid Job::grid() const {
  BreakpointGrid grid{rounding, format.precision};
  if (values == Values::format) {
    grid.min_exponent = format.min_exponent;
    grid.max_exponent = format.max_exponent;
  }
  return grid;
}

std::string Job::identity() const {
  const ArgumentSet set = arguments();
  return fmt::format("{} on [{}, {}), p = {}, e = {} to {}, q = {}, {}, K = {}{}", function->name,
                     to_hex(set.at(first)), to_hex(set.at(last)), format.precision, format.min_exponent,
                     format.max_exponent, argument_precision, to_string(rounding), bits,
                     values == Values::format ? ", values as the format has them" : "");
}

double expected_cases(const Job& job, uint128 arguments) {
  return std::ldexp(static_cast<double>(arguments), 1 - job.bits);
}

double expected_cases(const Job& job) { return expected_cases(job, job.size()); }

Job without_range(Job job) {
  job.first = 0;
  job.last = 1;
  return job;
}

RankInterval ranks_in_domain(const Domain& domain, const ArgumentSet& arguments) {
  const auto first_where = [&](const auto& holds) {
    ArgumentSet::Rank least = 1 - arguments.end();
    ArgumentSet::Rank most = arguments.end();
    while (least < most) {
      const ArgumentSet::Rank middle = least + (most - least) / 2;
      if (holds(to_mpfr(arguments.at(middle))))
        most = middle;
      else
        least = middle + 1;
    }
    return least;
  };
  const auto begins = [&](const Mpfr& x) { return mpfr_cmp_d(x, domain.lower) >= (domain.lower_included ? 0 : 1); };
  const auto has_ended = [&](const Mpfr& x) { return mpfr_cmp_d(x, domain.upper) >= (domain.upper_included ? 1 : 0); };
  return {first_where(begins), first_where(has_ended)};
}

namespace {

// Whether |f| is a normal number of the format, or exponents have no bounds.
bool is_normal(const Job& job, ArgumentSet::Rank rank) {
  constexpr long enough = 64;
  const BreakpointGrid grid = job.grid();
  const ValueEnclosure value = job.function->value(to_mpfr(job.arguments().at(rank)), enough);
  if (value.is_undefined() || mpfr_regular_p(static_cast<mpfr_srcptr>(value.lower)) == 0)
    return false;
  const long binade = mpfr_get_exp(static_cast<mpfr_srcptr>(value.lower)) - 1;
  return binade >= grid.min_exponent && binade < grid.max_exponent;
}

} // namespace

std::optional<RankInterval> decisive_ranks(const Job& job) {
  const auto& scaling = job.function->scaling;
  if (!scaling || scaling->value_addend != 0 ||
      (job.function->symmetry == Symmetry::none && job.function->domain.lower < 0))
    return std::nullopt;
  const ArgumentSet arguments = job.arguments();
  const auto power_of_two = [&](int exponent) {
    const int precision = job.argument_precision;
    return arguments.rank({false, uint128(1) << (precision - 1), exponent - precision + 1});
  };
  // x − n is an argument, for its last bit is that of x. A function with a period of one sign only is of no such use.
  if (scaling->argument_exponent == 0 && scaling->argument_addend == 1 && scaling->value_exponent == 0)
    return job.function->symmetry == Symmetry::none ? std::nullopt : std::optional(RankInterval{0, power_of_two(0)});
  // A power of x, whose values are largest and smallest at the ends.
  if (scaling->argument_exponent > 0 && scaling->argument_exponent <= job.format.max_exponent &&
      scaling->argument_addend == 0 && is_normal(job, 1) && is_normal(job, arguments.end() - 1))
    return RankInterval{power_of_two(0), power_of_two(scaling->argument_exponent)};
  return std::nullopt;
}

void check_domain(const Job& job) {
  const RankInterval domain = ranks_in_domain(job.function->domain, job.arguments());
  for (const ArgumentSet::Rank rank : {job.first, job.last - 1})
    if (rank < domain.first || rank >= domain.last)
      throw UsageError(fmt::format("{} is outside the domain of {}: {}", to_hex(job.arguments().at(rank)),
                                   job.function->name, job.function->domain.text));
}

} // namespace tmd
