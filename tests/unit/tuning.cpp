// Tuning with made-up devices: the search for the best, its journal, its judgement, and workers that hang or crash.
#include "device/profile.hpp"
#include "host/error.hpp"
#include "host/support/stopwatch.hpp"
#include "tune/descent.hpp"
#include "tune/journal.hpp"
#include "tune/report.hpp"
#include "tune/space.hpp"
#include "tune/tuner.hpp"
#include "tune/worker.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <unistd.h>

using namespace tmd;
using namespace tmd::tune;

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class Folder {
public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "tmd-tuning-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

opencl::DeviceDescription some_gpu() {
  opencl::DeviceDescription device;
  device.is_gpu = true;
  device.name = "Some GPU";
  device.vendor = "nvidia";
  device.platform = "Some platform";
  device.driver_version = "1.0";
  device.work_group_size = 256;
  device.global_memory = std::uint64_t(1) << 34;
  device.largest_buffer = std::uint64_t(1) << 32;
  return device;
}

double distance(std::int64_t value, std::int64_t best) {
  return std::abs(std::log2(static_cast<double>(value) / static_cast<double>(best)));
}

// A device whose times are known, with one best configuration: `native` is good, LOGMS 5 is better; 32 work-items and 4
// tests in phase 1; 64 work-items in phase 2, where `subtract` crashes; N twice as large; the wide test with rsqrt, 128
// work-items and groups of half the size, and wrong with `reciprocal`.
Seconds times_of(const Tunables& t) {
  const double domains = std::exp2(-static_cast<double>(t.plan_domain_bits_offset));
  Seconds seconds;
  double phase1 = 1 + 0.1 * distance(t.phase1_work_group_size, 32) + 0.1 * distance(t.phase1_items_per_work_item, 4);
  switch (static_cast<Division>(t.phase1_division)) {
  case Division::hybrid:
    phase1 *= 0.5 + 0.1 * std::abs(static_cast<double>(t.phase1_logms) - 5);
    break;
  case Division::native:
    phase1 *= 0.6;
    break;
  default:
    break;
  }
  seconds[Part::phase1] = phase1 * domains;
  seconds[Part::phase2] = 0.3 + 0.02 * distance(t.phase2_work_group_size, 64);
  seconds[Part::phase3] = 0.01;
  seconds[Part::polynomials] = 0.1 * domains;
  seconds[Part::wide] = (static_cast<Root>(t.wide_root) == Root::rsqrt ? 0.4 : 0.5) +
                        0.05 * distance(t.wide_work_group_size, 128) +
                        0.1 * std::abs(static_cast<double>(t.wide_group_bits_offset) + 1);
  seconds[Part::whole] = seconds[Part::phase1] + seconds[Part::phase2] + seconds[Part::polynomials] +
                         0.9 * std::exp2(static_cast<double>(t.plan_domain_bits_offset) - 1);
  return seconds;
}

const std::string best_of_all = "phase1.work-group-size=32 phase1.items=4 phase1.logms=5 phase2.work-group-size=64 "
                                "wide.work-group-size=128 wide.root=rsqrt wide.group-bits-offset=-1";

Seconds ratios_of(const Tunables& tunables, const Tunables& base) {
  Seconds result = times_of(tunables);
  const Seconds beside = times_of(base);
  for (const Part part : all_parts)
    result[part] /= beside[part];
  return result;
}

// Answers a tuner's requests from these times.
class MadeUpWorker {
public:
  explicit MadeUpWorker(const Tunables& base) : base_(base) {}

  Answer operator()(const Message& request) {
    if (!request.contains("try"))
      return compare(request);
    Trial trial;
    REQUIRE(from_json(request["try"], trial.tunables));
    ++tried;
    // Neither the wide test nor the phases are tried with what belongs to the others.
    for (const Tunable& tunable : tunable_table)
      if ((request["part"] == "wide") != tunable.name.starts_with("wide."))
        CHECK_MESSAGE(trial.tunables.*tunable.value == base_.*tunable.value, tunable.name);
    CHECK_MESSAGE(seen_.insert(difference(trial.tunables, Tunables())).second, "tried twice");
    if (interrupt_at == tried)
      throw Interrupted();
    if (static_cast<Division>(trial.tunables.phase2_division) == Division::subtract)
      return {Answer::Kind::died, {}, "it was ended by signal 11"};
    if (static_cast<Division>(trial.tunables.phase1_division) == Division::subtract)
      return {Answer::Kind::timeout, {}, "running a slice took too long"};
    // Too good to be true: it does not find the cases.
    if (static_cast<Division>(trial.tunables.phase1_division) == Division::reciprocal)
      trial.state = State::incorrect;
    if (static_cast<Reciprocal>(trial.tunables.wide_reciprocal) == Reciprocal::reciprocal)
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
  bool comparisons_fail = false;
  double luck = 1;        // of the second in a comparison: it gains nothing there
  double phases_lose = 1; // the second's times of all parts but the wide test, in a comparison

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
        after[part] *= noise * luck * (part == Part::wide ? 1 : phases_lose);
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

// A shell script as a worker.
Worker script(const std::string& text, double first_seconds = 20) {
  return Worker({"/bin/sh", "-c", text}, first_seconds);
}

} // namespace

TEST_CASE("the search space: known tunables, values in their range, within the device's limits") {
  const std::vector<Coordinate> space = search_space(some_gpu(), opencl::CpuMode::automatic, true);
  std::set<std::string> seen;
  for (const Coordinate& coordinate : space) {
    REQUIRE(!coordinate.settings.empty());
    for (const std::string& tunable : coordinate.tunables)
      CHECK_MESSAGE(seen.insert(tunable).second, tunable << " is in two coordinates");
    for (const Setting& setting : coordinate.settings) {
      Tunables base;
      Tunables tunables;
      CHECK_NOTHROW(tunables = with(base, coordinate, setting, base));
      for (const auto& [name, value] : setting) {
        CHECK(std::find(coordinate.tunables.begin(), coordinate.tunables.end(), name) != coordinate.tunables.end());
        if (name.ends_with("work-group-size"))
          CHECK(std::stoi(value) <= 256);
      }
    }
  }
  // What the program promises to tune.
  for (const char* name : {"phase1.work-group-size",
                           "phase1.items",
                           "phase1.division",
                           "phase1.logms",
                           "phase2.work-group-size",
                           "phase2.items",
                           "phase2.division",
                           "phase2.logms",
                           "phase3.work-group-size",
                           "polynomials.packet-bits",
                           "compaction",
                           "scan-percent",
                           "plan.domain-bits-offset",
                           "plan.split-bits-offset",
                           "batch-domains",
                           "launch-milliseconds",
                           "wide.work-group-size",
                           "wide.items",
                           "wide.vector-width",
                           "wide.order",
                           "wide.root",
                           "wide.reciprocal",
                           "wide.group-bits-offset",
                           "wide.denominator-percent"})
    CHECK_MESSAGE(seen.count(name) == 1, name);
  for (const Coordinate& coordinate : search_space(some_gpu(), opencl::CpuMode::automatic, false))
    CHECK(coordinate.part != Part::polynomials);
}

TEST_CASE("a setting puts the other tunables of its coordinate back") {
  const Coordinate coordinate{
      Part::phase1,
      {"phase1.division", "phase1.logms"},
      {{{"phase1.division", "hybrid"}, {"phase1.logms", "7"}}, {{"phase1.division", "native"}}}};
  const Tunables base;
  Tunables tunables;
  tunables.phase1_items_per_work_item = 9;
  tunables = with(tunables, coordinate, coordinate.settings[0], base);
  CHECK(difference(tunables, base) == "phase1.items=9 phase1.logms=7");
  tunables = with(tunables, coordinate, coordinate.settings[1], base);
  CHECK(difference(tunables, base) == "phase1.items=9 phase1.division=native");
  CHECK(difference(with_part(base, {coordinate}, Part::phase1, tunables), base) == "phase1.division=native");
  CHECK(with_part(base, {coordinate}, Part::phase2, tunables) == base);
}

TEST_CASE("the descent finds the best of a landscape, whatever the seed") {
  const std::vector<Coordinate> space = search_space(some_gpu(), opencl::CpuMode::automatic, true);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Tunables best = descend(space, Tunables(),
                                  [](const Tunables& t, Part part, double) -> std::optional<double> {
                                    if (static_cast<Division>(t.phase1_division) == Division::native)
                                      return std::nullopt; // as if it were wrong
                                    return ratios_of(t, Tunables())[part];
                                  },
                                  {.seed = seed});
    CHECK(difference(best, Tunables()) == best_of_all);
  }
}

TEST_CASE("the descent ends where it is when the budget does") {
  int left = 10; // those of the wide test come first
  const Tunables best =
      descend(search_space(some_gpu(), opencl::CpuMode::automatic, true), Tunables(),
              [&](const Tunables& t, Part part, double) -> std::optional<double> {
                if (--left < 0)
                  throw BudgetSpent();
                return part == Part::phase1 && static_cast<Division>(t.phase1_division) == Division::subtract ? 0.5 : 1;
              },
              {});
  CHECK(difference(best, Tunables()) == "phase1.division=subtract");
}

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

  // The report and the profile.
  const TuningDescription tuning{"0.1.0", some_gpu(), opencl::CpuMode::automatic, "a job", "built-in default",
                                 base,    space};
  CHECK(trial_table(tuning, result).find(" incorrect") != std::string::npos);
  CHECK(trial_table(tuning, result).find("\nwide test: ") != std::string::npos);
  CHECK(gain_table(tuning, result).find("kept: phase1.work-group-size=32") != std::string::npos);
  CHECK(gain_table(tuning, result).find("\n  wide test ") != std::string::npos);
  const Profile profile = profile_of(tuning, result, "", "2026-11-21");
  Tunables read = base;
  apply(parse_profile(to_toml(profile)), read);
  CHECK(read == result.tuned);
  CHECK(profile.match.device == "Some GPU");
  CHECK(parse_profile(to_toml(profile)).tuned->wide_gain == doctest::Approx(1 / wide.verdict.ratio).epsilon(1e-2));
  CHECK_FALSE(profile.match.cpu_mode); // a GPU has none
  // Another tuning with the same outcome writes the same file.
  MadeUpWorker again(base);
  const TuningResult same = tune::tune(options, space, std::ref(again), nullptr, {});
  CHECK(to_toml(profile_of(tuning, same, "", "2026-11-21")) == to_toml(profile));
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

TEST_CASE("the wide test gains what it gains, whatever becomes of the phases") {
  const Tunables base;
  const std::string wide_alone = "wide.work-group-size=128 wide.root=rsqrt wide.group-bits-offset=-1";
  const std::vector<Coordinate> space = search_space(some_gpu(), opencl::CpuMode::automatic, true);
  for (const double lose : {1.5, 10.0}) { // phase 1 wins all the same, and all together loses; or nothing wins
    MadeUpWorker worker(base);
    worker.phases_lose = lose;
    const TuningResult result = tune::tune(patient(base), space, std::ref(worker), nullptr, {});
    CHECK(difference(result.tuned, base) == wide_alone);
    CHECK(result.gains[static_cast<unsigned>(Part::whole)].verdict.ratio == 1);
    CHECK(result.gains[static_cast<unsigned>(Part::phase1)].verdict.ratio == 1);
    CHECK(result.gains[static_cast<unsigned>(Part::wide)].verdict.wins());
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
  CHECK(result.tuned == base);
  CHECK_FALSE(result.interrupted);
}

TEST_CASE("an interrupted tuning goes on where it stopped") {
  const Folder folder;
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

TEST_CASE("the journal: torn and damaged lines, other subjects, --fresh, two at a time") {
  const Folder folder;
  Trial trial;
  trial.tunables.phase1_logms = 7;
  trial.part = Part::phase1;
  trial.state = State::incorrect;
  trial.message = "with\nlines and \xff bytes";
  trial.seconds[Part::whole] = 0.5;
  trial.ratios[Part::phase1] = 2;
  fs::path file;
  {
    Journal journal(folder.path() / "new" / "folder", "x", "subject", false);
    file = journal.file();
    journal.append(trial);
    journal.append(trial);
    CHECK_THROWS_AS(Journal(folder.path() / "new" / "folder", "x", "subject", false), UsageError);
  }
  {
    std::ofstream stream(file, std::ios::app | std::ios::binary);
    stream << "{\"type\":\"trial\",\"part\":\"phase9\"}\n"
           << "no JSON\n"
           << std::string("\0\xff", 2) << "\n{\"type\":\"trial\",\"part\":\"pha"; // torn
  }
  {
    Journal journal(folder.path() / "new" / "folder", "x", "subject", false);
    REQUIRE(journal.trials().size() == 2);
    const Trial& read = journal.trials()[1];
    CHECK(read.tunables == trial.tunables);
    CHECK(read.part == Part::phase1);
    CHECK(read.state == State::incorrect);
    CHECK(read.seconds[Part::whole] == 0.5);
    CHECK(read.ratios[Part::phase1] == 2);
    CHECK(read.message.find("with\nlines") == 0);
    journal.append(trial); // not onto the torn line
  }
  CHECK(Journal(folder.path() / "new" / "folder", "x", "subject", false).trials().size() == 3);
  CHECK(Journal(folder.path() / "new" / "folder", "x", "another", false).trials().empty());
  CHECK(Journal(folder.path() / "new" / "folder", "x", "subject", true).trials().empty());
  CHECK(Journal(folder.path() / "new" / "folder", "x", "subject", false).trials().empty());
  // A file that is something else is begun anew.
  std::ofstream(file, std::ios::trunc) << "mine\n";
  CHECK(Journal(folder.path() / "new" / "folder", "x", "subject", false).trials().empty());
  CHECK_THROWS_AS(Journal(file, "x", "subject", false), UsageError); // no folder
}

TEST_CASE("trials from others are checked") {
  Trial trial;
  const Message good = to_json(trial);
  CHECK(from_json(good, trial));
  for (const char* member : {"type", "part", "state", "seconds", "ratios", "tunables"}) {
    Message bad = good;
    bad.erase(member);
    CHECK_FALSE(from_json(bad, trial));
    bad[member] = 3;
    CHECK_FALSE(from_json(bad, trial));
  }
  Message bad = good;
  bad["seconds"]["whole"] = -1;
  CHECK_FALSE(from_json(bad, trial));
  bad = good;
  bad["tunables"]["phase1.items"] = "0";
  CHECK_FALSE(from_json(bad, trial));
  bad = good;
  bad["tunables"].erase("phase1.items"); // of another version, say
  CHECK_FALSE(from_json(bad, trial));
  CHECK_FALSE(from_json(Message(), trial));
}

TEST_CASE("workers: an answer, among other output") {
  Worker worker = script("while read line; do echo noise; echo '[1]'; echo '{\"step\":\"a\",\"allow\":30}'; "
                         "echo \"{\\\"got\\\":$line}\"; done");
  for (int i = 0; i < 3; ++i) {
    const Answer answer = worker.ask({{"number", i}});
    REQUIRE(answer.kind == Answer::Kind::message);
    CHECK(answer.message["got"]["number"] == i);
  }
}

TEST_CASE("workers: one that hangs is killed, the next request starts another") {
  const Folder folder;
  // Hangs the first time only.
  const std::string text = "read line; if [ -e " + (folder.path() / "hung").string() +
                           " ]; then echo '{\"ok\":1}'; fi; "
                           "touch " +
                           (folder.path() / "hung").string() +
                           "; echo '{\"step\":\"a long launch\",\"allow\":0.2}'; sleep 1000";
  Worker worker = script(text);
  const auto start = Clock::now();
  const Answer answer = worker.ask({{"x", 1}});
  CHECK(answer.kind == Answer::Kind::timeout);
  CHECK(answer.text == "a long launch took too long");
  CHECK(worker.ask({{"x", 1}}).kind == Answer::Kind::message);
  Worker silent = script("sleep 1000", 0.2);
  CHECK(silent.ask({{"x", 1}}).kind == Answer::Kind::timeout);
  CHECK(seconds_since(start) < 100); // not the thousand seconds that they sleep
}

TEST_CASE("workers: one that crashes says how") {
  Worker crashes = script("read line; echo first words >&2; echo last words >&2; kill -SEGV $$");
  for (int i = 0; i < 2; ++i) {
    const Answer answer = crashes.ask({{"x", 1}});
    CHECK(answer.kind == Answer::Kind::died);
    CHECK(answer.text == "it was ended by signal 11 (Segmentation fault): last words");
  }
  Worker ends = script("read line; exit 3");
  CHECK(ends.ask({{"x", 1}}).text == "it ended with status 3");
  Worker missing({"/nonexistent/program"});
  CHECK(missing.ask({{"x", 1}}).kind == Answer::Kind::died);
}

TEST_CASE("workers: stopped by the user, and gone with their owner") {
  const Folder folder;
  const fs::path pid_file = folder.path() / "pid";
  {
    Worker worker = script("echo $$ >" + pid_file.string() + "; read line; sleep 1000");
    CHECK_THROWS_AS((void)worker.ask({{"x", 1}}, [&] { return fs::exists(pid_file) && fs::file_size(pid_file) > 0; }),
                    Interrupted);
    int pid = 0;
    std::ifstream(pid_file) >> pid;
    REQUIRE(pid > 0);
    CHECK(::kill(pid, 0) != 0);
  }
}

TEST_CASE("workers and the tuner: a runaway and a crash are trials that do not count") {
  const Tunables base;
  Trial good;
  good.ratios = ratios_of(base, base);
  for (const Part part : all_parts)
    good.seconds[part] = 1;
  // Answers the first request, then hangs or crashes at every other one.
  const Folder folder;
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
