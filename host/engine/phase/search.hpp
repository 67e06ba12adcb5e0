// The phase walk on a device.
#pragma once

#include "device/tunables.hpp"
#include "engine/launcher.hpp"
#include "engine/phase/plan.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tmd::engine::phase {

// The stages of PhaseSearch, in order, and that of the planted cases (engine/phase/plants.hpp).
inline constexpr std::array<Stage, 5> phase_stages{
    {{"phase_starts", "  starts", "chunks", "chunks", false},
     {"phase_walk", "phase walk", "windows", "windows"},
     {"phase_again", "  again", "windows", "windows"},
     {.name = "phase_host", .title = "  on the host", .unit = "windows", .key = "windows", .of_host = true},
     {"phase_planted", "  planted", "cases", "cases", false, 0, 0, 0, true}}};
inline constexpr const Stage& planted_stage = phase_stages[4];

// The macros of the walk's kernels for a batch, and the options with which those that walk are compiled.
[[nodiscard]] std::vector<opencl::Macro> phase_macros(const PhaseBatch& batch, const device::Tunables& tunables);
[[nodiscard]] std::string phase_walk_options(const Launcher& launcher, const device::Tunables& tunables);

// Walks the windows of a batch: makes the starts of its chunks and walks each chunk; refused chunks are walked again in
// units with more room, shorter segments and shorter chunks, then window by window on the host. Throws DeviceError if
// the device fails.
class PhaseSearch {
public:
  PhaseSearch(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables);

  // Begins to build the kernels for a batch, on other threads. May be called by any thread.
  void build_ahead(const PhaseBatch& batch) const;

  // The results of search(), with the stages' counts for this batch alone.
  [[nodiscard]] BatchResult result(const PhaseBatch& batch, const Interrupt& interrupt = {});
  // Indices of the arguments that may be cases, sorted, each once.
  struct Indices {
    std::vector<std::uint64_t> own;
    std::vector<std::uint64_t> of_companion;
  };
  [[nodiscard]] Indices search(const PhaseBatch& batch, const Interrupt& interrupt = {});
  // The points themselves, in any order and possibly more than once; with `robust`, all chunks are walked as refused
  // ones are.
  [[nodiscard]] std::vector<PhasePoint> walk(const PhaseBatch& batch, bool robust, const Interrupt& interrupt = {});

  // Whether the last search listed the arguments of a window that could not be walked, whether cases or not.
  [[nodiscard]] bool has_listed() const { return has_listed_; }
  // Number of chunks and parts whose points had no room in the last walk: they are walked again as refused ones are.
  [[nodiscard]] std::uint64_t overflowed() const { return overflowed_; }

  [[nodiscard]] Stages stages() const;
  void reset_stages();

  [[nodiscard]] const std::shared_ptr<Launcher>& launcher() const { return launcher_; }

private:
  // Chunks of one length, all of a batch or listed ones, with their starts in that order.
  struct Chunks {
    int bits = 0; // log2 of the windows of each
    std::optional<std::vector<std::uint64_t>> listed;
    std::uint64_t count = 0;
    opencl::Buffer parameters;
    opencl::Buffer starts;
  };

  [[nodiscard]] std::vector<opencl::Macro> walk_macros(const PhaseBatch& batch, bool robust) const;
  void upload(const PhaseBatch& batch, int chunk_bits, Chunks& chunks);
  // Makes them from the starts of groups, or of `longer` chunks, which are listed.
  void make_starts(const PhaseBatch& batch, const opencl::Buffer& from, int from_bits,
                   const std::vector<std::uint64_t>* longer, Chunks& chunks);
  void walk_chunks(const PhaseBatch& batch, const Chunks& chunks, LaunchedStage& stage, bool robust);
  // Uploads numbers that a kernel reads; returns the sum that it must report.
  std::optional<std::uint32_t> upload_list(const std::vector<std::uint64_t>* list);
  void walk_again(const PhaseBatch& batch);
  void walk_on_the_host(const PhaseBatch& batch, const Interrupt& interrupt);
  // Lists the arguments of some windows, whatever their values.
  void list_arguments(const PhaseBatch& batch, std::uint64_t first, std::uint64_t count,
                      std::vector<PhasePoint>& found);

  std::shared_ptr<Launcher> launcher_;
  const device::Tunables tunables_;
  LaunchedStage starts_;
  LaunchedStage walk_;
  LaunchedStage again_;
  Stage host_;
  opencl::Buffer tables_;
  opencl::Buffer group_starts_;
  Chunks long_;  // made first, in long strides
  Chunks whole_; // all of the batch
  Chunks parts_; // parts of refused ones
  opencl::Buffer made_;
  opencl::Buffer listed_;
  opencl::Buffer refused_;
  bool has_listed_ = false;
  std::uint64_t overflowed_ = 0;
  std::vector<std::uint64_t> found_;
  std::vector<std::uint64_t> refused_chunks_;
};

} // namespace tmd::engine::phase
