#include "job/job.hpp"

#include "job/scaling.hpp"
#include "tmd/error.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tmd::job {

format::BreakpointGrid Job::grid() const {
  format::BreakpointGrid grid{rounding, format.precision};
  if (values == Values::format) {
    grid.min_exponent = format.min_exponent;
    grid.max_exponent = format.max_exponent;
  }
  return grid;
}

Coverage Job::range() const {
  const Coverage all(first, last);
  return by_scaling ? decisive_ranks(*this).intersection(all) : all;
}

std::string Job::identity() const {
  const format::ArgumentSet set = arguments();
  const bool has_gaps =
      by_scaling && (decisive_ranks(*this).intervals().size() > 1 || range() != Coverage(first, last));
  return fmt::format("{} on [{}, {}), p = {}, e = {} to {}, q = {}, {}, K = {}{}{}", function->name,
                     to_hex(set.at(first)), to_hex(set.at(last)), format.precision, format.min_exponent,
                     format.max_exponent, argument_precision, to_string(rounding), K,
                     values == Values::format ? ", values as the format has them" : "",
                     has_gaps ? ", less what follows by " + function::to_string(function->scaling.value()) : "");
}

double expected_cases(const Job& job, uint128 arguments) {
  return std::ldexp(static_cast<double>(arguments), 1 - job.K);
}

double expected_cases(const Job& job) { return expected_cases(job, job.size()); }

Job without_range(Job job) {
  job.first = 0;
  job.last = 1;
  job.by_scaling = false;
  return job;
}

RankInterval ranks_in_domain(const Domain& domain, const format::ArgumentSet& arguments) {
  const auto first_where = [&](const auto& holds) {
    format::ArgumentSet::Rank least = 1 - arguments.end();
    format::ArgumentSet::Rank most = arguments.end();
    while (least < most) {
      const format::ArgumentSet::Rank middle = least + (most - least) / 2;
      if (holds(format::to_mpfr(arguments.at(middle))))
        most = middle;
      else
        least = middle + 1;
    }
    return least;
  };
  const auto begins = [&](const number::Mpfr& x) {
    return mpfr_cmp_d(x, domain.lower) >= (domain.lower_included ? 0 : 1);
  };
  const auto has_ended = [&](const number::Mpfr& x) {
    return mpfr_cmp_d(x, domain.upper) >= (domain.upper_included ? 1 : 0);
  };
  return {first_where(begins), first_where(has_ended)};
}

void check_domain(const Job& job) {
  const RankInterval domain = ranks_in_domain(job.function->domain, job.arguments());
  for (const format::ArgumentSet::Rank rank : {job.first, job.last - 1})
    if (rank < domain.first || rank >= domain.last)
      throw UsageError(fmt::format("{} is outside the domain of {}: {}", to_hex(job.arguments().at(rank)),
                                   job.function->name, job.function->domain.text));
}

} // namespace tmd::job
