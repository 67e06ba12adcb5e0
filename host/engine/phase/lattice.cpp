// How a start is made: the lattice's basis is reduced (LLL) in scaled integers, the target's point is moved near the
// middle of the body by rounding in the dual basis, and both are written in the kernels' units.

#include "engine/phase/lattice.hpp"

#include "engine/phase/field.hpp"

#include <cmath>

#include <flint/fmpz_lll.h>
#include <flint/fmpz_mat.h>

namespace tmd::engine::phase {

namespace {

constexpr int scaling_bits = 128; // log2 of the scale of box units in the reduction

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
void set_scaled(fmpz* integer, const number::Arb& ball) {
  number::Arb scaled;
  arb_mul_2exp_si(scaled, ball, scaling_bits);
  arf_get_fmpz(integer, mid(scaled), ARF_RND_NEAR);
}

// x·2^−shift for x in units of 2^−scaling_bits box units, as an integer of 64 bits; longer ones are clamped.
std::int64_t to_units(const fmpz* x, double box_unit, int unit_bits) {
  constexpr int head = 40;
  number::Integer scaled;
  fmpz_set_si(scaled, static_cast<slong>(std::ldexp(box_unit, head)));
  fmpz_mul(scaled, scaled, x);
  fmpz_fdiv_q_2exp(scaled, scaled, static_cast<unsigned long>(scaling_bits + head - unit_bits));
  if (fmpz_bits(scaled) > 62)
    return std::int64_t(1) << 62;
  return fmpz_get_si(scaled);
}

double to_double(const fmpz* scaled) {
  number::Arb value;
  arb_set_fmpz(value, scaled);
  arb_mul_2exp_si(value, value, -scaling_bits);
  return arf_get_d(mid(value), ARF_RND_NEAR);
}

// Subtracts the nearest integer from x.
void take_nearest_off(number::Arb& x) {
  number::Arb whole;
  number::Arb half;
  arb_one(half);
  arb_mul_2exp_si(half, half, -1);
  arb_add(whole, x, half, precision);
  arf_floor(mid(whole), mid(whole));
  mag_zero(arb_radref(static_cast<arb_ptr>(whole)));
  arb_sub(x, x, whole, precision);
}

// The units of a box in phase and in spacings. Columns 1 and 2 of a matrix hold coordinates in them, scaled; column 0
// holds m in box units of arguments.
class BoxUnits {
public:
  explicit BoxUnits(const PhaseLattice& lattice) {
    arb_set_d(per_y_, lattice.half_width);
    arb_inv(per_y_, per_y_, precision);
    arb_set_d(per_z_, lattice.spacings);
    arb_inv(per_z_, per_z_, precision);
  }

  void set(Matrix& points, long row, const number::Arb& y, const number::Arb& z) const {
    number::Arb scaled;
    arb_mul(scaled, y, per_y_, precision);
    set_scaled(points.at(row, 1), scaled);
    arb_mul(scaled, z, per_z_, precision);
    set_scaled(points.at(row, 2), scaled);
  }

private:
  number::Arb per_y_;
  number::Arb per_z_;
};

// ball = the fraction in three words.
void set_fraction(arb_ptr ball, const std::uint64_t (&words)[3]) {
  number::Integer fraction;
  for (const std::uint64_t word : words) {
    fmpz_mul_2exp(fraction, fraction, 64);
    fmpz_add_ui(fraction, fraction, word);
  }
  set_phase(ball, fraction);
}

// The vectors that generate the lattice: those of m, q and n = 1.
void set_generators(Matrix& basis, const PhaseLattice& lattice, const BoxUnits& units) {
  number::Arb y;
  number::Arb z;
  set_phase(y, *lattice.omega);
  arb_mul(z, y, lattice.slope, precision);
  fmpz_one(basis.at(0, 0));
  fmpz_mul_2exp(basis.at(0, 0), basis.at(0, 0), static_cast<unsigned long>(scaling_bits - lattice.arguments_bits));
  units.set(basis, 0, y, z);
  if (lattice.is_logarithm) {
    arb_zero(y);
    set_fraction(z, lattice.parameters->rise);
    fmpz_mul_2exp(basis.at(1, 0), basis.at(0, 0), 64);
  } else {
    arb_one(y);
    arb_set(z, lattice.slope);
  }
  units.set(basis, 1, y, z);
  arb_zero(y);
  arb_one(z);
  units.set(basis, 2, y, z);
}

// Makes the vectors of a basis short.
void shorten(Matrix& basis) {
  fmpz_lll_t lll;
  fmpz_lll_context_init_default(lll);
  fmpz_lll(basis.get(), nullptr, lll);
}

// The dual of a basis, with which coordinates are rounded to points of the lattice.
class Dual {
public:
  explicit Dual(Matrix& basis) {
    double b[3][3];
    for (long row = 0; row < 3; ++row)
      for (long column = 0; column < 3; ++column)
        b[row][column] = to_double(basis.at(row, column));
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        const int p = (i + 1) % 3;
        const int q = (i + 2) % 3;
        dual_[i][k] = b[p][(k + 1) % 3] * b[q][(k + 2) % 3] - b[p][(k + 2) % 3] * b[q][(k + 1) % 3];
      }
    determinant_ = b[0][0] * dual_[0][0] + b[0][1] * dual_[0][1] + b[0][2] * dual_[0][2];
  }

