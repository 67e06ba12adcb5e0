// The registry of engines. A new one is a folder, its kernels, and a line in registry.cpp.
#pragma once

#include "device/tuning.hpp"
#include "engine/engine.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace tmd::engine {

// All engines, from the most special to the most general: if a requested algorithm does not serve, the engines after
// its own are asked.
[[nodiscard]] std::span<const EngineKind* const> engines();

// Values of --algorithm: "auto", then the algorithms of these engines.
[[nodiscard]] std::vector<std::string_view> algorithm_names(std::span<const EngineKind* const> among = engines());
// The engines' stages, in the order of reports, with nothing counted.
[[nodiscard]] Stages all_stages();

// The tunables and costs of these engines, and those that all share.
[[nodiscard]] device::Tuning tuning_of(std::span<const EngineKind* const> among);
// The tunables and costs of all engines.
[[nodiscard]] const device::Tuning& engine_tuning();

// The engines of `among` that may serve an algorithm: all for "auto", else the engine with the algorithm and those
// after it. Throws UsageError, listing the names, for an unknown algorithm.
[[nodiscard]] std::span<const EngineKind* const> engines_for(std::string_view algorithm,
                                                             std::span<const EngineKind* const> among = engines());

} // namespace tmd::engine
