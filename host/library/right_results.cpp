// A stretch is cut into pieces on which one power of two scales F, and pieces into runs with one Taylor polynomial
// each. The length of runs doubles while the polynomials' errors allow it, and is halved when they do not.
#include "library/right_results.hpp"

#include "polynomial/taylor.hpp"
#include "tmd/error.hpp"
#include "verify/rounded_value.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tmd::library {

namespace {

constexpr int most_degree = 8;
constexpr std::size_t longest_run = std::size_t(1) << 16;
constexpr std::size_t shortest_run = 16; // shorter ones are no cheaper than MPFR
constexpr long usual_remainder = -24;    // log2, in ulps
constexpr long usual_fraction_bits = 64; // of the Taylor coefficients
// If the error of a run exceeds this share of the polynomial's variation, another polynomial is tried.
constexpr long relative_error = -16; // log2
constexpr long most_error = -12;     // log2; a larger error sends too many arguments to MPFR
constexpr double most_size = 0x1p46; // of the sums evaluated: their integers must be exact in double
constexpr double below_one = 0x1.fffffffffffffp-1;
constexpr double above_zero = std::numeric_limits<double>::min();
constexpr double no_fraction = std::numeric_limits<double>::quiet_NaN();

// P(t) = integer + slope·t + Σ coefficients[j]·(t/radius)^j + an error, for arguments i with t = i + first.
struct RunPolynomial {
  std::array<double, most_degree + 1> coefficients{};
  int degree = 0;
  double integer = 0;
  double slope = 0; // an integer
  double first = 0;
  double scale = 1; // 1/radius, a power of two
  double error = 0;
  number::Bound size; // bound of the sum
};

// The integer nearest to a ball's midpoint, which is subtracted from it; nothing if no double holds it.
std::optional<double> take_integer(arb_ptr ball) {
  number::Integer nearest;
  arf_get_fmpz(nearest, arb_midref(ball), ARF_RND_NEAR);
  if (fmpz_bits(nearest) > 45)
    return std::nullopt;
  arb_sub_fmpz(ball, ball, nearest, ARF_PREC_EXACT);
  return static_cast<double>(fmpz_get_si(nearest));
}

std::optional<RunPolynomial> run_polynomial(polynomial::TaylorPolynomial& taylor) {
  RunPolynomial run;
  run.degree = taylor.degree();
  const auto behind = static_cast<std::int64_t>(taylor.centre - taylor.first); // 0 … count/2
  const int radius_bits = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(behind, 1)));
  const auto integer = take_integer(taylor.coefficients[0]);
  const auto slope = take_integer(taylor.coefficients[1]);
  if (!integer || !slope || std::fabs(*slope) * std::ldexp(1, radius_bits) > most_size)
    return std::nullopt;
  run.integer = *integer;
  run.slope = *slope;
  run.first = -static_cast<double>(behind);
  run.scale = std::ldexp(1, -radius_bits);
  number::Bound error = taylor.remainder;
  for (int j = 0; j <= run.degree; ++j) {
    arb_ptr coefficient = taylor.coefficients[j];
    arb_mul_2exp_si(coefficient, coefficient, static_cast<long>(j) * radius_bits);
    run.size += number::Bound::of(coefficient);
    error += number::Bound::radius_of(coefficient);
    run.coefficients.at(static_cast<std::size_t>(j)) = arf_get_d(arb_midref(coefficient), ARF_RND_NEAR);
  }
  error += run.size * number::Bound(static_cast<std::uint64_t>(2 * run.degree + 2)).scaled(-53);
  error += number::Bound::power_of_two(-1000); // for products that underflow
  run.error = error.value();
  return run;
}

