// Hits planted among the arguments of the wide test: what a device must find, though nobody told it.
#pragma once

#include "engine/wide/batch.hpp"
#include "engine/wide/reference.hpp"
#include "number/random.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace tmd {

// The whole record of a sub-interval, as cl_kernels/wide/polynomial.clh lays it out.
using SubIntervalRecord = std::array<std::uint32_t, record_size>;

// What a record's floats are of the coefficients b_2, b_3 and b_4.
[[nodiscard]] std::array<double, 3> float_factors(int sub_bits, int group_bits);

// With its floats, for groups of 2^group_bits arguments.
[[nodiscard]] SubIntervalRecord record_of(const SubIntervalPolynomial& polynomial, int sub_bits, int group_bits);

// An argument of a sub-interval where a hit may be hardest to find: anywhere, or at an end of its group.
[[nodiscard]] std::uint64_t place_to_plant(int sub_bits, int group_bits, Random& random);

// Shifts the polynomial by a constant, so that at argument t its value is `value`, in units of 2^−64.
void plant(SubIntervalRecord& record, std::uint64_t t, std::uint64_t value);

// Records of 16 groups each, from all over a batch, with a hit in each.
struct PlantedRecords {
  int sub_bits = 0;
  std::vector<SubIntervalRecord> records;
  std::vector<std::uint64_t> hits; // of record r: r·2^sub_bits and more; sorted
};

// Hits closer than `closest` to a breakpoint, in units of 2^−64.
[[nodiscard]] PlantedRecords planted_records(const WideBatch& batch, std::uint64_t closest, Random& random);

} // namespace tmd
