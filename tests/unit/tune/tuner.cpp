// Tuning with a made-up device: what is kept and why, its journal, its judgement.
#include "tune/tuner.hpp"
#include "host/device/profile.hpp"
#include "host/engine/domains/tunables.hpp"
#include "host/engine/registry.hpp"
#include "temporary_folder.hpp"
#include "tmd/error.hpp"
#include "tune/journal.hpp"
#include "tune/report.hpp"
#include "tune/worker.hpp"
#include "unit/tune/made_up_device.hpp"
#include "unit/tune/script_worker.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <thread>

using namespace tmd;
using namespace tmd::tune;

namespace {

namespace fs = std::filesystem;

// Answers a tuner's requests from these times.
class MadeUpWorker {
public:
  explicit MadeUpWorker(const Tunables& base) : base_(base) {}

  Answer operator()(const Message& request) {
    if (!request.contains("try"))
      return compare(request);
    Trial trial;
    REQUIRE(from_json(request["try"], trial.tunables));
    if (++tried == 1)
      std::this_thread::sleep_for(start_up);
    // Neither the wide test nor the walk nor the phases are tried with what belongs to the others.
    for (const Tunable& tunable : engine_tuning().tunables())
      if ((request["part"] == "wide") != tunable.name.starts_with("wide.") ||
          (request["part"] == "walk") != tunable.name.starts_with("phase."))
        CHECK_MESSAGE(trial.tunables[tunable] == base_[tunable], tunable.name);
    CHECK_MESSAGE(seen_.insert(difference(trial.tunables, Tunables())).second, "tried twice");
    if (interrupt_at == tried)
      throw Interrupted();
    if (static_cast<Division>(trial.tunables[domain_tunable("phase2.division")]) == Division::subtract)
      return {Answer::Kind::died, {}, "it was ended by signal 11"};
    if (static_cast<Division>(trial.tunables[domain_tunable("phase1.division")]) == Division::subtract)
      return {Answer::Kind::timeout, {}, "running a slice took too long"};
    // Too good to be true: it does not find the cases.
    if (static_cast<Division>(trial.tunables[domain_tunable("phase1.division")]) == Division::reciprocal)
      trial.state = State::incorrect;
    if (trial.tunables[wide_tunable("wide.denominator-percent")] == 300)
      trial.state = State::incorrect;
    trial.seconds = times_of(trial.tunables);
    trial.ratios = ratios_of(trial.tunables, base_);
    if (trial.state != State::ok)
      trial.ratios[Part::phase1] = trial.ratios[Part::wide] = 0.001;
    trial.runs = 3;
    return {Answer::Kind::message, to_json(trial), {}};
  }

  int tried = 0;
  int interrupt_at = 0;
  std::chrono::milliseconds start_up{0}; // of the first trial
  bool comparisons_fail = false;
  double luck = 1;        // of the second in a comparison: it gains nothing there
  double phases_lose = 1; // the second's times of all parts but the wide test and the walk, in a comparison

private:
  Answer compare(const Message& request) {
    if (comparisons_fail)
      return {Answer::Kind::timeout, {}, "comparing took too long"};
    Tunables first;
    Tunables second;
    REQUIRE(from_json(request["first"], first));
    REQUIRE(from_json(request["second"], second));
    Message answer{{"first", Message::array()}, {"second", Message::array()}, {"message", ""}};
    for (int pair = 0; pair < request["pairs"].get<int>(); ++pair) {
      const double noise = 1 + 0.01 * (pair % 3);
      Seconds before = times_of(first);
      Seconds after = luck == 1 ? times_of(second) : before;
      for (const Part part : all_parts)
        after[part] *= noise * luck * (part == Part::wide || part == Part::walk ? 1 : phases_lose);
      answer["first"].push_back(to_json(before));
      answer["second"].push_back(to_json(after));
    }
    return {Answer::Kind::message, answer, {}};
  }

  Tunables base_;
  std::set<std::string> seen_;
};

TuningOptions patient(const Tunables& base) {
  TuningOptions options;
  options.base = base;
  options.budget = 1e6;
  return options;
}

} // namespace

