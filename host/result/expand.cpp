// A range of 1/x in binary64 has some thousand cases in each of 1,000 binades, all of which are confirmed.
#include "result/expand.hpp"

#include "number/in_parallel.hpp"
#include "tmd/error.hpp"
#include "verify/confirm.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace tmd::result {

void expand(const job::Job& job, SearchResult& result) {
  constexpr std::size_t at_a_time = 256;
  std::vector<format::ArgumentSet::Rank> ranks;
  for (const job::RegimeRange& range : result.regimes)
    if (range.regime.some) {
      const auto more = range.regime.some->in(range.ranks);
      ranks.insert(ranks.end(), more.begin(), more.end());
    }
  std::erase_if(result.regimes, [](const job::RegimeRange& range) { return range.regime.some != nullptr; });
  std::vector<Case> found(ranks.size());
  const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
  const auto look = [&](std::uint64_t part, unsigned /*thread*/) {
    const std::size_t last = std::min((part + 1) * at_a_time, ranks.size());
    for (std::size_t i = part * at_a_time; i < last; ++i) {
      const Argument x = job.arguments().at(ranks[i]);
      const std::optional<Case> one = confirmation.confirm(x);
      if (!one || one->kind != Case::Kind::hard)
        throw SoundnessError(fmt::format("{} is said to be a case like those of its range, but MPFR finds that it is "
                                         "not",
                                         to_hex(x)));
      found[i] = *one;
    }
  };
  number::in_parallel((ranks.size() + at_a_time - 1) / at_a_time, number::cores(), look);
  for (const Case& one : found)
    result.add(one);
  result.sort();
}

} // namespace tmd::result
