#include "job/job.hpp"

#include "error.hpp"

#include <fmt/format.h>

namespace tmd {

std::string Job::identity() const {
  const ArgumentSet set = arguments();
  return fmt::format("{} on [{}, {}), p = {}, e = {} to {}, q = {}, {}, K = {}", function->name, to_hex(set.at(first)),
                     to_hex(set.at(last)), format.precision, format.min_exponent, format.max_exponent,
                     argument_precision, to_string(rounding), bits);
}

void check_domain(const Job& job) {
  const Domain& domain = job.function->domain;
  const ArgumentSet arguments = job.arguments();
  const auto outside = [&](const Argument& x) {
    const Mpfr value = to_mpfr(x);
    const int lower = mpfr_cmp_d(value, domain.lower);
    const int upper = mpfr_cmp_d(value, domain.upper);
    return lower < 0 || (lower == 0 && !domain.lower_included) || upper > 0 || (upper == 0 && !domain.upper_included);
  };
  for (const Argument& x : {arguments.at(job.first), arguments.at(job.last - 1)})
    if (outside(x))
      throw UsageError(fmt::format("{} is outside the domain of {}: {}", to_hex(x), job.function->name, domain.text));
}

} // namespace tmd
