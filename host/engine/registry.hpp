// The engines that there are. A new one is a folder, its kernels, and a line in registry.cpp.
#pragma once

#include "device/tuning.hpp"
#include "engine/engine.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace tmd::engine {

// From the most special to the most general: where an algorithm that was asked for does not serve, the engines after
// its own are asked.
[[nodiscard]] std::span<const EngineKind* const> engines();

// What --algorithm takes: "auto", then what these engines serve.
[[nodiscard]] std::vector<std::string_view> algorithm_names(std::span<const EngineKind* const> among = engines());
// The engines' stages, in the order in which they are told, with nothing counted.
[[nodiscard]] Stages all_stages();

// The tunables and costs of these engines, and of what all share.
[[nodiscard]] device::Tuning tuning_of(std::span<const EngineKind* const> among);
// The same of all engines.
[[nodiscard]] const device::Tuning& engine_tuning();

// Of these engines, those that may serve an algorithm: all for "auto", else the one that it belongs to and those after.
// Throws UsageError, listing the names, for an unknown algorithm.
[[nodiscard]] std::span<const EngineKind* const> engines_for(std::string_view algorithm,
                                                             std::span<const EngineKind* const> among = engines());

} // namespace tmd::engine
