// A rectangle is cut until a Taylor polynomial of the expression, and one shape of boxes, serve it all. The rest of the
// polynomial and the values are bounded by Arb over the rectangle. Where nothing serves, as next to a zero, a pole or a
// branch point, parts of a few pairs are left.
#include "engine/boxes/tiles.hpp"

#include "engine/boxes/tile_polynomial.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace tmd::engine::boxes {

namespace {

constexpr long least_precision = 160;
constexpr long most_precision = 640;
constexpr int least_bits_of_rest = 3; // the Taylor polynomial is off by 2^-3·ε,
constexpr int most_bits_of_rest = 44; // or 2^-44 spacings, at most
constexpr std::uint64_t few_pairs = 64;

number::Arb ball(const TileOperand& operand, std::uint32_t first, std::uint32_t last) {
  number::Arb result;
  number::set_interval(result, first, last);
  arb_mul_2exp_si(result, result, operand.exponent);
  if (operand.is_negative)
    arb_neg(result, result);
  return result;
}

number::Arb unit(const TileOperand& operand, int bits) {
  number::Arb result;
  arb_set_si(result, operand.is_negative ? -1 : 1);
  arb_mul_2exp_si(result, result, operand.exponent + bits);
  return result;
}

TileOperand with(const TileOperand& operand, std::uint32_t first, std::uint32_t end) {
  TileOperand result(operand);
  result.range = {first, end};
  return result;
}

// log2 of the unit of a frame in which a box may reach beyond a tile.
int bits_of(double half) { return std::bit_width(static_cast<std::uint32_t>(2 * half) + 7); }

// How much f changes along each coordinate.
struct Changes {
  number::Bound x;
  number::Bound y;
  [[nodiscard]] bool are_of_x() const { return y < x; }
};

} // namespace

// f on a tile: its Taylor polynomial about the middle, and what that leaves out.
struct TilePlanner::Expansion {
  TilePolynomial::Frame frame;
  function::PairSeries f{0};
  number::Bound rest; // of all degrees beyond the polynomial's
  number::Arb value;  // all values
  Changes of_rest;    // which coordinate to cut for a smaller rest
  Changes of_value;   // and for fewer binades of values
};

TilePlanner::TilePlanner(const function::Formula& formula, const format::BreakpointGrid& grid, int K,
                         const BoxOptions& options)
    : formula_(formula), grid_(grid), K_(K), options_(options) {
  if (grid.precision < 2 || grid.precision > 24 || K < 3 || !grid.is_bounded())
    throw std::invalid_argument("boxes serve formats with significands of 2 to 24 bits, and K from 3 on");
}

// Returns false if f may not be analytic on the tile.
bool TilePlanner::expand(const TileRectangle& tile, Expansion& to) const {
  TilePolynomial::Frame& frame = to.frame;
  const auto [x, y] = std::pair(tile.x.range, tile.y.range);
  frame.x_middle = x.first + (x.size() - 1) / 2;
  frame.y_middle = y.first + (y.size() - 1) / 2;
  frame.x_half = x.end - 1 - frame.x_middle;
  frame.y_half = y.end - 1 - frame.y_middle;
  frame.x_bits = bits_of(frame.x_half);
  frame.y_bits = bits_of(frame.y_half);
  const auto series = [&](const number::Arb& at_x, const number::Arb& at_y, int degree, long precision) {
    return function::pair_series(formula_, at_x, unit(tile.x, frame.x_bits), at_y, unit(tile.y, frame.y_bits), degree,
                                 precision);
  };
  const auto over_all =
      series(ball(tile.x, x.first, x.end - 1), ball(tile.y, y.first, y.end - 1), tile_degree + 1, least_precision);
  if (!over_all)
    return false;
  // Operations that cancel need more bits.
  std::optional<function::PairSeries> f;
  for (long precision = least_precision; precision <= most_precision; precision *= 2) {
    f = series(ball(tile.x, frame.x_middle, frame.x_middle), ball(tile.y, frame.y_middle, frame.y_middle), tile_degree,
               precision);
    if (!f || arb_rel_accuracy_bits(f->at(0, 0)) >= least_precision / 2)
      break;
  }
  if (!f)
    return false;
  // By Lagrange's formula with derivatives at some pair of the tile.
  const number::Bound rx = number::Bound::of(frame.x_half).scaled(-frame.x_bits);
  const number::Bound ry = number::Bound::of(frame.y_half).scaled(-frame.y_bits);
  const auto term = [&](const function::PairSeries& of, int m, int n) {
    return number::Bound::of(of.at(m, n)) * number::power(rx, static_cast<unsigned>(m)) *
           number::power(ry, static_cast<unsigned>(n));
  };
  const auto count = [&](Changes& changes, const number::Bound& size, int m, int n) {
    changes.x += size * number::Bound(static_cast<std::uint64_t>(m));
    changes.y += size * number::Bound(static_cast<std::uint64_t>(n));
  };
  for (int m = 0; m <= tile_degree + 1; ++m) {
    const number::Bound size = term(*over_all, m, tile_degree + 1 - m);
    to.rest += size;
    count(to.of_rest, size, m, tile_degree + 1 - m);
  }
  number::Bound change = to.rest;
  for (int m = 0; m <= tile_degree; ++m)
    for (int n = m == 0 ? 1 : 0; m + n <= tile_degree; ++n) {
      const number::Bound size = term(*f, m, n);
      change += size;
      count(to.of_value, size, m, n);
    }
  arb_set(to.value, f->at(0, 0));
  number::Arb radius;
  arb_set_d(radius, change.is_finite() ? change.value() : INFINITY);
  arb_add_error(to.value, radius);
  to.f = *std::move(f);
  return true;
}

