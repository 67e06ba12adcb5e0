#include "job/pieces.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

// Pieces shorter than this are not worth a polynomial.
constexpr std::uint64_t shortest_piece = 16;

// ⌊log2 x⌋ for x > 0, or something beyond ±most_value_exponent.
long floor_log2(arf_srcptr x) {
  Integer exponent;
  arf_abs_bound_lt_2exp_fmpz(exponent, x); // smallest e with |x| < 2^e
  if (fmpz_bits(exponent) > 32)
    return fmpz_sgn(exponent) * (2 * most_value_exponent);
  return fmpz_get_si(exponent) - 1;
}

// The binade in which the whole ball lies, if there is one. Those that have no breakpoints are one on each side.
std::optional<OutputBinade> binade_of(arb_srcptr value, long precision, const BreakpointGrid& grid, int bits) {
  if (arb_is_finite(value) == 0 || arb_contains_zero(value) != 0)
    return std::nullopt;
  Arb magnitude;
  Arb lower;
  Arb upper;
  arb_abs(magnitude, value);
  arb_get_lbound_arf(arb_midref(static_cast<arb_ptr>(lower)), magnitude, precision);
  arb_get_ubound_arf(arb_midref(static_cast<arb_ptr>(upper)), magnitude, precision);
  if (arf_sgn(arb_midref(static_cast<arb_ptr>(lower))) <= 0)
    return std::nullopt;
  const long exponent = floor_log2(arb_midref(static_cast<arb_ptr>(lower)));
  const long most = floor_log2(arb_midref(static_cast<arb_ptr>(upper)));
  const bool negative = arb_is_negative(value) != 0;
  if (grid.is_bounded() && exponent > grid.max_exponent)
    return OutputBinade{negative, grid.max_exponent + 1};
  if (grid.is_bounded() && most <= grid.max_exponent && !grid.reaches(static_cast<int>(most), bits))
    return OutputBinade{negative, -BreakpointGrid::no_exponent};
  if (most != exponent)
    return std::nullopt;
  if (std::abs(exponent) > most_value_exponent)
    throw UsageError(fmt::format("values beyond 2^±{} are not searched; choose a smaller range", most_value_exponent));
  return OutputBinade{negative, static_cast<int>(exponent)};
}

} // namespace

PieceCutter::PieceCutter(const Function& function, const Stretch& stretch, std::function<bool()> interrupted)
    : PieceCutter(function, BreakpointGrid(), 1, stretch, std::move(interrupted)) {}

PieceCutter::PieceCutter(const Job& job, const Stretch& stretch, std::function<bool()> interrupted)
    : PieceCutter(*job.function, job.grid(), job.bits, stretch, std::move(interrupted)) {}

PieceCutter::PieceCutter(const Function& function, const BreakpointGrid& grid, int bits, const Stretch& stretch,
                         std::function<bool()> interrupted)
    : function_(&function), grid_(grid), bits_(bits), stretch_(stretch), interrupted_(std::move(interrupted)) {
  if (stretch.count > 0)
    waiting_.push_back({stretch.first, stretch.count});
}

std::optional<Cut> PieceCutter::next() {
  for (;;) {
    std::optional<Placed> placed = place_next();
    if (placed && open_ && open_->values == placed->values) {
      open_->range.count += placed->range.count;
      continue;
    }
    std::optional<Placed> done = std::exchange(open_, placed);
    if (!done && !open_)
      return std::nullopt;
    if (!done)
      continue;
    Cut cut{{stretch_.negative, stretch_.unit_exponent, done->range.first, done->range.count}, done->values};
    if (cut.arguments.count < shortest_piece)
      cut.values.reset();
    return cut;
  }
}

// Bisects until the values of what comes first have one binade, or it is a single argument.
std::optional<PieceCutter::Placed> PieceCutter::place_next() {
  while (!waiting_.empty()) {
    if (interrupted_ && interrupted_())
      throw Interrupted();
    const Range range = waiting_.back();
    waiting_.pop_back();
    if (const auto values = place(range); values || range.count == 1)
      return Placed{range, values};
    const uint128 half = range.count / 2;
    waiting_.push_back({range.first + half, range.count - half});
    waiting_.push_back({range.first, half});
  }
  return std::nullopt;
}

// Precision is raised as long as not even the middle argument's value can be placed with half of it: where that can be
// done, it is the range that is too long. Where there is no value, no precision will do it.
std::optional<OutputBinade> PieceCutter::place(const Range& range) const {
  const Argument middle_argument{stretch_.negative, range.first + range.count / 2, stretch_.unit_exponent};
  Arb all;
  Arb middle;
  set_interval(all, range.first, range.first + (range.count - 1));
  set(middle, middle_argument.significand);
  to_arguments(all, stretch_);
  to_arguments(middle, stretch_);
  for (long precision = 192; precision <= 3072; precision *= 4) {
    if (const auto output = binade_of(enclose(*function_, all, precision), precision, grid_, bits_))
      return output;
    Arb value;
    function_->series(value, middle, 1, precision / 2);
    if (binade_of(value, precision / 2, grid_, bits_))
      return std::nullopt;
    if (arb_is_finite(value) == 0 && function_->value(to_mpfr(middle_argument), precision).is_undefined())
      return std::nullopt;
  }
  return std::nullopt;
}

bool PieceCutter::is_placed(const Range& range) const {
  constexpr long precision = 192;
  Arb all;
  set_interval(all, range.first, range.first + (range.count - 1));
  to_arguments(all, stretch_);
  return binade_of(enclose(*function_, all, precision), precision, grid_, bits_).has_value();
}

bool PieceCutter::has_long_pieces(const Job& job, const Stretch& stretch, int bits) {
  constexpr std::array<unsigned, 3> sevenths{1, 3, 5}; // no ends of pieces, as integers are those of exp2
  const PieceCutter cutter(job, stretch);
  const auto is_long = [&](unsigned seventh) {
    const uint128 first = stretch.first + stretch.count / 7 * seventh;
    if (cutter.is_placed({first, uint128(1) << bits}))
      return true;
    // Whatever needs many bits does not change its binade for that.
    return !cutter.is_placed({first, 1}) && cutter.place({first, 1}).has_value();
  };
  return std::count_if(sevenths.begin(), sevenths.end(), is_long) > 1;
}

bool has_too_many_pieces(const Job& job, const Stretch& stretch) {
  constexpr uint128 fewest_arguments = uint128(1) << 22; // MPFR does them one by one
  constexpr int most_pieces_bits = 13;
  return stretch.count > fewest_arguments &&
         !PieceCutter::has_long_pieces(job, stretch, bit_length((stretch.count >> most_pieces_bits) - 1));
}

std::vector<Cut> cut_all(const Function& function, const ArgumentSet& arguments, ArgumentSet::Rank first,
                         ArgumentSet::Rank last) {
  std::vector<Cut> result;
  for (const Stretch& stretch : stretches(arguments, first, last))
    for (PieceCutter cutter(function, stretch); auto cut = cutter.next();)
      result.push_back(*cut);
  return result;
}

std::vector<Piece> find_pieces(const Function& function, const ArgumentSet& arguments, ArgumentSet::Rank first,
                               ArgumentSet::Rank last) {
  std::vector<Piece> result;
  for (const Cut& cut : cut_all(function, arguments, first, last))
    if (cut.values)
      result.push_back(cut.piece());
  return result;
}

} // namespace tmd
