// What is tuned per device: one table, from which options, help texts, profiles and -D macros are made.
#pragma once

#include "device/variant.hpp"
#include "opencl/cpu_mode.hpp"
#include "opencl/device.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tmd {

// Lanes of the explicit vectors that CPUs compute with; the tunables hold the logarithm to base 2.
inline constexpr std::array<std::string_view, 5> vector_width_names{"1", "2", "4", "8", "16"};

// Bytes of local memory for each work-item of the wide test that sorts its groups, and beside them, as
// engine/wide/reference.cpp asserts.
inline constexpr std::uint64_t sorted_bytes_per_work_item = 144;
inline constexpr std::uint64_t sorted_bytes = 544;

// Lists for fewer survivors would have most of the work done again item by item.
inline constexpr std::int64_t least_survivor_capacity = 64;

struct Tunables {
  std::int64_t phase1_work_group_size = 128;
  std::int64_t phase1_items_per_work_item = 1;
  std::int64_t phase1_division = static_cast<std::int64_t>(Division::hybrid);
  std::int64_t phase1_logms = 3;
  std::int64_t phase1_vector_bits = 0;
  std::int64_t phase2_work_group_size = 128;
  std::int64_t phase2_items_per_work_item = 1;
  std::int64_t phase2_division = static_cast<std::int64_t>(Division::hybrid);
  std::int64_t phase2_logms = 3;
  std::int64_t phase2_vector_bits = 0;
  std::int64_t phase3_work_group_size = 64;
  std::int64_t polynomials_work_group_size = 64;
  std::int64_t polynomials_packet_bits = 8;
  std::int64_t polynomials_vector_bits = 0;
  std::int64_t polynomials_shift = static_cast<std::int64_t>(Shift::device);
  std::int64_t wide_work_group_size = 64;
  std::int64_t wide_items_per_work_item = 1;
  std::int64_t wide_vector_bits = 0;
  std::int64_t wide_order = static_cast<std::int64_t>(Order::given);
  std::int64_t wide_root = static_cast<std::int64_t>(Root::sqrt);
  std::int64_t wide_reciprocal = static_cast<std::int64_t>(Reciprocal::divide);
  std::int64_t wide_group_bits_offset = 0;
  std::int64_t wide_denominator_percent = 140;
  std::int64_t wide_registers = 0;
  std::int64_t phase_work_group_size = 64;
  std::int64_t phase_registers = 128;
  std::int64_t phase_vectorizer = static_cast<std::int64_t>(Vectorizer::on);
  std::int64_t phase_width_percent = 200;
  std::int64_t phase_segment_bits = 6;
  std::int64_t phase_chunk_bits = 10;
  std::int64_t compaction = static_cast<std::int64_t>(Compaction::automatic);
  std::int64_t scan_percent = 20;
  std::int64_t plan_domain_bits_offset = 0;
  std::int64_t plan_split_bits_offset = 0;
  std::int64_t batch_domains = std::int64_t(1) << 21;
  std::int64_t survivor_capacity = std::int64_t(1) << 20;
  std::int64_t launch_milliseconds = 200;
  std::int64_t queues = 1;

  bool operator==(const Tunables&) const = default;
};

struct Tunable {
  std::string_view name;
  std::int64_t Tunables::*value;
  std::int64_t least;
  std::int64_t greatest;
  std::string_view description;
  std::span<const std::string_view> names = {}; // of the values from `least` on, where they have names
};

