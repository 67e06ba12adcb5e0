// An argument's rank is its number, counted from 0 at the argument 0, with the argument's sign: in a binade ranks
// differ as significands do. Texts are read by MPFR with more bits than any number of a format has; whether the result
// is exact decides whether a text is a number of the format.
#include "format/argument.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

// Enough for any decimal that is exact in binary80, subnormal numbers included.
constexpr long parse_precision = 17000;

uint128 to_integer(mpfr_srcptr value) {
  number::Mpfr high(128);
  number::Mpfr low(128);
  mpfr_div_2si(high, value, 64, MPFR_RNDN);
  mpfr_floor(high, high);
  const auto high_word = static_cast<std::uint64_t>(mpfr_get_ui(high, MPFR_RNDN));
  mpfr_mul_2si(high, high, 64, MPFR_RNDN);
  mpfr_sub(low, value, high, MPFR_RNDN);
  return (static_cast<uint128>(high_word) << 64) | static_cast<std::uint64_t>(mpfr_get_ui(low, MPFR_RNDN));
}

} // namespace

std::string to_hex(const Argument& argument) {
  std::array<char, 64> text; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  char* end = text.data();
  const auto put = [&](std::string_view piece) { end = std::copy(piece.begin(), piece.end(), end); };
  if (argument.negative)
    put("-");
  if (argument.significand == 0) {
    put("0x0p+0");
    return {text.data(), end};
  }
  put("0x1");
  const int fraction_bits = bit_length(argument.significand) - 1;
  uint128 fraction = fraction_bits == 0 ? 0 : argument.significand << (128 - fraction_bits); // its first bit on top
  if (fraction != 0)
    put(".");
  for (; fraction != 0; fraction <<= 4)
    *end++ = "0123456789abcdef"[static_cast<unsigned>(fraction >> 124)];
  const int exponent = argument.unit_exponent + fraction_bits;
  put(exponent < 0 ? "p" : "p+");
  return {text.data(), std::to_chars(end, text.end(), exponent).ptr};
}

number::Mpfr format::to_mpfr(const Argument& argument) {
  number::Mpfr value(128);
  number::set(value, argument.significand, argument.unit_exponent);
  if (argument.negative)
    mpfr_neg(value, value, MPFR_RNDN);
  return value;
}

int compare(const Argument& left, const Argument& right) {
  const auto sign = [](const Argument& one) { return one.significand == 0 ? 0 : one.negative ? -1 : 1; };
  if (sign(left) != sign(right) || sign(left) == 0)
    return sign(left) < sign(right) ? -1 : sign(left) > sign(right) ? 1 : 0;
  constexpr int bits = 128;
  const auto normalized = [](const Argument& one) {
    const int length = bit_length(one.significand);
    return std::pair(one.unit_exponent + length, one.significand << (bits - length));
  };
  const auto one = normalized(left);
  const auto other = normalized(right);
  return one == other ? 0 : (one < other ? -1 : 1) * sign(left);
}

format::ArgumentSet::ArgumentSet(Format format, int precision) : format_(std::move(format)), precision_(precision) {
  if (precision < 2 || precision > max_precision + 1)
    throw UsageError(fmt::format("the argument precision must be 2 to {} bits, not {}", max_precision + 1, precision));
}

format::ArgumentSet::Rank format::ArgumentSet::end() const {
  const Rank blocks = format_.max_exponent - format_.min_exponent + 2; // the subnormal numbers, then the binades
  return blocks << (precision_ - 1);
}

Argument format::ArgumentSet::at(Rank rank) const {
  const bool negative = rank < 0;
  const auto position = static_cast<uint128>(negative ? -rank : rank);
  const auto block = static_cast<int>(position >> (precision_ - 1));
  const uint128 binade_size = uint128(1) << (precision_ - 1);
  const int unit = format_.min_exponent - precision_ + 1;
  if (block == 0)
    return {negative, position, unit};
  return {negative, binade_size + (position & (binade_size - 1)), unit + block - 1};
}

namespace {

// Reads a C hex float or a decimal. Returns MPFR's ternary value of the rounding; nothing if the text is none.
std::optional<int> read_number(mpfr_ptr value, std::string_view text) {
  const std::string copy(text);
  char* rest = nullptr;
  const int rounded = mpfr_strtofr(value, copy.c_str(), &rest, 0, MPFR_RNDN);
  const bool blank_first =
      !copy.empty() && std::isspace(static_cast<unsigned char>(copy.front())) != 0; // MPFR skips it
  if (copy.empty() || blank_first || rest == copy.c_str() || *rest != '\0')
    return std::nullopt;
  return rounded;
}

// Reads 2^N, or a number as above without a sign. Returns as read_number() does.
std::optional<int> read_term(mpfr_ptr value, std::string_view text) {
  constexpr std::string_view power = "2^";
  if (!text.starts_with(power)) {
    if (text.empty() || text.front() == '+' || text.front() == '-')
      return std::nullopt;
    return read_number(value, text);
  }
  constexpr long most = 1L << 30; // far beyond all formats
  text.remove_prefix(power.size());
  if (text.starts_with('+') && !text.starts_with("+-"))
    text.remove_prefix(1);
  long exponent = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, exponent);
  if (error == std::errc::invalid_argument || rest != end)
    return std::nullopt;
  if (error == std::errc::result_out_of_range)
    exponent = text.front() == '-' ? -most : most;
  return mpfr_set_ui_2exp(value, 1, std::clamp(exponent, -most, most), MPFR_RNDN);
}

