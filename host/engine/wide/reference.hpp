// The wide test's polynomials and arguments on the host: the reference for a device's results.
#pragma once

#include "engine/wide/batch.hpp"
#include "engine/wide/constants.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tmd::engine::wide {

// The polynomial of a sub-interval as cl_kernels/wide/polynomial.clh lays it out, without its floats.
using SubIntervalPolynomial = std::array<std::uint32_t, record_limbs>;
// The whole record.
using SubIntervalRecord = std::array<std::uint32_t, record_size>;

// The polynomials of the sub-intervals first … first + count − 1, by exact arithmetic.
[[nodiscard]] std::vector<SubIntervalPolynomial> sub_interval_polynomials(const WidePolynomial& polynomial,
                                                                          std::uint64_t first, std::uint64_t count);

// The polynomials of a batch's sub-intervals first … first + count − 1.
[[nodiscard]] std::vector<SubIntervalPolynomial> polynomials_of(const WideBatch& batch, std::uint64_t first,
                                                                std::uint64_t count);

// The polynomials of stretches of arguments that begin anywhere in the interval.
[[nodiscard]] std::vector<SubIntervalPolynomial> polynomials_at(const WidePolynomial& polynomial,
                                                                std::span<const std::uint64_t> origins);

// Its coefficient b_j, from −1/2 to 1/2; j ≤ 4.
[[nodiscard]] double coefficient_in(const SubIntervalPolynomial& polynomial, int j);

// The factors of a record's floats over the coefficients b_2, b_3 and b_4.
[[nodiscard]] std::array<double, 3> float_factors(int sub_bits, int group_bits);

// The record with its floats, for groups of 2^group_bits arguments.
[[nodiscard]] SubIntervalRecord record_of(const SubIntervalPolynomial& polynomial, int sub_bits, int group_bits);

// The record's last word, which proves to groups that it was made for its place among all records.
[[nodiscard]] std::uint32_t sum_of_record(const SubIntervalRecord& record, std::uint64_t place);

// Its value at t, modulo 1, in units of 2^−64, as the kernels compute it.
[[nodiscard]] std::uint64_t value_in(const SubIntervalPolynomial& polynomial, std::uint64_t t);

// Evaluates every argument of a batch for the wide test, with the kernels' own text. Returns those that are close to a
// breakpoint, sorted, counted from the batch's first.
[[nodiscard]] std::vector<std::uint64_t> sweep_on_host(const WideBatch& batch);

} // namespace tmd::engine::wide
