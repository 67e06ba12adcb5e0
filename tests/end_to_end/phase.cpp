// Whole searches of large arguments of sin, cos, tan and exponentials by the phase walk, against plain enumeration.
#include "end_to_end/enumeration.hpp"
#include "host/engine/phase/engine.hpp"
#include "host/engine/phase/search.hpp"
#include "host/engine/phase/tunables.hpp"
#include "host/engine/registry.hpp"
#include "host/result/journal.hpp"
#include "host/result/json_lines.hpp"
#include "host/result/wc.hpp"
#include "host/search/audit.hpp"
#include "temporary_folder.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tmd::test {
namespace {

const Known known_exp10{"exp10", mpfr_exp10, [](long double x) { return std::pow(10.0L, x); }};
const Known* const periodic[] = {&known_sin, &known_cos, &known_tan};
const Known* const doubling[] = {&known_exp, &known_exp10};
// Those that come close to an exponential, and the least exponent from which that is so for 11 bits and K = 5.
const Known known_sinh{"sinh", mpfr_sinh, std::sinh};
const Known known_cosh{"cosh", mpfr_cosh, std::cosh};
const Known known_exp10m1{"exp10m1", mpfr_exp10m1, [](long double x) { return std::pow(10.0L, x) - 1; }};
const Known known_asinh{"asinh", mpfr_asinh, std::asinh};
const Known known_log1p{"log1p", mpfr_log1p, std::log1p};
const std::pair<const Known*, int> near_doubling[] = {
    {&known_sinh, 3}, {&known_cosh, 3}, {&known_expm1, 4}, {&known_exp10m1, 3}};

// The test device with the phase walk alone, for many searches: MPFR decides all arguments that the walk has not
// claimed.
class PhaseDevice {
public:
  PhaseDevice() : search_(std::make_shared<engine::Launcher>(test_device(), 1 << 16), {}) {}

  // Only one worker of a device may be at work at a time. before: called before each batch; after: changes its
  // findings.
  [[nodiscard]] std::unique_ptr<searches::Worker> worker(const Task& task, std::uint64_t batch_windows,
                                                         std::function<void()> before = {},
                                                         std::function<void(engine::BatchResult&)> after = {}) {
    engine::phase::PhaseOptions options;
    options.batch_windows = batch_windows;
    std::vector<std::unique_ptr<engine::Engine>> engines;
    engines.push_back(std::make_unique<engine::phase::PhaseEngine>(
        options, [this, before, after](const engine::phase::PhaseBatch& batch, const engine::Interrupt& interrupt) {
          if (before)
            before();
          engine::BatchResult result = search_.result(batch, interrupt);
          if (after)
            after(result);
          return result;
        }));
    return std::make_unique<searches::DeviceWorker>(std::move(engines), task.choices, task.costs, 1);
  }

  [[nodiscard]] result::SearchResult run(const Task& task, const searches::SearchHooks& hooks = {},
                                         result::SearchResult so_far = {}) {
    const std::unique_ptr<searches::Worker> alone = worker(task, std::uint64_t(1) << 14);
    return searches::run_search(task, std::span(&alone, 1), hooks, searches::claims_of(task, task.choices, task.kinds),
                                std::move(so_far));
  }

private:
  engine::phase::PhaseSearch search_;
};

PhaseDevice& phase_device() {
  static PhaseDevice device;
  return device;
}

PhaseDevice& other_phase_device() {
  static PhaseDevice device;
  return device;
}

Task phase_task(const Known& f, const Range& range, Rounding grid, int bits) {
  Task task = make_task(f, range, grid, bits);
  set_algorithm(task, engine::phase::phase_method);
  return task;
}

std::uint64_t walked_windows(const result::SearchResult& result) {
  std::uint64_t windows = 0;
  for (const engine::Stage& stage : result.stages)
    if (stage.name == engine::phase::phase_stages[1].name)
      windows += stage.tested;
  return windows;
}

struct Walked {
  std::uint64_t searches = 0;
  std::uint64_t windows = 0;
  std::uint64_t cases = 0;
};

// Searches a range with all roundings.
void compare_walk(const Known& f, const Range& range, int bits, Walked& walked, std::optional<Exponents> bounds = {}) {
  const auto all = enumerate(f, {range.q, range.min_exponent}, range.from, range.to, range.p, bits, bounds);
  for (std::size_t i = 0; i < std::size(grids); ++i) {
    Task task = phase_task(f, range, grids[i], bits);
    if (bounds)
      task.values = Values::format;
    INFO(task.identity());
    const result::SearchResult result = phase_device().run(task);
    check_found(task, result, all[i]);
    const bool claimed = std::any_of(result.fields.begin(), result.fields.end(), [](const result::FieldReport& report) {
      return report.field.is_claimed_by(engine::phase::phase_method);
    });
    CHECK(claimed);
    ++walked.searches;
    walked.windows += walked_windows(result);
    walked.cases += result.cases.size();
  }
}

// Searches a binade in many parts, or several binades.
Task binade_in_parts(const Known& f, int precision, int bits, double to = 2048) {
  const std::string format = "p" + std::to_string(precision);
  return phase_task(f, {format, precision, -1022, precision, 1024, to}, Rounding::all, bits);
}

constexpr std::uint64_t small_batches = 64; // windows

// The bytes of a result's files, without those that differ from run to run.
std::string files_of(const Task& task, const result::SearchResult& result) {
  result::RunDescription run;
  run.program.version = "0";
  run.command = "tmd search";
  run.devices.resize(1);
  return result::json_lines(task, run, result, true) + result::wc_file(task, run, result);
}

// A search that is kept in a journal and made run by run.
class KeptSearch {
public:
  explicit KeptSearch(const Task& task) : task_(task), claims_(searches::claims_of(task, task.choices, task.kinds)) {}

  // Claims that differ in one property.
  void change_claims(std::function<void(engine::Field&)> change) {
    claims_ = [claims = searches::claims_of(task_, task_.choices, task_.kinds), change](const job::Stretch& stretch) {
      auto field = claims(stretch);
      if (field)
        change(*field);
      return field;
    };
  }

