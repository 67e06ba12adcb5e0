// How a stretch is cut: a range whose values are not known to lie in one binade is cut at a border that Newton's method
// finds, if f is monotone there, else halved. The precision of enclosures rises only when it helps.

#include "job/pieces.hpp"

#include "function/taylor_form.hpp"
#include "number/hull.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace tmd::job {

namespace {

// Pieces shorter than this are not worth a polynomial.
constexpr std::uint64_t shortest_piece = 16;

// In a range of fewer arguments no border is looked for by values; halving it soon places all.
constexpr std::uint64_t fewest_to_search = 16;

// ⌊log2 x⌋ for x > 0, clamped beyond ±most_value_exponent.
long floor_log2(arf_srcptr x) {
  number::Integer exponent;
  arf_abs_bound_lt_2exp_fmpz(exponent, x); // the smallest e with |x| < 2^e
  if (fmpz_bits(exponent) > 32)
    return fmpz_sgn(exponent) * (2 * function::most_value_exponent);
  return fmpz_get_si(exponent) - 1;
}

} // namespace

std::optional<OutputBinade> binade_of(arb_srcptr value, long precision, const format::BreakpointGrid& grid, int K) {
  if (arb_is_finite(value) == 0 || arb_contains_zero(value) != 0)
    return std::nullopt;
  number::Arb magnitude;
  arb_abs(magnitude, value);
  const number::Hull hull = number::Hull::of(magnitude, precision);
  if (arf_sgn(mid(hull.lower)) <= 0)
    return std::nullopt;
  const long exponent = floor_log2(mid(hull.lower));
  const long most = floor_log2(mid(hull.upper));
  const bool negative = arb_is_negative(value) != 0;
  if (grid.is_bounded() && exponent > grid.max_exponent)
    return OutputBinade{negative, grid.max_exponent + 1};
  if (grid.is_bounded() && most <= grid.max_exponent && !grid.reaches(static_cast<int>(most), K))
    return OutputBinade{negative, -format::BreakpointGrid::no_exponent};
  if (most != exponent)
    return std::nullopt;
  if (std::abs(exponent) > function::most_value_exponent)
    throw UsageError(
        fmt::format("values beyond 2^±{} are not searched; choose a smaller range", function::most_value_exponent));
  return OutputBinade{negative, static_cast<int>(exponent)};
}

// The borders of output binades in a range where f is monotone, one after the other. The value at a border is known, so
// that Newton's method soon comes next to it; where it does not, the bracket is halved.
class PieceCutter::Borders {
public:
  // The significands first … last of a stretch.
  Borders(const PieceCutter& cutter, uint128 first, uint128 last) : cutter_(cutter), lower_(first), last_(last) {}

  // The last significand whose value has the binade of the first one's, and that binade. Nothing if a value cannot be
  // placed.
  [[nodiscard]] std::optional<std::pair<uint128, OutputBinade>> next() {
    if (!at_last_)
      at_last_ = look_at(last_);
    if (!at_lower_)
      at_lower_ = look_at(lower_);
    if (!at_last_ || !at_lower_)
      return std::nullopt;
    const OutputBinade binade = *at_lower_;
    const auto placed = [&](uint128 significand, std::optional<OutputBinade> behind) {
      lower_ = significand + 1;
      at_lower_ = behind;
      return std::pair(significand, binade);
    };
    if (binade == *at_last_)
      return placed(last_, {});
    // Values move away from zero or towards it, possibly through zero to the other sign.
    const bool rises = binade.negative == at_last_->negative && at_last_->exponent > binade.exponent;
    arb_set_si(border_, binade.negative ? -1 : 1);
    arb_mul_2exp_si(border_, border_, binade.exponent + (rises ? 1 : 0));
    uint128 upper = last_;
    OutputBinade at_upper = *at_last_;
    for (int looks = 0; upper - lower_ > 1; ++looks) {
      const uint128 middle = lower_ + (upper - lower_) / 2;
      const uint128 next = looks % 4 == 3 ? middle : newton(upper).value_or(middle);
      const auto found = look_at(next);
      if (!found && look_at(next - 1) == binade) // it is the border, and the caller continues from there
        return placed(next - 1, {});
      if (!found)
        return std::nullopt;
      if (*found == binade) {
        lower_ = next;
      } else {
        upper = next;
        at_upper = *found;
      }
    }
    return placed(lower_, at_upper);
  }

private:
  static constexpr long precision = 192;

  // Next to a power of two it may take many bits, as it does for tgamma at small x, which is 1/x - 0.577…
  [[nodiscard]] std::optional<OutputBinade> look_at(uint128 significand) {
    looked_at_ = significand;
    number::Arb x;
    number::set(x, significand);
    to_arguments(x, cutter_.stretch_);
    std::optional<OutputBinade> found;
    for (long bits = precision; bits <= 16 * precision && !found; bits *= 4) {
      cutter_.function_->series(values_.data(), x, values_.size(), bits);
      found = binade_of(values_[0], bits, cutter_.grid_, cutter_.K_);
    }
    return found;
  }

