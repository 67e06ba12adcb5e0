// Boxes of extreme shapes over polynomials that are given: where F hardly changes, the term *slopes* of a tile's ledger
// decides, and where leaned coordinates cancel nearly all of the form, *form* does. Without the term, cases are lost.
#include "host/engine/boxes/reference.hpp"
#include "host/engine/boxes/tile_polynomial.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace tmd::test::tile_mutations {

namespace {

using engine::boxes::BoxLedger;
using engine::boxes::PowerStrip;
using engine::boxes::TilePolynomial;

// One row of boxes over a polynomial of X and Y, counted from the middle of a frame.
struct Row {
  std::vector<std::uint64_t> words;
  PowerStrip strip;
  [[nodiscard]] engine::boxes::SurfaceWords surface() const {
    return {std::span<const std::uint64_t>(words), engine::boxes::SurfaceKind::tile};
  }
};

// shape: without its unit of heights. half: of the row's length.
Row row_of(const function::PairSeries& f, const TilePolynomial::Frame& frame, engine::boxes::BoxShape shape,
           std::uint32_t half, int K) {
  const TilePolynomial polynomial(f, frame, 0);
  REQUIRE(polynomial.fits());
  const engine::boxes::Jet jet = leaned(polynomial.jet_at(frame.x_middle, frame.y_middle), shape.lean / 65536.0);
  shape.serves = true;
  shape.delta = unit_of(jet, shape.half_width(), shape.half_height());
  Row row;
  const std::uint32_t below = static_cast<std::uint32_t>(shape.height) / 2;
  row.strip.kernel = engine::boxes::rows_of_boxes({frame.x_middle - half, frame.x_middle + half},
                                                  {frame.y_middle - below, frame.y_middle + below + 1}, shape, 128);
  polynomial.write(row.words);
  row.strip.ledger = polynomial.errors(shape, number::Bound());
  row.strip.ledger.epsilon = number::Bound::power_of_two(-K);
  REQUIRE(bound_errors(row.strip, shape));
  return row;
}

PowerStrip with_tolerance(PowerStrip strip, const number::Bound& bound) {
  const double one = std::ldexp(static_cast<double>(strip.kernel.z_unit), 64);
  strip.kernel.tolerance = number::float_above((bound * number::Bound::of(one)).value());
  return strip;
}

void set(function::PairSeries& f, const TilePolynomial::Frame& frame, int m, int n, double of_pairs) {
  arb_set_d(f.at(m, n), std::ldexp(of_pairs, m * frame.x_bits + n * frame.y_bits));
}

} // namespace

// F grows by 0.9·2^-64 from pair to pair, which the kernel's slopes round down to 0.
TEST_CASE("tiles: without slopes in the ledger, boxes with a case are passed over") {
  const TilePolynomial::Frame frame{1U << 23, 1U << 23, 22, 22, 1 << 12, 1 << 12};
  engine::boxes::BoxShape shape;
  shape.width = 1023;
  shape.height = 1;
  for (const int at : {-450, 0, 450}) { // where F is an integer, counted from the middle of a box
    function::PairSeries f(engine::boxes::tile_degree);
    set(f, frame, 1, 0, 0.9 * 0x1p-64);
    set(f, frame, 0, 0, -0.9 * 0x1p-64 * at);
    const Row row = row_of(f, frame, shape, 511, 60);
    const BoxLedger& ledger = row.strip.ledger;
    const auto found = [&](const number::Bound& bound) {
      engine::boxes::BoxCounts counts;
      return engine::boxes::search_on_host(row.surface(), with_tolerance(row.strip, bound), counts).size();
    };
    const std::size_t all = found(ledger.of_walk());
    CHECK(all >= 35); // |0.9·i| < 2^4
    const std::size_t without = found(ledger.epsilon + ledger.cubic + ledger.value + ledger.form + ledger.function);
    CHECK((without == 0) == (at != 0));
  }
}

// F is nearly A·(i - σ·j)², so that boxes are long and thin; of the form's terms in double, which are 2^44 times as
// large as their sum, roundings are left.
TEST_CASE("tiles: without form in the ledger, cases are missed") {
  constexpr int bits = 22;
  const TilePolynomial::Frame frame{1U << 23, 1U << 23, bits + 1, bits, 1 << bits, 1 << (bits - 1)};
  engine::boxes::BoxShape shape;
  shape.lean = 216269;
  shape.width = 3;
  shape.height = (1 << bits) - 1;
  const double slope = shape.lean / 65536.0;
  constexpr double A = 1.7e-5;
  function::PairSeries f(engine::boxes::tile_degree);
  set(f, frame, 2, 0, A);
  set(f, frame, 1, 1, -2 * A * slope);
  set(f, frame, 0, 2, A * slope * slope);
  set(f, frame, 1, 0, std::sqrt(2.0) - 1);
  set(f, frame, 0, 1, std::sqrt(3.0) - 1);
  const Row row = row_of(f, frame, shape, 6'900'000, 28);
  const BoxLedger& ledger = row.strip.ledger;
  const PowerStrip without =
      with_tolerance(row.strip, ledger.epsilon + ledger.cubic + ledger.value + ledger.slopes + ledger.function);
  std::size_t cases = 0;
  std::size_t lost = 0;
  const auto middle = static_cast<std::uint32_t>(row.strip.kernel.boxes / row.strip.kernel.part / 2);
  for (std::uint32_t part = middle; part < middle + 20; ++part) {
    const auto walk = [&](const PowerStrip& strip) {
      return engine::boxes::walk_row_on_host(row.surface(), strip.kernel, 0, 0, part).hits;
    };
    const std::vector<std::uint64_t> of_few = walk(without);
    const std::set<std::uint64_t> hits(of_few.begin(), of_few.end());
    for (const std::uint64_t hit : walk(row.strip))
      if (engine::boxes::pair_may_be_case(row.surface(), row.strip.kernel, hit)) {
        ++cases;
        lost += hits.count(hit) == 0 ? 1 : 0;
      }
  }
  MESSAGE(cases << " cases, " << lost << " lost without form");
  CHECK(cases > 100);
  CHECK(lost > 0);
}

} // namespace tmd::test::tile_mutations