  // Continues until all is done, or so many parts were. Findings for the companion are kept there.
  result::SearchResult run(const std::vector<std::unique_ptr<searches::Worker>>& workers, int most_parts,
                           KeptSearch* companion = nullptr) {
    result::Journal journal(file_);
    result::SearchResult so_far = resume(journal, workers.size());
    std::optional<result::Journal> journal_of_companion;
    std::optional<searches::OtherSearch> of_companion;
    if (companion != nullptr) {
      journal_of_companion.emplace(companion->file_);
      result::SearchResult of_companions = companion->resume(*journal_of_companion, workers.size());
      of_companion = {companion->task_, companion->claims_, std::move(of_companions.covered),
                      std::move(of_companions.partial_claims), &*journal_of_companion};
    }
    std::atomic<int> parts = 0;
    searches::SearchHooks hooks;
    hooks.progress = [&](const Progress& progress) {
      ++parts;
      CHECK(progress.total == task_.size());
      CHECK(progress.done <= progress.total);
      CHECK(progress.known <= known);
    };
    known = so_far.arguments() + so_far.partial_arguments();
    hooks.interrupted = [&] { return parts >= most_parts; };
    hooks.skipped = [this](const result::PartialClaim&) { ++skipped; };
    hooks.recorder = &journal;
    hooks.joins_claims = joins;
    if (of_companion)
      hooks.others.push_back(&*of_companion);
    const result::SearchResult result = searches::run_search(task_, workers, hooks, claims_, std::move(so_far));
    const result::JournalContents after = *journal.contents();
    if (!journal.has_revoked()) {
      CHECK(after.is_complete() != result.interrupted);
      CHECK(after.result.covered == result.covered);
      CHECK(after.result.partial_arguments() == result.partial_arguments());
      CHECK(files_of(task_, after.result) == files_of(task_, result));
    }
    return result;
  }

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] result::JournalContents contents() const { return result::read_journal(file_); }
  [[nodiscard]] std::size_t parts() const {
    std::size_t count = 0;
    std::ifstream file(file_);
    for (std::string line; std::getline(file, line);)
      count += line.starts_with(R"({"type":"claimed",)") ? 1 : 0;
    return count;
  }

  int skipped = 0;
  uint128 known = 0;
  bool joins = false; // whether one walk may serve several claims

private:
  // The journal's contents for the search that is resumed.
  [[nodiscard]] result::SearchResult resume(result::Journal& journal, std::size_t workers) const {
    std::vector<opencl::DeviceDescription> devices(workers);
    for (std::size_t i = 0; i < devices.size(); ++i) {
      devices[i].name = "device";
      devices[i].index = i;
    }
    result::SearchResult so_far;
    if (auto kept = journal.contents())
      so_far = std::move(kept->result);
    else
      journal.begin({}, task_);
    journal.begin_run(result::running_program({}), task_, devices);
    return so_far;
  }

  const TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "a.journal";
  const Task& task_;
  searches::Claims claims_;
};

// Searches by MPFR alone.
std::vector<std::unique_ptr<searches::Worker>> one_exhaustive(const Task& task) {
  std::vector<std::unique_ptr<searches::Worker>> workers;
  workers.push_back(std::make_unique<searches::DeviceWorker>(std::vector<std::unique_ptr<engine::Engine>>(),
                                                             task.choices, task.costs, 1));
  return workers;
}

std::vector<std::unique_ptr<searches::Worker>> one_walker(const Task& task) {
  std::vector<std::unique_ptr<searches::Worker>> workers;
  workers.push_back(phase_device().worker(task, small_batches));
  return workers;
}

searches::OtherSearch search_of_companion(const Task& companion) {
  return {companion, searches::claims_of(companion, companion.choices, companion.kinds), {}, {}, nullptr};
}

// The work for one search that was done during its companion's.
result::SearchResult result_of(searches::OtherSearch& search) {
  result::SearchResult result;
  for (result::PartialClaim& claim : search.partial_claims) {
    CHECK(claim.is_complete());
    result.close(search.job, claim);
  }
  return result;
}

// One walk for both functions, with all roundings of a range.
void compare_companions(const Known& f, const Known& companion, const Range& range, int bits, Walked& walked) {
  const Numbers numbers{range.q, range.min_exponent};
  const auto all = enumerate(f, numbers, range.from, range.to, range.p, bits);
  const auto all_of_companion = enumerate(companion, numbers, range.from, range.to, range.p, bits);
  for (std::size_t i = 0; i < std::size(grids); ++i) {
    const Task task = phase_task(f, range, grids[i], bits);
    const Task other = phase_task(companion, range, grids[i], bits);
    INFO(task.identity());
    searches::OtherSearch of_companion = search_of_companion(other);
    searches::SearchHooks hooks;
    hooks.others = {&of_companion};
    const result::SearchResult result = phase_device().run(task, hooks);
    check_found(task, result, all[i]);
    ++walked.searches;
    walked.windows += walked_windows(result);
    uint128 claimed = 0;
    for (const result::FieldReport& report : result.fields)
      if (report.field.is_claimed()) {
        CHECK(report.field.claim()->companions == std::vector{other.function});
        claimed += report.field.arguments.count;
      }
    CHECK(claimed > 0);
    result::SearchResult so_far = result_of(of_companion);
    CHECK(so_far.arguments() == claimed);
    const result::SearchResult of_other = phase_device().run(other, {}, std::move(so_far));
    CHECK(walked_windows(of_other) == 0);
    CHECK(of_other.workers[0].arguments == other.size() - claimed);
    check_found(other, of_other, all_of_companion[i]);
    walked.cases += of_other.cases.size();
  }
}

} // namespace

TEST_CASE("phase walk: binades of short formats, arguments of the format's bits and of one more") {
  Walked walked;
  for (const Known* f : periodic)
    for (const int exponent : {0, 1, 2, 3, 5, 7, 15, 100, 127, 1000})
      for (const int extra : {0, 1}) {
        const double from = std::ldexp(1.0, exponent);
        compare_walk(*f, {"p8", 8, -1022, 8 + extra, from, 2 * from}, 3, walked);
        compare_walk(*f, {"p11", 11, -1022, 11 + extra, from, 2 * from}, 5, walked);
      }
  CHECK(walked.windows > 10 * walked.searches);
  CHECK(walked.cases > 10000);
}