void TilePlanner::plan(const TileRectangle& rectangle, PlannedPairs& to, std::size_t number) const {
  add(rectangle, to, number);
  to.rectangles.resize(to.strips.size(), number);
}

void TilePlanner::add(const TileRectangle& rectangle, PlannedPairs& to, std::size_t number) const {
  if (rectangle.pairs() == 0 || to.pairs_of(TileKind::full) > most_one_by_one)
    return;
  Expansion f;
  bool along_x = rectangle.x.range.size() > rectangle.y.range.size();
  if (expand(rectangle, f) && add_strips(rectangle, f, to, along_x))
    return;
  if (rectangle.pairs() <= few_pairs) {
    to.full.push_back({number, rectangle_of(rectangle)});
    to.pairs_of(TileKind::full) += rectangle.pairs();
    return;
  }
  if (rectangle.x.range.size() == 1 || rectangle.y.range.size() == 1)
    along_x = rectangle.x.range.size() > 1;
  for (const TileRectangle& half : halves_of(rectangle, along_x))
    add(half, to, number);
}

// Whether f may have a place in the tile at which it is not differentiable, or 0 and not small everywhere.
bool TilePlanner::is_singular(const TileRectangle& tile) const {
  constexpr long coarse_precision = 64;
  const auto [x, y] = std::pair(tile.x.range, tile.y.range);
  const auto f = function::pair_series(formula_, ball(tile.x, x.first, x.end - 1), unit(tile.x, 0),
                                       ball(tile.y, y.first, y.end - 1), unit(tile.y, 0), 1, coarse_precision);
  if (!f)
    return true;
  number::Arb value;
  arb_set(value, f->at(0, 0));
  return arb_contains_zero(value) != 0 && number::Bound::of(value).value() >= std::ldexp(1, grid_.min_exponent);
}

// Halves rectangles, towards a singular place, until a part is small; then plans that. Few parts are planned, so that
// this takes a second at most.
std::optional<PowerRectangle> TilePlanner::singular_place(std::span<const PowerRectangle> rectangles) const {
  constexpr std::uint64_t small_part = 1 << 18;
  constexpr int most_parts = 4;
  PlannedPairs planned;
  int parts = 0;
  for (auto r = rectangles.begin(); r != rectangles.end() && parts < most_parts; ++r) {
    TileRectangle part = tile_of(*r);
    bool is_found = is_singular(part);
    while (is_found && part.pairs() > small_part) {
      const auto halves = halves_of(part, part.x.range.size() > part.y.range.size());
      const auto* const half =
          std::find_if(halves.begin(), halves.end(), [&](const TileRectangle& one) { return is_singular(one); });
      is_found = half != halves.end();
      if (is_found)
        part = TileRectangle(*half);
    }
    if (!is_found)
      continue;
    plan(part, planned);
    ++parts;
    if (planned.pairs_of(TileKind::full) > most_one_by_one)
      return planned.full.back().pairs;
  }
  return std::nullopt;
}

