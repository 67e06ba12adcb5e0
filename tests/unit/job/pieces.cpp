// Pieces: their values stay in one binade.
#include "host/job/pieces.hpp"
#include "tmd/error.hpp"
#include "unit/ranges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace tmd::job {

TEST_CASE("pieces hold every argument once, with values of one binade") {
  struct Row {
    Range range;
    std::size_t least_pieces;
    std::size_t most_singles;
  };
  for (const Row& row :
       {Row{{"sin", "binary64", 53, "1", "2"}, 1, 40},      // across π/2: one binade, not monotone
        Row{{"exp", "binary64", 53, "1", "2"}, 2, 40},      // ln 4
        Row{{"exp", "binary64", 53, "-4", "4"}, 8, 5000},   // through zero, where exp is almost 1
        Row{{"log", "binary64", 53, "0.5", "2"}, 50, 3000}, // through one
        Row{{"cbrt", "binary16", 11, "-65504", "65504"}, 10, 400}, Row{{"sin", "binary16", 12, "-16", "16"}, 10, 2000},
        Row{{"exp2", "binary32", 24, "-3", "-1"}, 1, 40}, Row{{"sin", "binary64", 53, "3", "3.25"}, 40, 3000}}) {
    const Range& range = row.range;
    const format::ArgumentSet set(find_format(range.format), range.precision);
    const auto first = set.parse(range.from, "");
    const auto last = set.parse(range.to, "");
    const function::Function& f = function::find_function(range.function);
    std::vector<Piece> pieces;
    uint128 singles = 0; // these go to MPFR alone
    uint128 count = 0;
    for (const Cut& cut : cut_all(f, set, first, last)) {
      count += cut.arguments.count;
      if (cut.values)
        pieces.push_back(cut.piece());
      else
        singles += cut.arguments.count;
    }
    INFO(range.function, " from ", range.from, ": ", pieces.size(), " pieces, ", tmd::to_string(singles));
    CHECK(count == static_cast<uint128>(last - first));
    CHECK(pieces.size() >= row.least_pieces);
    CHECK(singles <= row.most_singles);
    CHECK(find_pieces(f, set, first, last).size() == pieces.size());
    // As intervals of ranks they are disjoint and leave nothing out.
    std::vector<std::pair<int128, int128>> spans;
    std::size_t wrong = 0;
    const auto rank = [&](const Argument& x) { return set.parse(to_hex(x), ""); };
    std::mt19937_64 random(2);
    for (const Piece& piece : pieces) {
      const auto from = rank(piece.argument(0));
      const auto to = rank(piece.argument(piece.count - 1));
      spans.emplace_back(std::min(from, to), std::max(from, to) + 1);
      wrong += spans.back().second - spans.back().first != static_cast<int128>(piece.count);
      for (int i = 0; i < 30; ++i) {
        const uint128 index = i == 0   ? 0
                              : i == 1 ? piece.count - 1
                                       : random() % static_cast<std::uint64_t>(piece.count);
        const number::Mpfr y = value_of(f, format::to_mpfr(piece.argument(index)), 300);
        wrong += mpfr_get_exp(static_cast<mpfr_srcptr>(y)) - 1 != piece.value_exponent ||
                 (mpfr_signbit(static_cast<mpfr_srcptr>(y)) != 0) != piece.value_negative;
        wrong += rank(piece.argument(index)) !=
                 (piece.negative ? from - static_cast<int128>(index) : from + static_cast<int128>(index));
      }
    }
    for (const Cut& cut : cut_all(f, set, first, last))
      for (uint128 i = 0; !cut.values && i < cut.arguments.count; ++i) {
        const int128 single = rank(cut.arguments.argument(i));
        spans.emplace_back(single, single + 1);
      }
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 0; i < spans.size(); ++i)
      wrong += spans[i].first != (i == 0 ? first : spans[i - 1].second);
    CHECK(spans.back().second == last);
    CHECK(wrong == 0);
  }
  CHECK_THROWS_AS((void)pieces_of({"exp", "binary64", 53, "-0x1.00001p70", "-0x1p70"}), UsageError);
  CHECK_THROWS_AS((void)pieces_of({"exp", "binary64", 53, "0x1p40", "0x1.00001p40"}), UsageError);
}

TEST_CASE("cuts: in the order of their stretches, neighbours of the same kind joined, as many as are asked for") {
  for (const Range& range : {Range{"sin", "binary16", 12, "-16", "16"}, Range{"exp", "binary64", 53, "-0x1p-3", "4"}}) {
    const format::ArgumentSet set(find_format(range.format), range.precision);
    const function::Function& f = function::find_function(range.function);
    const std::vector<Cut> all = cuts_of(range);
    std::size_t at = 0;
    for (const Stretch& stretch : stretches(set, set.parse(range.from, ""), set.parse(range.to, ""))) {
      PieceCutter cutter(f, stretch);
      uint128 next = stretch.first;
      while (const auto cut = cutter.next()) {
        REQUIRE(at < all.size());
        CHECK(cut->arguments.first == next);
        CHECK(cut->arguments.first == all[at].arguments.first);
        CHECK(cut->arguments.count == all[at].arguments.count);
        CHECK(cut->arguments.negative == stretch.negative);
        CHECK(cut->arguments.unit_exponent == stretch.unit_exponent);
        CHECK(cut->values == all[at].values);
        CHECK((!cut->values || cut->arguments.count >= 16)); // fewer arguments are not worth a polynomial
        next += cut->arguments.count;
        ++at;
      }
      CHECK(next == stretch.first + stretch.count);
      CHECK_FALSE(cutter.next()); // the end is reached and kept
    }
    CHECK(at == all.size());
  }
}

