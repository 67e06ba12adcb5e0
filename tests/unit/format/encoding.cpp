// Conversion of numbers to bits and back.
#include "host/format/encoding.hpp"
#include "host/format/argument.hpp"
#include "host/number/random.hpp"
#include "unit/message_of.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>

#include <fmt/format.h>

namespace tmd::format {

TEST_CASE("bits are those of C's types") {
  const Format format = find_format("binary32");
  number::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random.next());
    const auto value = std::bit_cast<float>(bits);
    if (value != value)
      continue;
    const std::string text = fmt::format("0x{:08x}", bits);
    const std::string number = number_of_encoding(format, text, "X");
    CAPTURE(text);
    CHECK(std::stof(number) == value);
    CHECK(encoding_of(format, number) == text);
  }
}

TEST_CASE("other formats, infinities, what is not a number") {
  CHECK(encoding_of(find_format("binary16"), "0x1p+0") == "0x3c00");
  CHECK(encoding_of(find_format("bfloat16"), "-inf") == "0xff80");
  CHECK(encoding_of(find_format("binary64"), "nan") == "0x7ff8000000000000");
  CHECK(encoding_of(find_format("binary64"), "0x1p-1074") == "0x0000000000000001");
  CHECK(encoding_of(find_format("binary80"), "-0x1.8p+0") == "0xbfffc000000000000000");
  CHECK(number_of_encoding(find_format("binary80"), "0xbfffc000000000000000", "X") == "-0x1.8p+0");
  CHECK(number_of_encoding(find_format("binary80"), "0x7fff8000000000000000", "X") == "inf");
  CHECK(number_of_encoding(find_format("binary64"), "0x7ff8000000000000", "X") == "nan");
  CHECK(number_of_encoding(find_format("binary64"), "0x8000000000000000", "X") == "-0x0p+0");
}

TEST_CASE("what are no bits of the format is refused") {
  const auto refusal = [](const char* format, const char* bits) {
    return message_of([&] { (void)number_of_encoding(find_format(format), bits, "X"); });
  };
  CHECK(refusal("binary32", "0x123456789") == "X: '0x123456789' are no 32 bits, written as 0x and at most 8 digits");
  CHECK(refusal("binary32", "1.5") == "X: '1.5' are no 32 bits, written as 0x and at most 8 digits");
  CHECK(refusal("binary32", "0x12g") == "X: '0x12g' has another character than hexadecimal digits");
  CHECK(refusal("binary80", "0x3fff0000000000000000").find("first bit of its significand") != std::string::npos);
  CHECK(refusal("p12", "0x0") == "--raw: p12 has no bits of its own");
}

} // namespace tmd::format
