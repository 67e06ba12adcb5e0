// Both functions reduce their problem as Euclid's algorithm does, so that their time grows with the bits of the
// modulus, not with the count.

#include "engine/phase/residues.hpp"

#include <optional>

namespace tmd::engine::phase {

namespace {

// The least n ≥ 0 with lower ≤ factor·n mod modulus ≤ upper, 0 ≤ lower ≤ upper < modulus: either it comes before the
// product first exceeds the modulus, or the number of times that it has done so solves the same problem modulo the
// factor, as in Euclid's algorithm.
std::optional<number::Integer> first_within(const number::Integer& factor, const number::Integer& modulus,
                                            const number::Integer& lower, const number::Integer& upper) {
  number::Integer n;
  if (fmpz_is_zero(lower) != 0)
    return n;
  if (fmpz_is_zero(factor) != 0)
    return std::nullopt;
  number::Integer reached;
  fmpz_cdiv_q(n, lower, factor);
  fmpz_mul(reached, n, factor);
  if (fmpz_cmp(reached, upper) <= 0)
    return n;
  number::Integer rest;
  number::Integer from;
  number::Integer to;
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

// Σ ⌊(factor·n + offset)/modulus⌋ over 0 ≤ n < count, factor ≥ 0: whole multiples are taken out, and the rest is
// counted by columns instead of rows, with modulus and factor exchanged, as in Euclid's algorithm.
number::Integer floor_sum(const number::Integer& factor, const number::Integer& offset, const number::Integer& modulus,
                          std::uint64_t count) {
  number::Integer sum;
  number::Integer a;
  number::Integer b;
  number::Integer m;
  number::Integer n;
  fmpz_set(a, factor);
  fmpz_set(b, offset);
  fmpz_set(m, modulus);
  fmpz_set_ui(n, count);
  number::Integer quotient;
  number::Integer pairs;
  number::Integer last;
  for (int sign = 1; fmpz_is_zero(n) == 0; sign = -sign) {
    const auto add = [&](const number::Integer& one, const number::Integer& other) {
      (sign > 0 ? fmpz_addmul : fmpz_submul)(sum, one, other);
    };
    fmpz_fdiv_qr(quotient, a, a, m); // n(n − 1)/2 times the quotient
    fmpz_sub_ui(pairs, n, 1);
    fmpz_mul(pairs, pairs, n);
    fmpz_fdiv_q_2exp(pairs, pairs, 1);
    add(quotient, pairs);
    fmpz_fdiv_qr(quotient, b, b, m);
    add(quotient, n);
    // Lattice points below the line, 0 ≤ x < n: with k = ⌊(a·(n − 1) + b)/m⌋ rows they are n·k less those to the left
    // of it in each row, Σ ⌈(m·(y + 1) − b)/a⌉ = Σ ⌊(m·y + m − b + a − 1)/a⌋.
    fmpz_sub_ui(last, n, 1);
    fmpz_mul(last, last, a);
    fmpz_add(last, last, b);
    fmpz_fdiv_q(last, last, m);
    if (fmpz_is_zero(last) != 0)
      break;
    add(n, last);
    fmpz_sub(b, m, b);
    fmpz_add(b, b, a);
    fmpz_sub_ui(b, b, 1);
    fmpz_swap(a, m);
    fmpz_set(n, last);
  }
  return sum;
}

} // namespace

std::vector<std::uint64_t> multiples_within(const number::Integer& factor, const number::Integer& offset,
                                            const number::Integer& width, const number::Integer& modulus,
                                            std::uint64_t count) {
  std::vector<std::uint64_t> result;
  // The least n ≥ 0 with at + by·n in the interval; `count` if there is none below.
  const auto steps_from = [&](const number::Integer& at, const number::Integer& by) -> std::uint64_t {
    if (fmpz_cmp(at, width) <= 0)
      return 0;
    number::Integer lower;
    number::Integer upper;
    fmpz_sub(lower, modulus, at);
    fmpz_add(upper, lower, width);
    const auto steps = first_within(by, modulus, lower, upper);
    return steps && fmpz_cmp_ui(*steps, count) < 0 ? fmpz_get_ui(*steps) : count;
  };
  // The least n > 0 after which residues are higher, or lower, by at most `width`.
  struct Step {
    std::uint64_t n;
    number::Integer by;
  };
  const auto step_of = [&](const number::Integer& towards) {
    Step step{steps_from(towards, towards) + 1, {}};
    fmpz_mul_ui(step.by, towards, step.n);
    fmpz_mod(step.by, step.by, modulus);
    return step;
  };
  number::Integer negated;
  fmpz_neg(negated, factor);
  fmpz_mod(negated, negated, modulus);
  const Step up = step_of(factor);
  const Step down = step_of(negated);
  const std::uint64_t first = steps_from(offset, factor);
  // The next n comes after one of these steps, or after both if either alone leaves the interval (three-distance
  // theorem).
  number::Integer at;
  fmpz_set(at, offset);
  fmpz_addmul_ui(at, factor, first);
  fmpz_mod(at, at, modulus);
  number::Integer room;
  for (std::uint64_t n = first; n < count;) {
    result.push_back(n);
    fmpz_sub(room, width, at);
    const bool goes_up = up.n < count && fmpz_cmp(up.by, room) <= 0;
    const bool goes_down = down.n < count && fmpz_cmp(down.by, at) <= 0;
    const bool both = !goes_up && !goes_down;
    const bool ups = both || (goes_up && (!goes_down || up.n <= down.n));
    const bool downs = both || !ups;
    const uint128 steps = uint128(ups ? up.n : 0) + (downs ? down.n : 0);
    if (steps >= count - n)
      break;
    n += static_cast<std::uint64_t>(steps);
    if (ups)
      fmpz_add(at, at, up.by);
    if (downs)
      fmpz_sub(at, at, down.by);
  }
  return result;
}

number::Integer count_within(const number::Integer& factor, const number::Integer& offset, const number::Integer& width,
                             const number::Integer& modulus, std::uint64_t count) {
  // ⌊u/M⌋ − ⌊(u − width − 1)/M⌋ is 1 if u mod M ≤ width, else 0.
  number::Integer below;
  fmpz_sub(below, offset, width);
  fmpz_sub_ui(below, below, 1);
  number::Integer result = floor_sum(factor, offset, modulus, count);
  fmpz_sub(result, result, floor_sum(factor, below, modulus, count));
  return result;
}

} // namespace tmd::engine::phase
