// How scaling reduces a job: f(2^a·x) = 2^v·f(x) or f(x) + v makes blocks of arguments alike, so one block with normal
// values and the ends of the range are enough.

#include "job/scaling.hpp"

#include <algorithm>
#include <optional>

namespace tmd::job {

namespace {

// An argument's |x| in [2^exponent, 2^(exponent + 1)).
int binade_of(const Argument& x) { return x.unit_exponent + bit_length(x.significand) - 1; }

// Scalings come in blocks of arguments: block j has those from 2^(a·j) to 2^(a·(j + 1)), or from j to j + 1 periods,
// and its values are those of block 0 times 2^(v·j), or plus v·j.
class Blocks {
public:
  explicit Blocks(const Job& job)
      : job_(job), grid_(job.grid()), arguments_(job.arguments()), scaling_(*job.function->scaling),
        is_half_(job.function->symmetry != Symmetry::none || job.function->domain.lower >= 0) {}

  [[nodiscard]] Coverage decisive() const {
    const bool is_period = scaling_.argument_exponent == 0 && scaling_.argument_addend == 1;
    const bool is_power = scaling_.argument_exponent > 0 && scaling_.argument_addend == 0;
    if (is_period && scaling_.value_addend == 0 && (is_half_ || scaling_.value_exponent != 0))
      return of_period();
    if (is_power && is_half_ && scaling_.argument_exponent <= job_.format.max_exponent)
      return scaling_.value_addend == 0 ? of_power() : of_logarithm();
    return {};
  }

private:
  using Rank = format::ArgumentSet::Rank;
  struct Numbers { // a range of block numbers
    int first;
    int last;
  };

  // The least x > 0 in this or a larger binade.
  [[nodiscard]] Rank power_of_two(long exponent) const {
    const int precision = job_.argument_precision;
    const int least = binade_of(arguments_.at(1));
    if (exponent <= least)
      return 1;
    if (exponent > job_.format.max_exponent)
      return arguments_.end();
    if (exponent < job_.format.min_exponent)
      return arguments_.rank({false, uint128(1) << (exponent - least), least});
    return arguments_.rank({false, uint128(1) << (precision - 1), static_cast<int>(exponent) - precision + 1});
  }

  // The argument next to an integer, towards 0, or the integer itself.
  [[nodiscard]] Rank towards_zero(int integer) const {
    const auto magnitude = static_cast<uint128>(integer < 0 ? -integer : integer);
    if (magnitude == 0)
      return 0;
    const int exponent = bit_length(magnitude) - 1;
    if (exponent > job_.format.max_exponent)
      return integer < 0 ? 1 - arguments_.end() : arguments_.end() - 1;
    const int shift = job_.argument_precision - 1 - exponent;
    const uint128 significand = shift >= 0 ? magnitude << shift : magnitude >> -shift;
    const Rank rank = arguments_.rank({false, significand, -shift});
    return integer < 0 ? -rank : rank;
  }

  // log2 of |f|, rounded down; nothing where f is 0, infinite or undefined.
  [[nodiscard]] std::optional<long> value_binade(Rank rank) const {
    constexpr long enough = 64;
    const function::ValueEnclosure value = job_.function->value(format::to_mpfr(arguments_.at(rank)), enough);
    if (value.is_undefined() || mpfr_regular_p(static_cast<mpfr_srcptr>(value.lower)) == 0)
      return std::nullopt;
    return mpfr_get_exp(static_cast<mpfr_srcptr>(value.lower)) - 1;
  }

  // The blocks whose values are all normal numbers, if the values of block 0 are in these binades. No value is at a
  // border, where an enclosure might be on its other side.
  [[nodiscard]] Numbers with_normal_values(long least, long most) const {
    constexpr int beyond = 1 << 20; // larger than any argument's exponent
    const int step = scaling_.value_exponent;
    Numbers numbers{-beyond, beyond};
    if (!grid_.is_bounded() || step == 0)
      return numbers;
    if (least <= grid_.min_exponent || most >= grid_.max_exponent)
      return {0, 0};
    const auto quotient = [&](long room) { return static_cast<int>(room / (step < 0 ? -step : step)); };
    const int up = quotient(std::max(grid_.max_exponent - 1 - most, 0L));
    const int down = quotient(std::max(least - 1 - grid_.min_exponent, 0L));
    return step > 0 ? Numbers{-down, up} : Numbers{-up, down};
  }