TEST_CASE("judgement: beyond the noise, and by one per cent at least") {
  CHECK(judge({0.9, 0.9, 0.9, 0.9, 0.9}).wins());
  CHECK(judge({0.9, 0.91, 0.89, 0.9, 0.92}).wins());
  CHECK_FALSE(judge({0.995, 0.995, 0.995}).wins()); // too little
  CHECK_FALSE(judge({0.9, 1.2, 0.7, 1.1, 0.8}).wins());
  CHECK_FALSE(judge({0.9, 1.2, 0.7, 1.1, 0.8}).loses());
  CHECK(judge({1.1, 1.11, 1.09}).loses());
  CHECK_FALSE(judge({}).wins());
  const Verdict verdict = judge({1.0, 0.9, 0.8, 0.7});
  CHECK(verdict.ratio == doctest::Approx(0.85));
  CHECK(verdict.noise == doctest::Approx(2 * 1.2533 / 0.6745 * 0.1 / 2).epsilon(1e-3));
}

TEST_CASE("a tuning keeps what wins and counts how the others ended") {
  const Tunables base;
  MadeUpWorker worker(base);
  const std::vector<Coordinate> space = search_space(some_gpu(), opencl::CpuMode::automatic, true);
  const TuningOptions options = patient(base);
  const TuningResult result = tune::tune(options, space, std::ref(worker), nullptr, {});
  CHECK_FALSE(result.interrupted);
  CHECK(difference(result.tuned, base) == best_of_all);
  CHECK(result.trials.size() == static_cast<std::size_t>(worker.tried));
  std::set<State> states;
  for (const Trial& trial : result.trials)
    states.insert(trial.state);
  CHECK(states == std::set{State::ok, State::timeout, State::runtime, State::incorrect});
  const Gain& whole = result.gains[static_cast<unsigned>(Part::whole)];
  CHECK(whole.verdict.ratio == doctest::Approx(ratios_of(result.tuned, base)[Part::whole] * 1.01));
  CHECK(result.gains[static_cast<unsigned>(Part::phase3)].verdict.ratio == doctest::Approx(1.01));
  const Gain& wide = result.gains[static_cast<unsigned>(Part::wide)];
  CHECK(wide.verdict.ratio == doctest::Approx(ratios_of(result.tuned, base)[Part::wide] * 1.01));
  const Gain& walk = result.gains[static_cast<unsigned>(Part::walk)];
  CHECK(walk.verdict.ratio == doctest::Approx(ratios_of(result.tuned, base)[Part::walk] * 1.01));

  // The report and the profile.
  const TuningDescription tuning{"0.1.0", {"0123456789abcdef", true}, some_gpu(), opencl::CpuMode::automatic,
                                 "a job", "built-in default",         base,       space};
  CHECK(trial_table(tuning, result).find(" incorrect") != std::string::npos);
  CHECK(trial_table(tuning, result).find("\nwide test: ") != std::string::npos);
  CHECK(gain_table(tuning, result).find("kept: phase.chunk-bits=7") != std::string::npos);
  CHECK(gain_table(tuning, result).find("\n  wide test ") != std::string::npos);
  const Profile profile = profile_of(tuning, result, "", "2026-11-21");
  Tunables read = base;
  apply(parse_profile(to_toml(profile, engine_tuning()), engine_tuning()), read, engine_tuning());
  CHECK(read == result.tuned);
  CHECK(profile.match.device == "Some GPU");
  CHECK(profile.tuned->version == "0.1.0, foreign kernels 0123456789abcdef");
  CHECK(parse_profile(to_toml(profile, engine_tuning()), engine_tuning()).tuned->gains.at("wide") ==
        doctest::Approx(1 / wide.verdict.ratio).epsilon(1e-2));
  CHECK(parse_profile(to_toml(profile, engine_tuning()), engine_tuning()).tuned->gains.at("walk") ==
        doctest::Approx(1 / walk.verdict.ratio).epsilon(1e-2));
  CHECK_FALSE(profile.match.cpu_mode); // a GPU has none
  // Another tuning with the same outcome writes the same file.
  MadeUpWorker again(base);
  const TuningResult same = tune::tune(options, space, std::ref(again), nullptr, {});
  CHECK(to_toml(profile_of(tuning, same, "", "2026-11-21"), engine_tuning()) == to_toml(profile, engine_tuning()));
  CHECK(json_lines(tuning, result).find("\"kernels\":\"0123456789abcdef\",\"foreign_kernels\":true") !=
        std::string::npos);
  std::istringstream lines(json_lines(tuning, result));
  std::size_t records = 0;
  for (std::string line; std::getline(lines, line); ++records)
    CHECK(Message::parse(line, nullptr, false).is_object());
  CHECK(records == result.trials.size() + all_parts.size() + 2);
}

