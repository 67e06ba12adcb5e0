// Most results need two comparisons of bits. Different ones are ranked by the distance of the codes, and only the few
// with the largest errors are computed again by MPFR, to be shown.
#include "library/coded_results.hpp"

#include "number/random.hpp"
#include "verify/rounded_value.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tmd::library {

namespace {

constexpr double largest_fraction = 0x1.fffffffffffffp-1;

// The rank of |y|, a number of the format or an infinity.
Code magnitude_of(mpfr_srcptr y, const Format& format) {
  if (mpfr_zero_p(y) != 0)
    return 0;
  const Code binade = Code(1) << (format.precision - 1);
  if (mpfr_inf_p(y) != 0)
    return static_cast<Code>(format.max_exponent - format.min_exponent + 2) * binade;
  const long ulp = verify::ulp_exponent(format, y);
  number::Mpfr significand(mpfr_get_prec(y));
  mpfr_div_2si(significand, y, ulp, MPFR_RNDN);
  mpfr_abs(significand, significand, MPFR_RNDN);
  return static_cast<Code>(ulp + format.precision - 1 - format.min_exponent) * binade +
         mpfr_get_ui(significand, MPFR_RNDN);
}

// (|f(x)| − |truncated|)/ulp, which is known to be between `least` and `most`.
double fraction_of(const verify::RoundedValue& value, mpfr_srcptr truncated, const Format& format, double least,
                   double most) {
  number::Mpfr behind(mpfr_get_prec(value.enclosure.lower) + format.precision);
  mpfr_sub(behind, value.enclosure.lower, truncated, MPFR_RNDN);
  const long ulp = mpfr_zero_p(truncated) != 0 ? format.min_exponent - format.precision + 1
                                               : verify::ulp_exponent(format, truncated);
  mpfr_div_2si(behind, behind, ulp, MPFR_RNDN);
  return std::clamp(std::fabs(mpfr_get_d(behind, MPFR_RNDN)), least, most);
}

// Whether two directions give the same number or infinity.
bool agree(const verify::RoundedValue& value, Direction one, Direction other) {
  return mpfr_equal_p(mpfr_srcptr(*value.in(one)), mpfr_srcptr(*value.in(other))) != 0;
}

} // namespace

std::optional<verify::RoundedValue> value_in_c(const function::Function& function, const Encodings& encodings,
                                               Code argument) {
  if (encodings.is_number(argument))
    return verify::value_in_c(function, encodings.format(), format::to_mpfr(encodings.argument(argument)));
  number::Mpfr x(2); // NaN until it is set
  if (!encodings.is_nan(argument))
    mpfr_set_inf(x, encodings.is_negative(argument) ? -1 : 1);
  return verify::value_in_c(function, encodings.format(), x);
}

std::optional<RightResult> right_result(const verify::RoundedValue& value, const Encodings& encodings) {
  if (value.enclosure.is_undefined())
    return RightResult{};
  if (std::any_of(directions.begin(), directions.end(), [&](Direction one) { return !value.in(one); }))
    return std::nullopt;
  const Format& format = encodings.format();
  const mpfr_srcptr truncated = *value.in(Direction::toward_zero);
  const bool negative = mpfr_signbit(truncated) != 0;
  const Direction away = negative ? Direction::downward : Direction::upward;
  constexpr double least = std::numeric_limits<double>::min();
  const auto fraction = [&] {
    if (agree(value, Direction::toward_zero, away))
      return 0.0;
    if (mpfr_inf_p(mpfr_srcptr(*value.in(away))) != 0 && mpfr_cmpabs(value.enclosure.lower, truncated) > 0 &&
        mpfr_get_exp(static_cast<mpfr_srcptr>(value.enclosure.lower)) > format.max_exponent + 1)
      return 1.0;
    if (value.enclosure.is_exact())
      return fraction_of(value, truncated, format, least, largest_fraction);
    return agree(value, Direction::toward_zero, Direction::nearest)
               ? fraction_of(value, truncated, format, least, std::nextafter(0.5, 0.0))
               : fraction_of(value, truncated, format, std::nextafter(0.5, 1.0), largest_fraction);
  };
  return RightResult{magnitude_of(truncated, format) | (negative ? encodings.sign() : 0), fraction()};
}

