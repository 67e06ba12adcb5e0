#include "device/tuning.hpp"

#include "support/text.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tmd::device {

namespace {

void set_shared_defaults(Tunables& tunables, const opencl::DeviceDescription& device, CpuMode /*mode*/) {
  if (!device.is_gpu)
    return;
  // Launches must be long compared with their overhead of some ten microseconds.
  tunables.set(shared_tunable("batch-domains"), std::int64_t(1) << 25);
  tunables.set(shared_tunable("survivor-capacity"), std::int64_t(1) << 23);
  tunables.set(shared_tunable("queues"), 2); // one queue waits for the host while the device works for the other
}

void limit_shared(Tunables& tunables, const opencl::DeviceDescription& device) {
  // The lists need 44 bytes a survivor together, and 8 in the largest. A batch may take half of the memory.
  limit(tunables, shared_tunable("survivor-capacity"), device.largest_buffer / 8);
  limit(tunables, shared_tunable("survivor-capacity"), device.global_memory / 4 / 44);
  // Each queue has lists and batches.
  limit(tunables, shared_tunable("queues"), std::max<std::uint64_t>(device.global_memory >> 32, 1));
}

std::vector<TuningStep> shared_steps() {
  static constexpr auto batches =
      std::to_array<std::int64_t>({1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 24, 1 << 25});
  static constexpr auto launches = std::to_array<std::int64_t>({25, 50, 100, 200});
  return {step_of("whole", shared_tunable("batch-domains"), batches),
          step_of("whole", shared_tunable("launch-milliseconds"), launches)};
}

template <typename Row>
std::vector<Row> rows_of(const std::vector<const TuningTable*>& tables, std::span<const Row> TuningTable::*rows) {
  std::vector<Row> all;
  for (const TuningTable* table : tables)
    all.insert(all.end(), (table->*rows).begin(), (table->*rows).end());
  return all;
}

} // namespace

const TuningTable shared_tuning{.tunables = shared_tunables,
                                .costs = shared_costs,
                                .set_defaults = set_shared_defaults,
                                .limit = limit_shared,
                                .steps = shared_steps};

TuningStep step_of(std::string_view part, const Tunable& tunable, std::span<const std::int64_t> values) {
  TuningStep step{part, {std::string(tunable.name)}, {}};
  for (const std::int64_t value : values)
    step.settings.push_back({{std::string(tunable.name), to_string(tunable, value)}});
  return step;
}

TuningStep step_of(std::string_view part, const Tunable& tunable) {
  TuningStep step{part, {std::string(tunable.name)}, {}};
  for (const std::string_view name : tunable.names)
    step.settings.push_back({{std::string(tunable.name), std::string(name)}});
  return step;
}

std::vector<Tunable> Tuning::tunables() const { return rows_of(tables_, &TuningTable::tunables); }

std::vector<Cost> Tuning::costs() const { return rows_of(tables_, &TuningTable::costs); }

std::vector<TuningStep> Tuning::steps() const {
  std::vector<TuningStep> all;
  for (const TuningTable* table : tables_)
    if (table->steps != nullptr)
      for (TuningStep& step : table->steps())
        all.push_back(std::move(step));
  return all;
}

Tunables Tuning::default_tunables(const opencl::DeviceDescription& device, CpuMode mode) const {
  Tunables tunables;
  for (const TuningTable* table : tables_)
    if (table->set_defaults != nullptr)
      table->set_defaults(tunables, device, mode);
  return limited_to(device, tunables);
}

Costs Tuning::default_costs(const opencl::DeviceDescription& device, const Tunables& tunables) const {
  Costs costs;
  for (const TuningTable* table : tables_)
    if (table->set_default_costs != nullptr)
      table->set_default_costs(costs, device, tunables);
  return costs;
}

Tunables Tuning::limited_to(const opencl::DeviceDescription& device, Tunables tunables) const {
  for (const Tunable& tunable : this->tunables())
    if (tunable.name.ends_with(".work-group-size"))
      limit(tunables, tunable, device.work_group_size);
  for (const TuningTable* table : tables_)
    if (table->limit != nullptr)
      table->limit(tunables, device);
  return tunables;
}

void Tuning::require_possible(const opencl::DeviceDescription& device, const Tunables& tunables) const {
  for (const TuningTable* table : tables_)
    if (table->require_possible != nullptr)
      table->require_possible(tunables, device);
}

void Tuning::set(Tunables& tunables, std::string_view name, std::string_view value) const {
  std::vector<std::string_view> names;
  for (const Tunable& tunable : this->tunables()) {
    if (tunable.name == name) {
      tunables.set(tunable, parse_value(tunable, value));
      return;
    }
    names.push_back(tunable.name);
  }
  if (!is_retired(name))
    throw UsageError(fmt::format("unknown tunable '{}'; `tmd search --help` lists them{}", name,
                                 support::did_you_mean(name, names)));
}

void Tuning::set(Costs& costs, std::string_view name, double value) const {
  for (const Cost& cost : this->costs()) {
    if (cost.name != name)
      continue;
    if (!std::isfinite(value) || value <= 0)
      throw UsageError(fmt::format("cost {} must be a positive number, not {}", name, value));
    costs.set(cost, value);
    return;
  }
  throw UsageError(fmt::format("unknown cost '{}'", name));
}

bool Tuning::is_retired(std::string_view name) const {
  return std::any_of(tables_.begin(), tables_.end(), [&](const TuningTable* table) {
    return std::find(table->retired.begin(), table->retired.end(), name) != table->retired.end();
  });
}

} // namespace tmd::device