  // The place where the tangent at the last value reaches the border, strictly between lower_ and upper.
  [[nodiscard]] std::optional<uint128> newton(uint128 upper) const {
    number::Arb step; // Newton's step in arguments
    arb_sub(step, border_, values_[0], precision);
    arb_div(step, step, values_[1], precision);
    arb_mul_2exp_si(step, step, -cutter_.stretch_.unit_exponent);
    if (cutter_.stretch_.negative)
      arb_neg(step, step);
    number::Arb from;
    number::set(from, looked_at_);
    arb_add(step, step, from, precision);
    if (arb_is_finite(step) == 0)
      return std::nullopt;
    number::Arb end;
    const arf_srcptr target = mid(step);
    number::set(end, lower_ + 1);
    if (arf_cmp(target, mid(end)) <= 0)
      return lower_ + 1;
    number::set(end, upper - 1);
    if (arf_cmp(target, mid(end)) >= 0)
      return upper - 1;
    number::Integer rounded; // the step, positive and below 2^128
    arf_get_fmpz(rounded, target, ARF_RND_NEAR);
    std::array<ulong, 2> words{};
    fmpz_get_ui_array(words.data(), static_cast<slong>(words.size()), rounded);
    return uint128(words[1]) << 64 | words[0];
  }

  const PieceCutter& cutter_;
  uint128 lower_; // no significand before it is left
  uint128 last_;
  std::optional<OutputBinade> at_lower_;
  std::optional<OutputBinade> at_last_;
  uint128 looked_at_ = 0;
  number::ArbVector values_{2}; // f and f′ there
  number::Arb border_;
};

namespace {

// Whether a derivative without a zero is proven for all real numbers between these significands.
bool is_monotone(const function::Function& function, const Stretch& stretch, uint128 first, uint128 last) {
  constexpr long precision = 192;
  number::Arb all;
  number::set_interval(all, first, last);
  to_arguments(all, stretch);
  number::ArbVector coefficients(2);
  function::taylor_form(function.series, function.series, 3, coefficients.data(), all, 2, precision);
  return arb_is_finite(coefficients[0]) != 0 && arb_is_finite(coefficients[1]) != 0 &&
         arb_contains_zero(coefficients[1]) == 0;
}

} // namespace

PieceCutter::PieceCutter(const function::Function& function, const Stretch& stretch, std::function<bool()> interrupted)
    : PieceCutter(function, format::BreakpointGrid(), 1, stretch, std::move(interrupted)) {}

PieceCutter::PieceCutter(const Job& job, const Stretch& stretch, std::function<bool()> interrupted)
    : PieceCutter(*job.function, job.grid(), job.K, stretch, std::move(interrupted)) {}

