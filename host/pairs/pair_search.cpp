#include "pairs/pair_search.hpp"

#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

void check_breakpoints_serve(const PairJob& job) {
  if (job.format.precision > most_precision_by_breakpoints)
    throw UsageError(fmt::format("{} can be searched in formats of up to {} bits of precision; {} has {}",
                                 job.function->name, most_precision_by_breakpoints, job.format.name,
                                 job.format.precision));
  if (job.K < least_bits_by_breakpoints(job.format))
    throw UsageError(fmt::format("{} in {} needs --bits {} or more: with {}, too many pairs are cases",
                                 job.function->name, job.format.name, least_bits_by_breakpoints(job.format), job.K));
}

PairResult search_by_some_method(const PairJob& job, unsigned threads) {
  if (job.K < least_pair_bits)
    throw UsageError(fmt::format("functions of two variables need --bits {} or more", least_pair_bits));
  if (job.function->takes_integer && !is_power(*job.function))
    return search_integer_powers(job, threads);
  if (serves_every_pair(job))
    return search_every_pair(job, threads);
  const std::string& name = job.function->name;
  if (name != "hypot" && !name.starts_with("atan2"))
    throw UsageError(fmt::format("{} in {} is searched on a device, by `tmd search` alone", name, job.format.name));
  check_breakpoints_serve(job);
  return name == "hypot" ? search_hypotenuses(job, threads) : search_angles(job, threads);
}

} // namespace

PairResult search_pairs(const PairJob& job, unsigned threads) {
  const auto start = std::chrono::steady_clock::now();
  PairResult result = search_by_some_method(job, threads);
  result.seconds = support::seconds_since(start);
  return result;
}

} // namespace tmd::pairs