inline constexpr auto tunable_table = std::to_array<Tunable>({
    {"phase1.work-group-size", &Tunables::phase1_work_group_size, 1, 1024, "work-items in a work-group"},
    {"phase1.items", &Tunables::phase1_items_per_work_item, 1, 4096, "domains that a work-item tests"},
    {"phase1.division", &Tunables::phase1_division, 1, 6, "how quotients are computed", division_names},
    {"phase1.logms", &Tunables::phase1_logms, 0, 64, "hybrid: divide when the quotient is at least 2^LOGMS"},
    {"phase1.vector-width", &Tunables::phase1_vector_bits, 0, 4,
     "lanes, for CPUs; above 1 in regular and lefevre with lengths in double only", vector_width_names},
    {"phase2.work-group-size", &Tunables::phase2_work_group_size, 1, 1024, "work-items in a work-group"},
    {"phase2.items", &Tunables::phase2_items_per_work_item, 1, 4096, "sub-domains that a work-item tests"},
    {"phase2.division", &Tunables::phase2_division, 1, 6, "how quotients are computed", division_names},
    {"phase2.logms", &Tunables::phase2_logms, 0, 64, "as in phase 1"},
    {"phase2.vector-width", &Tunables::phase2_vector_bits, 0, 4, "as in phase 1", vector_width_names},
    {"phase3.work-group-size", &Tunables::phase3_work_group_size, 1, 1024, "work-items in a work-group"},
    {"polynomials.work-group-size", &Tunables::polynomials_work_group_size, 1, 1024, "work-items in a work-group"},
    {"polynomials.packet-bits", &Tunables::polynomials_packet_bits, 4, 16, "log2 of the domains in a hybrid's packet"},
    {"polynomials.vector-width", &Tunables::polynomials_vector_bits, 0, 4, "lanes, for CPUs", vector_width_names},
    {"polynomials.shift", &Tunables::polynomials_shift, 1, 2, "who shifts to the packets of a hybrid", shift_names},
    {"wide.work-group-size", &Tunables::wide_work_group_size, 1, 1024, "work-items in a work-group"},
    {"wide.items", &Tunables::wide_items_per_work_item, 1, 4096, "groups that a work-item tests"},
    {"wide.vector-width", &Tunables::wide_vector_bits, 0, 4, "lanes, for CPUs", vector_width_names},
    {"wide.order", &Tunables::wide_order, 1, 2, "whether a work-group sorts its groups; not for vectors", order_names},
    {"wide.root", &Tunables::wide_root, 1, 2, "how the wide test computes square roots", root_names},
    {"wide.reciprocal", &Tunables::wide_reciprocal, 1, 2, "how it computes quotients", reciprocal_names},
    {"wide.group-bits-offset", &Tunables::wide_group_bits_offset, -4, 4, "added to the planner's log2 of a group"},
    {"wide.denominator-percent", &Tunables::wide_denominator_percent, 10, 1000,
     "denominators go up to that share of 1/sqrt(|c2|*M)"},
    {"wide.registers", &Tunables::wide_registers, 0, 255,
     "of a work-item, at most, where compilers can be told (NVIDIA's); 0: as it likes"},
    {"phase.work-group-size", &Tunables::phase_work_group_size, 1, 1024, "work-items in a work-group"},
    {"phase.registers", &Tunables::phase_registers, 0, 255, "as wide.registers, for the phase walk"},
    {"phase.vectorizer", &Tunables::phase_vectorizer, 0, 1,
     "whether a CPU's runtime may put neighbouring work-items into lanes", vectorizer_names},
    {"phase.width-percent", &Tunables::phase_width_percent, 20, 400,
     "width of the phase walk's windows, relative to that with one lattice point in a box"},
    {"phase.segment-bits", &Tunables::phase_segment_bits, 0, 6,
     "log2 of the windows after which a lattice is made anew from integers"},
    {"phase.chunk-bits", &Tunables::phase_chunk_bits, 0, 10, "log2 of the windows that a work-item walks through"},
    {"compaction", &Tunables::compaction, 0, 2, "how survivors are collected where --compaction says auto",
     compaction_names},
    {"scan-percent", &Tunables::scan_percent, 0, 100, "share of survivors from which `auto` compacts by scan"},
    {"plan.domain-bits-offset", &Tunables::plan_domain_bits_offset, -4, 4, "added to the planner's log2 of a domain"},
    {"plan.split-bits-offset", &Tunables::plan_split_bits_offset, -4, 4,
     "added to the planner's log2 of the sub-domains in a domain"},
    {"batch-domains", &Tunables::batch_domains, 1, std::int64_t(1) << 26, "domains on the device at a time"},
    {"survivor-capacity", &Tunables::survivor_capacity, least_survivor_capacity, std::int64_t(1) << 26,
     "survivors of a launch that are kept; more make it run again in halves"},
    {"launch-milliseconds", &Tunables::launch_milliseconds, 1, 2000, "device time of one launch, about"},
    {"queues", &Tunables::queues, 1, 32, "queues of the device that are searched beside each other"},
});

// What a device of the class is best given as long as it has not been tuned; for CPUs by their mode.
[[nodiscard]] Tunables default_tunables(const opencl::DeviceDescription& device,
                                        opencl::CpuMode mode = opencl::CpuMode::automatic);

// The tunables as far as the device can follow them: work-groups and lists that it can have, no lengths in double
// without FP64.
[[nodiscard]] Tunables limited_to(const opencl::DeviceDescription& device, Tunables tunables);

// Throws UsageError, naming the tunable, where the device cannot follow one at all.
void require_possible(const opencl::DeviceDescription& device, const Tunables& tunables);

// Quotients of lengths in double replaced by those of integers.
[[nodiscard]] Tunables without_fp64(Tunables tunables);

// For tests that do not come in vectors, the papers' forms of Lefèvre's: integer lengths, which suit scalar code
// better, where there would be vectors.
[[nodiscard]] Tunables without_vectors(Tunables tunables);

// Sets one tunable by its name; the value is a number or one of the tunable's names.
// Throws UsageError for an unknown name or a bad value.
void set_tunable(Tunables& tunables, std::string_view name, std::string_view value);

// The value as the user would write it.
[[nodiscard]] std::string to_string(const Tunable& tunable, std::int64_t value);

} // namespace tmd