TEST_CASE("phase walk: binades of 13 and 16 bits") {
  Walked walked;
  for (const Known* f : periodic) {
    for (const int exponent : {3, 1000}) {
      const double from = std::ldexp(1.0, exponent);
      compare_walk(*f, {"p13", 13, -1022, 13, from, 2 * from}, 6, walked);
    }
    compare_walk(*f, {"p13", 13, -1022, 14, 1024, 2048}, 7, walked);
    compare_walk(*f, {"p16", 16, -1022, 16, 0x1p+10, 0x1p+11}, 8, walked);
  }
  compare_walk(known_tan, {"p16", 16, -1022, 16, 0x1p+1000, 0x1p+1001}, 8, walked);
  CHECK(walked.cases > 1000);
}

TEST_CASE("phase walk: negative arguments, binades that are cut, and several of them") {
  Walked walked;
  for (const Known* f : periodic) {
    compare_walk(*f, {"p11", 11, -1022, 11, -0x1p+14, -0x1p+13}, 5, walked);
    compare_walk(*f, {"p11", 11, -1022, 12, -0x1.7fep+13, -0x1.08p+9}, 5, walked);
    compare_walk(*f, {"p11", 11, -1022, 11, 0x1.354p+10, 0x1.6acp+13}, 5, walked);
    compare_walk(*f, {"p13", 13, -1022, 13, 0x1.8p+500, 0x1.846p+500}, 4, walked); // 70 arguments
    compare_walk(*f, {"p13", 13, -1022, 13, 0x1.ffp+4, 0x1.01p+6}, 6, walked);     // both ends
  }
  CHECK(walked.cases > 1000);
}

TEST_CASE("phase walk: large arguments of binary16 and bfloat16, values as the format has them") {
  Walked walked;
  for (const Known* f : periodic) {
    compare_walk(*f, {"binary16", 11, -14, 11, 0x1p+3, 65536}, 6, walked, Exponents{-14, 15});
    compare_walk(*f, {"bfloat16", 8, -126, 8, 0x1p+120, 0x1p+127}, 4, walked, Exponents{-126, 127});
    compare_walk(*f, {"bfloat16", 8, -126, 8, -0x1p+10, -0x1p+4}, 4, walked, Exponents{-126, 127});
  }
  CHECK(walked.cases > 1000);
}

TEST_CASE("phase walk: exponentials of either sign, binades that are cut, and several of them") {
  Walked walked;
  for (const Known* f : doubling) {
    for (const int exponent : {0, 1, 2, 3, 5, 7})
      for (const int extra : {0, 1})
        for (const double sign : {1.0, -1.0}) {
          const double from = sign * std::ldexp(sign > 0 ? 1.0 : 2.0, exponent);
          const double to = sign * std::ldexp(sign > 0 ? 2.0 : 1.0, exponent);
          compare_walk(*f, {"p8", 8, -1022, 8 + extra, from, to}, 3, walked);
          compare_walk(*f, {"p11", 11, -1022, 11 + extra, from, to}, 5, walked);
          compare_walk(*f, {"p13", 13, -1022, 13 + extra, from, to}, 6, walked);
        }
    compare_walk(*f, {"p16", 16, -1022, 16, 0x1p+7, 0x1p+8}, 8, walked);
    compare_walk(*f, {"p13", 13, -1022, 13, 0x1.8p+6, 0x1.846p+6}, 4, walked); // 70 arguments
    compare_walk(*f, {"p13", 13, -1022, 13, 0x1.ffp+4, 0x1.01p+6}, 6, walked); // both ends
    compare_walk(*f, {"p12", 12, -1022, 12, -0x1.234p+7, -1}, 6, walked);
    compare_walk(*f, {"p12", 12, -1022, 12, 0.5, 0x1.234p+7}, 6, walked);
  }
  CHECK(walked.windows > 10 * walked.searches);
  CHECK(walked.cases > 10000);
}

TEST_CASE("phase walk: exponentials whose values are not all normal numbers of the format") {
  Walked walked;
  for (const Known* f : doubling) {
    compare_walk(*f, {"binary16", 11, -14, 11, 2, 16}, 4, walked, Exponents{-14, 15});
    compare_walk(*f, {"binary16", 11, -14, 11, -32, -2}, 4, walked, Exponents{-14, 15});
    compare_walk(*f, {"binary16", 11, -14, 12, 1, 32}, 5, walked, Exponents{-14, 15});
    compare_walk(*f, {"bfloat16", 8, -126, 8, -0x1p+7, -1}, 4, walked, Exponents{-126, 127});
  }
  CHECK(walked.cases > 1000);
}

TEST_CASE("phase walk: functions beside an exponential, from where it serves") {
  Walked walked;
  for (const auto& [f, least] : near_doubling) {
    for (int exponent = least; exponent <= 8; ++exponent)
      for (const int extra : {0, 1}) {
        const double from = std::ldexp(1.0, exponent);
        compare_walk(*f, {"p8", 8, -1022, 8 + extra, from, 2 * from}, 3, walked);
        compare_walk(*f, {"p11", 11, -1022, 11 + extra, from, 2 * from}, 5, walked);
      }
    compare_walk(*f, {"p16", 16, -1022, 16, 0x1p+7, 0x1p+8}, 8, walked);
    compare_walk(*f, {"p13", 13, -1022, 13, 0x1.8p+6, 0x1.846p+6}, 4, walked); // 70 arguments
    compare_walk(*f, {"p12", 12, -1022, 12, 0.5, 0x1.234p+7}, 6, walked);
    compare_walk(*f, {"bfloat16", 8, -126, 8, 1, 256}, 4, walked, Exponents{-126, 127});
  }
  for (const Known* f : {&known_sinh, &known_cosh}) {
    compare_walk(*f, {"p11", 11, -1022, 11, -0x1p+5, -8}, 5, walked);
    compare_walk(*f, {"p12", 12, -1022, 12, -0x1.234p+7, -1}, 6, walked);
    compare_walk(*f, {"binary16", 11, -14, 11, 1, 32}, 4, walked, Exponents{-14, 15});
    compare_walk(*f, {"binary16", 11, -14, 12, -32, -1}, 4, walked, Exponents{-14, 15});
  }
  CHECK(walked.windows > 10 * walked.searches);
  CHECK(walked.cases > 10000);
}

