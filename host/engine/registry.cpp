#include "engine/registry.hpp"

#include "engine/differences/engine.hpp"
#include "engine/domains/engine.hpp"
#include "engine/fractions/engine.hpp"
#include "engine/phase/engine.hpp"
#include "engine/roots/engine.hpp"
#include "engine/wide/engine.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::engine {

std::span<const EngineKind* const> engines() {
  static constexpr std::array<const EngineKind*, 6> all{&phase::phase_engine,    &fractions::fractions_engine,
                                                        &roots::roots_engine,    &wide::wide_engine,
                                                        &domains::domain_engine, &differences::differences_engine};
  return all;
}

std::vector<std::string_view> algorithm_names(std::span<const EngineKind* const> among) {
  std::vector<std::string_view> names{"auto"};
  for (const EngineKind* kind : among)
    names.insert(names.end(), kind->algorithms.begin(), kind->algorithms.end());
  return names;
}

Stages all_stages() {
  Stages stages;
  for (const EngineKind* kind : engines())
    stages.insert(stages.end(), kind->stages.begin(), kind->stages.end());
  return stages;
}

device::Tuning tuning_of(std::span<const EngineKind* const> among) {
  std::vector<const device::TuningTable*> tables;
  for (const EngineKind* kind : among)
    if (kind->tuning != nullptr)
      tables.push_back(&kind->tuning());
  tables.push_back(&device::shared_tuning);
  return device::Tuning(std::move(tables));
}

const device::Tuning& engine_tuning() {
  static const device::Tuning all = tuning_of(engines());
  return all;
}

std::span<const EngineKind* const> engines_for(std::string_view algorithm, std::span<const EngineKind* const> among) {
  if (algorithm == "auto")
    return among;
  const auto serving = std::find_if(among.begin(), among.end(), [&](const EngineKind* kind) {
    return std::find(kind->algorithms.begin(), kind->algorithms.end(), algorithm) != kind->algorithms.end();
  });
  if (serving == among.end())
    throw UsageError(
        fmt::format("unknown algorithm '{}'; known are {}", algorithm, fmt::join(algorithm_names(among), ", ")));
  return among.subspan(static_cast<std::size_t>(serving - among.begin()));
}

} // namespace tmd::engine