TEST_CASE("what wins by luck only, or cannot be confirmed, is dropped") {
  const Tunables base;
  for (const bool fail : {false, true}) {
    MadeUpWorker worker(base);
    worker.luck = 0.995;
    worker.comparisons_fail = fail;
    const TuningResult result = tune::tune(patient(base), search_space(some_gpu(), opencl::CpuMode::automatic, true),
                                           std::ref(worker), nullptr, {});
    CHECK(result.tuned == base);
    CHECK(result.best != base);
    CHECK_FALSE(result.notes.empty());
    CHECK(result.gains[static_cast<unsigned>(Part::whole)].verdict.ratio == 1);
  }
}

TEST_CASE("the wide test and the walk gain what they gain, whatever becomes of the phases") {
  const Tunables base;
  const std::string methods_alone =
      "phase.chunk-bits=7 wide.work-group-size=128 wide.items=4 wide.group-bits-offset=-1";
  const std::vector<Coordinate> space = search_space(some_gpu(), opencl::CpuMode::automatic, true);
  for (const double lose : {1.5, 10.0}) { // phase 1 wins all the same, and all together loses; or nothing wins
    MadeUpWorker worker(base);
    worker.phases_lose = lose;
    const TuningResult result = tune::tune(patient(base), space, std::ref(worker), nullptr, {});
    CHECK(difference(result.tuned, base) == methods_alone);
    CHECK(result.gains[static_cast<unsigned>(Part::whole)].verdict.ratio == 1);
    CHECK(result.gains[static_cast<unsigned>(Part::phase1)].verdict.ratio == 1);
    CHECK(result.gains[static_cast<unsigned>(Part::wide)].verdict.wins());
    CHECK(result.gains[static_cast<unsigned>(Part::walk)].verdict.wins());
    CHECK_FALSE(result.notes.empty());
  }
}

TEST_CASE("a budget that is spent ends the search, not the confirmation") {
  const Tunables base;
  MadeUpWorker worker(base);
  TuningOptions options = patient(base);
  options.budget = 1e-9;
  const TuningResult result =
      tune::tune(options, search_space(some_gpu(), opencl::CpuMode::automatic, true), std::ref(worker), nullptr, {});
  CHECK(worker.tried == 1); // the default
  CHECK(result.budget_spent);
  CHECK(result.tuned == base);
  CHECK_FALSE(result.interrupted);
}

TEST_CASE("a budget begins when the default has been measured") {
  const Tunables base;
  MadeUpWorker worker(base);
  worker.start_up = std::chrono::milliseconds(1100);
  TuningOptions options = patient(base);
  options.budget = 1;
  const std::vector<Coordinate> space = search_space(some_gpu(), opencl::CpuMode::automatic, true);
  const TuningResult result = tune::tune(options, space, std::ref(worker), nullptr, {});
  CHECK(worker.tried > 1);
  const TuningDescription tuning{"0.1.0", {"0123456789abcdef", true}, some_gpu(), opencl::CpuMode::automatic,
                                 "a job", "built-in default",         base,       space};
  TuningResult spent = result;
  for (const bool all : {false, true}) {
    spent.budget_spent = !all;
    CHECK((gain_table(tuning, spent).find("left out: ") == std::string::npos) == all);
  }
}