// Among these arguments some are cases only by the difference, which is nearly as large as it may be.
TEST_CASE("phase walk: the difference from the exponential beside a function counts") {
  Walked walked;
  for (const Known* f : {&known_sinh, &known_cosh})
    compare_walk(*f, {"p20", 20, -1022, 20, 0x1.5p+3, 0x1.6p+3}, 3, walked);
  compare_walk(known_expm1, {"p20", 20, -1022, 20, 0x1.5p+4, 0x1.6p+4}, 3, walked);
  CHECK(walked.cases > 10000);
}

TEST_CASE("phase walk: one walk finds the cases of sin and of cos") {
  Walked walked;
  for (const int exponent : {10, 1000}) {
    const double from = std::ldexp(1.0, exponent);
    compare_companions(known_sin, known_cos, {"p13", 13, -1022, 13, from, 2 * from}, 6, walked);
    compare_companions(known_cos, known_sin, {"p13", 13, -1022, 13, from, 2 * from}, 6, walked);
    compare_companions(known_sin, known_cos, {"p16", 16, -1022, 16, from, 2 * from}, 8, walked);
  }
  // Negative arguments, several binades, and some that no walk can search.
  compare_companions(known_sin, known_cos, {"p11", 11, -1022, 12, -0x1.7fep+13, -0x1.08p+9}, 5, walked);
  compare_companions(known_cos, known_sin, {"p11", 11, -1022, 11, 0.75, 0x1.02p+7}, 5, walked);
  CHECK(walked.windows > 10 * walked.searches);
  CHECK(walked.cases > 1000);
}

TEST_CASE("phase walk: one walk finds the cases of several exponentials") {
  Walked walked;
  const Range range{"p16", 16, -1022, 16, 0x1p+6, 0x1p+7};
  for (const auto& [f, companion] :
       {std::pair(&known_exp, &known_cosh), std::pair(&known_cosh, &known_sinh), std::pair(&known_sinh, &known_expm1),
        std::pair(&known_expm1, &known_exp), std::pair(&known_exp10, &known_exp10m1)})
    compare_companions(*f, *companion, range, 7, walked);
  // Some of these are cases only by the difference from the exponential.
  compare_companions(known_exp, known_expm1, {"p20", 20, -1022, 20, 0x1.5p+4, 0x1.6p+4}, 3, walked);
  compare_companions(known_cosh, known_sinh, {"p20", 20, -1022, 20, -0x1.6p+3, -0x1.5p+3}, 3, walked);
  CHECK(walked.windows > 10 * walked.searches);
  CHECK(walked.cases > 1000);
}

// Walks of one sign are compared with enumeration above.
TEST_CASE("phase walk: one walk finds the cases of both signs of an exponential") {
  Walked walked;
  const auto compare = [&](const Known& f, const Range& range, int bits, Values values) {
    const std::size_t turn = walked.searches;
    for (const Rounding grid : grids) {
      if (!is_tried(grid, turn))
        continue;
      Task task = phase_task(f, range, grid, bits);
      task.values = values;
      INFO(task.identity());
      searches::SearchHooks hooks;
      hooks.joins_claims = true;
      const result::SearchResult result = phase_device().run(task, hooks);
      const result::SearchResult alone = phase_device().run(task);
      CHECK(files_of(task, result) == files_of(task, alone));
      CHECK(result.partial_claims.empty());
      CHECK(result.workers[0].arguments == alone.workers[0].arguments);
      CHECK(walked_windows(result) < walked_windows(alone));
      CHECK(std::ranges::all_of(result.fields, [](const result::FieldReport& report) {
        return !report.field.is_claimed() || report.has_plan();
      }));
      ++walked.searches;
      walked.windows += walked_windows(result);
      walked.cases += result.cases.size();
    }
  };
  for (const Known* f : doubling) {
    compare(*f, {"p13", 13, 0, 13, -0x1p+8, 0x1p+8}, 6, Values::unbounded);
    compare(*f, {"p11", 11, 0, 12, -0x1.5p+5, 0x1.8p+7}, 5, Values::unbounded); // one binade is cut: two walks
    compare(*f, {"p11", 11, 0, 11, -0x1p+7, 0x1p+5}, 5, Values::unbounded);
    compare(*f, {"bfloat16", 8, -126, 8, -0x1p+7, 0x1p+7}, 4, Values::format);
  }
  CHECK(walked.windows > 10 * walked.searches);
  CHECK(walked.cases > 1000);
}

TEST_CASE("phase walk: one walk finds the cases of a logarithm in all binades of its values") {
  Walked walked;
  const auto compare = [&](const Known& f, const Range& range, int bits) {
    const auto all = enumerate(f, {range.q, range.min_exponent}, range.from, range.to, range.p, bits);
    for (std::size_t i = 0; i < std::size(grids); ++i) {
      Task task = phase_task(f, range, grids[i], bits);
      task.choices.joins_claims = true;
      INFO(task.identity());
      searches::SearchHooks hooks;
      hooks.joins_claims = true;
      const result::SearchResult result = phase_device().run(task, hooks);
      check_found(task, result, all[i]);
      CHECK(result.partial_claims.empty());
      CHECK(std::ranges::any_of(result.fields, [](const result::FieldReport& report) {
        return report.field.is_claimed() && report.field.claim()->others.size() > 10;
      }));
      CHECK(std::ranges::all_of(result.fields, [](const result::FieldReport& report) {
        return !report.field.is_claimed() || report.has_plan(); // records tell what has searched it
      }));
      ++walked.searches;
      walked.windows += walked_windows(result);
      walked.cases += result.cases.size();
    }
  };
  compare(known_log, {"p11", 11, -1022, 11, 0x1p-20, 0x1.8p+50}, 6);
  compare(known_log, {"p9", 9, -1022, 10, 0x1.3p-60, 0x1.8p-8}, 5); // values with another precision
  compare(known_asinh, {"p11", 11, -1022, 11, 0x1p-5, 0x1.5p+50}, 6);
  compare(known_log1p, {"p8", 8, -1022, 8, 0x1p+5, 0x1p+80}, 4);
  CHECK(walked.windows > 10 * walked.searches);
  CHECK(walked.cases > 1000);
}

