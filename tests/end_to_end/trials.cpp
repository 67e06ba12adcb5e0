// The search that each engine names to try a device with (`tmd doctor`) is one that it makes alone.
#include "end_to_end/workers.hpp"
#include "host/engine/registry.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>

using namespace tmd;
using namespace tmd::test;

TEST_CASE("trials: the search that an engine names is made by it alone, and finds cases") {
  for (const EngineKind* kind : engines()) {
    INFO(std::string(kind->name));
    const EngineTrial& trial = kind->trial;
    Task task;
    task.function = &find_function(trial.function);
    task.format = find_format(trial.format);
    task.argument_precision = task.format.precision;
    task.bits = trial.bits;
    task.first = task.arguments().parse(std::string(trial.from), "from");
    task.last = task.arguments().parse(std::string(trial.to), "to");
    set_algorithm(task, kind->algorithms.front());
    EngineSettings settings = task.settings(engine_tuning().default_tunables(test_device()));
    settings.choices.is_short = true;
    const std::unique_ptr<Worker> worker = std::make_unique<DeviceWorker>(test_device(), settings);
    const SearchResult result = run_search(task, std::span(&worker, 1), {}, claims_of(task, task.choices, task.kinds));
    CHECK(result.covered == task.range());
    CHECK(!result.cases.empty());
    std::size_t parts = 0;
    for (const FieldReport& report : result.fields)
      for (const auto& [method, intervals] : report.methods) {
        CHECK(std::find(kind->algorithms.begin(), kind->algorithms.end(), method) != kind->algorithms.end());
        ++parts;
      }
    CHECK(parts > 0);
  }
}