// Computes the results of a run; `base` is the encoding for F = 0. Returns how many fractions the error leaves open.
// Written so that compilers can vectorize it: adding 3·2^51 rounds a double to an integer.
template <int Degree>
std::size_t evaluate(const RunPolynomial& run, std::size_t count, std::uint64_t base, std::uint64_t* toward_zero,
                     double* fraction) {
  constexpr double magic = 0x1.8p52;
  const auto offset = base - std::bit_cast<std::uint64_t>(magic);
  std::array<double, Degree + 1> coefficients;
  std::copy_n(run.coefficients.begin(), coefficients.size(), coefficients.begin());
  const RunPolynomial constants = run;
  std::int64_t open = 0;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const double t = constants.first + static_cast<double>(i);
    const double s = t * constants.scale;
    double y = coefficients[Degree];
    for (std::size_t j = Degree; j-- > 0;)
      y = y * s + coefficients[j];
    const double nearest = (y + magic) - magic;
    const double off = y - nearest;
    const double distance = std::fabs(off);
    const bool below = off < 0;
    const double truncated = nearest - (below ? 1.0 : 0.0) + (constants.integer + constants.slope * t);
    const double behind = below ? std::min(1.0 + off, below_one) : off;
    const bool is_open = (distance <= constants.error) | (std::fabs(distance - 0.5) <= constants.error);
    toward_zero[i] = offset + std::bit_cast<std::uint64_t>(truncated + magic);
    fraction[i] = is_open ? no_fraction : behind;
    open += is_open ? 1 : 0;
  }
  return static_cast<std::size_t>(open);
}

using Evaluator = std::size_t (*)(const RunPolynomial&, std::size_t, std::uint64_t, std::uint64_t*, double*);

template <int... Degrees> constexpr auto evaluators_of(std::integer_sequence<int, Degrees...> /*degrees*/) {
  return std::array<Evaluator, sizeof...(Degrees)>{evaluate<Degrees>...};
}

constexpr auto evaluators = evaluators_of(std::make_integer_sequence<int, most_degree + 1>());

} // namespace

int short_encoding_bits(const Format& format) {
  constexpr int most = 32;
  const int bits = bit_length(Encodings(format).infinity()) + 1;
  if (bits > most)
    throw UsageError(fmt::format("{} has too many numbers to call a function at all of them", format.name));
  return bits;
}

RightResultFinder::RightResultFinder(const function::Function& function, const Format& format)
    : phase_(PhaseResults::of(function, format)), encodings_(format),
      periodic_(PeriodicResults::of(function, encodings_)), gamma_(GammaResults::of(function, encodings_)),
      run_(longest_run) {
  (void)short_encoding_bits(format);
  job_.function = &function;
  job_.format = format;
  job_.argument_precision = format.precision;
  job_.values = Values::format;
  grid_ = {Rounding::directed, format.precision, format.min_exponent, format.max_exponent};
}

std::uint64_t RightResultFinder::encoding(bool negative, std::uint64_t magnitude) const {
  return magnitude | (negative ? static_cast<std::uint64_t>(encodings_.sign()) : 0);
}

void RightResultFinder::find(const job::Stretch& stretch, RightResults& results) {
  const auto count = static_cast<std::size_t>(stretch.count);
  results.toward_zero.resize(count);
  results.fraction.resize(count);
  results.error = 0;
  results.by_mpfr = 0;
  results.no_value.clear();
  results.undecided.clear();
  if (job_.function->has_integer_poles && stretch.negative && stretch.unit_exponent >= 0)
    return fill_poles(stretch, results);
  if (periodic_ && periodic_->serves(stretch))
    return periodic_->find(stretch, results);
  if (gamma_ && gamma_->serves(stretch)) {
    for (const std::size_t i : gamma_->find(stretch, results))
      fill_one(stretch.argument(i), i, results);
    return;
  }
  if (fill_beyond(stretch, results))
    return;
  if (phase_ && PhaseResults::serves(stretch)) {
    phase_->find(stretch, results);
    return fill_open(stretch, 0, count, 0, results);
  }
  if (job::has_only_short_pieces(job_, stretch))
    return fill_slowly(stretch, 0, count, 0, results);
  job::PieceCutter cutter(job_, stretch);
  std::size_t at = 0;
  while (const auto cut = cutter.next()) {
    fill(*cut, at, results);
    at += static_cast<std::size_t>(cut->arguments.count);
  }
}

