// The wide test on a device: groups, their candidates, and what it refuses.
#pragma once

#include "engine/launcher.hpp"
#include "device/tunables.hpp"
#include "device/variant.hpp"

#include <cstdint>
#include <vector>

namespace tmd {

// Searches sub-intervals of an interval: makes their polynomials, tests group by group, and decides over candidates one
// by one. A group that the test refuses is taken up in parts, and a part that is refused again argument by argument.
// All that is kept is counted, and a launch that keeps more than the capacity is run again in halves.
// One polynomial of every batch is compared with the host's; a difference throws SoundnessError.
class WideSearch {
public:
  // `launcher` must outlive it. Compaction: scan, or else atomic.
  WideSearch(Launcher& launcher, const Tunables& tunables, Compaction compaction);

  // Whether every polynomial of a batch's sub-intervals is compared with the host's, or only the last. A difference
  // throws SoundnessError.
  void check_all_records(bool all) { check_all_records_ = all; }

  // Appends the arguments of a batch that are close to a breakpoint, in any order and some perhaps twice, counted from
  // the batch's first.
  void search(const DomainBatch& batch, std::vector<std::uint64_t>& candidates);

  // Groups begin in multiples of that in one sub-interval: lanes never straddle two.
  static constexpr std::uint32_t groups_together = 16;
  // Bytes on the device for each sub-interval of a batch.
  static constexpr std::size_t record_limbs = 24; // of 32 bits
  static constexpr std::size_t record_bytes = 4 * record_limbs;

private:
  void make_records(const DomainBatch& batch);
  void check_records(const DomainBatch& batch, std::uint32_t first, std::uint32_t count);
  void groups(const DomainBatch& batch, std::uint64_t first, std::uint64_t count);
  void check(const DomainBatch& batch, std::uint32_t count);
  void parts(const DomainBatch& batch, std::uint32_t count);
  void sweep(const DomainBatch& batch, int bits, std::uint32_t count);
  void sweep_runs(const DomainBatch& batch, int bits, std::uint64_t first, std::uint64_t count, int run_bits);
  [[nodiscard]] std::vector<opencl::Macro> test_macros() const;

  Launcher& launcher_;
  const Tunables tunables_;
  Compaction compaction_;
  bool check_all_records_ = false;
  Stage groups_;
  Stage parts_;
  Stage sweep_;
  Stage check_;
  opencl::Buffer coefficients_;
  opencl::Buffer records_;
  opencl::Buffer found_;   // candidates of groups and parts
  opencl::Buffer refused_; // groups
  opencl::Buffer swept_;   // parts, by their first arguments
  std::vector<std::uint64_t>* candidates_ = nullptr;
};

} // namespace tmd
