// Confirming many candidates: the findings, and how many of them are kept.
#include "host/search/confirming.hpp"
#include "host/function/expression.hpp"
#include "host/job/job.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace tmd::searches {

TEST_CASE("of very many exact candidates the first are kept, and the others counted") {
  constexpr std::size_t others = 1000;
  const auto function = function::function_of("2*x");
  job::Job job;
  job.function = function.get();
  job.format = find_format("binary64");
  job.K = 20;
  const verify::Confirmation confirmation(*function, job.grid(), job.K);
  const auto argument = [](std::uint64_t i) { return Argument{false, (uint128(1) << 52) + i, -52}; };
  Confirmed confirmed = confirm_all(confirmation, result::most_listed_exact + others, argument,
                                    std::numeric_limits<double>::infinity(), 2, {});
  confirmed.found.sort();
  CHECK(confirmed.found.exact.unlisted() == others);
  CHECK(confirmed.found.listed().size() == result::most_listed_exact);
  CHECK(compare(confirmed.found.exact.back().x, argument(result::most_listed_exact - 1)) == 0);
}

} // namespace tmd::searches