// C prescribes the same at all negative integers.
void RightResultFinder::fill_poles(const job::Stretch& stretch, RightResults& results) const {
  fill_one(stretch.argument(0), 0, results);
  std::fill(results.toward_zero.begin(), results.toward_zero.end(), results.toward_zero[0]);
  std::fill(results.fraction.begin(), results.fraction.end(), results.fraction[0]);
}

// Handles three cases: beyond some argument |f| does not fall and exceeds the largest number; or an enclosure of all
// values is so small that only their sign matters; or they lie so near to a limit of f that all round alike. The first
// would not show in enclosures of long ranges, the others not in those of pieces.
bool RightResultFinder::fill_beyond(const job::Stretch& stretch, RightResults& results) const {
  constexpr long precision = 64;
  constexpr double far = 0x1p14; // values there can still be computed
  const function::Function& function = *job_.function;
  const auto fill_all = [&](bool negative, std::uint64_t magnitude, double fraction) {
    std::fill(results.toward_zero.begin(), results.toward_zero.end(), encoding(negative, magnitude));
    std::fill(results.fraction.begin(), results.fraction.end(), fraction);
    return true;
  };
  number::Arb value;
  const double least = std::min(far, std::fabs(mpfr_get_d(format::to_mpfr(stretch.argument(0)), MPFR_RNDN)));
  const bool rises = !stretch.negative || function.symmetry != Symmetry::none;
  if (rises && function.rises_from <= least) {
    number::Arb x;
    arb_set_d(x, least);
    function.series(value, x, 1, precision);
    number::Arb size;
    number::Arb limit;
    arb_abs(size, value);
    arb_one(limit);
    arb_mul_2exp_si(limit, limit, grid_.max_exponent + 1);
    if (arb_is_finite(value) != 0 && arb_ge(size, limit) != 0)
      return fill_all((arb_is_negative(value) != 0) != (stretch.negative && function.symmetry == Symmetry::odd),
                      static_cast<std::uint64_t>(job_.arguments().end()) - 1, 1);
  }
  number::Arb all;
  number::set_interval(all, stretch.first, stretch.first + (stretch.count - 1));
  job::to_arguments(all, stretch);
  function.series(value, all, 1, precision);
  const bool is_positive = function.greater_than >= 0 || arb_is_positive(value) != 0;
  const bool is_negative = function.less_than <= 0 || arb_is_negative(value) != 0;
  const number::Bound quarter = number::Bound::power_of_two(grid_.least_spacing_exponent() - 2);
  if (arb_is_finite(value) != 0 && is_positive != is_negative && number::Bound::of(value) < quarter)
    return fill_all(is_negative, 0, RightResults::least_fraction);
  for (const bool is_below : {true, false}) {
    const auto limit = beside_limit(value, is_below);
    if (!limit)
      continue;
    results.error = limit->error;
    return fill_all(limit->right.toward_zero >= encodings_.sign(),
                    static_cast<std::uint64_t>(encodings_.magnitude(limit->right.toward_zero)), limit->right.fraction);
  }
  return false;
}

// The result of all values in an enclosure, if they lie within a small part of an ulp of the limit that f stays below
// or above. The enclosure may reach beyond the limit.
std::optional<RightResultFinder::BesideLimit> RightResultFinder::beside_limit(arb_srcptr values, bool is_below) const {
  const double limit = is_below ? job_.function->less_than : job_.function->greater_than;
  const bool is_zero_or_none = std::isinf(limit) || limit == 0;
  if (is_zero_or_none || arb_is_finite(values) == 0)
    return std::nullopt;
  const auto nearest = encodings_.set().nearest(fmt::format("{:a}", std::fabs(limit)), "a limit");
  if (!nearest.is_exact)
    return std::nullopt;
  const bool is_less = is_below == (limit > 0); // in size
  const Code toward_zero = static_cast<Code>(nearest.rank) - (is_less ? 1 : 0);
  const int ulp = encodings_.set().at(static_cast<format::ArgumentSet::Rank>(toward_zero)).unit_exponent;
  number::Arb off;
  arb_set_d(off, limit);
  arb_sub(off, off, values, 64);
  const number::Bound distance = number::Bound::of(off).scaled(-ulp);
  if (!(distance < number::Bound::power_of_two(usual_remainder)))
    return std::nullopt;
  return BesideLimit{{toward_zero | (limit < 0 ? encodings_.sign() : 0), is_less ? below_one : above_zero},
                     distance.value()};
}

