// All tunables and costs: the tables of the engines, and the one that they share, as one. The registry
// (engine/registry.hpp) collects them.
#pragma once

#include "device/costs.hpp"
#include "device/tunables.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd::device {

// Tunables and their values, as --set takes them.
using Setting = std::vector<std::pair<std::string, std::string>>;

// Settings that `tmd tune` tries in one step: tunables that depend on each other, or a single one.
struct TuningStep {
  std::string_view part; // part of a search whose time decides: "wide", "phase1"
  std::vector<std::string> tunables;
  std::vector<Setting> settings; // values of some tunables; the others keep theirs
};

// A step that tries these values of one tunable.
[[nodiscard]] TuningStep step_of(std::string_view part, const Tunable& tunable, std::span<const std::int64_t> values);
[[nodiscard]] TuningStep step_of(std::string_view part, const Tunable& tunable); // tries all its names

// Numbers of work-items in a work-group, and of items for a work-item, that are tried.
inline constexpr auto tried_group_sizes = std::to_array<std::int64_t>({1, 8, 16, 32, 64, 128, 256, 512, 1024});
inline constexpr auto tried_items = std::to_array<std::int64_t>({1, 2, 4, 8, 16, 32, 64});

// The tables of one engine, or those that all engines share.
struct TuningTable {
  std::span<const Tunable> tunables;
  std::span<const Cost> costs = {};
  // Tunables of earlier versions, which profiles and journals may still set: they have no effect.
  std::span<const std::string_view> retired = {};
  // Sets the values that are best for an untuned device of its class, if they differ from the usual ones; for CPUs by
  // their mode. Each of these functions may be null.
  void (*set_defaults)(Tunables& tunables, const opencl::DeviceDescription& device, CpuMode mode) = nullptr;
  // Lowers values to the device's limits.
  void (*limit)(Tunables& tunables, const opencl::DeviceDescription& device) = nullptr;
  // Throws UsageError, naming the tunable, if the device cannot support a value at all.
  void (*require_possible)(const Tunables& tunables, const opencl::DeviceDescription& device) = nullptr;
  // Sets the costs of a device that has not been measured, with these tunables.
  void (*set_default_costs)(Costs& costs, const opencl::DeviceDescription& device, const Tunables& tunables) = nullptr;
  // The steps that tuning tries, those that probably gain most first. A tunable in no step stays as it is.
  std::vector<TuningStep> (*steps)() = nullptr;
};

// The table of the tunables that all engines share.
extern const TuningTable shared_tuning;

class Tuning {
public:
  explicit Tuning(std::vector<const TuningTable*> tables) : tables_(std::move(tables)) {}

  // The rows of all tables.
  [[nodiscard]] std::vector<Tunable> tunables() const;
  [[nodiscard]] std::vector<Cost> costs() const;
  [[nodiscard]] std::vector<TuningStep> steps() const;

  // The values for a device without a profile, after limited_to().
  [[nodiscard]] Tunables default_tunables(const opencl::DeviceDescription& device,
                                          CpuMode mode = CpuMode::automatic) const;
  [[nodiscard]] Costs default_costs(const opencl::DeviceDescription& device, const Tunables& tunables) const;
  // The tunables, lowered to the device's limits.
  [[nodiscard]] Tunables limited_to(const opencl::DeviceDescription& device, Tunables tunables) const;
  // Throws UsageError, naming the tunable, if the device cannot support a value at all.
  void require_possible(const opencl::DeviceDescription& device, const Tunables& tunables) const;

  // Sets one tunable by its name, to a number or one of the tunable's names; a name of an earlier version has no
  // effect. Throws UsageError for an unknown name or a bad value.
  void set(Tunables& tunables, std::string_view name, std::string_view value) const;
  // Sets one cost by its name. Throws UsageError for an unknown name, or a value that is not positive and finite.
  void set(Costs& costs, std::string_view name, double value) const;

  // Whether an earlier version had a tunable of that name.
  [[nodiscard]] bool is_retired(std::string_view name) const;

private:
  std::vector<const TuningTable*> tables_;
};

} // namespace tmd::device