// Adds the strips of a tile, one for each spacing of its values, unless it must be cut: then `along_x` says how.
bool TilePlanner::add_strips(const TileRectangle& tile, const Expansion& f, PlannedPairs& to, bool& along_x) const {
  const double low = number::lower_end(f.value);
  const double high = number::upper_end(f.value);
  const double greatest = std::max(-low, high);
  const double least = low > 0 ? low : high < 0 ? -high : 0;
  const auto binade_of = [](double value) { return std::ilogb(value); };
  if (greatest < std::ldexp(1, grid_.least_spacing_exponent() - (grid_.shifted() ? 2 : 1)) ||
      (least > 0 && binade_of(least) > grid_.max_exponent)) {
    to.pairs_of(TileKind::empty) += tile.pairs();
    return true;
  }
  along_x = f.of_value.are_of_x();
  if (!std::isfinite(greatest))
    return false;
  const int first = least > 0 ? grid_.spacing_exponent(binade_of(least)) : grid_.least_spacing_exponent();
  const int last = grid_.spacing_exponent(std::min(binade_of(greatest), grid_.max_exponent));
  if (last > first + 1)
    return false;
  if (first == last) { // between two breakpoints?
    const double shift = grid_.shifted() ? 0.5 : 0;
    const double from = std::ldexp(low, -first) - shift; // exact but for one rounding, of numbers below 2^26
    const double until = std::ldexp(high, -first) - shift;
    const double margin = std::ldexp(1, -K_) + 0x1p-26;
    if (std::floor(from - margin) == std::floor(until + margin)) {
      to.pairs_of(TileKind::empty) += tile.pairs();
      return true;
    }
  }
  const number::Bound most_rest =
      number::Bound::power_of_two(-std::min(K_ + least_bits_of_rest, most_bits_of_rest) + first);
  if (!(f.rest < most_rest)) {
    along_x = f.of_rest.are_of_x();
    return false;
  }
  const TilePolynomial polynomial(f.f, f.frame, first);
  if (!polynomial.fits())
    return false;
  const TilePolynomial coarsest = last == first ? polynomial : TilePolynomial(f.f, f.frame, last);
  const double x = tile.x.range.middle();
  const double y = tile.y.range.middle();
  const BoxShape shape = shape_of_tile(tile, coarsest, x, y);
  if (!is_even(tile, coarsest, shape, along_x))
    return false;
  const auto add_strip = [&](const TilePolynomial& of, const BoxShape& with, int spacing) {
    to.strips.push_back(strip_of(tile, of, f.rest.scaled(-spacing), with, to.polynomials));
  };
  if (first < last)
    add_strip(polynomial, shape_of_tile(tile, polynomial, x, y), first);
  add_strip(coarsest, shape, last);
  to.pairs_of(TileKind::search) += tile.pairs();
  return true;
}

BoxShape TilePlanner::shape_of_tile(const TileRectangle& tile, const TilePolynomial& f, double x, double y) const {
  const auto half = [](const TileOperand& operand) { return double(std::max(operand.range.size() / 2, 1U)); };
  return usual_shape(f.jet_at(x, y), half(tile.x), half(tile.y), options_);
}

// Whether the shape is good enough everywhere; if not, `along_x` is the coordinate to be cut.
bool TilePlanner::is_even(const TileRectangle& tile, const TilePolynomial& f, const BoxShape& shape,
                          bool& along_x) const {
  const SignificandRange& x = tile.x.range;
  const SignificandRange& y = tile.y.range;
  if (!shape.serves) { // looks for a place where boxes can be used; if there is none, makes parts for one launch
    along_x = x.size() > y.size();
    const auto ends = ends_of(x, y);
    return tile.pairs() < options_.fewest_pairs ||
           (tile.pairs() > most_pair_by_pair && std::none_of(ends.begin(), ends.end(), [&](const auto& end) {
              return shape_of_tile(tile, f, end[0], end[1]).serves;
            }));
  }
  const std::array<double, 2> worst =
      unevenness_of(shape, x, y, options_, [&](double at_x, double at_y) { return f.jet_at(at_x, at_y); });
  along_x = worst[0] > worst[1];
  return std::max(worst[0], worst[1]) <= 1;
}