void RightResultFinder::fill(const job::Cut& cut, std::size_t at, RightResults& results) {
  const auto count = static_cast<std::size_t>(cut.arguments.count);
  if (!cut.values)
    return fill_slowly(cut.arguments, 0, count, at, results);
  const auto fill_all = [&](std::uint64_t magnitude, double fraction) {
    std::fill_n(results.toward_zero.begin() + static_cast<long>(at), count, encoding(cut.values->negative, magnitude));
    std::fill_n(results.fraction.begin() + static_cast<long>(at), count, fraction);
  };
  if (cut.values->exponent > grid_.max_exponent)
    return fill_all(static_cast<std::uint64_t>(job_.arguments().end()) - 1, 1);
  if (cut.values->exponent == -format::BreakpointGrid::no_exponent)
    return fill_all(0, RightResults::least_fraction);
  const polynomial::ScaledFunction function(*job_.function, grid_, cut.piece());
  for (std::size_t done = 0; done < count;) {
    const std::size_t length = std::min(run_, count - done);
    if (fill_run(function, done, length, at + done, results)) {
      done += length;
      run_ = std::min(2 * run_, longest_run);
    } else if (length > shortest_run) {
      run_ = std::max(length / 2, shortest_run);
    } else {
      fill_slowly(cut.arguments, done, length, at + done, results);
      done += length;
    }
  }
}

bool RightResultFinder::fill_run(const polynomial::ScaledFunction& function, uint128 first, std::size_t count,
                                 std::size_t at, RightResults& results) const {
  constexpr int most_attempts = 3;
  const job::Piece& piece = function.piece();
  number::Bound target = number::Bound::power_of_two(usual_remainder);
  long fraction_bits = usual_fraction_bits;
  std::optional<RunPolynomial> run;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    auto taylor = polynomial::taylor_polynomial(function, first, count, target, most_degree, fraction_bits);
    run = taylor ? run_polynomial(*taylor) : std::nullopt;
    if (!run || !run->size.is_finite() || run->size.value() > most_size)
      return false;
    if (run->size.is_zero() || !(run->size.scaled(relative_error) < number::Bound::of(run->error)))
      break;
    target = run->size.scaled(usual_remainder);
    fraction_bits = usual_fraction_bits - static_cast<long>(run->size.log2());
  }
  if (run->error > std::ldexp(1, most_error))
    return false;
  const long exponent = std::max(piece.value_exponent, grid_.min_exponent);
  const std::uint64_t base = static_cast<std::uint64_t>(exponent - grid_.min_exponent) << (grid_.precision - 1);
  const std::size_t open = evaluators.at(static_cast<std::size_t>(run->degree))(
      *run, count, encoding(piece.value_negative, base), results.toward_zero.data() + at, results.fraction.data() + at);
  results.error = std::max(results.error, run->error);
  if (open > 0)
    fill_open(piece, first, count, at, results);
  return true;
}

void RightResultFinder::fill_open(const job::Stretch& stretch, uint128 first, std::size_t count, std::size_t at,
                                  RightResults& results) const {
  for (std::size_t i = 0; i < count; ++i)
    if (std::isnan(results.fraction[at + i]))
      fill_one(stretch.argument(first + i), at + i, results);
}

void RightResultFinder::fill_slowly(const job::Stretch& stretch, uint128 first, std::size_t count, std::size_t at,
                                    RightResults& results) const {
  for (std::size_t i = 0; i < count; ++i)
    fill_one(stretch.argument(first + i), at + i, results);
}

void RightResultFinder::fill_one(const Argument& argument, std::size_t at, RightResults& results) const {
  const auto value = verify::value_in_c(*job_.function, job_.format, format::to_mpfr(argument));
  ++results.by_mpfr;
  if (!results.set(at, value ? right_result(*value, encodings_) : std::nullopt))
    (value ? results.undecided : results.no_value).push_back(at);
}

} // namespace tmd::library
