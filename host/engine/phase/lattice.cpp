#include "engine/phase/lattice.hpp"

#include "engine/phase/field.hpp"

#include <cmath>

#include <flint/fmpz_lll.h>
#include <flint/fmpz_mat.h>

namespace tmd {

namespace {

constexpr int scaling_bits = 128; // of box units, in the reduction

class Matrix {
public:
  Matrix() { fmpz_mat_init(value_, 3, 3); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  ~Matrix() { fmpz_mat_clear(value_); }
  [[nodiscard]] fmpz_mat_struct* get() { return value_; }
  [[nodiscard]] fmpz* at(long row, long column) { return fmpz_mat_entry(value_, row, column); }

private:
  fmpz_mat_t value_;
};

constexpr long precision = 448;

// integer = ball·2^scaling_bits, rounded.
void set_scaled(fmpz* integer, const Arb& ball) {
  Arb scaled;
  arb_mul_2exp_si(scaled, ball, scaling_bits);
  arf_get_fmpz(integer, arb_midref(static_cast<arb_ptr>(scaled)), ARF_RND_NEAR);
}

// x·2^−shift for x in units of 2^−scaling_bits box units, as an integer of 64 bits; far too long ones as the longest.
std::int64_t to_units(const fmpz* x, double box_unit, int unit_bits) {
  constexpr int head = 40;
  Integer scaled;
  fmpz_set_si(scaled, static_cast<slong>(std::ldexp(box_unit, head)));
  fmpz_mul(scaled, scaled, x);
  fmpz_fdiv_q_2exp(scaled, scaled, static_cast<unsigned long>(scaling_bits + head - unit_bits));
  if (fmpz_bits(scaled) > 62)
    return std::int64_t(1) << 62;
  return fmpz_get_si(scaled);
}

} // namespace

std::array<std::uint64_t, phase::start_words> lattice_start(const PhaseLattice& lattice) {
  Arb omega;
  set_phase(omega, *lattice.omega);
  Arb y_unit; // 1/half_width
  arb_set_d(y_unit, lattice.half_width);
  arb_inv(y_unit, y_unit, precision);
  Arb z_unit;
  arb_set_d(z_unit, lattice.spacings);
  arb_inv(z_unit, z_unit, precision);
  // Coordinates of a point in box units, scaled.
  const auto place = [&](fmpz* y_out, fmpz* z_out, const Arb& y, const Arb& z) {
    Arb scaled;
    arb_mul(scaled, y, y_unit, precision);
    set_scaled(y_out, scaled);
    arb_mul(scaled, z, z_unit, precision);
    set_scaled(z_out, scaled);
  };
  Matrix vectors;
  Arb y;
  Arb z;
  fmpz_one(vectors.at(0, 0));
  fmpz_mul_2exp(vectors.at(0, 0), vectors.at(0, 0), static_cast<unsigned long>(scaling_bits - lattice.arguments_bits));
  arb_mul(z, omega, lattice.slope, precision);
  place(vectors.at(0, 1), vectors.at(0, 2), omega, z);
  arb_one(y);
  arb_set(z, lattice.slope);
  place(vectors.at(1, 1), vectors.at(1, 2), y, z);
  arb_zero(y);
  arb_one(z);
  place(vectors.at(2, 1), vectors.at(2, 2), y, z);
  fmpz_lll_t lll;
  fmpz_lll_context_init_default(lll);
  fmpz_lll(vectors.get(), nullptr, lll);

  const double y_box = std::ldexp(lattice.half_width, lattice.parameters->y_exponent);
  const double z_box = std::ldexp(lattice.spacings, lattice.parameters->z_exponent);
  std::array<std::uint64_t, phase::start_words> words{};
  std::size_t next = 0;
  Integer part;
  const auto put = [&](const fmpz* m, const fmpz* y_of, const fmpz* z_of) {
    const bool has_room = fmpz_bits(m) <= (lattice.m_words == 2 ? 126 : 62); // else nothing is begun with it
    fmpz_fdiv_r_2exp(part, m, 64);
    words.at(next++) = has_room ? fmpz_get_ui(part) : 0;
    words.at(next++) =
        has_room ? static_cast<std::uint64_t>(to_units(y_of, y_box, phase::robust_bits)) : std::uint64_t(1) << 62;
    words.at(next++) = static_cast<std::uint64_t>(to_units(z_of, z_box, phase::robust_bits));
    fmpz_fdiv_q_2exp(part, m, 64);
    words.at(next++) = has_room ? static_cast<std::uint64_t>(fmpz_get_si(part)) : 0;
  };
  Integer m;
  for (long row = 0; row < 3; ++row) {
    fmpz_fdiv_q_2exp(m, vectors.at(row, 0), static_cast<unsigned long>(scaling_bits - lattice.arguments_bits));
    put(m, vectors.at(row, 1), vectors.at(row, 2));
  }

  // The dual basis, to round coordinates with.
  double b[3][3];
  for (long row = 0; row < 3; ++row)
    for (long column = 0; column < 3; ++column) {
      Arb entry;
      arb_set_fmpz(entry, vectors.at(row, column));
      arb_mul_2exp_si(entry, entry, -scaling_bits);
      b[row][column] = arf_get_d(arb_midref(static_cast<arb_ptr>(entry)), ARF_RND_NEAR);
    }
  double dual[3][3];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const int p = (i + 1) % 3;
      const int q = (i + 2) % 3;
      dual[i][k] = b[p][(k + 1) % 3] * b[q][(k + 2) % 3] - b[p][(k + 2) % 3] * b[q][(k + 1) % 3];
    }
  const double determinant = b[0][0] * dual[0][0] + b[0][1] * dual[0][1] + b[0][2] * dual[0][2];

