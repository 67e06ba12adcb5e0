// The phase walk on a device.
#pragma once

#include "device/tunables.hpp"
#include "engine/launcher.hpp"
#include "engine/phase/plan.hpp"
#include "engine/phase/starts.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tmd::engine::phase {

// The options with which kernels that walk are compiled.
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
  // Indices of the arguments that may be cases, sorted, each once: by their owners (PhaseArgument).
  using Indices = std::vector<std::vector<std::uint64_t>>;
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
  [[nodiscard]] std::vector<opencl::Macro> walk_macros(const PhaseBatch& batch, bool robust) const;
  void walk_chunks(const PhaseBatch& batch, const Chunks& chunks, LaunchedStage& stage, bool robust);
  void walk_again(const PhaseBatch& batch);
  void walk_on_the_host(const PhaseBatch& batch, const Interrupt& interrupt);

  std::shared_ptr<Launcher> launcher_;
  const device::Tunables tunables_;
  ChunkStarts starts_;
  LaunchedStage walk_;
  LaunchedStage again_;
  Stage host_;
  Chunks whole_; // all of the batch
  Chunks parts_; // parts of refused ones
  opencl::Buffer refused_;
  bool has_listed_ = false;
  std::uint64_t overflowed_ = 0;
  std::vector<std::uint64_t> found_;
  std::vector<std::uint64_t> refused_chunks_;
};

} // namespace tmd::engine::phase
