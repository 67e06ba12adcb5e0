#include "number/arb.hpp"

#include <cstdint>

namespace tmd::number {

void set(fmpz* integer, uint128 value) {
  fmpz_set_ui(integer, static_cast<std::uint64_t>(value >> 64));
  fmpz_mul_2exp(integer, integer, 64);
  fmpz_add_ui(integer, integer, static_cast<std::uint64_t>(value));
}

void write_words(const Integer& value, int words, std::uint64_t* out, std::size_t stride) {
  Integer rest(value);
  Integer low;
  for (int w = words - 1; w >= 0; --w) {
    fmpz_fdiv_r_2exp(low, rest, 64);
    out[static_cast<std::size_t>(w) * stride] = fmpz_get_ui(low);
    fmpz_fdiv_q_2exp(rest, rest, 64);
  }
}

void set(arb_ptr ball, uint128 value) {
  Integer integer;
  set(static_cast<fmpz*>(integer), value);
  arb_set_fmpz(ball, integer);
}

void set_interval(arb_ptr ball, uint128 first, uint128 last) {
  Integer sum;
  Integer width;
  set(static_cast<fmpz*>(sum), first);
  set(static_cast<fmpz*>(width), last);
  fmpz_add(sum, sum, width);
  set(static_cast<fmpz*>(width), last - first);
  arb_set_fmpz(ball, sum);
  mag_set_fmpz(arb_radref(ball), width);
  arb_mul_2exp_si(ball, ball, -1);
}

} // namespace tmd::number
