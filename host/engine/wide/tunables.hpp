// The tunables and costs of the wide test.
#pragma once

#include "device/tuning.hpp"
#include "opencl/compute.hpp"

#include <array>
#include <string_view>

namespace tmd::engine::wide {

// The order in which a work-group's work-items take groups: as given, or by their numbers of lines.
enum class Order { given = 1, by_lines };
inline constexpr std::array<std::string_view, 2> order_names{"given", "by-lines"};

inline constexpr auto wide_tunables = std::to_array<device::Tunable>({
    {"wide.work-group-size", 1, 1024, 64, "work-items in a work-group"},
    {"wide.items", 1, 4096, 1, "groups that a work-item tests"},
    {"wide.vector-width", 0, 4, 0, "lanes, for CPUs", device::vector_width_names},
    {"wide.order", 1, 2, static_cast<std::int64_t>(Order::given),
     "whether a work-group sorts its groups; not for vectors", order_names},
    {"wide.group-bits-offset", -4, 4, 0, "added to the planner's log2 of a group"},
    {"wide.denominator-percent", 10, 1000, 140, "denominators go up to that share of 1/sqrt(|c2|*M)"},
    {"wide.registers", 0, 255, 0, "of a work-item, at most, where compilers can be told (NVIDIA's); 0: as it likes"},
});

inline constexpr auto wide_costs = std::to_array<device::Cost>({
    {"wide.group", 1.5},          // beginning with a group
    {"wide.line", 0.1},           // each of its lines
    {"wide.filtered-line", 0.04}, // each line that the filter has looked at before
    {"wide.candidate", 3},        // each of its candidates
    {"wide.part", 20},            // each part of a refused group
});

[[nodiscard]] consteval const device::Tunable& wide_tunable(std::string_view name) {
  return device::row_named(wide_tunables, name);
}
[[nodiscard]] consteval const device::Cost& wide_cost(std::string_view name) {
  return device::row_named(wide_costs, name);
}

// Bytes of local memory for each work-item that sorts its groups, and in addition, as engine/wide/reference.cpp
// asserts.
inline constexpr std::uint64_t sorted_bytes_per_work_item = 144;
inline constexpr std::uint64_t sorted_bytes = 544;

// How kernels compute quotients and roots, TMD_RECIPROCALS in cl_kernels/wide/fraction.clh: on GPUs by reciprocals.
[[nodiscard]] inline opencl::Macro wide_reciprocals(const opencl::DeviceDescription& device) {
  return {"TMD_RECIPROCALS", device.is_gpu ? 1 : 0, 0, 1};
}

[[nodiscard]] const device::TuningTable& wide_tuning();

} // namespace tmd::engine::wide