PieceCutter::PieceCutter(const function::Function& function, const format::BreakpointGrid& grid, int K,
                         const Stretch& stretch, std::function<bool()> interrupted)
    : function_(&function), grid_(grid), K_(K), stretch_(stretch), interrupted_(std::move(interrupted)) {
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

PieceCutter::~PieceCutter() = default;

// Cuts until all values of the first range have one binade, or it is a single argument: at the border if f is monotone,
// else by bisection.
std::optional<PieceCutter::Placed> PieceCutter::place_next() {
  bool has_searched = false;
  while (!waiting_.empty()) {
    if (interrupted_ && interrupted_())
      throw Interrupted();
    const Range range = waiting_.back();
    const uint128 last = range.first + (range.count - 1);
    waiting_.pop_back();
    if (borders_) {
      const auto border = borders_->next();
      if (border && border->first < last)
        waiting_.push_back({border->first + 1, last - border->first});
      else
        borders_.reset();
      if (border)
        return Placed{{range.first, border->first - range.first + 1}, border->second};
      has_searched = true; // it would fail in halves, too
    }
    if (const auto values = place(range); values || range.count == 1)
      return Placed{range, values};
    if (!has_searched && range.count >= fewest_to_search && is_monotone(*function_, stretch_, range.first, last)) {
      borders_ = std::make_unique<Borders>(*this, range.first, last);
      waiting_.push_back(range);
      continue;
    }
    const uint128 half = range.count / 2;
    waiting_.push_back({range.first + half, range.count - half});
    waiting_.push_back({range.first, half});
  }
  return std::nullopt;
}

// Precision is raised as long as not even the middle argument's value can be placed with half of it. If that one can be
// placed, it is the range that is too long. If there is no value, no precision helps.
std::optional<OutputBinade> PieceCutter::place(const Range& range) const {
  const Argument middle_argument{stretch_.negative, range.first + range.count / 2, stretch_.unit_exponent};
  number::Arb all;
  number::Arb middle;
  number::set_interval(all, range.first, range.first + (range.count - 1));
  number::set(middle, middle_argument.significand);
  to_arguments(all, stretch_);
  to_arguments(middle, stretch_);
  for (long precision = 192; precision <= 3072; precision *= 4) {
    if (const auto output = binade_of(function::enclose(*function_, all, precision), precision, grid_, K_))
      return output;
    number::Arb value;
    function_->series(value, middle, 1, precision / 2);
    if (binade_of(value, precision / 2, grid_, K_))
      return std::nullopt;
    if (arb_is_finite(value) == 0 && function_->value(format::to_mpfr(middle_argument), precision).is_undefined())
      return std::nullopt;
  }
  return std::nullopt;
}

bool PieceCutter::has_long_pieces(const Job& job, const Stretch& stretch, int bits) {
  // Pieces may end at whole arguments, as those of exp2 do, and so at some of these places: most of them decide.
  constexpr std::array<std::pair<unsigned, unsigned>, 5> places{{{1, 7}, {3, 11}, {6, 13}, {11, 17}, {16, 19}}};
  const PieceCutter cutter(job, stretch);
  constexpr std::size_t most = places.size() / 2; // that do not decide
  std::size_t longs = 0;
  std::size_t shorts = 0;
  for (const auto& [numerator, denominator] : places) {
    const uint128 first = stretch.first + stretch.count / denominator * numerator;
    ++(cutter.place({first, uint128(1) << bits}) ? longs : shorts);
    if (longs > most || shorts > most)
      break;
  }
  return longs > most;
}

Coverage out_of_reach(const Job& job, const Coverage& ranks, const std::function<bool()>& interrupted) {
  const format::ArgumentSet arguments = job.arguments();
  const format::BreakpointGrid grid = job.grid();
  Coverage result;
  for (const auto& [first, last] : ranks.intervals())
    for (const Stretch& stretch : stretches(arguments, first, last)) {
      PieceCutter cutter(job, stretch, interrupted);
      while (const auto piece = cutter.next())
        if (piece->values && !grid.reaches(piece->values->exponent, job.K)) {
          const RankInterval found = ranks_of(arguments, piece->arguments, 0, piece->arguments.count);
          result.add(found.first, found.last);
        }
    }
  return result;
}

bool stays_within_bounds(const Job& job, const Coverage& ranks) {
  constexpr long precision = 192;
  constexpr int most_enclosures = 1000;
  const format::ArgumentSet arguments = job.arguments();
  std::vector<Coverage::Interval> waiting = ranks.intervals();
  for (int count = 0; !waiting.empty(); ++count) {
    if (count == most_enclosures)
      return false;
    const auto [first, last] = waiting.back();
    waiting.pop_back();
    number::Arb all;
    arb_set_interval_mpfr(all, format::to_mpfr(arguments.at(first)), format::to_mpfr(arguments.at(last - 1)),
                          precision);
    number::Arb values = function::enclose(*job.function, all, precision);
    arb_abs(values, values);
    const number::Hull hull = number::Hull::of(values, precision);
    if (arb_is_finite(values) != 0 && arf_cmp_2exp_si(mid(hull.lower), job.format.min_exponent) >= 0 &&
        arf_cmp_2exp_si(mid(hull.upper), job.format.max_exponent) < 0)
      continue;
    if (last - first == 1)
      return false;
    const auto middle = first + (last - first) / 2;
    waiting.push_back({middle, last});
    waiting.push_back({first, middle});
  }
  return true;
}

namespace {

// In a stretch of no more arguments there are never too many pieces: MPFR decides them one by one.
constexpr uint128 few_arguments = uint128(1) << 22;

} // namespace

bool leaves_out_stretches(const Job& job) {
  const std::vector<Stretch> all = stretches(job.arguments(), job.first, job.last);
  return std::count_if(all.begin(), all.end(), [](const Stretch& one) { return one.count > few_arguments; }) > 1;
}

bool has_too_many_pieces(const Job& job, const Stretch& stretch) {
  // At a random place among 2^12 equal pieces, the next 2^-13 of the stretch lie in one piece with probability 1/2.
  constexpr int places_bits = 13;
  return stretch.count > few_arguments &&
         !PieceCutter::has_long_pieces(job, stretch, bit_length((stretch.count >> places_bits) - 1));
}

bool has_only_short_pieces(const Job& job, const Stretch& stretch) {
  constexpr uint128 most_arguments = uint128(1) << 16; // a wrong guess about so few arguments costs little
  return stretch.count <= most_arguments && !PieceCutter::has_long_pieces(job, stretch, bit_length(shortest_piece - 1));
}

std::vector<Cut> cut_all(const function::Function& function, const format::ArgumentSet& arguments,
                         format::ArgumentSet::Rank first, format::ArgumentSet::Rank last) {
  std::vector<Cut> result;
  for (const Stretch& stretch : stretches(arguments, first, last))
    for (PieceCutter cutter(function, stretch); auto cut = cutter.next();)
      result.push_back(*cut);
  return result;
}

std::vector<Piece> find_pieces(const function::Function& function, const format::ArgumentSet& arguments,
                               format::ArgumentSet::Rank first, format::ArgumentSet::Rank last) {
  std::vector<Piece> result;
  for (const Cut& cut : cut_all(function, arguments, first, last))
    if (cut.values)
      result.push_back(cut.piece());
  return result;
}

} // namespace tmd::job
