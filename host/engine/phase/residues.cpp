#include "engine/phase/residues.hpp"

#include <optional>

namespace tmd {

namespace {

// The least n ≥ 0 with lower ≤ factor·n mod modulus ≤ upper, 0 ≤ lower ≤ upper < modulus: either it comes before the
// product first exceeds the modulus, or the number of times that it has done so solves the same problem modulo the
// factor, as in Euclid's algorithm.
std::optional<Integer> first_within(const Integer& factor, const Integer& modulus, const Integer& lower,
                                    const Integer& upper) {
  Integer n;
  if (fmpz_is_zero(lower) != 0)
    return n;
  if (fmpz_is_zero(factor) != 0)
    return std::nullopt;
  Integer reached;
  fmpz_cdiv_q(n, lower, factor);
  fmpz_mul(reached, n, factor);
  if (fmpz_cmp(reached, upper) <= 0)
    return n;
  Integer rest;
  Integer from;
  Integer to;
  fmpz_mod(rest, modulus, factor);
  fmpz_neg(from, upper);
  fmpz_mod(from, from, factor);
  fmpz_neg(to, lower);
  fmpz_mod(to, to, factor);
  const auto times = first_within(rest, factor, from, to);
  if (!times)
    return std::nullopt;
  fmpz_set(reached, lower);
  fmpz_addmul(reached, *times, modulus);
  fmpz_cdiv_q(n, reached, factor);
  return n;
}

} // namespace

std::vector<std::uint64_t> multiples_within(const Integer& factor, const Integer& offset, const Integer& width,
                                            const Integer& modulus, std::uint64_t count) {
  std::vector<std::uint64_t> result;
  Integer at; // the residue of the n that is looked at
  fmpz_set(at, offset);
  std::uint64_t n = 0;
  Integer lower;
  Integer upper;
  while (n < count) {
    if (fmpz_cmp(at, width) <= 0) {
      result.push_back(n);
    } else {
      // at + factor·k in [modulus, modulus + width], modulo modulus
      fmpz_sub(lower, modulus, at);
      fmpz_add(upper, lower, width);
      const auto steps = first_within(factor, modulus, lower, upper);
      if (!steps || fmpz_cmp_ui(*steps, count - n) >= 0)
        break;
      n += fmpz_get_ui(*steps);
      fmpz_addmul(at, factor, *steps);
      fmpz_mod(at, at, modulus);
      continue;
    }
    ++n;
    fmpz_add(at, at, factor);
    fmpz_mod(at, at, modulus);
  }
  return result;
}

} // namespace tmd
