// Simulated searches by very many devices: the dispatcher keeps them at work until the end, and the journal has all
// results.
#include "app/lab/simulation.hpp"
#include "host/function/catalogue.hpp"
#include "host/result/journal.hpp"
#include "temporary_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tmd::test {

namespace {

// So many devices, of which the slowest is a hundredth as fast as the fastest.
std::vector<double> rates(std::size_t count, double greatest) {
  std::vector<double> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(greatest * std::pow(0.01, static_cast<double>(i) / static_cast<double>(count)));
  return result;
}

// Pieces of exp, each with so many arguments, in a journal of their own.
cluster::Simulation simulation(const std::filesystem::path& journal, int pieces, uint128 arguments) {
  cluster::Simulation result;
  result.service = 20e-6;
  result.journal = journal;
  job::Job& job = result.job;
  job.function = &function::find_function("exp");
  job.format = find_format("binary64");
  job.K = 60;
  job.first = job.arguments().parse("1", "first");
  job.last = job.first + static_cast<int128>(pieces) * static_cast<int128>(arguments);
  for (int i = 0; i < pieces; ++i) {
    const auto first = job.first + static_cast<int128>(i) * static_cast<int128>(arguments);
    for (const job::Stretch& stretch : job::stretches(job.arguments(), first, first + static_cast<int128>(arguments)))
      result.fields.push_back(engine::Field::of({stretch, job::OutputBinade{false, 1}}));
  }
  return result;
}

} // namespace

TEST_CASE("simulation: a thousand devices of very different speed come to the end together") {
  const TemporaryFolder folder;
  cluster::Simulation asked = simulation(folder.path() / "journal", 300, uint128(1) << 42);
  asked.rates = rates(1000, 5e11); // some ten seconds of simulated time
  const cluster::SimulatedSearch result = cluster::simulate(asked);
  CHECK(result.ideal > 5);
  CHECK(result.ideal < 20);
  CHECK(result.efficiency() > 0.96);
  CHECK(result.efficiency() <= 1);
  CHECK(result.end_game < 0.5);
  CHECK(result.parts > 10'000);
  const result::JournalContents contents = result::read_journal(asked.journal);
  CHECK(contents.is_complete());
  CHECK(contents.parts.size() == result.records);
  CHECK(contents.devices.size() == 1000);
}

TEST_CASE("simulation: what lost devices have left is done by the others") {
  const TemporaryFolder folder;
  cluster::Simulation asked = simulation(folder.path() / "journal", 7, uint128(1) << 45);
  asked.rates = rates(50, 1e12);
  asked.losses = 30;
  const cluster::SimulatedSearch result = cluster::simulate(asked);
  CHECK(result.efficiency() > 0.9);
  CHECK(result::read_journal(asked.journal).is_complete());
}

TEST_CASE("simulation: one device is never kept waiting, and a slow rank 0 is what keeps many") {
  const TemporaryFolder folder;
  cluster::Simulation asked = simulation(folder.path() / "journal", 1, uint128(1) << 45);
  asked.rates = {1e13};
  asked.overhead = 0;
  CHECK(cluster::simulate(asked).efficiency() > 0.85); // the time of a part is known to a tenth
  asked.rates = rates(1000, 1e11);
  asked.service = 0.01;
  CHECK(cluster::simulate(asked).efficiency() < 0.5);
}

TEST_CASE("simulation: several devices are slower than the fastest of them alone by no more than a tenth") {
  const TemporaryFolder folder;
  constexpr double rate = 0x1p+43;
  constexpr double seconds = 256; // the rate of the fastest alone
  using Numbers = std::vector<double>;
  for (const bool claimed : {false, true})
    for (const int pieces : {1, 16}) {
      if (claimed && pieces > 1)
        continue;
      cluster::Simulation asked =
          simulation(folder.path() / "journal", pieces, static_cast<uint128>(rate * seconds / pieces));
      if (claimed)
        for (engine::Field& field : asked.fields) {
          field.kind = engine::Claim{.engine = "phase", .extent = uint128(1) << 30};
        }
      asked.overhead = 0.25; // next to x = 1 a plan of log took longer
      for (const Numbers& costs : {Numbers{}, Numbers{1, 3, 10, 30}, Numbers{30, 10, 3, 1}, Numbers{1, 20, 1, 20}}) {
        asked.costs = costs;
        asked.rates = {rate};
        asked.jitter = 0;
        const double alone = cluster::simulate(asked).seconds;
        CHECK(alone > seconds);
        asked.jitter = 0.1;
        for (const Numbers& others : {Numbers{1}, Numbers{0.5, 0.01}}) {
          asked.rates = {rate};
          for (const double other : others)
            asked.rates.push_back(rate * other);
          const cluster::SimulatedSearch result = cluster::simulate(asked);
          CAPTURE(claimed);
          CAPTURE(pieces);
          CAPTURE(costs.size());
          CAPTURE(others[0]);
          CHECK(result.seconds < 1.1 * alone);
          if (others[0] == 1)
            CHECK(result.seconds < 0.62 * alone);
        }
      }
    }
}

TEST_CASE("simulation: parts that cost a fixed time each grow, also where devices are lost") {
  const TemporaryFolder folder;
  cluster::Simulation asked = simulation(folder.path() / "journal", 1, uint128(1) << 52);
  asked.overhead = 0.6;
  asked.rates = std::vector<double>(6, 0x1p+42); // three minutes of simulated time
  CHECK(cluster::simulate(asked).efficiency() > 0.8);
  asked.losses = 3;
  CHECK(cluster::simulate(asked).efficiency() > 0.7);
  CHECK(result::read_journal(asked.journal).is_complete());
}

} // namespace tmd::test
