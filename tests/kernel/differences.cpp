// Differences on the device against the host's, for all numbers of differences, and lists that are too short.
#include "device.hpp"
#include "host/engine/differences/search.hpp"
#include "host/function/catalogue.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <set>

namespace tmd::test {

namespace {

// tgamma on arguments of binary64 from the pole at -20 on, down to -20 - 2^-10.
polynomial::ScaledFunction gamma_left_of_pole() {
  constexpr int unit = -48;
  const job::Stretch stretch{true, unit, (uint128(20) << -unit) + 1, uint128(1) << 38};
  return {function::find_function("tgamma"), {}, {stretch, false, -20}};
}

engine::differences::DifferenceBatch batch_at(const polynomial::ScaledFunction& function, int K, std::uint64_t first,
                                              std::uint64_t count) {
  engine::differences::DifferenceBatch batch;
  for (std::uint64_t done = 0, length = 1 << 20; done < count;) {
    length = std::min(length, count - done);
    const auto taylor = engine::differences::polynomial_of_runs(function, K, first + done, length);
    auto stretch = taylor ? engine::differences::difference_stretch(*taylor, K) : std::nullopt;
    if (stretch) {
      batch.stretches.push_back(*std::move(stretch));
      done += length;
    } else {
      length /= 2;
    }
  }
  return batch;
}

} // namespace

TEST_CASE("differences: the device finds what the host does, with as many differences as stretches need") {
  const polynomial::ScaledFunction function = gamma_left_of_pole();
  for (const std::uint32_t capacity : {1U << 16, 64U}) {
    engine::differences::DifferenceSearch search(std::make_shared<engine::Launcher>(test_device(), capacity), {});
    std::set<int> differences;
    for (const std::uint64_t first : {3'000ULL, 1ULL << 20, 1ULL << 26, 1ULL << 30, 1ULL << 36})
      for (const int K : {3, 12, 40}) {
        const auto batch = batch_at(function, K, first, 20'001);
        const engine::differences::DifferencePlaces expected = engine::differences::search_on_host(batch);
        INFO(first, " ", K);
        CHECK(search.search(batch) == expected);
        differences.insert(batch.differences());
        CHECK((search.stage().kept > 0) == (K < 40));
        search.reset_stage();
      }
    CHECK(differences == std::set{3, 6, 9, 12});
  }
}

} // namespace tmd::test
