// Boxes on a device: it walks rows, filters hits, and searches refused boxes by lines.
#pragma once

#include "engine/boxes/plan.hpp"
#include "engine/boxes/reference.hpp"
#include "engine/launcher.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tmd::engine::boxes {

// The stages of BoxSearch, in order.
inline constexpr std::array<Stage, 3> box_stages{{{"boxes_walk", "boxes", "boxes", "boxes"},
                                                  {"boxes_filter", "  filter", "pairs", "pairs"},
                                                  {"boxes_pairs", "  one by one", "boxes", "boxes"}}};

// A pair that may be a case, with the number of its strip.
struct BoxCandidate {
  std::uint32_t strip = 0;
  PowerPair pair;
  friend auto operator<=>(const BoxCandidate&,
                          const BoxCandidate&) = default; // NOLINT(modernize-use-nullptr): of C++20
};

// Searches strips of tiles. Throws DeviceError if the device fails; UsageError for a device without FP64.
class BoxSearch {
public:
  static constexpr std::size_t most_strips = layout::most_strips; // strips of one search
  // launch_milliseconds: the target time of a launch.
  BoxSearch(std::shared_ptr<Launcher> launcher, std::int64_t launch_milliseconds);

  // All pairs of the strips that may be cases, each once, sorted. The strips are all of x^y or all of (1 + x)^y.
  [[nodiscard]] std::vector<BoxCandidate> search(std::span<const PowerStrip> strips, const Interrupt& interrupt = {});
  // Only the walk's hits, as the kernel lists them, and the refused boxes; both sorted.
  struct Walk {
    std::vector<std::uint64_t> hits;
    std::vector<std::uint64_t> refused;
  };
  [[nodiscard]] Walk walk(std::span<const PowerStrip> strips);

  [[nodiscard]] Stages stages() const { return {walk_.counts, filter_.counts, pairs_.counts}; }
  void reset_stages();
  // From now on F is that of these tiles' polynomials, not x^y.
  void use_tiles(std::vector<std::uint64_t> polynomials);
  [[nodiscard]] SurfaceWords tables() const { return {std::span(table_words_), kind_}; }
  [[nodiscard]] FaultError fault(std::string_view what) const { return launcher_->fault(what); }

private:
  [[nodiscard]] opencl::Kernel& build(const LaunchedStage& stage, const std::string& file, std::string_view options);
  std::uint64_t upload(std::span<const PowerStrip> strips, bool are_walked);
  // Walks all items; calls `take` with the results of each launch while they are still on the device.
  template <typename Take> void walk_items(std::uint64_t items, std::vector<std::uint64_t>& refused, Take take);
  void filter(const Launcher::Counters& hits);
  void look_at_pairs(std::uint64_t count, const std::vector<std::uint64_t>* listed);
  // Walks an item on the host, if it keeps more than there is room for. Returns its boxes.
  std::uint64_t walk_on_host(std::uint64_t item, std::vector<std::uint64_t>& hits,
                             std::vector<std::uint64_t>& refused) const;

  std::shared_ptr<Launcher> launcher_;
  LaunchedStage walk_;
  LaunchedStage filter_;
  LaunchedStage pairs_;
  SurfaceKind kind_ = SurfaceKind::power;
  std::vector<std::uint64_t> table_words_; // as tables_
  opencl::Buffer tables_;
  opencl::Buffer strips_;
  opencl::Buffer listed_;
  opencl::Buffer refused_;
  std::vector<PowerStrip> uploaded_; // in the order of their items
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint64_t> found_; // by the numbers of the strips uploaded
};

} // namespace tmd::engine::boxes
