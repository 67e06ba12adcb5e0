// Fields of the phase walk, and the phases of their arguments one by one.
#pragma once

#include "host/engine/phase/field.hpp"
#include "host/function/catalogue.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

namespace tmd::engine::phase {

inline job::Job phase_job(std::string_view function, int precision, int bits) {
  job::Job job;
  job.function = &function::find_function(function);
  job.format = {"p", precision, -1022, 1023};
  job.argument_precision = precision;
  job.K = bits;
  return job;
}

// The arguments in [2^exponent, 2^(exponent + 1)).
inline job::Stretch binade(int precision, int exponent) {
  const uint128 first = uint128(1) << (precision - 1);
  return {false, exponent - precision + 1, first, first};
}

inline number::Integer half_turn() {
  number::Integer half;
  fmpz_one(half);
  fmpz_mul_2exp(half, half, phase_bits - 1);
  return half;
}

// The phases of all arguments in the coordinate, in increasing order.
inline std::vector<number::Integer> phases_of(const PhaseField& field) {
  const number::Integer half = half_turn();
  number::Integer whole;
  fmpz_mul_ui(whole, half, 2);
  std::vector<number::Integer> result;
  for (uint128 i = 0; i < field.arguments().count; ++i) {
    number::Integer phase;
    number::set(phase, field.arguments().first + i);
    fmpz_mul(phase, phase, field.omega());
    if (field.is_shifted())
      fmpz_add(phase, phase, half);
    fmpz_mod(phase, phase, whole);
    if (field.is_folded() && fmpz_cmp(phase, half) > 0)
      fmpz_sub(phase, whole, phase);
    result.push_back(phase);
  }
  std::sort(result.begin(), result.end(),
            [](const number::Integer& x, const number::Integer& y) { return fmpz_cmp(x, y) < 0; });
  return result;
}

} // namespace tmd::engine::phase