  // The arguments outside the blocks `numbers`, and a block that determines these.
  [[nodiscard]] Coverage with_ends(Rank first, Rank last, Rank lower, Rank upper) const {
    const Rank from = is_half_ ? 0 : 1 - arguments_.end();
    Coverage result(first, last);
    if (lower > from + (is_half_ ? 1 : 0)) // 0 alone determines nothing
      result.add(from, lower);
    if (upper < arguments_.end())
      result.add(upper, arguments_.end());
    const RankInterval domain = ranks_in_domain(job_.function->domain, arguments_);
    return result.intersection(Coverage(domain.first, domain.last));
  }

  // x − n is an argument for x beyond 1, for its last bit is that of x, and between 0 and 1.
  [[nodiscard]] Coverage of_period() const {
    const Rank one = power_of_two(0);
    const Rank first = is_half_ ? 0 : 1 - one;
    if (scaling_.value_exponent == 0)
      return {first, one};
    const auto least = value_binade(0);
    const auto most = value_binade(one - 1);
    if (!least || !most)
      return {};
    const Numbers normal = with_normal_values(std::min(*least, *most), std::max(*least, *most));
    return with_ends(first, one, std::min(towards_zero(normal.first), first),
                     std::max(towards_zero(normal.last + 1), one));
  }

  // For a power of x: in a block, values are largest and smallest at the ends.
  [[nodiscard]] Coverage of_power() const {
    const int length = scaling_.argument_exponent;
    const Rank first = power_of_two(0);
    const Rank last = power_of_two(length);
    const auto one = value_binade(first);
    const auto other = value_binade(last - 1);
    if (!one || !other)
      return {};
    const Numbers normal = with_normal_values(std::min(*one, *other), std::max(*one, *other));
    return with_ends(first, last, std::min(power_of_two(long(length) * normal.first), first),
                     std::max(power_of_two(long(length) * (normal.last + 1)), last));
  }

  // For f(2^a·x) = f(x) + 1, f(1) = 0: values of block j are from j to j + 1, and those in one binade have the same
  // places between breakpoints, as long as 1 is a multiple of the spacing.
  [[nodiscard]] Coverage of_logarithm() const {
    const function::ValueEnclosure zero = job_.function->value(format::to_mpfr(arguments_.at(power_of_two(0))), 64);
    if (scaling_.value_addend != 1 || scaling_.value_exponent != 0 || scaling_.factor != 1 ||
        mpfr_zero_p(static_cast<mpfr_srcptr>(zero.lower)) == 0 ||
        mpfr_zero_p(static_cast<mpfr_srcptr>(zero.upper)) == 0)
      return {};
    const int length = scaling_.argument_exponent;
    const int least = binade_of(arguments_.at(1)) / length - 1;
    const int most = job_.format.max_exponent / length;
    Coverage result;
    for (int block = least; block <= most; ++block) {
      const int magnitude = block >= 0 ? block : -block - 1; // least magnitude of the block's values
      const int binade = bit_length(static_cast<unsigned>(magnitude)) - 1;
      const bool is_first = magnitude == 0 || (magnitude == 1 << binade && (block > 0 || magnitude > most));
      if (is_first || binade + 1 > job_.format.precision)
        if (const Rank first = power_of_two(long(length) * block), last = power_of_two(long(length) * (block + 1));
            first < last)
          result.add(first, last);
    }
    return result;
  }

  const Job& job_;
  const format::BreakpointGrid grid_;
  const format::ArgumentSet arguments_;
  const function::Scaling& scaling_;
  const bool is_half_; // x >= 0 only
};

} // namespace

Coverage decisive_ranks(const Job& job) { return job.function->scaling ? Blocks(job).decisive() : Coverage(); }

void search_only(Job& job, const Coverage& decisive) {
  const auto intervals = decisive.intervals();
  job.first = intervals.front().first;
  job.last = intervals.back().last;
  job.by_scaling = true;
}

} // namespace tmd::job