TEST_CASE("cuts: a search that is stopped does not wait for them") {
  const format::ArgumentSet set(find_format("binary64"), 53);
  const Stretch stretch = stretches(set, set.parse("3", ""), set.parse("3.25", "")).at(0);
  int asked = 0;
  PieceCutter cutter(function::find_function("sin"), stretch, [&] { return ++asked > 3; });
  CHECK_THROWS_AS(
      [&] {
        while (cutter.next())
          continue;
      }(),
      Interrupted);
  CHECK(asked == 4);
}

TEST_CASE("pieces: too many are told at every precision that values take") {
  struct Row {
    const char* function;
    const char* from;
    const char* to;
    bool too_many;
  };
  for (const Row& row : {Row{"sin", "0x1p40", "0x1p41", true},       // a sign change every few arguments
                         Row{"exp2", "1024", "1087", false},         // pieces end at sevenths of the range
                         Row{"exp2", "1024", "1101", false},         // and these at elevenths
                         Row{"j0", "0x1p300", "0x1p301", true},      // the phase takes 300 bits here
                         Row{"y1", "0x1p900", "0x1p901", true},      //
                         Row{"exp", "0x1p-300", "0x1p-299", false},  // next to 1, where 300 bits are also needed
                         Row{"exp", "1", "2", false},                //
                         Row{"log", "0x1p1000", "0x1p1001", false},  //
                         Row{"j0", "0x1p-300", "0x1p-299", false},   //
                         Row{"lgamma", "0x1p190", "0x1p191", false}, // values need 192 bits, the range needs more
                         Row{"lgamma", "-0x1.fffffffffffffp+12", "-0x1p12", false}, // a piece or two for each unit
                         Row{"lgamma", "-0x1.fffffffffffffp+13", "-0x1p13", true}}) {
    CAPTURE(std::string(row.function));
    CAPTURE(std::string(row.from));
    const Job job = job_on(row.function, "binary64", row.from, row.to);
    const Stretch stretch = stretches(job.arguments(), job.first, job.last).at(0);
    CHECK(has_too_many_pieces(job, stretch) == row.too_many);
  }
}

TEST_CASE("pieces: a range with many arguments in one binade only is searched as it is") {
  struct Row {
    const char* format;
    const char* from;
    const char* to;
    bool leaves_out;
  };
  for (const Row& row : {Row{"binary64", "0x1p20", "0x1p21", false},   //
                         Row{"binary64", "-0x1p21", "-0x1p20", false}, // one argument of another binade
                         Row{"binary64", "0x1p20", "0x1.8p21", true},  //
                         Row{"binary64", "-1", "1", true},             //
                         Row{"binary32", "1", "0x1p127", true},        //
                         Row{"binary16", "0", "0x1p15", false}}) {     // MPFR decides so few one by one
    CAPTURE(std::string(row.from));
    CHECK(leaves_out_stretches(job_on("j0", row.format, row.from, row.to)) == row.leaves_out);
  }
}

TEST_CASE("values stay within a format's bounds, or reach one") {
  struct Row {
    const char* function;
    const char* from;
    const char* to; // exclusive
    bool stays;
  };
  for (const Row& row : {Row{"exp", "-9.703125", "10.3984375", true},   // all of them: from 2^-14 to 2^15
                         Row{"exp", "-9.7109375", "10.3984375", false}, // subnormal
                         Row{"exp", "-9.703125", "10.40625", false},    // in the last binade
                         Row{"exp", "11", "12", false},                 // beyond the greatest number
                         Row{"sin", "0x1.004p-14", "3", true},          // not monotone
                         Row{"sin", "0x1p-14", "3", false},             // sin(2^-14) < 2^-14
                         Row{"sin", "-3", "-0x1.004p-14", true},        //
                         Row{"sin", "0", "1", false},                   // zero
                         Row{"log", "0.5", "2", false},                 // zero, at 1
                         Row{"tgamma", "-3", "-2.5", false},            // a pole
                         Row{"cos", "-1", "1", true}}) {
    CAPTURE(std::string(row.function));
    CAPTURE(std::string(row.from));
    const Job job = job_on(row.function, "binary16", row.from, row.to);
    CHECK(stays_within_bounds(job, job.range()) == row.stays);
  }
  const Job job = job_on("log", "binary16", "0.5", "2");
  const auto one = job.arguments().parse("1", "");
  CHECK(stays_within_bounds(job, Coverage(one, one + 1).complement_in(job.range()))); // all but the zero
}

} // namespace tmd::job
