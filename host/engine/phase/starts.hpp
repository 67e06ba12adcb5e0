// Where the walks of a batch's chunks begin: lattices on the device.
#pragma once

#include "device/tunables.hpp"
#include "engine/launcher.hpp"
#include "engine/phase/plan.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
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

// The macros of the walk's kernels for a batch.
[[nodiscard]] std::vector<opencl::Macro> phase_macros(const PhaseBatch& batch, const device::Tunables& tunables);
// Floats only decide, with far more margin than flushed denormals need.
inline constexpr std::string_view phase_float_options = "-cl-denorms-are-zero";

// Chunks of one length, all of a batch or listed ones, with their starts in that order.
struct Chunks {
  int bits = 0; // log2 of the windows of each
  std::optional<std::vector<std::uint64_t>> listed;
  std::uint64_t count = 0;
  opencl::Buffer parameters;
  opencl::Buffer starts;
};

// Makes the starts of chunks from those of groups.
class ChunkStarts {
public:
  ChunkStarts(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables);

  // Begins to build the kernel for a batch, on another thread. May be called by any thread.
  void build_ahead(const PhaseBatch& batch) const;

  // Uploads the tables of a batch, and makes the starts of all its chunks.
  void make_all(const PhaseBatch& batch, Chunks& whole);
  // Makes the starts of parts of some chunks.
  void make_parts(const PhaseBatch& batch, const Chunks& whole, const std::vector<std::uint64_t>& of, Chunks& parts);
  // Uploads the parameters for chunks of this length, of which none is listed.
  void upload(const PhaseBatch& batch, int chunk_bits, Chunks& chunks);
  // Uploads numbers that a kernel reads in listed(); returns the sum that it must report. Nothing for a null list.
  std::optional<std::uint32_t> upload_list(const std::vector<std::uint64_t>* list);

  [[nodiscard]] const opencl::Buffer& tables() const { return tables_; }
  [[nodiscard]] const opencl::Buffer& listed() const { return listed_; }
  [[nodiscard]] const Stage& counts() const { return stage_.counts; }
  void reset_counts() { stage_.counts.reset_to({}); }

private:
  // Makes them from the starts of groups, or of `longer` chunks, which are listed.
  void make(const PhaseBatch& batch, const opencl::Buffer& from, int from_bits,
            const std::vector<std::uint64_t>* longer, Chunks& chunks);

  std::shared_ptr<Launcher> launcher_;
  const device::Tunables tunables_;
  LaunchedStage stage_;
  opencl::Buffer tables_;
  opencl::Buffer group_starts_;
  Chunks long_; // made first, in long strides
  opencl::Buffer made_;
  opencl::Buffer listed_;
};

} // namespace tmd::engine::phase
