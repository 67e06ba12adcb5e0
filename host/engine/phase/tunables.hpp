// The tunables of the phase walk.
#pragma once

#include "device/tuning.hpp"

#include <array>
#include <string_view>

namespace tmd::engine::phase {

// Whether a CPU's runtime may vectorize a kernel by itself.
enum class Vectorizer { off, on };
inline constexpr std::array<std::string_view, 2> vectorizer_names{"off", "on"};

inline constexpr auto phase_tunables = std::to_array<device::Tunable>({
    {"phase.work-group-size", 1, 1024, 64, "work-items in a work-group"},
    {"phase.registers", 0, 255, 128, "as wide.registers, for the phase walk"},
    {"phase.vectorizer", 0, 1, static_cast<std::int64_t>(Vectorizer::on),
     "whether a CPU's runtime may put neighbouring work-items into lanes", vectorizer_names},
    {"phase.width-percent", 20, 400, 200,
     "width of the phase walk's windows, relative to that with one lattice point in a box"},
    {"phase.segment-bits", 0, 6, 6, "log2 of the windows after which a lattice is made anew from integers"},
    {"phase.chunk-bits", 0, 10, 10, "log2 of the windows that a work-item walks through"},
});

[[nodiscard]] consteval const device::Tunable& phase_tunable(std::string_view name) {
  return device::row_named(phase_tunables, name);
}

[[nodiscard]] const device::TuningTable& phase_tuning();

} // namespace tmd::engine::phase
