// Whole searches of large arguments of sin, cos and tan by the phase walk, against plain enumeration.
#include "end_to_end/enumeration.hpp"
#include "host/engine/phase/engine.hpp"
#include "host/engine/phase/search.hpp"

#include <cmath>
#include <iterator>

namespace {

using namespace tmd;
using namespace tmd::test;

const Known known_cos{"cos", mpfr_cos, std::cos};
const Known known_tan{"tan", mpfr_tan, std::tan};
const Known* const periodic[] = {&known_sin, &known_cos, &known_tan};

// The test device with the phase walk alone, for many searches: what that has not claimed is for MPFR.
class PhaseDevice {
public:
  PhaseDevice() : search_(std::make_shared<Launcher>(test_device(), 1 << 16), {}) {}

  [[nodiscard]] SearchResult run(const Task& task) {
    PhaseOptions options;
    options.batch_windows = std::uint64_t(1) << 14;
    std::vector<std::unique_ptr<Engine>> engines;
    engines.push_back(
        std::make_unique<PhaseEngine>(options, [this](const PhaseBatch& batch, const Interrupt& interrupt) {
          return search_.result(batch, interrupt);
        }));
    const std::unique_ptr<Worker> worker =
        std::make_unique<DeviceWorker>(std::move(engines), task.choices, task.costs, 1);
    return run_search(task, std::span(&worker, 1), {}, claims_of(task, task.choices, task.kinds));
  }

private:
  PhaseSearch search_;
};

PhaseDevice& phase_device() {
  static PhaseDevice device;
  return device;
}

Task phase_task(const Known& f, const Range& range, Rounding grid, int bits) {
  Task task = make_task(f, range, grid, bits);
  set_algorithm(task, phase_method);
  return task;
}

std::uint64_t walked_windows(const SearchResult& result) {
  std::uint64_t windows = 0;
  for (const Stage& stage : result.stages)
    if (stage.name == phase_stages[1].name)
      windows += stage.tested;
  return windows;
}

struct Walked {
  std::uint64_t searches = 0;
  std::uint64_t windows = 0;
  std::uint64_t cases = 0;
};

// All roundings of a range.
void compare_walk(const Known& f, const Range& range, int bits, Walked& walked, std::optional<Exponents> bounds = {}) {
  const auto all = enumerate(f, {range.q, range.min_exponent}, range.from, range.to, range.p, bits, bounds);
  for (std::size_t i = 0; i < std::size(grids); ++i) {
    Task task = phase_task(f, range, grids[i], bits);
    if (bounds)
      task.values = Values::format;
    INFO(task.identity());
    const SearchResult result = phase_device().run(task);
    check_found(task, result, all[i]);
    const bool claimed = std::any_of(result.fields.begin(), result.fields.end(),
                                     [](const FieldReport& report) { return report.field.claimed_by == phase_method; });
    CHECK(claimed);
    ++walked.searches;
    walked.windows += walked_windows(result);
    walked.cases += result.cases.size();
  }
}

} // namespace

TEST_CASE("phase walk: binades of short formats, arguments of the format's bits and of one more") {
  Walked walked;
  for (const Known* f : periodic)
    for (const int exponent : {3, 5, 7, 15, 100, 127, 1000})
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

TEST_CASE("phase walk: a binade of 20 bits") {
  for (const Known* f : periodic) {
    const Range range{"p20", 20, -1022, 20, 0x1p+12, 0x1p+13};
    const Rounding grid = f == &known_tan ? Rounding::nearest : Rounding::all;
    const Task task = phase_task(*f, range, grid, 12);
    INFO(task.identity());
    const SearchResult result = phase_device().run(task);
    check_found(task, result, enumerate_fast(*f, {20, -1022}, range.from, range.to, 20, grid, 12));
    CHECK(walked_windows(result) > 1000);
    CHECK(result.cases.size() > 100);
    CHECK(result.candidates < 4 * result.cases.size() + 1000);
  }
}

// With all engines as the program opens them: they test themselves first.
TEST_CASE("phase walk: it finds what the wide test finds, and `auto` takes it where the arguments are large") {
  for (const Known* f : {&known_sin, &known_tan}) {
    Task task = phase_task(*f, {"p24", 24, -1022, 24, 0x1p+10, 0x1.02p+10}, Rounding::all, 10);
    const auto by = [&](std::string_view algorithm) {
      set_algorithm(task, algorithm);
      std::unique_ptr<Worker> worker = std::make_unique<DeviceWorker>(test_device(), task.settings(), task.kinds);
      return run_search(task, std::span(&worker, 1), {}, claims_of(task, task.choices, task.kinds));
    };
    const SearchResult walked = by(phase_method);
    const SearchResult widely = by("wide");
    CHECK(walked_windows(walked) > 100);
    CHECK(walked_windows(widely) == 0);
    CHECK(walked.cases.size() > 100);
    CHECK(same(walked.cases, widely.cases));
    CHECK(walked.covered == widely.covered);
    CHECK(walked_windows(by("auto")) > 100);
  }
  const auto claims = [](const Known& f, double from) {
    Task task = phase_task(f, {"p24", 24, -1022, 24, from, 2 * from}, Rounding::all, 15);
    set_algorithm(task, "auto");
    return static_cast<bool>(
        claims_of(task, task.choices, task.kinds)(stretches(task.arguments(), task.first, task.last).front()));
  };
  CHECK(claims(known_sin, 1024));
  CHECK_FALSE(claims(known_sin, 512));
  CHECK(claims(known_cos, 1024));
  CHECK_FALSE(claims(known_cos, 512));
  CHECK(claims(known_tan, 32));
  CHECK_FALSE(claims(known_tan, 16));
  CHECK_FALSE(claims(known_exp, 64));
}
