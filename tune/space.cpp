#include "tune/space.hpp"

#include "opencl/private_memory.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tmd::tune {

namespace {

using Values = std::vector<std::int64_t>;

// A tunable by itself.
Coordinate each(Part part, const std::string& tunable, const Values& values) {
  Coordinate coordinate{part, {tunable}, {}};
  for (const std::int64_t value : values)
    coordinate.settings.push_back({{tunable, std::to_string(value)}});
  return coordinate;
}

Coordinate each(Part part, const std::string& tunable, std::span<const std::string_view> names) {
  Coordinate coordinate{part, {tunable}, {}};
  for (const std::string_view name : names)
    coordinate.settings.push_back({{tunable, std::string(name)}});
  return coordinate;
}

// How a phase computes quotients: LOGMS belongs to one strategy, vectors to those with lengths in double.
Coordinate quotients(Part part) {
  const std::string division = fmt::format("{}.division", to_string(part));
  const std::string logms = fmt::format("{}.logms", to_string(part));
  const std::string width = fmt::format("{}.vector-width", to_string(part));
  Coordinate coordinate{part, {division, logms, width}, {}};
  for (const std::string_view name : division_names)
    if (name != to_string(Division::hybrid))
      coordinate.settings.push_back({{division, std::string(name)}, {width, "1"}});
  for (const int value : {1, 2, 3, 4, 5, 6, 8, 12})
    coordinate.settings.push_back(
        {{division, std::string(to_string(Division::hybrid))}, {logms, std::to_string(value)}, {width, "1"}});
  for (const Division in_vectors : {Division::double_lengths, Division::double_reciprocal})
    for (const std::string_view lanes : vector_width_names)
      if (lanes != "1")
        coordinate.settings.push_back({{division, std::string(to_string(in_vectors))}, {width, std::string(lanes)}});
  return coordinate;
}

// Vectors for the wide test, or an order for scalars.
Coordinate lanes() {
  Coordinate coordinate{Part::wide, {"wide.vector-width", "wide.order"}, {}};
  for (const std::string_view order : order_names)
    coordinate.settings.push_back({{"wide.vector-width", "1"}, {"wide.order", std::string(order)}});
  for (const std::string_view width : vector_width_names)
    if (width != "1")
      coordinate.settings.push_back({{"wide.vector-width", std::string(width)}});
  return coordinate;
}

// How the wide test computes roots and quotients.
Coordinate roots() {
  Coordinate coordinate{Part::wide, {"wide.root", "wide.reciprocal"}, {}};
  for (const std::string_view root : root_names)
    for (const std::string_view reciprocal : reciprocal_names)
      coordinate.settings.push_back({{"wide.root", std::string(root)}, {"wide.reciprocal", std::string(reciprocal)}});
  return coordinate;
}

// The share from which survivors are compacted by scan belongs to `auto`.
Coordinate compactions() {
  Coordinate coordinate{Part::whole, {"compaction", "scan-percent"}, {}};
  for (const Compaction fixed : {Compaction::atomic, Compaction::scan})
    coordinate.settings.push_back({{"compaction", std::string(to_string(fixed))}});
  for (const int percent : {1, 5, 10, 20, 40})
    coordinate.settings.push_back(
        {{"compaction", std::string(to_string(Compaction::automatic))}, {"scan-percent", std::to_string(percent)}});
  return coordinate;
}

// Everything that is tuned, a line each: what is likely to gain most comes first, for budgets end. A tunable that is
// not here stays as the device's class has it.
std::vector<Coordinate> everything() {
  const Values group_sizes{1, 8, 16, 32, 64, 128, 256, 512, 1024};
  const Values items{1, 2, 4, 8, 16, 32, 64};
  return {
      lanes(),
      roots(),
      quotients(Part::phase1),
      quotients(Part::phase2),
      each(Part::wide, "wide.group-bits-offset", {-2, -1, 0, 1, 2}),
      each(Part::wide, "wide.denominator-percent", {70, 100, 120, 140, 160, 200, 300}),
      each(Part::wide, "wide.work-group-size", group_sizes),
      each(Part::wide, "wide.items", items),
      each(Part::wide, "wide.registers", {0, 40, 48, 56, 64}),
      each(Part::walk, "phase.width-percent", {100, 140, 170, 200, 230, 260, 300}),
      each(Part::walk, "phase.registers", {0, 64, 80, 96, 128, 168}),
      each(Part::walk, "phase.work-group-size", group_sizes),
      each(Part::walk, "phase.chunk-bits", {5, 6, 7, 8, 9, 10}),
      each(Part::walk, "phase.segment-bits", {3, 4, 5, 6}),
      each(Part::phase1, "phase1.work-group-size", group_sizes),
      each(Part::whole, "plan.domain-bits-offset", {-2, -1, 0, 1, 2}),
      each(Part::whole, "plan.split-bits-offset", {-2, -1, 0, 1, 2}),
      each(Part::polynomials, "polynomials.vector-width", vector_width_names),
      each(Part::polynomials, "polynomials.packet-bits", {5, 6, 7, 8, 9, 10, 11, 12}),
      each(Part::polynomials, "polynomials.work-group-size", group_sizes),
      each(Part::phase2, "phase2.work-group-size", group_sizes),
      each(Part::phase1, "phase1.items", items),
      each(Part::phase2, "phase2.items", items),
      each(Part::phase3, "phase3.work-group-size", group_sizes),
      each(Part::whole, "batch-domains", {1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 24, 1 << 25}),
      each(Part::whole, "launch-milliseconds", {25, 50, 100, 200}),
      compactions(),
  };
}

bool possible(const Setting& setting, const opencl::DeviceDescription& device, opencl::CpuMode mode) {
  return std::all_of(setting.begin(), setting.end(), [&](const auto& one) {
    if (one.first.ends_with(".vector-width"))
      return one.second == "1" || (!device.is_gpu && mode != opencl::CpuMode::scalar);
    if (one.first.ends_with(".work-group-size"))
      return std::stoull(one.second) <=
             std::min<std::uint64_t>(device.work_group_size,
                                     opencl::work_items_on_stack(device, opencl::thread_stack()));
    if (one.first.ends_with(".registers")) // other compilers cannot be told
      return device.has_extension("cl_nv_compiler_options");
    if (one.first == "batch-domains") // three coefficients of 8 bytes a domain, half of the memory
      return std::stoull(one.second) <= std::min(device.largest_buffer / 8, device.global_memory / 48);
    return true;
  });
}

} // namespace

