#include "device/tunables.hpp"

#include "support/text.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace tmd {

namespace {

void set_divisions(Tunables& tunables, Division division) {
  tunables.phase1_division = static_cast<std::int64_t>(division);
  tunables.phase2_division = tunables.phase1_division;
}

bool needs_fp64(const Tunable& tunable, const Tunables& tunables) {
  const bool is_division = tunable.value == &Tunables::phase1_division || tunable.value == &Tunables::phase2_division;
  return is_division && length_bits(static_cast<Division>(tunables.*tunable.value)) == 52;
}

} // namespace

Tunables default_tunables(const opencl::DeviceDescription& device, opencl::CpuMode mode) {
  Tunables tunables;
  if (device.is_gpu) {
    // Emulated 64-bit divisions and divergent subtractions are both dear on every GPU.
    set_divisions(tunables, Division::reciprocal);
    // Launches must be long beside their overhead of some ten microseconds.
    tunables.wide_order = static_cast<std::int64_t>(Order::by_lines); // neighbours wait for the longest of them
    tunables.wide_work_group_size = 256;
    tunables.wide_reciprocal = static_cast<std::int64_t>(Reciprocal::reciprocal);
    tunables.batch_domains = std::int64_t(1) << 25;
    tunables.survivor_capacity = std::int64_t(1) << 23;
    tunables.queues = 2;           // one waits for the host while the device is at the other's
    tunables.phase_chunk_bits = 8; // more work-items than there are at a time, so that the next plan's begin soon
  } else {
    tunables.phase_width_percent = 300;  // a window costs more than the points in it
    if (mode != opencl::CpuMode::vector) // neighbours would wait for each other
      tunables.phase_vectorizer = static_cast<std::int64_t>(Vectorizer::off);
  }
  if (!device.is_gpu && mode != opencl::CpuMode::scalar && device.has_fp64()) {
    // Two registers for each value hide the latency of the divisions.
    const int register_bits = std::bit_width(std::clamp(device.native_long_width, 1U, 8U)) - 1;
    set_divisions(tunables, Division::double_lengths);
    tunables.phase1_vector_bits = register_bits + 1;
    tunables.phase2_vector_bits = register_bits + 1;
    tunables.polynomials_vector_bits = std::max(register_bits, 1);
    tunables.wide_vector_bits = std::min(register_bits + 1, 4);
    tunables.wide_items_per_work_item = 16; // runs of lines wait until there is one for each lane
  }
  return limited_to(device, tunables);
}

Tunables limited_to(const opencl::DeviceDescription& device, Tunables tunables) {
  const auto limit = [](std::int64_t& value, std::uint64_t most) {
    if (most != 0) // else the device does not say
      value = std::min(value, static_cast<std::int64_t>(std::min(most, std::uint64_t(1) << 62)));
  };
  for (std::int64_t Tunables::*size :
       {&Tunables::phase1_work_group_size, &Tunables::phase2_work_group_size, &Tunables::phase3_work_group_size,
        &Tunables::polynomials_work_group_size, &Tunables::wide_work_group_size, &Tunables::phase_work_group_size})
    limit(tunables.*size, device.work_group_size);
  // A work-group of the wide test that sorts its groups keeps two for each work-item.
  if (tunables.wide_order == static_cast<std::int64_t>(Order::by_lines) && device.local_memory != 0) {
    const std::uint64_t room = device.local_memory - std::min(device.local_memory, sorted_bytes);
    limit(tunables.wide_work_group_size, std::bit_floor(std::max<std::uint64_t>(room / sorted_bytes_per_work_item, 1)));
  }
  // Lists of 44 bytes a survivor together and 8 in the largest. A batch may take half of the memory.
  limit(tunables.survivor_capacity, device.largest_buffer / 8);
  limit(tunables.survivor_capacity, device.global_memory / 4 / 44);
  limit(tunables.queues, std::max<std::uint64_t>(device.global_memory >> 32, 1)); // each has lists and batches
  return device.has_fp64() ? tunables : without_fp64(tunables);
}

void require_possible(const opencl::DeviceDescription& device, const Tunables& tunables) {
  if (device.has_fp64())
    return;
  for (const Tunable& tunable : tunable_table)
    if (needs_fp64(tunable, tunables))
      throw UsageError(fmt::format("{}={} needs FP64, which device {} ({}) does not have: take native, hybrid or "
                                   "reciprocal",
                                   tunable.name, to_string(tunable, tunables.*tunable.value), device.index,
                                   device.name));
}

Tunables without_fp64(Tunables tunables) {
  for (const Tunable& tunable : tunable_table)
    if (needs_fp64(tunable, tunables))
      tunables.*tunable.value = static_cast<std::int64_t>(Division::reciprocal);
  return tunables;
}

Tunables without_vectors(Tunables tunables) {
  const auto replace = [](std::int64_t& vector_bits, std::int64_t& division) {
    if (vector_bits > 0)
      division = static_cast<std::int64_t>(Division::hybrid);
    vector_bits = 0;
  };
  replace(tunables.phase1_vector_bits, tunables.phase1_division);
  replace(tunables.phase2_vector_bits, tunables.phase2_division);
  return tunables;
}

void set_tunable(Tunables& tunables, std::string_view name, std::string_view value) {
  for (const Tunable& tunable : tunable_table) {
    if (tunable.name != name)
      continue;
    if (!tunable.names.empty()) {
      tunables.*tunable.value = tunable.least + static_cast<std::int64_t>(find_name(name, value, tunable.names));
      return;
    }
    std::int64_t number = 0;
    const char* end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc() || rest != end || number < tunable.least || number > tunable.greatest)
      throw UsageError(fmt::format("tunable {} must be an integer from {} to {}, not '{}'", name, tunable.least,
                                   tunable.greatest, value));
    tunables.*tunable.value = number;
    return;
  }
  std::vector<std::string_view> names;
  names.reserve(tunable_table.size());
  for (const Tunable& tunable : tunable_table)
    names.push_back(tunable.name);
  throw UsageError(
      fmt::format("unknown tunable '{}'; `tmd search --help` lists them{}", name, did_you_mean(name, names)));
}

std::string to_string(const Tunable& tunable, std::int64_t value) {
  return tunable.names.empty() ? std::to_string(value)
                               : std::string(tunable.names[static_cast<std::size_t>(value - tunable.least)]);
}

} // namespace tmd
