#include "library/encodings.hpp"

#include <cmath>

namespace tmd::library {

Encodings::Encodings(const Format& format)
    : format_(format), set_(format, format.precision), infinity_(static_cast<Code>(set_.end())),
      sign_(Code(1) << bit_length(infinity_)) {}

Code Encodings::code(const Argument& argument) const {
  const Argument size{false, argument.significand, argument.unit_exponent};
  return static_cast<Code>(set_.rank(size)) | (argument.negative ? sign_ : 0);
}

bool Encodings::is_before(Code one, Code other) const {
  const auto rank = [&](Code code) {
    const auto size = static_cast<int128>(magnitude(code));
    return is_negative(code) ? -size : size;
  };
  return rank(one) < rank(other);
}

Argument Encodings::argument(Code code) const {
  Argument result = set_.at(static_cast<format::ArgumentSet::Rank>(magnitude(code)));
  result.negative = is_negative(code);
  return result;
}

std::string Encodings::text(Code code) const {
  if (is_number(code))
    return to_hex(argument(code));
  const bool is_quiet = (code & not_a_number()) == not_a_number();
  const char* const name = !is_nan(code) ? "inf" : is_quiet ? "nan" : "snan";
  return (is_negative(code) ? "-" : "") + std::string(name);
}

Code Encodings::expected(const RightResult& right, Direction direction) const {
  if (std::isnan(right.fraction))
    return not_a_number();
  const Direction away = is_negative(right.toward_zero) ? Direction::downward : Direction::upward;
  const bool is_next = direction == Direction::nearest
                           ? right.fraction > 0.5 || (right.fraction == 0.5 && right.toward_zero % 2 != 0)
                           : right.fraction > 0 && direction == away;
  return right.toward_zero + (is_next ? 1 : 0);
}

bool Encodings::is_right(const RightResult& right, Direction direction, Code result) const {
  if (std::isnan(right.fraction))
    return is_nan(result);
  return result == expected(right, direction) || (right.fraction == 0 && is_zero(result) && is_zero(right.toward_zero));
}

} // namespace tmd::library