std::optional<RightResult> right_in_c(const function::Function& function, const Encodings& encodings, Code argument) {
  const auto value = value_in_c(function, encodings, argument);
  return value ? right_result(*value, encodings) : std::nullopt;
}

namespace {

bool is_worse(const Misrounded& one, const Misrounded& other) {
  return one.size != other.size ? one.size > other.size : one.argument < other.argument;
}

} // namespace

void Worst::add(const Misrounded& one) {
  if (last_ && !is_worse(one, *last_))
    return;
  kept_.push_back(one);
  if (kept_.size() >= 4 * most_)
    shrink();
}

void Worst::add(const Worst& other) {
  for (const Misrounded& one : other.kept_)
    add(one);
}

const std::vector<Misrounded>& Worst::take() {
  shrink();
  return kept_;
}

void Worst::shrink() {
  std::stable_sort(kept_.begin(), kept_.end(), is_worse);
  if (kept_.size() > most_) {
    kept_.resize(most_);
    last_ = kept_.back();
  }
}

ListedResults::ListedResults(std::size_t most_of_a_direction) : is_asked_(most_of_a_direction != 0) {
  kept_.fill(Worst(most_of_a_direction));
}

void ListedResults::add(Direction direction, const Misrounded& one) {
  if (!is_asked_)
    return;
  const auto low = static_cast<std::uint64_t>(one.argument);
  Misrounded scattered = one;
  scattered.size = static_cast<double>(number::Random(low ^ static_cast<std::uint64_t>(one.argument >> 64)).next());
  kept_.at(static_cast<std::size_t>(direction)).add(scattered);
}

void ListedResults::add(const ListedResults& other) {
  for (std::size_t i = 0; i < kept_.size(); ++i)
    kept_.at(i).add(other.kept_.at(i));
}

std::vector<LibraryFault> ListedResults::take(const Encodings& encodings) {
  std::vector<LibraryFault> faults;
  for (const Direction direction : directions)
    for (const Misrounded& one : kept_.at(static_cast<std::size_t>(direction)).take()) {
      LibraryFault& fault = faults.emplace_back();
      fault.x = encodings.text(one.argument);
      fault.direction = direction;
      fault.answer.text = encodings.is_nan(one.result) ? "nan" : encodings.text(one.result);
      fault.expected = encodings.text(one.expected);
    }
  return faults;
}

void BrokenPromise::add(const BrokenPromise& other, const Encodings& encodings) {
  arguments += other.arguments;
  if (other.first && (!first || encodings.is_before(*other.first, *first)))
    first = other.first;
}

std::optional<TestedPromise> BrokenPromise::tested(const std::optional<Promise>& promise,
                                                   const Encodings& encodings) const {
  if (!promise)
    return std::nullopt;
  return TestedPromise{promise->text(), arguments, first ? encodings.text(*first) : ""};
}

std::optional<LibraryFault> judge_exactly(const function::Function& function, const Encodings& encodings, Code argument,
                                          Code result, Direction direction, LibraryTally& tally) {
  const auto value = value_in_c(function, encodings, argument);
  return judge_result(encodings.text(argument), direction, encodings.is_nan(result) ? "nan" : encodings.text(result),
                      value ? *value : verify::not_a_number(encodings.format()), encodings.format(), tally);
}

bool breaks(const Promise& promise, const function::Function& function, const Encodings& encodings,
            const Misrounded& one, Direction direction) {
  constexpr double margin = 1e-6;
  if (!promise.allows(one.size / 2 - margin,
                      direction)) // half the size: near the end of a binade two ulps are possible
    return true;
  if (promise.allows(one.size * 2 + margin, direction))
    return false;
  LibraryTally unused;
  const auto exact = judge_exactly(function, encodings, one.argument, one.result, direction, unused);
  return exact && !promise.allows(exact->error, direction);
}

} // namespace tmd::library
