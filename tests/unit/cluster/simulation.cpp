// Searches by very many devices, simulated: the dispatcher keeps them at work until the end, and the journal has all.
#include "host/cluster/simulation.hpp"
#include "host/function/catalogue.hpp"
#include "host/result/journal.hpp"
#include "temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace tmd;

namespace {

// So many devices, the slowest a hundredth as fast as the fastest.
std::vector<double> rates(std::size_t count, double greatest) {
  std::vector<double> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(greatest * std::pow(0.01, static_cast<double>(i) / static_cast<double>(count)));
  return result;
}

// Pieces of exp, of so many arguments each, in a journal of their own.
cluster::Simulation simulation(const std::filesystem::path& journal, int pieces, uint128 arguments) {
  cluster::Simulation result;
  result.service = 20e-6;
  result.journal = journal;
  Job& job = result.job;
  job.function = &find_function("exp");
  job.format = find_format("binary64");
  job.bits = 60;
  job.first = job.arguments().parse("1", "first");
  job.last = job.first + static_cast<int128>(pieces) * static_cast<int128>(arguments);
  for (int i = 0; i < pieces; ++i) {
    const auto first = job.first + static_cast<int128>(i) * static_cast<int128>(arguments);
    for (const Stretch& stretch : stretches(job.arguments(), first, first + static_cast<int128>(arguments)))
      result.fields.push_back(Field::of({stretch, OutputBinade{false, 1}}));
  }
  return result;
}

} // namespace

TEST_CASE("simulation: a thousand devices of very different speed come to the end together") {
  const TemporaryFolder folder;
  cluster::Simulation asked = simulation(folder.path() / "journal", 300, uint128(1) << 42);
  asked.rates = rates(1000, 5e11); // some ten seconds
  const cluster::SimulatedSearch result = cluster::simulate(asked);
  CHECK(result.ideal > 5);
  CHECK(result.ideal < 20);
  CHECK(result.efficiency() > 0.96);
  CHECK(result.efficiency() <= 1);
  CHECK(result.end_game < 0.5);
  CHECK(result.parts > 10'000);
  const JournalContents contents = read_journal(asked.journal);
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
  CHECK(read_journal(asked.journal).is_complete());
}

TEST_CASE("simulation: one device is never kept waiting, and a slow rank 0 is what keeps many") {
  const TemporaryFolder folder;
  cluster::Simulation asked = simulation(folder.path() / "journal", 1, uint128(1) << 45);
  asked.rates = {1e13};
  asked.overhead = 0;
  CHECK(cluster::simulate(asked).efficiency() > 0.85); // its time is known to a tenth
  asked.rates = rates(1000, 1e11);
  asked.service = 0.01;
  CHECK(cluster::simulate(asked).efficiency() < 0.5);
}
