// Multiples within an interval of residues, found by continued fractions, compared with a plain loop.
#include "host/engine/phase/residues.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace tmd::engine::phase {

namespace {

number::Integer integer(std::uint64_t value) {
  number::Integer result;
  fmpz_set_ui(result, value);
  return result;
}

std::vector<std::uint64_t> counted(std::uint64_t factor, std::uint64_t offset, std::uint64_t width,
                                   std::uint64_t modulus, std::uint64_t count) {
  std::vector<std::uint64_t> result;
  for (std::uint64_t n = 0; n < count; ++n)
    if ((factor * n + offset) % modulus <= width)
      result.push_back(n);
  return result;
}

std::vector<std::uint64_t> found(std::uint64_t factor, std::uint64_t offset, std::uint64_t width, std::uint64_t modulus,
                                 std::uint64_t count) {
  return multiples_within(integer(factor), integer(offset), integer(width), integer(modulus), count);
}

std::uint64_t how_many(std::uint64_t factor, std::uint64_t offset, std::uint64_t width, std::uint64_t modulus,
                       std::uint64_t count) {
  return fmpz_get_ui(count_within(integer(factor), integer(offset), integer(width), integer(modulus), count));
}

} // namespace

TEST_CASE("residues: every factor, offset and width of small moduli") {
  std::uint64_t wrong = 0;
  for (std::uint64_t modulus = 1; modulus <= 17; ++modulus)
    for (std::uint64_t factor = 0; factor < modulus; ++factor)
      for (std::uint64_t offset = 0; offset < modulus; ++offset)
        for (std::uint64_t width = 0; width < modulus; ++width)
          for (const std::uint64_t count : {std::uint64_t(0), std::uint64_t(1), modulus - 1, 2 * modulus + 1}) {
            const auto all = counted(factor, offset, width, modulus, count);
            wrong += found(factor, offset, width, modulus, count) != all;
            wrong += how_many(factor, offset, width, modulus, count) != all.size();
          }
  CHECK(wrong == 0);
}

TEST_CASE("residues: narrow intervals of large moduli") {
  std::uint64_t wrong = 0;
  std::uint64_t all = 0;
  std::uint64_t modulus = (std::uint64_t(1) << 31) - 1;
  for (std::uint64_t factor : {std::uint64_t(1), std::uint64_t(618033989), modulus / 2, modulus / 3, modulus - 1})
    for (const std::uint64_t width : {std::uint64_t(0), std::uint64_t(1000), std::uint64_t(3000000)})
      for (const std::uint64_t offset : {std::uint64_t(0), std::uint64_t(12345), modulus - 1}) {
        const auto some = found(factor, offset, width, modulus, 100000);
        all += some.size();
        wrong += some != counted(factor, offset, width, modulus, 100000);
        wrong += how_many(factor, offset, width, modulus, 100000) != some.size();
      }
  CHECK(wrong == 0);
  CHECK(all > 1000);
}

// The counts of intervals that tile all residues add up to n.
TEST_CASE("residues: counts of a tiling add up, also of moduli beyond machine words") {
  number::Integer modulus;
  fmpz_one(modulus);
  fmpz_mul_2exp(modulus, modulus, 192);
  number::Integer factor; // an odd number of 190 bits
  fmpz_set_ui(factor, 0x9e3779b97f4a7c15);
  fmpz_pow_ui(factor, factor, 3);
  fmpz_fdiv_r_2exp(factor, factor, 191);
  for (const std::uint64_t count : {std::uint64_t(1), std::uint64_t(1000003), std::uint64_t(1) << 52}) {
    number::Integer all;
    number::Integer from;
    number::Integer to;
    number::Integer offset;
    number::Integer width;
    for (const unsigned bits : {0U, 7U, 64U, 150U, 189U, 192U}) {
      fmpz_one(to);
      fmpz_mul_2exp(to, to, bits);
      fmpz_neg(offset, from);
      fmpz_mod(offset, offset, modulus);
      fmpz_sub(width, to, from);
      fmpz_sub_ui(width, width, 1);
      fmpz_add(all, all, count_within(factor, offset, width, modulus, count));
      fmpz_set(from, to);
    }
    CHECK(fmpz_cmp_ui(all, count) == 0);
  }
}

} // namespace tmd::engine::phase
