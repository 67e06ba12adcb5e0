// The numbers and choices that are tuned for each device. Every tunable is a row of a table: an engine keeps the table
// of its own tunables in its folder, and the table below has those that all engines share. Options, help texts,
// profiles and records are made from the rows.
#pragma once

#include "device/row_values.hpp"
#include "opencl/cpu_mode.hpp"
#include "opencl/device.hpp"
#include "tmd/choices.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tmd::device {

// A setting that changes the speed of a search, never its result.
struct Tunable {
  std::string_view name;
  std::int64_t least = 0;
  std::int64_t greatest = 0;
  std::int64_t usual = 0;
  std::string_view description;
  std::span<const std::string_view> names = {}; // names of the values from `least` on, if they have names
};

using Tunables = RowValues<Tunable>;

// Lanes of the explicit vectors that CPUs compute with; the tunables hold the logarithm to base 2.
inline constexpr std::array<std::string_view, 5> vector_width_names{"1", "2", "4", "8", "16"};

// With shorter lists for survivors, most of the work would be done again item by item.
inline constexpr std::int64_t least_survivor_capacity = 64;

inline constexpr auto shared_tunables = std::to_array<Tunable>({
    {"compaction", 0, 2, static_cast<std::int64_t>(Compaction::automatic),
     "how survivors are collected where --compaction says auto", compaction_names},
    {"batch-domains", 1, std::int64_t(1) << 26, std::int64_t(1) << 21, "domains on the device at a time"},
    {"survivor-capacity", least_survivor_capacity, std::int64_t(1) << 26, std::int64_t(1) << 20,
     "survivors of a launch that are kept; more make it run again in halves"},
    {"launch-milliseconds", 1, 2000, 200, "device time of one launch, about"},
    {"queues", 1, 32, 1, "queues of the device that are searched beside each other"},
});

[[nodiscard]] consteval const Tunable& shared_tunable(std::string_view name) {
  return row_named(shared_tunables, name);
}

// Lowers a value to `most`, the device's own limit; 0: the device reports none.
void limit(Tunables& tunables, const Tunable& tunable, std::uint64_t most);

// The value that a user's text stands for: a number, or one of the tunable's names. Throws UsageError for any other
// text.
[[nodiscard]] std::int64_t parse_value(const Tunable& tunable, std::string_view text);

// The value as the user would write it.
[[nodiscard]] std::string to_string(const Tunable& tunable, std::int64_t value);

// The position of `wanted` among `names`. Throws UsageError, naming `what` and listing the names, if it is none of
// them.
[[nodiscard]] std::size_t find_name(std::string_view what, std::string_view wanted,
                                    std::span<const std::string_view> names);

} // namespace tmd::device
