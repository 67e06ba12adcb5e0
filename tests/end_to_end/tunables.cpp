// Tunables change the speed, never the result: random values of all of them at once, drawn within their limits, in
// searches by every engine. TMD_TEST_DRAWS says how many each search gets; the numbers are the same in every run.
#include "host/engine/domains/tunables.hpp"
#include "end_to_end/workers.hpp"
#include "host/engine/registry.hpp"
#include "host/number/random.hpp"
#include "thorough.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd::test {
namespace {

struct TunedSearch {
  std::string_view algorithm;
  std::string_view stage; // the stage that does the work
  const char* function;
  const char* from;
  const char* to;
  int precision;
  int bits;
};

// Short launches: with the worst tunables a launch does one domain. The further ones only with TMD_TEST_ALL.
constexpr TunedSearch tuned_searches[] = {{"phase", "phase_walk", "sin", "1024", "2048", 20, 10},
                                          {"phase", "phase_walk", "exp", "32", "64", 22, 9},
                                          {"fractions", "wide_groups", "lgamma", "-0x1.1p+19", "-0x1p+19", 24, 10},
                                          {"roots", "roots", "exp", "0x1p-14", "0x1p-13", 20, 10},
                                          {"wide", "wide_groups", "exp", "1", "1.015625", 22, 11},
                                          {"regular", "phase1", "log", "1.5", "1.515625", 24, 13},
                                          {"lefevre", "phase1", "cbrt", "1", "1.0078125", 24, 11},
                                          {"lefevre-plain", "phase1", "exp", "1", "1.0078125", 24, 12},
                                          {"lefevre-swap", "phase1", "exp2", "1", "1.001953125", 24, 10},
                                          {"exhaustive", "phase3", "exp", "128", "128.25", 24, 8},
                                          {"differences", "differences", "acos", "0.9375", "0.96875", 20, 8},
                                          {"phase", "phase_walk", "tan", "4096", "8192", 19, 8},
                                          {"phase", "phase_walk", "exp10", "64", "128", 22, 11},
                                          {"wide", "wide_groups", "sin", "0.5", "0.5625", 24, 10}};
constexpr std::size_t further = 3;

Task tuned_task(const TunedSearch& search) {
  Task task;
  task.function = &function::find_function(search.function);
  task.format = find_format("p" + std::to_string(search.precision));
  task.argument_precision = search.precision;
  task.K = search.bits;
  task.first = task.arguments().parse(search.from, "--from");
  task.last = task.arguments().parse(search.to, "--to");
  set_algorithm(task, search.algorithm);
  return task;
}

// Draws either end as often as a value between, whose orders of magnitude are equally frequent.
std::int64_t draw_tunable(const device::Tunable& tunable, number::Random& random) {
  const auto range = static_cast<std::uint64_t>(tunable.greatest - tunable.least);
  switch (random.below(4)) {
  case 0:
    return tunable.least;
  case 1:
    return tunable.greatest;
  default:
    return tunable.least + static_cast<std::int64_t>((random.next() >> random.below(64)) % (range + 1));
  }
}

// The values as a device's profile has them. Subtraction alone is left out: on the lines of a real function it may take
// for ever.
device::Tunables draw_tunables(number::Random& random) {
  constexpr std::int64_t most_logms = 12;
  device::Tunables tunables;
  for (const device::Tunable& tunable : engine::engine_tuning().tunables())
    tunables.set(tunable, draw_tunable(tunable, random));
  for (const auto& [division, logms] : {std::pair(&engine::domains::domain_tunable("phase1.division"),
                                                  &engine::domains::domain_tunable("phase1.logms")),
                                        std::pair(&engine::domains::domain_tunable("phase2.division"),
                                                  &engine::domains::domain_tunable("phase2.logms"))}) {
    if (tunables[*division] == static_cast<std::int64_t>(engine::domains::Division::subtract))
      tunables.set(*division, static_cast<std::int64_t>(engine::domains::Division::hybrid));
    tunables.set(*logms, std::min(tunables[*logms], most_logms));
  }
  return engine::engine_tuning().limited_to(test_device(), tunables);
}

std::string settings_text(const device::Tunables& tunables) {
  std::string text;
  for (const device::Tunable& tunable : engine::engine_tuning().tunables())
    text += " --set " + std::string(tunable.name) + "=" + device::to_string(tunable, tunables[tunable]);
  return text;
}

result::SearchResult tuned_result(const Task& task, const device::Tunables& tunables) {
  engine::EngineSettings settings = task.settings(tunables);
  settings.choices.polynomials = Polynomials::hybrid;
  settings.choices.is_short = true; // so that kernels are built quickly
  const std::unique_ptr<searches::Worker> worker = std::make_unique<searches::DeviceWorker>(test_device(), settings);
  return searches::run_search(task, std::span(&worker, 1), {}, searches::claims_of(task, task.choices, task.kinds));
}

std::vector<std::string> list_of_cases(const Task& task, const result::SearchResult& result) {
  CHECK(result.covered == task.range());
  std::vector<std::string> list;
  for (const Case& one : result.cases)
    list.push_back(to_hex(one.x) + " " + std::to_string(one.bits));
  return list;
}

int draws_asked() {
  const char* asked = std::getenv("TMD_TEST_DRAWS");
  return asked == nullptr ? 1 : std::atoi(asked);
}

} // namespace

TEST_CASE("tunables: random values of all of them at once find what the defaults find, by every engine") {
  std::uint64_t seed = 0;
  for (const TunedSearch& search :
       std::span(tuned_searches).first(std::size(tuned_searches) - (tries_all ? 0 : further))) {
    INFO(std::string(search.algorithm), ", ", std::string(search.function));
    const Task task = tuned_task(search);
    const result::SearchResult result = tuned_result(task, {});
    CHECK(engine::stage(result.stages, search.stage).tested > 0);
    const std::vector<std::string> expected = list_of_cases(task, result);
    CHECK(expected.size() > 10);
    for (int i = 0; i < draws_asked(); ++i) {
      number::Random random(++seed);
      const device::Tunables tunables = draw_tunables(random);
      INFO(settings_text(tunables));
      CHECK(list_of_cases(task, tuned_result(task, tunables)) == expected);
    }
  }
}

} // namespace tmd::test