  // The coordinate of a place along the basis's i-th vector.
  [[nodiscard]] double share(long i, const double (&place)[3]) const {
    return (dual_[i][0] * place[0] + dual_[i][1] * place[1] + dual_[i][2] * place[2]) / determinant_;
  }

private:
  double dual_[3][3];
  double determinant_;
};

// The origin of a target, with the nearest q and n.
void set_origin(Matrix& point, const PhaseLattice& lattice, int target, const BoxUnits& units) {
  number::Arb y;
  number::Arb z;
  set_phase(z, *lattice.phase);
  set_fraction(y, lattice.parameters->origin[target]);
  arb_sub(y, y, z, precision);
  take_nearest_off(y);
  arb_mul(z, y, lattice.slope, precision);
  arb_add(z, z, lattice.value, precision);
  number::Arb lift;
  set_fraction(lift, lattice.parameters->lift[target]);
  arb_add(z, z, lift, precision);
  take_nearest_off(z);
  units.set(point, 0, y, z);
}

// Subtracts vectors of the basis from a point until it is near the middle of the body.
void bring_near(Matrix& point, Matrix& basis, const Dual& dual, double middle) {
  constexpr int tries = 4; // each rounds the remainder of the one before
  number::Integer times;
  for (int i = 0; i < tries; ++i) {
    double place[3];
    for (long column = 0; column < 3; ++column)
      place[column] = to_double(point.at(0, column));
    place[2] += middle;
    for (long row = 0; row < 3; ++row) {
      fmpz_set_d(times, std::rint(dual.share(row, place)));
      for (long column = 0; column < 3; ++column)
        fmpz_submul(point.at(0, column), times, basis.at(row, column));
    }
  }
}

// The words that kernels read, point by point.
class StartWords {
public:
  explicit StartWords(const PhaseLattice& lattice)
      : lattice_(lattice), y_box_(std::ldexp(lattice.half_width, lattice.parameters->y_exponent)),
        z_box_(std::ldexp(lattice.spacings, lattice.parameters->z_exponent)) {}

  void put(Matrix& points, long row) {
    number::Integer m;
    fmpz_fdiv_q_2exp(m, points.at(row, 0), static_cast<unsigned long>(scaling_bits - lattice_.arguments_bits));
    const bool has_room = fmpz_bits(m) <= (lattice_.m_words == 2 ? 126 : 62); // otherwise nothing starts from it
    const std::int64_t y = to_units(points.at(row, 1), y_box_, layout::robust_bits);
    const std::int64_t z = to_units(points.at(row, 2), z_box_, layout::robust_bits);
    number::Integer part;
    fmpz_fdiv_r_2exp(part, m, 64);
    add(has_room ? fmpz_get_ui(part) : 0);
    add(has_room ? static_cast<std::uint64_t>(y) : std::uint64_t(1) << 62);
    add(static_cast<std::uint64_t>(z));
    fmpz_fdiv_q_2exp(part, m, 64);
    add(has_room ? static_cast<std::uint64_t>(fmpz_get_si(part)) : 0);
  }

  [[nodiscard]] const std::array<std::uint64_t, layout::start_words>& all() const { return words_; }

private:
  void add(std::uint64_t word) { words_.at(next_++) = word; }

  const PhaseLattice& lattice_;
  double y_box_;
  double z_box_;
  std::array<std::uint64_t, layout::start_words> words_{};
  std::size_t next_ = 0;
};

} // namespace

std::array<std::uint64_t, layout::start_words> lattice_start(const PhaseLattice& lattice) {
  const BoxUnits units(lattice);
  Matrix basis;
  set_generators(basis, lattice, units);
  shorten(basis);
  StartWords words(lattice);
  for (long row = 0; row < 3; ++row)
    words.put(basis, row);
  const Dual dual(basis);
  for (int target = 0; target < lattice.parameters->targets; ++target) {
    Matrix point;
    set_origin(point, lattice, target, units);
    bring_near(point, basis, dual, lattice.middle);
    words.put(point, 0);
  }
  return words.all();
}

} // namespace tmd::engine::phase
