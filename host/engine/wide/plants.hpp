// Hits planted among the arguments of the wide test: the device must find them without knowing of them.
#pragma once

#include "engine/audit_share.hpp"
#include "engine/wide/search.hpp"
#include "number/random.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace tmd::engine::wide {

// An argument of a sub-interval where a hit may be hardest to find: anywhere, or at an end of its group.
[[nodiscard]] std::uint64_t place_to_plant(int sub_bits, int group_bits, number::Random& random);

// Shifts the polynomial by a constant, so that at argument t its value is `value`, in units of 2^−64.
void plant(SubIntervalRecord& record, std::uint64_t t, std::uint64_t value);

// Records of 16 groups each, from all over a batch, with a hit in each.
struct PlantedRecords {
  int sub_bits = 0;
  std::vector<SubIntervalRecord> records;
  std::vector<std::uint64_t> hits; // record r has the places from r·2^sub_bits on; sorted
};

// Plants hits closer than `closest` to a breakpoint, in units of 2^−64.
[[nodiscard]] PlantedRecords planted_records(const WideBatch& batch, std::uint64_t closest, number::Random& random);

// Searches batches with planted hits: many before there are `from` groups of a kind, and some among a large batch's
// own, as often as the cost is negligible. It compares some records of each build of the kernel that makes them.
class PlantingGroups {
public:
  explicit PlantingGroups(WideSearch& search, std::uint64_t from = std::uint64_t(1) << 13)
      : search_(search), from_(from) {}

  // The results of WideSearch, and its stages. Throws FaultError if it misses a hit, or makes another record.
  [[nodiscard]] BatchResult search(const WideBatch& batch, const Interrupt& interrupt = {});

  // Earlier tests do not hold for the kernels from now on.
  void forget() {
    searched_.clear();
    compared_.clear();
  }

private:
  void audit_shape(const WideBatch& batch);
  void compare_records(const WideBatch& batch);
  [[nodiscard]] std::vector<std::uint64_t> search_with_planted(WideBatch batch);
  void require_found(const WideBatch& batch, std::span<const std::uint64_t> planted,
                     std::span<const std::uint64_t> found) const;

  WideSearch& search_;
  std::uint64_t from_;
  AuditShare share_;
  std::map<std::pair<int, int>, std::uint64_t> searched_; // groups by log2 of their arguments and of denominators
  std::map<int, std::uint32_t> compared_;                 // records, by the words of their coefficients
};

} // namespace tmd::engine::wide