// The end of a term in a sum: a sign that does not belong to an exponent.
std::size_t end_of_term(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  const std::string_view before_signs = is_hex ? "pP^" : "eE^"; // in hex floats, e is a digit
  for (std::size_t i = 1; i < text.size(); ++i)
    if ((text[i] == '+' || text[i] == '-') && before_signs.find(text[i - 1]) == std::string_view::npos)
      return i;
  return text.size();
}

// Reads terms with signs between them, and perhaps one before the first. Returns as read_number() does.
std::optional<int> read_sum(mpfr_ptr value, std::string_view text) {
  mpfr_set_ui(value, 0, MPFR_RNDN);
  number::Mpfr term(mpfr_get_prec(value));
  int rounded = 0;
  for (bool first = true; first || !text.empty(); first = false) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+'))
      text.remove_prefix(1);
    else if (!first)
      return std::nullopt;
    const std::size_t end = end_of_term(text);
    const auto read = read_term(term, text.substr(0, end));
    if (!read)
      return std::nullopt;
    const int sum = negative ? mpfr_sub(value, value, term, MPFR_RNDN) : mpfr_add(value, value, term, MPFR_RNDN);
    if (*read != 0 || sum != 0)
      rounded = 1;
    text.remove_prefix(end);
  }
  return rounded;
}

} // namespace

bool format::is_number(std::string_view text) {
  number::Mpfr value(53);
  const auto read = text.find('^') == std::string_view::npos ? read_number(value, text) : read_sum(value, text);
  return read && mpfr_nan_p(value) == 0;
}

format::ArgumentSet::Rank format::ArgumentSet::parse(std::string_view text, std::string_view what) const {
  const Nearest found = nearest(text, what);
  const bool is_beyond = found.rank == end() || found.rank == -end();
  if (is_beyond && !(found.is_exact && found.rank > 0)) // the power of two above all numbers is the end of ranges
    throw UsageError(fmt::format("{}: {} is beyond the largest number of {}", what, text, format_.name));
  if (!found.is_exact)
    throw UsageError(fmt::format("{}: {} is not a number of {} with {} bits; the nearest is {}", what, text,
                                 format_.name, precision_, to_hex(at(found.rank))));
  return found.rank;
}

format::ArgumentSet::Nearest format::ArgumentSet::nearest(std::string_view text, std::string_view what) const {
  number::Mpfr value(parse_precision);
  const auto read = text.find('^') == std::string_view::npos ? read_number(value, text) : read_sum(value, text);
  if (!read || mpfr_nan_p(value) != 0)
    throw UsageError(fmt::format("{}: '{}' is not a number", what, text));
  const int rounded = *read;
  if (mpfr_inf_p(value) != 0)
    throw UsageError(fmt::format("{}: a bound must be finite, not '{}'", what, text));
  const bool negative = mpfr_signbit(value) != 0;
  mpfr_abs(value, value, MPFR_RNDN);
  const bool zero = mpfr_zero_p(value) != 0; // possibly only after rounding, as for 1e-9999999999999999999
  if (zero && rounded == 0)
    return {0, true};
  number::Mpfr limit(2);
  mpfr_set_ui_2exp(limit, 1, format_.max_exponent + 1, MPFR_RNDN);
  if (const int against_limit = mpfr_cmp(value, limit); against_limit >= 0)
    return {negative ? -end() : end(), against_limit == 0 && rounded == 0};
  const long exponent = zero ? format_.min_exponent : mpfr_get_exp(value) - 1;
  const int block = static_cast<int>(std::max<long>(exponent, format_.min_exponent)) - format_.min_exponent;
  const int unit = format_.min_exponent - precision_ + 1 + block;
  mpfr_div_2si(value, value, unit, MPFR_RNDN);
  const bool exact = rounded == 0 && mpfr_integer_p(value) != 0;
  mpfr_rint(value, value, MPFR_RNDN);
  const Rank rank = (static_cast<Rank>(block) << (precision_ - 1)) + static_cast<Rank>(to_integer(value));
  return {negative ? -rank : rank, exact};
}

format::ArgumentSet::Rank format::ArgumentSet::rank(const Argument& argument) const {
  // The first two blocks, the subnormal numbers and the first binade, have the same unit.
  const int block = argument.unit_exponent - (format_.min_exponent - precision_ + 1);
  const Rank magnitude = (static_cast<Rank>(block) << (precision_ - 1)) + static_cast<Rank>(argument.significand);
  return argument.negative ? -magnitude : magnitude;
}

} // namespace tmd