  Integer phase;
  for (int target = 0; target < lattice.parameters->targets; ++target) {
    // The origin, with the q and n that bring it nearest.
    fmpz_zero(phase);
    for (const std::uint64_t word : lattice.parameters->origin[target]) {
      fmpz_mul_2exp(phase, phase, 64);
      fmpz_add_ui(phase, phase, word);
    }
    fmpz_sub(phase, phase, *lattice.phase);
    set_phase(y, phase);
    Arb whole;
    Arb half;
    arb_one(half);
    arb_mul_2exp_si(half, half, -1);
    arb_add(whole, y, half, precision);
    arf_floor(arb_midref(static_cast<arb_ptr>(whole)), arb_midref(static_cast<arb_ptr>(whole)));
    mag_zero(arb_radref(static_cast<arb_ptr>(whole)));
    arb_sub(y, y, whole, precision);
    arb_mul(z, y, lattice.slope, precision);
    arb_add(z, z, lattice.value, precision);
    arb_add(whole, z, half, precision);
    arf_floor(arb_midref(static_cast<arb_ptr>(whole)), arb_midref(static_cast<arb_ptr>(whole)));
    mag_zero(arb_radref(static_cast<arb_ptr>(whole)));
    arb_sub(z, z, whole, precision);
    Matrix point;
    place(point.at(0, 1), point.at(0, 2), y, z);
    for (int tries = 0; tries < 4; ++tries) {
      double place_of[3];
      for (long column = 0; column < 3; ++column) {
        Arb entry;
        arb_set_fmpz(entry, point.at(0, column));
        arb_mul_2exp_si(entry, entry, -scaling_bits);
        place_of[column] = arf_get_d(arb_midref(static_cast<arb_ptr>(entry)), ARF_RND_NEAR);
      }
      place_of[2] += lattice.middle;
      Integer times;
      for (long i = 0; i < 3; ++i) {
        const double share =
            (dual[i][0] * place_of[0] + dual[i][1] * place_of[1] + dual[i][2] * place_of[2]) / determinant;
        fmpz_set_d(times, std::rint(share));
        for (long column = 0; column < 3; ++column)
          fmpz_submul(point.at(0, column), times, vectors.at(i, column));
      }
    }
    fmpz_fdiv_q_2exp(m, point.at(0, 0), static_cast<unsigned long>(scaling_bits - lattice.arguments_bits));
    put(m, point.at(0, 1), point.at(0, 2));
  }
  return words;
}

} // namespace tmd
