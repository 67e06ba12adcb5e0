// The search that each engine names to try a device with (`tmd doctor`) is one that it makes alone.
#include "end_to_end/workers.hpp"
#include "host/engine/registry.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>

namespace tmd::test {

TEST_CASE("trials: the search that an engine names is made by it alone, and finds cases") {
  for (const engine::EngineKind* kind : engine::engines()) {
    INFO(std::string(kind->name));
    const engine::EngineTrial& trial = kind->trial;
    Task task;
    task.function = &function::find_function(trial.function);
    task.format = find_format(trial.format);
    task.argument_precision = task.format.precision;
    task.K = trial.K;
    task.first = task.arguments().parse(std::string(trial.from), "from");
    task.last = task.arguments().parse(std::string(trial.to), "to");
    set_algorithm(task, kind->algorithms.front());
    engine::EngineSettings settings = task.settings(engine::engine_tuning().default_tunables(test_device()));
    settings.choices.is_short = true;
    const std::unique_ptr<searches::Worker> worker = std::make_unique<searches::DeviceWorker>(test_device(), settings);
    const result::SearchResult result =
        searches::run_search(task, std::span(&worker, 1), {}, searches::claims_of(task, task.choices, task.kinds));
    CHECK(result.covered == task.range());
    CHECK(!result.cases.empty());
    std::size_t parts = 0;
    for (const result::FieldReport& report : result.fields)
      for (const auto& [method, intervals] : report.methods) {
        CHECK(std::find(kind->algorithms.begin(), kind->algorithms.end(), method) != kind->algorithms.end());
        ++parts;
      }
    CHECK(parts > 0);
  }
}

} // namespace tmd::test
