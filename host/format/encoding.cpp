#include "format/encoding.hpp"

#include "format/argument.hpp"
#include "tmd/error.hpp"
#include "tmd/integer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

namespace tmd::format {

namespace {

// Bits of the whole encoding. A number's rank is its encoding without the sign, except for x87's first bit of the
// significand.
int width_of(const Format& format) {
  constexpr std::array<std::pair<std::string_view, int>, 5> widths{
      {{"binary16", 16}, {"bfloat16", 16}, {"binary32", 32}, {"binary64", 64}, {"binary80", 80}}};
  const auto* found =
      std::find_if(widths.begin(), widths.end(), [&](const auto& one) { return one.first == format.name; });
  if (found == widths.end())
    throw UsageError(fmt::format("--raw: {} has no bits of its own", format.name));
  return found->second;
}

constexpr uint128 first_bit = uint128(1) << 63; // that of x87's significand
bool has_first_bit(const Format& format) { return format.name == "binary80"; }

std::string hex(uint128 value, int digits) {
  std::string text(static_cast<std::size_t>(digits), '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, value >>= 4)
    *digit = "0123456789abcdef"[static_cast<unsigned>(value & 15)];
  return "0x" + text;
}

} // namespace

std::string encoding_of(const Format& format, std::string_view number) {
  const int width = width_of(format);
  const ArgumentSet set(format, format.precision);
  const bool negative = number.starts_with('-');
  const std::string_view magnitude = number.substr(negative ? 1 : 0);
  uint128 rank = 0;
  if (magnitude == "inf" || magnitude == "nan")
    rank = static_cast<uint128>(set.end()) | (magnitude == "nan" ? uint128(1) << (format.precision - 2) : 0);
  else
    rank = static_cast<uint128>(set.parse(magnitude, "a number"));
  if (has_first_bit(format)) {
    const uint128 exponent = rank >> 63;
    rank = (exponent << 64) | (exponent == 0 ? 0 : first_bit) | (rank & (first_bit - 1));
  }
  return hex(rank | (negative ? uint128(1) << (width - 1) : 0), width / 4);
}

std::string number_of_encoding(const Format& format, std::string_view bits, std::string_view what) {
  const int width = width_of(format);
  const auto refuse = [&](std::string_view why) { throw UsageError(fmt::format("{}: '{}' {}", what, bits, why)); };
  uint128 value = 0;
  const std::string_view digits = bits.substr(std::min<std::size_t>(2, bits.size()));
  if (!bits.starts_with("0x") || digits.empty() || static_cast<int>(digits.size()) > width / 4)
    refuse(fmt::format("are no {} bits, written as 0x and at most {} digits", width, width / 4));
  for (const char digit : digits) {
    const auto place = std::string_view("0123456789abcdef").find(static_cast<char>(std::tolower(digit)));
    if (place == std::string_view::npos)
      refuse("has another character than hexadecimal digits");
    value = (value << 4) | place;
  }
  const bool negative = (value >> (width - 1)) != 0;
  uint128 rank = value & ((uint128(1) << (width - 1)) - 1);
  if (has_first_bit(format)) {
    const uint128 exponent = rank >> 64;
    if (((rank & first_bit) != 0) != (exponent != 0))
      refuse("is no number: the first bit of its significand is not what its exponent says");
    rank = (exponent << 63) | (rank & (first_bit - 1));
  }
  const ArgumentSet set(format, format.precision);
  const auto end = static_cast<uint128>(set.end());
  if (rank > end)
    return "nan";
  const std::string text = rank == end ? "inf" : to_hex(set.at(static_cast<ArgumentSet::Rank>(rank)));
  return (negative ? "-" : "") + text;
}

} // namespace tmd::format
