// Tuning with a simulated device: kept settings and the reasons, the journal, the verdicts.
#include "tune/tuner.hpp"

#include "host/device/profile.hpp"
#include "temporary_folder.hpp"
#include "tune/report.hpp"

#include <doctest/doctest.h>

#include "unit/tune/made_up_device.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <set>
#include <sstream>
#include <string>

namespace tmd::tune {

namespace {

TuningOptions patient() {
  TuningOptions options;
  options.default_values = built_in();
  options.budget = 1e6;
  return options;
}

std::vector<Coordinate> gpu_space() { return search_space(some_gpu(), CpuMode::automatic, true); }

TuningResult tuned(MadeUpDevice& device, Journal* journal = nullptr) {
  const TuningOptions options = patient();
  const std::vector<Coordinate> space = gpu_space();
  const RunSearch search = std::ref(device);
  return tune::tune(options, space, search, journal);
}

TuningDescription description() {
  return {"0.2.0", {"0123456789abcdef", true}, some_gpu(), CpuMode::automatic,
          "a job", "built-in default",         built_in(), gpu_space()};
}

} // namespace

TEST_CASE("judgement: beyond the noise, and by one per cent at least") {
  CHECK(judge({0.9, 0.9, 0.9, 0.9, 0.9}).wins());
  CHECK(judge({0.9, 0.91, 0.89, 0.9, 0.92}).wins());
  CHECK_FALSE(judge({0.995, 0.995, 0.995}).wins()); // too small a difference
  CHECK_FALSE(judge({0.9, 1.2, 0.7, 1.1, 0.8}).wins());
  CHECK_FALSE(judge({0.9, 1.2, 0.7, 1.1, 0.8}).loses());
  CHECK(judge({1.1, 1.11, 1.09}).loses());
  CHECK_FALSE(judge({}).wins());
  const Verdict verdict = judge({1.0, 0.9, 0.8, 0.7});
  CHECK(verdict.ratio == doctest::Approx(0.85));
  CHECK(verdict.noise == doctest::Approx(2 * 1.2533 / 0.6745 * 0.1 / 2).epsilon(1e-3));
}

TEST_CASE("a tuning keeps what wins, rejects what finds another list, and counts how the others ended") {
  MadeUpDevice device;
  const TuningResult result = tuned(device);
  CHECK_FALSE(result.interrupted);
  CHECK(to_string(result.tuned) == best_of_all);
  std::set<State> states;
  for (const Trial& trial : result.trials) {
    states.insert(trial.state);
    if (trial.settings.contains("phase1.division") && trial.settings.at("phase1.division") == "reciprocal")
      CHECK(trial.state == State::incorrect);
  }
  CHECK(states == std::set{State::ok, State::timeout, State::runtime, State::incorrect});
  CHECK(device.tried.size() >= result.trials.size()); // no setting is tried twice
  CHECK(result.gains.at(Part::wide).verdict.wins());
  CHECK(result.gains.at(Part::walk).verdict.wins());
  CHECK(result.gains.at(Part::whole).verdict.wins());
  CHECK(result.gains.at(Part::phase3).verdict.ratio == 1);

  // The report and the profile.
  const TuningDescription tuning = description();
  CHECK(trial_table(result).find(" incorrect") != std::string::npos);
  CHECK(trial_table(result).find("\nwide test: ") != std::string::npos);
  CHECK(gain_table(tuning, result).find("kept: " + best_of_all) != std::string::npos);
  CHECK(gain_table(tuning, result).find("\n  wide test ") != std::string::npos);
  const device::Profile profile = profile_of(tuning, result, "", "2026-11-21");
  device::Tunables read;
  const device::Profile written =
      device::parse_profile(device::to_toml(profile, engine::engine_tuning()), engine::engine_tuning());
  device::apply(written, read, engine::engine_tuning());
  for (const device::Tunable& tunable : engine::engine_tuning().tunables()) {
    const auto set = result.tuned.find(std::string(tunable.name));
    CHECK(device::to_string(tunable, read[tunable]) ==
          (set == result.tuned.end() ? tuning.default_values.at(std::string(tunable.name)) : set->second));
  }
  CHECK(profile.match.device == "Some GPU");
  CHECK(profile.tuned->version == "0.2.0, foreign kernels 0123456789abcdef");
  CHECK(profile.costs.empty());
  CHECK(written.tuned->gains.at("wide") > 1.05);
  CHECK_FALSE(profile.match.cpu_mode); // not on a GPU
  std::istringstream lines(json_lines(tuning, result));
  std::size_t records = 0;
  for (std::string line; std::getline(lines, line); ++records)
    CHECK(nlohmann::json::parse(line, nullptr, false).is_object());
  CHECK(records == result.trials.size() + all_parts.size() + 2);
}

TEST_CASE("the wide test and the walk gain what they gain, where the phases lose all in all") {
  MadeUpDevice device;
  device.whole_loses = 3;
  const TuningResult result = tuned(device);
  CHECK(to_string(result.tuned) == "phase.chunk-bits=7 wide.group-bits-offset=-1 wide.work-group-size=128");
  CHECK_FALSE(result.notes.empty());
  CHECK(result.gains.at(Part::whole).verdict.ratio == 1);
}

TEST_CASE("a budget that is spent ends the search") {
  MadeUpDevice device;
  TuningOptions options = patient();
  options.budget = 1e-9;
  const TuningResult result = tune::tune(options, gpu_space(), std::ref(device), nullptr);
  CHECK(result.trials.empty());
  CHECK(result.budget_spent);
  CHECK(result.tuned.empty());
  CHECK(gain_table(description(), result).find("left out: ") != std::string::npos);
}

TEST_CASE("an interrupted tuning goes on where it stopped") {
  const TemporaryFolder folder;
  MadeUpDevice uninterrupted;
  const TuningResult expected = tuned(uninterrupted);
  std::size_t known = 0;
  for (const int stop : {20, 40, 60}) {
    Journal journal(folder.path(), "gpu", "subject", built_in(), false);
    CHECK(journal.trials().size() == known);
    MadeUpDevice device;
    device.interrupt_at = stop;
    const TuningResult result = tuned(device, &journal);
    CHECK(result.interrupted);
    CHECK(result.resumed == known);
    CHECK(result.tuned.empty());
    CHECK(result.trials.size() > known);
    known = result.trials.size();
  }
  Journal journal(folder.path(), "gpu", "subject", built_in(), false);
  MadeUpDevice device;
  const TuningResult result = tuned(device, &journal);
  CHECK(result.resumed == known);
  CHECK(result.tuned == expected.tuned);
  CHECK(result.trials.size() == expected.trials.size()); // no setting was tried twice
}

TEST_CASE("a default that cannot be measured, and one that finds other cases, end the tuning") {
  for (const auto& [state, status] :
       {std::pair(State::runtime, Status::device), std::pair(State::timeout, Status::device),
        std::pair(State::incorrect, Status::unsound)}) {
    MadeUpDevice device;
    device.fail_default = state;
    try {
      (void)tuned(device);
      CHECK(false);
    } catch (const Error& error) {
      CHECK(error.status() == status);
    }
  }
}

} // namespace tmd::tune
