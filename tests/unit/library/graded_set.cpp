// Sets of arguments at which to test: their size, degrees, binades and seeds; hardness by MPFR.
#include "host/library/graded_set.hpp"
#include "host/format/grid.hpp"
#include "host/function/catalogue.hpp"
#include "host/verify/confirm.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace tmd::library {
namespace {

GradedRequest of(const char* function, const char* format, std::size_t count) {
  GradedRequest request;
  request.function = &function::find_function(function);
  request.format = find_format(format);
  request.count = count;
  return request;
}

// Counts the set's arguments of each degree of hardness; 60 means 60 or more, or exact.
std::map<int, std::size_t> degrees(const GradedRequest& request, const GradedSet& set) {
  const Format& format = request.format;
  const Encodings encodings(format);
  const verify::Confirmation confirmation(
      *request.function, {Rounding::all, format.precision, format.min_exponent, format.max_exponent}, 2);
  std::map<int, std::size_t> counts;
  for (const Code code : set.arguments) {
    const auto found = confirmation.confirm(encodings.argument(code));
    if (found)
      ++counts[found->kind == Case::Kind::exact ? hardest_bits : std::min(hardest_bits, static_cast<int>(found->bits))];
  }
  return counts;
}

} // namespace

TEST_CASE("graded sets: as many arguments as are asked for, increasing, and the same for the same seed") {
  for (const std::size_t count : {1U, 7U, 100U, 3000U}) {
    GradedRequest request = of("exp", "binary64", count);
    const GradedSet set = graded_set(request);
    INFO(count);
    CHECK(set.arguments.size() == count);
    const Encodings encodings(request.format);
    CHECK(std::adjacent_find(set.arguments.begin(), set.arguments.end(), [&](Code left, Code right) {
            return !encodings.is_before(left, right);
          }) == set.arguments.end());
    CHECK(graded_set(request).arguments == set.arguments);
    request.seed = 1;
    CHECK(graded_set(request).arguments != set.arguments);
  }
}

TEST_CASE("graded sets: arguments of every degree of hardness, as MPFR has it") {
  const GradedRequest request = of("exp", "binary64", 400);
  const GradedSet set = graded_set(request);
  const std::map<int, std::size_t> by_mpfr = degrees(request, set);
  for (int bits = least_graded_bits; bits <= 36; ++bits) {
    INFO(bits);
    const std::size_t chosen = set.by_bits.at(static_cast<std::size_t>(bits));
    CHECK(chosen >= 4);
    CHECK(by_mpfr.at(bits) + 1 >= chosen); // a double decides next to a power of two
  }
}

TEST_CASE("graded sets: every binade where there is room, and what changes") {
  GradedRequest request = of("asinh", "binary32", 1000);
  const Encodings encodings(request.format);
  const format::ArgumentSet& all = encodings.set();
  request.ranks = {all.parse("0x1p+0", "from"), all.parse("0x1p+64", "to")};
  const GradedSet set = graded_set(request);
  CHECK(set.arguments.size() == 1000);
  CHECK(set.binades_of_function == 64);
  CHECK(set.binades == 64);
  CHECK(set.listed == 0);
  CHECK(set.fixed == 250);
}

TEST_CASE("graded sets: a short format has few arguments near breakpoints, and all that are found are taken") {
  const GradedRequest request = of("atan", "binary16", 10000);
  const GradedSet set = graded_set(request);
  CHECK(set.arguments.size() > 4000);
  CHECK(set.arguments.size() < 10000);
  CHECK(set.binades_of_function == 62); // 30 binades and the subnormal one, on both sides
}

TEST_CASE("graded sets: the first of a list, and only numbers of the range") {
  GradedRequest request = of("log", "binary32", 40);
  const Encodings encodings(request.format);
  const format::ArgumentSet& all = encodings.set();
  request.ranks = {all.parse("0x1p+0", "from"), all.parse("0x1p+1", "to")};
  for (int i = 0; i < 20; ++i)
    request.listed.push_back(encodings.code(all.at(request.ranks->first + 1000 + i)));
  const GradedSet set = graded_set(request);
  CHECK(set.listed == 10);
  for (int i = 0; i < 20; ++i)
    CHECK((std::find(set.arguments.begin(), set.arguments.end(), request.listed[static_cast<std::size_t>(i)]) !=
           set.arguments.end()) == (i < 10));
  for (const Code code : set.arguments) {
    CHECK_FALSE(encodings.is_before(code, encodings.code(all.at(request.ranks->first))));
    CHECK(encodings.is_before(code, encodings.code(all.at(request.ranks->last))));
  }
  request.ranks = {all.parse("-0x1p+1", "from"), all.parse("-0x1p+0", "to")};
  CHECK_THROWS_AS((void)graded_set(request), UsageError);
}

} // namespace tmd::library
