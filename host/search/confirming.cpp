#include "search/confirming.hpp"

#include "error.hpp"
#include "number/arb.hpp"

#include <algorithm>
#include <future>

namespace tmd {

namespace {

constexpr std::uint64_t confirmations_between_looks = 64;
constexpr std::uint64_t confirmations_per_thread = 512; // below, starting a thread costs more than it saves

} // namespace

std::vector<Case> confirm_all(const Confirmation& confirmation, std::uint64_t count,
                              const std::function<Argument(std::uint64_t)>& argument, unsigned threads,
                              const Interrupt& interrupt) {
  const auto confirm_some = [&](std::uint64_t first, std::uint64_t last) {
    std::vector<Case> found;
    for (std::uint64_t i = first; i < last; ++i) {
      if (i % confirmations_between_looks == 0 && interrupt && interrupt())
        throw Interrupted();
      if (auto one = confirmation.confirm(argument(i)))
        found.push_back(*one);
    }
    return found;
  };
  const std::uint64_t shares = std::clamp<std::uint64_t>(count / confirmations_per_thread, 1, std::max(threads, 1U));
  std::vector<std::future<std::vector<Case>>> helpers;
  for (std::uint64_t share = 1; share < shares; ++share)
    helpers.push_back(std::async(std::launch::async, [&, share] {
      const ThreadCaches caches;
      return confirm_some(count * share / shares, count * (share + 1) / shares);
    }));
  std::vector<Case> found = confirm_some(0, count / shares);
  for (auto& helper : helpers) {
    const std::vector<Case> more = helper.get();
    found.insert(found.end(), more.begin(), more.end());
  }
  return found;
}

} // namespace tmd