TEST_CASE("an interrupted tuning goes on where it stopped") {
  const TemporaryFolder folder;
  const Tunables base;
  const std::vector<Coordinate> space = search_space(some_gpu(), opencl::CpuMode::automatic, true);
  const TuningOptions options = patient(base);
  MadeUpWorker uninterrupted(base);
  const TuningResult expected = tune::tune(options, space, std::ref(uninterrupted), nullptr, {});
  std::size_t known = 0;
  for (const int stop : {10, 20, 30}) {
    Journal journal(folder.path(), "gpu", "subject", false);
    CHECK(journal.trials().size() == known);
    MadeUpWorker worker(base);
    worker.interrupt_at = stop;
    const TuningResult result = tune::tune(options, space, std::ref(worker), &journal, {});
    CHECK(result.interrupted);
    CHECK(result.resumed == known);
    CHECK(result.tuned == base);
    known += static_cast<std::size_t>(stop) - 1;
  }
  Journal journal(folder.path(), "gpu", "subject", false);
  MadeUpWorker worker(base);
  const TuningResult result = tune::tune(options, space, std::ref(worker), &journal, {});
  CHECK(result.resumed == known);
  CHECK(result.tuned == expected.tuned);
  CHECK(worker.tried + known == static_cast<std::size_t>(uninterrupted.tried)); // nothing was tried twice
  // The user's wish is asked for before every trial.
  MadeUpWorker idle(base);
  int questions = 0;
  const TuningResult stopped = tune::tune(options, space, std::ref(idle), nullptr,
                                          {.progress = {}, .interrupted = [&] { return ++questions > 5; }});
  CHECK(stopped.interrupted);
  CHECK(idle.tried == 5);
}

TEST_CASE("workers and the tuner: a runaway and a crash are trials that do not count") {
  const Tunables base;
  Trial good;
  good.ratios = ratios_of(base, base);
  for (const Part part : all_parts)
    good.seconds[part] = 1;
  // Answers the first request, then hangs or crashes at every other one.
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "answer") << to_json(good).dump() << "\n";
  for (const bool hangs : {true, false}) {
    const fs::path began = folder.path() / (hangs ? "hangs" : "crashes");
    Worker worker = script("read line; [ -e " + began.string() + " ] || { touch " + began.string() + "; cat " +
                           (folder.path() / "answer").string() + "; read line; }; " +
                           (hangs ? "echo '{\"step\":\"x\",\"allow\":0.05}'; sleep 1000" : "exit 139"));
    int left = 4;
    const TuningResult result = tune::tune(patient(base), search_space(some_gpu(), opencl::CpuMode::automatic, true),
                                           [&](const Message& request) { return worker.ask(request); }, nullptr,
                                           {.progress = {}, .interrupted = [&] { return --left < 0; }});
    REQUIRE(result.trials.size() == 4);
    CHECK(result.trials[0].state == State::ok);
    for (std::size_t i = 1; i < 4; ++i)
      CHECK(result.trials[i].state == (hangs ? State::timeout : State::runtime));
  }
}

TEST_CASE("a default that cannot be measured, and a host that finds other cases, end the tuning") {
  const Tunables base;
  const std::vector<Coordinate> space = search_space(some_gpu(), opencl::CpuMode::automatic, true);
  const auto status_of = [&](const Answer& answer) {
    try {
      (void)tune::tune(patient(base), space, [&](const Message&) { return answer; }, nullptr, {});
    } catch (const Error& error) {
      return error.status();
    }
    return Status::done;
  };
  CHECK(status_of({Answer::Kind::died, {}, "x"}) == Status::device);
  CHECK(status_of({Answer::Kind::timeout, {}, "x"}) == Status::device);
  CHECK(status_of({Answer::Kind::message, {{"nonsense", 1}}, {}}) == Status::device);
  CHECK(status_of({Answer::Kind::message, {{"error", "x"}, {"status", 3}}, {}}) == Status::device);
  CHECK(status_of({Answer::Kind::message, {{"error", "x"}, {"status", 4}}, {}}) == Status::unsound);
}