TEST_CASE("phase walk: other searches come before the arguments of opposite sign, and MPI ranks serve one sign") {
  const Range range{"p13", 13, 0, 13, -0x1p+8, 0x1p+8};
  const Task task = phase_task(known_exp, range, Rounding::all, 6);
  searches::OtherSearch of_other = search_of_companion(phase_task(known_sinh, range, Rounding::all, 6));
  searches::SearchHooks hooks;
  hooks.joins_claims = true;
  const auto is_mirrored = [](const result::SearchResult& result) {
    return std::any_of(result.fields.begin(), result.fields.end(), [](const result::FieldReport& report) {
      return report.field.is_claimed() && !report.field.claim()->others.empty();
    });
  };
  CHECK(is_mirrored(phase_device().run(task, hooks)));
  CHECK_FALSE(is_mirrored(phase_device().run(task)));
  hooks.others = {&of_other};
  CHECK_FALSE(is_mirrored(phase_device().run(task, hooks)));
  CHECK_FALSE(of_other.partial_claims.empty());
}

TEST_CASE("phase walk: a walk serves three functions") {
  const Range range{"p13", 13, -1022, 13, 0x1p+6, 0x1p+9};
  const Task task = phase_task(known_sinh, range, Rounding::all, 6);
  const Task of_others[] = {phase_task(known_cosh, range, Rounding::all, 6),
                            phase_task(known_exp, range, Rounding::all, 6)};
  searches::OtherSearch others[] = {search_of_companion(of_others[0]), search_of_companion(of_others[1])};
  searches::SearchHooks hooks;
  hooks.others = {&others[0], &others[1]};
  CHECK(phase_device().run(task, hooks).covered == task.range());
  for (const int i : {0, 1}) {
    const result::SearchResult result = phase_device().run(of_others[i], {}, result_of(others[i]));
    CHECK(result.covered == task.range());
    CHECK(walked_windows(result) == 0);
    CHECK(files_of(of_others[i], result) == files_of(of_others[i], phase_device().run(of_others[i])));
  }
}

