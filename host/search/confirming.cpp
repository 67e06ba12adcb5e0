#include "search/confirming.hpp"

#include "number/in_parallel.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <utility>

namespace tmd::searches {

namespace {

constexpr std::uint64_t confirmations_per_thread = 512; // for fewer, starting one is not worth it

} // namespace

Confirmed confirm_all(const verify::Confirmation& confirmation, std::uint64_t count,
                      const std::function<Argument(std::uint64_t)>& argument, double reach, unsigned threads,
                      const engine::Interrupt& interrupt) {
  const auto confirm_some = [&](std::uint64_t first, std::uint64_t last) {
    Confirmed some;
    for (std::uint64_t i = first; i < last; ++i) {
      if (interrupt && interrupt()) // a single candidate may take long
        throw Interrupted();
      const Argument x = argument(i);
      const verify::Judgement one = confirmation.judge(x);
      if (one.found)
        some.found.add(*one.found);
      else if (one.distance > reach && !some.outlier)
        some.outlier = Outlier{x, one.distance};
    }
    return some;
  };
  const std::uint64_t shares = std::clamp<std::uint64_t>(count / confirmations_per_thread, 1, std::max(threads, 1U));
  std::vector<Confirmed> confirmed(shares);
  number::in_parallel(shares, static_cast<unsigned>(shares), [&](std::uint64_t share, unsigned) {
    confirmed[share] = confirm_some(count * share / shares, count * (share + 1) / shares);
  });
  Confirmed all;
  for (Confirmed& some : confirmed) {
    all.found.add(std::move(some.found));
    if (!all.outlier)
      all.outlier = some.outlier;
  }
  return all;
}

} // namespace tmd::searches
