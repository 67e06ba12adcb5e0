#include "job/pieces.hpp"

#include "error.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

namespace tmd {

namespace {

// Pieces shorter than this are not worth a polynomial.
constexpr std::uint64_t shortest_piece = 16;
constexpr std::size_t most_leaves = std::size_t(1) << 20;

struct OutputBinade {
  bool negative;
  int exponent;
};

// ⌊log2 x⌋ for x > 0, or something beyond ±most_value_exponent.
long floor_log2(arf_srcptr x) {
  Integer exponent;
  arf_abs_bound_lt_2exp_fmpz(exponent, x); // smallest e with |x| < 2^e
  if (fmpz_bits(exponent) > 32)
    return fmpz_sgn(exponent) * (2 * most_value_exponent);
  return fmpz_get_si(exponent) - 1;
}

// The binade in which the whole ball lies, if there is one.
std::optional<OutputBinade> binade_of(arb_srcptr value, long precision) {
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
  if (floor_log2(arb_midref(static_cast<arb_ptr>(upper))) != exponent)
    return std::nullopt;
  if (std::abs(exponent) > most_value_exponent)
    throw UsageError(fmt::format("values beyond 2^±{} are not searched; choose a smaller range", most_value_exponent));
  return OutputBinade{arb_is_negative(value) != 0, static_cast<int>(exponent)};
}

class Bisection {
public:
  Bisection(const Function& function, const std::function<bool()>& interrupted, Pieces& result)
      : function_(function), interrupted_(interrupted), result_(result) {}

  void split(const Binade& binade) {
    open_.reset();
    bisect(binade, binade.first, binade.count);
    close();
  }

private:
  void bisect(const Binade& binade, uint128 first, uint128 count) {
    if (interrupted_ && interrupted_())
      throw Interrupted();
    if (const auto output = place(binade, first, count)) {
      append(binade, first, count, *output);
      return;
    }
    if (count == 1) {
      close();
      count_leaf();
      result_.singles.push_back({binade.negative, first, binade.unit_exponent});
      return;
    }
    bisect(binade, first, count / 2);
    bisect(binade, first + count / 2, count - count / 2);
  }

  // Precision is raised as long as not even the middle argument's value can be placed with half of it: where that can
  // be done, it is the interval that is too long.
  [[nodiscard]] std::optional<OutputBinade> place(const Binade& binade, uint128 first, uint128 count) const {
    Arb all;
    Arb middle;
    set_interval(all, first, first + (count - 1));
    set(middle, first + count / 2);
    for (const arb_ptr x : {static_cast<arb_ptr>(all), static_cast<arb_ptr>(middle)}) {
      arb_mul_2exp_si(x, x, binade.unit_exponent);
      if (binade.negative)
        arb_neg(x, x);
    }
    for (long precision = 192; precision <= 3072; precision *= 4) {
      if (const auto output = binade_of(enclose(function_, all, precision), precision))
        return output;
      Arb value;
      function_.series(value, middle, 1, precision / 2);
      if (binade_of(value, precision / 2))
        return std::nullopt;
    }
    return std::nullopt;
  }

  // Neighbours in the same output binade are one piece.
  void append(const Binade& binade, uint128 first, uint128 count, const OutputBinade& output) {
    if (open_ && open_->value_negative == output.negative && open_->value_exponent == output.exponent) {
      open_->count += count;
      return;
    }
    close();
    count_leaf();
    open_ = Piece{binade.negative, binade.unit_exponent, first, count, output.negative, output.exponent};
  }

  void close() {
    if (!open_)
      return;
    if (open_->count < shortest_piece)
      for (uint128 index = 0; index < open_->count; ++index)
        result_.singles.push_back(open_->argument(index));
    else
      result_.pieces.push_back(*open_);
    open_.reset();
  }

  void count_leaf() const {
    if (result_.pieces.size() + result_.singles.size() > most_leaves)
      throw UsageError(fmt::format("{} changes the binade of its values more than {} times on this range; search a "
                                   "smaller one",
                                   function_.name, most_leaves));
  }

  const Function& function_;
  const std::function<bool()>& interrupted_;
  Pieces& result_;
  std::optional<Piece> open_;
};

} // namespace

uint128 Pieces::count() const {
  uint128 count = singles.size();
  for (const Piece& piece : pieces)
    count += piece.count;
  return count;
}

Pieces find_pieces(const Function& function, const ArgumentSet& arguments, ArgumentSet::Rank first,
                   ArgumentSet::Rank last, const std::function<bool()>& interrupted) {
  Pieces result;
  Bisection bisection(function, interrupted, result);
  const auto search = [&](ArgumentSet::Rank from, ArgumentSet::Rank to) {
    for (const Binade& binade : arguments.binades(from, to))
      bisection.split(binade);
  };
  if (first < 0)
    search(first, std::min<ArgumentSet::Rank>(last, 0));
  if (first <= 0 && last > 0)
    result.singles.push_back(arguments.at(0));
  if (last > 0)
    search(std::max<ArgumentSet::Rank>(first, 1), last);

  if (result.count() != static_cast<uint128>(last - first))
    throw SoundnessError(
        fmt::format("the pieces hold {} arguments, the range {}", to_string(result.count()), to_string(last - first)));
  return result;
}

} // namespace tmd