PowerStrip TilePlanner::strip_of(const TileRectangle& tile, const TilePolynomial& f, const number::Bound& rest,
                                 const BoxShape& shape, std::vector<std::uint64_t>& polynomials) const {
  if (shape.serves && !f.has_room(reach_of_box(shape)))
    return strip_of(tile, f, rest, BoxShape{}, polynomials);
  PowerStrip result;
  result.kernel = rows_of_boxes(tile.x.range, tile.y.range, shape, options_.part);
  result.kernel.offset = grid_.shifted() ? std::uint64_t(1) << 63 : 0;
  result.kernel.polynomial = static_cast<std::uint32_t>(polynomials.size());
  result.ledger = f.errors(shape, rest);
  result.ledger.epsilon = number::Bound::power_of_two(-K_);
  if (!bound_errors(result, shape))
    return strip_of(tile, f, rest, BoxShape{}, polynomials);
  f.write(polynomials);
  return result;
}

std::array<TileRectangle, 2> halves_of(const TileRectangle& tile, bool along_x) {
  const TileOperand& cut = along_x ? tile.x : tile.y;
  const std::uint32_t middle = cut.range.first + cut.range.size() / 2;
  const TileOperand lower = with(cut, cut.range.first, middle);
  const TileOperand upper = with(cut, middle, cut.range.end);
  if (along_x)
    return {TileRectangle{lower, tile.y}, TileRectangle{upper, tile.y}};
  return {TileRectangle{tile.x, lower}, TileRectangle{tile.x, upper}};
}

TileRectangle tile_of(const PowerRectangle& r) {
  return {{r.x_exponent, r.x_is_negative, {r.x_first, r.x_end}}, {r.y_exponent, r.is_negative, {r.y_first, r.y_end}}};
}

PowerRectangle rectangle_of(const TileRectangle& tile) {
  const auto& [x, y] = std::pair(tile.x, tile.y);
  return {x.exponent, y.exponent, y.is_negative, x.range.first, x.range.end, y.range.first, y.range.end, x.is_negative};
}

PlannedPairs plan_tiles(std::span<const PowerRectangle> rectangles, const TilePlanner& planner) {
  PlannedPairs result;
  for (std::size_t i = 0; i < rectangles.size() && result.pairs_of(TileKind::full) <= most_one_by_one; ++i)
    planner.plan(tile_of(rectangles[i]), result, i);
  if (result.pairs_of(TileKind::full) <= most_one_by_one)
    result.require_all_of(rectangles);
  return result;
}

PairEstimate estimate_tiles(const PowerRectangle& rectangle, const function::Formula& formula,
                            const format::BreakpointGrid& grid, const BoxOptions& options) {
  const TileRectangle tile = tile_of(rectangle);
  const auto middle = [](const SignificandRange& range) { return range.first + (range.size() - 1) / 2; };
  const auto at = [&](const TileOperand& operand) {
    return ball(operand, middle(operand.range), middle(operand.range));
  };
  const auto f =
      function::pair_series(formula, at(tile.x), unit(tile.x, 0), at(tile.y), unit(tile.y, 0), 2, least_precision);
  const double value = f ? std::fabs(arf_get_d(arb_midref(f->at(0, 0)), ARF_RND_NEAR)) : 0;
  if (!(value >= std::ldexp(1, grid.least_spacing_exponent() - 1)) || std::ilogb(value) > grid.max_exponent)
    return {};
  // In spacings, for products of values might be too large for doubles.
  const int spacing = grid.spacing_exponent(std::ilogb(value));
  number::Arb scaled;
  const auto size = [&](int m, int n) {
    arb_mul_2exp_si(scaled, f->at(m, n), -spacing);
    return arf_get_d(arb_midref(static_cast<arb_ptr>(scaled)), ARF_RND_NEAR);
  };
  // λ3 = 8·(H·V)²·√(A·C - B²/4), where boxes lean so that the form has no mixed term, and the others are as large.
  const double spacings = std::sqrt(std::fabs(size(2, 0) * size(0, 2) - size(1, 1) * size(1, 1) / 4));
  constexpr double fewest_pairs = 48;
  const double pairs_of_box = std::isfinite(spacings) // not where it bends beyond doubles, as sin x at 2^1000
                                  ? 4 * std::sqrt(options.lambda3 / (8 * std::max(spacings, 1e-300)))
                                  : fewest_pairs;
  const auto pairs = static_cast<double>(rectangle.pairs());
  return {pairs / std::clamp(pairs_of_box, fewest_pairs, options.most_pairs), 0, pairs};
}

} // namespace tmd::engine::boxes
