// Formats by name.
#include "tmd/format.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

namespace tmd::format {

TEST_CASE("formats by name") {
  struct Row {
    const char* name;
    int precision, min_exponent, max_exponent;
  };
  for (const Row& row : {Row{"binary16", 11, -14, 15}, Row{"bfloat16", 8, -126, 127}, Row{"binary32", 24, -126, 127},
                         Row{"binary64", 53, -1022, 1023}, Row{"binary80", 64, -16382, 16383},
                         Row{"p2", 2, -1022, 1023}, Row{"p64", 64, -1022, 1023}}) {
    const Format format = find_format(row.name);
    CHECK(format.name == row.name);
    CHECK(format.precision == row.precision);
    CHECK(format.min_exponent == row.min_exponent);
    CHECK(format.max_exponent == row.max_exponent);
  }
  for (const char* name : {"", "p", "p1", "p65", "p-3", "p3x", "binary128", "Binary64"})
    CHECK_THROWS_AS((void)find_format(name), UsageError);
}

} // namespace tmd::format