std::vector<Coordinate> search_space(const opencl::DeviceDescription& device, opencl::CpuMode mode,
                                     bool makes_polynomials) {
  std::vector<Coordinate> space;
  for (Coordinate coordinate : everything()) {
    if (coordinate.part == Part::polynomials && !makes_polynomials)
      continue;
    std::erase_if(coordinate.settings, [&](const Setting& setting) { return !possible(setting, device, mode); });
    if (!coordinate.settings.empty())
      space.push_back(std::move(coordinate));
  }
  return space;
}

Tunables with(const Tunables& tunables, const Coordinate& coordinate, const Setting& setting, const Tunables& base) {
  Tunables result = tunables;
  for (const Tunable& tunable : tunable_table)
    if (std::find(coordinate.tunables.begin(), coordinate.tunables.end(), tunable.name) != coordinate.tunables.end())
      result.*tunable.value = base.*tunable.value;
  for (const auto& [name, value] : setting)
    set_tunable(result, name, value);
  return result;
}

Tunables with_part(const Tunables& tunables, const std::vector<Coordinate>& space, Part part, const Tunables& other) {
  Tunables result = tunables;
  for (const Coordinate& coordinate : space)
    if (coordinate.part == part)
      for (const Tunable& tunable : tunable_table)
        if (std::find(coordinate.tunables.begin(), coordinate.tunables.end(), tunable.name) !=
            coordinate.tunables.end())
          result.*tunable.value = other.*tunable.value;
  return result;
}

} // namespace tmd::tune