TEST_CASE("phase walk: no walk serves a function that is no companion") {
  // Below 0 sinh is walked by the phases of its arguments' opposites, and exp by those of the arguments.
  for (const auto& [f, other, sign] : {std::tuple(&known_sin, &known_tan, 1), std::tuple(&known_exp, &known_exp10, 1),
                                       std::tuple(&known_exp, &known_sinh, -1)}) {
    const double ends[] = {sign * 0x1p+7, sign * 0x1p+8};
    const Range range{"p13", 13, -1022, 13, std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
    const Task task = phase_task(*f, range, Rounding::all, 6);
    searches::OtherSearch of_other = search_of_companion(phase_task(*other, range, Rounding::all, 6));
    searches::SearchHooks hooks;
    hooks.others = {&of_other};
    const result::SearchResult result = phase_device().run(task, hooks);
    CHECK(result.covered == task.range());
    CHECK(of_other.partial_claims.empty());
    CHECK(result.fields.at(0).field.claim()->companions.empty());
  }
}

// A device turns out to be faulty at a batch of this number, after some time there; another waits for that.
struct Fault {
  std::function<void()> at_batch(int number, std::chrono::milliseconds after = {}) {
    return [this, number, after, batch = std::make_shared<std::atomic<int>>(0)] {
      if (++*batch < number)
        return;
      std::this_thread::sleep_for(after);
      happened = true;
      throw FaultError("faulty");
    };
  }
  std::function<void()> awaited() {
    return [this] {
      for (int waited = 0; waited < 20000 && !happened; ++waited)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
  }

  std::atomic<bool> happened = false;
};

TEST_CASE("phase walk: a device that turns out to be faulty takes its parts of the companion with it") {
  using namespace std::chrono_literals;
  const Task task = binade_in_parts(known_sin, 16, 8);
  const Task other = binade_in_parts(known_cos, 16, 8);
  // The device loses all that it finds, and this is noticed after some parts; the other waits for that.
  Fault fault;
  const auto lose = [](engine::BatchResult& result) { result = {}; };
  std::vector<std::unique_ptr<searches::Worker>> workers;
  workers.push_back(phase_device().worker(task, small_batches, fault.awaited()));
  // After 100 ms earlier findings are confirmed.
  workers.push_back(other_phase_device().worker(task, small_batches, fault.at_batch(6, 100ms), lose));
  searches::OtherSearch of_companion = search_of_companion(other);
  searches::SearchHooks hooks;
  hooks.others = {&of_companion};
  const result::SearchResult result =
      searches::run_search(task, workers, hooks, searches::claims_of(task, task.choices, task.kinds));
  CHECK_FALSE(result.workers[1].failure.empty());
  CHECK(files_of(task, result) == files_of(task, phase_device().run(task)));
  result::SearchResult so_far = result_of(of_companion);
  const result::SearchResult expected = phase_device().run(other);
  CHECK(so_far.cases.size() == expected.cases.size());
  CHECK(files_of(other, phase_device().run(other, {}, std::move(so_far))) == files_of(other, expected));
}

TEST_CASE("phase walk: a binade of 20 bits") {
  for (const Known* f : periodic) {
    const Range range{"p20", 20, -1022, 20, 0x1p+12, 0x1p+13};
    const Rounding grid = f == &known_tan ? Rounding::nearest : Rounding::all;
    const Task task = phase_task(*f, range, grid, 12);
    INFO(task.identity());
    const result::SearchResult result = phase_device().run(task);
    check_found(task, result, enumerate_fast(*f, {20, -1022}, range.from, range.to, 20, grid, 12));
    CHECK(walked_windows(result) > 1000);
    CHECK(result.cases.size() > 100);
    CHECK(result.candidates < 4 * result.cases.size() + 1000);
  }
}

TEST_CASE("phase walk: a binade that is claimed in parts") {
  for (const Known* f : periodic) {
    const Range range{"p16", 16, -1022, 16, 0x1p+10, 0x1p+11};
    const Task task = phase_task(*f, range, Rounding::all, 8);
    INFO(task.identity());
    const searches::Claims whole = searches::claims_of(task, task.choices, task.kinds);
    const std::string files = files_of(task, phase_device().run(task));
    for (const unsigned most : {1000U, 4096U, 30000U, 32768U}) {
      const searches::Claims in_parts = [&](job::Stretch part) {
        part.count = std::min<uint128>(part.count, most - part.first % most);
        return whole(part);
      };
      const result::SearchResult result = searches::run_search(task, one_walker(task), {}, in_parts);
      CHECK(files_of(task, result) == files);
      CHECK(result.fields.size() >= 32768 / most);
      CHECK(std::all_of(result.fields.begin(), result.fields.end(), [](const result::FieldReport& report) {
        return report.field.is_claimed_by(engine::phase::phase_method) || report.field.arguments.count < 1000;
      }));
    }
  }
}

TEST_CASE("phase walk: a shard of a binade that is too short to be claimed ends, and is searched") {
  const Range range{"binary64", 53, -1022, 53, 0x1p+60, 0x1p+61};
  const Task whole = phase_task(known_sin, range, Rounding::all, 44);
  for (const bool leaves_out : {false, true}) {
    Task shard = whole;
    shard.first = whole.first + (whole.last - whole.first) / 3;
    shard.last = shard.first + 3;
    searches::SearchHooks hooks;
    hooks.cut_range = {whole.first, whole.last};
    hooks.leaves_out = leaves_out;
    const result::SearchResult result = phase_device().run(shard, hooks);
    CHECK(result.left_out.empty());
    CHECK(result.arguments() == 3);
  }
}

TEST_CASE("phase walk: interrupted within a binade, it goes on there from its journal and makes the same files") {
  struct {
    const Known* f;
    int precision;
    int bits;
    double to;
  } const searches[] = {{&known_sin, 19, 11, 2048}, {&known_tan, 16, 8, 2048}, {&known_sin, 15, 7, 8192}};
  for (const auto& [f, precision, bits, to] : searches) {
    const Task task = binade_in_parts(*f, precision, bits, to);
    INFO(task.identity());
    KeptSearch at_once(task);
    const result::SearchResult expected = at_once.run(one_walker(task), 1 << 20);
    check_found(task, expected, enumerate_fast(*f, {precision, -1022}, 1024, to, precision, Rounding::all, bits));
    CHECK(expected.cases.size() > 100);
    CHECK(expected.partial_claims.empty());
    CHECK(at_once.parts() > 40);
    const std::string files = files_of(task, expected);
    for (const int parts : {1, 2, 5, 13, 30}) {
      KeptSearch kept(task);
      int turns = 0;
      int within = 0;
      for (bool through = false; !through; ++turns) {
        const uint128 before = kept.known;
        const result::SearchResult result = kept.run(one_walker(task), parts);
        through = !result.interrupted;
        within += result.partial_claims.empty() ? 0 : 1;
        CHECK(result.arguments() + result.partial_arguments() > before);
        CHECK(result.workers[0].arguments == result.arguments() + result.partial_arguments() - kept.known);
        if (through)
          CHECK(files_of(task, result) == files);
      }
      CHECK(within > 0);
      CHECK((to > 2048 || within == turns - 1));
      CHECK(files_of(task, kept.contents().result) == files);
      CHECK(kept.skipped == 0);
      CHECK(kept.contents().devices.at(0).arguments == task.size()); // nothing was done twice
    }
  }
}

TEST_CASE("phase walk: interrupted, sin and cos go on from their journals, whichever of them walks") {
  const Task task = binade_in_parts(known_sin, 16, 8, 4096);
  const Task other = binade_in_parts(known_cos, 16, 8, 4096);
  const std::string files = files_of(task, phase_device().run(task));
  const std::string files_of_other = files_of(other, phase_device().run(other));
  for (const int parts : {2, 7, 30})
    for (const bool in_turns : {false, true}) {
      KeptSearch kept(task);
      KeptSearch kept_of_other(other);
      int turns = 0;
      for (bool through = false; !through; ++turns) {
        const result::SearchResult result = kept.run(one_walker(task), parts, &kept_of_other);
        through = !result.interrupted;
        if (through)
          CHECK(files_of(task, result) == files);
        else if (in_turns) // then some parts of the companion are known that are unknown for this one
          (void)kept_of_other.run(one_walker(other), parts, turns % 2 == 0 ? nullptr : &kept);
      }
      CHECK(turns > 1);
      const result::JournalContents contents = kept_of_other.contents();
      CHECK(contents.is_complete());
      CHECK(files_of(other, contents.result) == files_of_other);
      const result::SearchResult result = kept_of_other.run(one_walker(other), 1 << 20);
      CHECK(kept_of_other.known == other.size());
      CHECK(result.workers[0].arguments == 0);
      CHECK(files_of(other, result) == files_of_other);
      for (const KeptSearch* one : {&kept, &kept_of_other}) {
        CHECK(one->skipped == 0);
        CHECK(one->contents().devices.at(0).arguments == task.size()); // nothing counts twice
      }
    }
}

// Searches in which one walk serves several claims.
Task joined_task(const Known& f, const Range& range, int bits) {
  Task task = phase_task(f, range, Rounding::all, bits);
  task.choices.joins_claims = true;
  return task;
}

TEST_CASE("phase walk: interrupted, claims that one walk serves go on from the journal, together or each by itself") {
  for (const Task& task : {joined_task(known_exp, {"p12", 12, 5, 12, -0x1p+7, 0x1p+7}, 6),
                           joined_task(known_log, {"p14", 14, -1022, 14, 0x1p-20, 0x1.8p+20}, 10)}) {
    INFO(task.identity());
    KeptSearch at_once(task);
    const std::string files = files_of(task, at_once.run(one_walker(task), 1 << 20));
    for (const int parts : {50, 300})
      for (const bool in_turns : {false, true}) { // in turns: of some claims alone some parts are known
        KeptSearch kept(task);
        int turns = 0;
        for (bool through = false; !through; ++turns) {
          kept.joins = !in_turns || turns % 2 == 0;
          const result::SearchResult result = kept.run(one_walker(task), parts);
          through = !result.interrupted;
          if (through)
            CHECK(files_of(task, result) == files);
        }
        CHECK(turns > 1);
        CHECK(kept.skipped == 0);
        CHECK(files_of(task, kept.contents().result) == files);
        CHECK(kept.contents().devices.at(0).arguments == at_once.contents().devices.at(0).arguments); // nothing twice
      }
  }
}

TEST_CASE("phase walk: a device that turns out to be faulty takes its parts of all claims with it") {
  for (const Task& task : {joined_task(known_exp, {"p15", 15, 5, 15, -0x1p+8, 0x1p+8}, 7),
                           joined_task(known_log, {"p19", 19, -1022, 19, 0x1.8p+60, 0x1.8p+70}, 12)}) {
    INFO(task.identity());
    KeptSearch kept(task);
    kept.joins = true;
    Fault fault;
    std::vector<std::unique_ptr<searches::Worker>> workers;
    workers.push_back(phase_device().worker(task, small_batches, fault.awaited()));
    workers.push_back(other_phase_device().worker(task, small_batches, fault.at_batch(6)));
    const result::SearchResult result = kept.run(workers, 1 << 20);
    CHECK_FALSE(result.interrupted);
    CHECK(result.workers[1].arguments == 0);
    CHECK(kept.contents().devices.at(1).revoked);
    const result::SearchResult alone = phase_device().run(task);
    CHECK(result.workers[0].arguments == alone.workers[0].arguments);
    CHECK(files_of(task, result) == files_of(task, alone));
  }
}

TEST_CASE("phase walk: a device that turns out to be faulty takes its parts of a binade with it") {
  using namespace std::chrono_literals;
  const Task task = binade_in_parts(known_sin, 17, 9);
  const Task other = binade_in_parts(known_cos, 17, 9);
  const std::string files = files_of(task, phase_device().run(task));
  KeptSearch kept(task);
  KeptSearch kept_of_companion(other);
  // Both have parts in the journal: their first batches alternate.
  constexpr int in_turns = 3;
  std::array<std::atomic<int>, 2> batches{0, 0};
  const auto at_work = [&](std::size_t own) {
    return [&batches, own] {
      const int batch = ++batches.at(own);
      for (int waited = 0; waited < 2000 && batch < in_turns && batches.at(1 - own) < batch; ++waited)
        std::this_thread::sleep_for(1ms);
    };
  };
  const auto two_walkers = [&](const std::function<void()>& before, const std::function<void()>& of_other) {
    std::vector<std::unique_ptr<searches::Worker>> workers;
    workers.push_back(phase_device().worker(task, small_batches, before));
    workers.push_back(other_phase_device().worker(task, small_batches, of_other));
    return workers;
  };
  CHECK(kept.run(two_walkers(at_work(0), at_work(1)), 2 * in_turns, &kept_of_companion).interrupted);
  const auto of_device = [&](std::size_t number) { return kept.contents().devices.at(number).arguments; };
  const uint128 of_faulty = of_device(1);
  const uint128 of_sound = of_device(0);
  CHECK(of_faulty > 0);
  CHECK(of_sound > 0);
  CHECK(of_faulty + of_sound == kept.contents().result.partial_arguments());
  const uint128 of_companion = kept_of_companion.contents().devices.at(1).arguments;
  CHECK(of_companion > 0);
  // In the next run this is noticed after some more parts; the other device does what that run knows of.
  Fault fault;
  const result::SearchResult believed =
      kept.run(two_walkers(fault.awaited(), fault.at_batch(4)), 1 << 20, &kept_of_companion);
  CHECK_FALSE(believed.interrupted);
  const result::JournalContents known = kept.contents();
  CHECK_FALSE(known.is_complete()); // its parts of the first run must be done again
  CHECK(known.devices.at(1).revoked);
  CHECK(of_device(1) == 0);
  CHECK(known.result.cases.empty());
  REQUIRE(known.result.partial_claims.size() == 1);
  CHECK(known.result.partial_arguments() == task.size() - of_faulty);
  const result::JournalContents known_of_companion = kept_of_companion.contents();
  CHECK_FALSE(known_of_companion.is_complete());
  CHECK(known_of_companion.devices.at(1).revoked);
  CHECK(known_of_companion.result.partial_arguments() == task.size() - of_companion);
  const result::SearchResult result = kept.run(one_walker(task), 1 << 20, &kept_of_companion);
  CHECK(kept.known == task.size() - of_faulty);
  CHECK(result.workers[0].arguments == of_faulty);
  CHECK(files_of(task, result) == files);
  CHECK(files_of(task, kept.contents().result) == files);
  CHECK(files_of(other, kept_of_companion.contents().result) == files_of(other, phase_device().run(other)));
}

TEST_CASE("phase walk: parts of another coordinate are passed over, and those that hold other arguments refused") {
  const Task task = binade_in_parts(known_sin, 16, 8);
  const std::string files = files_of(task, phase_device().run(task));
  const auto begun = [&] {
    auto kept = std::make_unique<KeptSearch>(task);
    CHECK(kept->run(one_walker(task), 6).interrupted);
    return kept;
  };
  const auto finish = [&](KeptSearch& kept) { return kept.run(one_walker(task), 1 << 20); };
  const auto other_coordinate = begun();
  other_coordinate->change_claims([](engine::Field& field) { field.claim()->coordinate += "0"; });
  const result::SearchResult result = finish(*other_coordinate);
  CHECK(other_coordinate->skipped == 1);
  CHECK(result.workers[0].arguments == task.size());
  CHECK(files_of(task, result) == files);
  CHECK(other_coordinate->contents().claims.size() == 2);

  const auto other_counts = begun();
  other_counts->change_claims([](engine::Field& field) {
    field.claim()->arguments_at = [counts = field.claim()->arguments_at](uint128 first, uint128 count) {
      return counts(first, count) + (first == 0 ? 1 : 0);
    };
  });
  CHECK_THROWS_WITH_AS((void)finish(*other_counts), doctest::Contains("should hold"), SoundnessError);

  // With another method, all work is done again.
  Task by_others = task;
  set_algorithm(by_others, "exhaustive");
  const auto otherwise = begun();
  result::Journal journal(otherwise->file());
  searches::SearchHooks hooks;
  int skipped = 0;
  hooks.skipped = [&](const result::PartialClaim& claim) {
    ++skipped;
    CHECK(claim.sums.arguments > 0);
  };
  const result::SearchResult enumerated = searches::run_search(
      by_others, one_exhaustive(by_others), hooks, searches::claims_of(by_others, by_others.choices, by_others.kinds),
      std::move(journal.contents()->result));
  CHECK(skipped == 1);
  CHECK(files_of(task, enumerated) == files);
}

// With all engines as the program opens them; they test themselves first.
TEST_CASE("phase walk: an audit walks again with other windows, and looks at runs one by one") {
  const Task task = binade_in_parts(known_sin, 19, 9);
  const result::SearchResult right = phase_device().run(task);
  const searches::Auditable what = searches::auditable(task, right);
  REQUIRE(what.claimed.size() == 1);
  CHECK(what.tested.empty());
  CHECK(what.size() == task.size());
  number::Random random(1);
  device::Tunables used;
  used.set(engine::phase::phase_tunable("phase.width-percent"), 120);
  const std::vector<searches::AuditWay> ways = searches::ways_of(what, "wide", used, random);
  REQUIRE(ways.size() == 2);
  for (int tries = 0; tries < 100; ++tries) {
    device::Tunables varied = used;
    const searches::AuditWay way = searches::ways_of(what, "wide", used, random).front();
    for (const auto& [name, value] : way.tunables)
      engine::engine_tuning().set(varied, name, value);
    CHECK(std::abs(varied[engine::phase::phase_tunable("phase.width-percent")] - 120) >= 5);
  }
  const auto audited = [&](const result::SearchResult& result, const searches::AuditWay& way,
                           const searches::AuditSize& size, std::function<void(engine::BatchResult&)> after = {}) {
    std::vector<std::unique_ptr<searches::Worker>> workers;
    workers.push_back(phase_device().worker(task, small_batches, {}, std::move(after)));
    return searches::audit(task, result, what, workers, way, size, 5, {});
  };
  const result::AuditReport whole = audited(right, ways[0], {1, 0, 0});
  CHECK(whole.arguments == task.size());
  CHECK(whole.cases == right.cases.size());
  const result::AuditReport some = audited(right, ways[0], {0.25, 0, 0});
  CHECK(some.arguments > task.size() / 8);
  CHECK(some.arguments < task.size() / 2);
  CHECK(audited(right, ways[0], {0, 1, 0}).arguments > 0);
  const result::AuditReport all_runs = audited(right, ways[1], {0, 0, static_cast<std::uint64_t>(task.size())});
  CHECK(all_runs.arguments + 1024 > task.size());
  CHECK(all_runs.cases + 8 > right.cases.size());
  CHECK(audited(right, ways[1], {0.01, 0, 0}).arguments > task.size() / 128);
  // Cases that the search has missed, and those that the audit misses.
  result::SearchResult wrong = right;
  std::vector<Case> cases = right.cases.to_vector();
  cases.pop_back();
  wrong.cases = cases;
  CHECK_THROWS_WITH_AS((void)audited(wrong, ways[0], {1, 0, 0}),
                       doctest::Contains("has found a case that the search has missed"), SoundnessError);
  CHECK_THROWS_WITH_AS(
      (void)audited(right, ways[0], {1, 0, 0}, [](engine::BatchResult& result) { result.candidates.clear(); }),
      doctest::Contains("has missed a case that the search has found"), SoundnessError);
}

TEST_CASE("phase walk: it finds what the wide test finds, and `auto` takes it where the arguments are large") {
  for (const auto& [f, from] : {std::pair(&known_sin, 0x1p+10), std::pair(&known_tan, 0x1p+10),
                                std::pair(&known_exp, 0x1p+8), std::pair(&known_cosh, 0x1p+8)}) {
    Task task = phase_task(*f, {"p24", 24, -1022, 24, from, from * 0x1.02p+0}, Rounding::all, 10);
    const auto by = [&](std::string_view algorithm) {
      set_algorithm(task, algorithm);
      std::unique_ptr<searches::Worker> worker =
          std::make_unique<searches::DeviceWorker>(test_device(), task.settings(), task.kinds);
      return searches::run_search(task, std::span(&worker, 1), {}, searches::claims_of(task, task.choices, task.kinds));
    };
    const result::SearchResult walked = by(engine::phase::phase_method);
    const result::SearchResult widely = by("wide");
    CHECK(walked_windows(walked) > 100);
    CHECK(walked_windows(widely) == 0);
    CHECK(walked.cases.size() > 100);
    CHECK(same(walked.cases, widely.cases));
    CHECK(walked.covered == widely.covered);
    task.choices.on_gpu = true;
    CHECK(walked_windows(by("auto")) > 100);
  }
  const auto claims = [](const Known& f, double from, bool on_gpu) {
    Task task = phase_task(f, {"p24", 24, -1022, 24, from, 2 * from}, Rounding::all, 15);
    set_algorithm(task, "auto");
    task.choices.on_gpu = on_gpu;
    return static_cast<bool>(searches::claims_of(task, task.choices, task.kinds)(
        job::stretches(task.arguments(), task.first, task.last).front()));
  };
  for (const Known* f : {&known_sin, &known_cos}) {
    CHECK(claims(*f, 512, false));
    CHECK_FALSE(claims(*f, 256, false));
    CHECK(claims(*f, 64, true));
    CHECK_FALSE(claims(*f, 32, true));
  }
  CHECK(claims(known_tan, 32, false));
  CHECK(claims(known_tan, 16, false)); // next to a pole
  CHECK_FALSE(claims(known_tan, 2, true));
  CHECK_FALSE(claims(known_exp, 512, false));
  for (const Known* f : {&known_exp, &known_sinh}) {
    CHECK(claims(*f, 32, true));
    CHECK_FALSE(claims(*f, 16, true));
  }
}

} // namespace tmd::test
