// A rectangle is cut until one shape of boxes serves it all; then each binade of its values is a strip with a ledger of
// its own, bounded by Arb over balls that hold all places of its boxes (doc/theory/boxes.md, sections 2, 6 and 7).
#include "engine/boxes/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace tmd::engine::boxes {

namespace {

using layout::box_strip;
constexpr long precision = 64;
constexpr int most_y_exponent = 20;           // the kernels' fixed point has no room for more
constexpr int most_strips = 8;                // of one tile
constexpr std::uint32_t most_lines = 1 << 24; // y of one tile: kernels count them from its first
constexpr double most_of_integers = 0x1p19; // a place whose share limits boxes along n: of taller ones many are refused
constexpr int small_exponent = -11;         // below 2^this, |x| gives log2(1 + x) with a small relative error
constexpr int most_exact_exponent = 61;     // up to 2^this, 1 + x is exact in fixed point

// A margin for ⌊y·log2 x⌋ in fixed point, far above its error.
const number::Bound& margin() {
  static const number::Bound value = number::Bound::power_of_two(-32);
  return value;
}

number::Arb ball(double first, double last) {
  number::Arb left;
  number::Arb right;
  arb_set_d(left, first);
  arb_set_d(right, last);
  number::Arb result;
  arb_union(result, left, right, precision);
  return result;
}
number::Arb ball(double x) { return ball(x, x); }
number::Arb scaled(number::Arb x, long exponent) {
  arb_mul_2exp_si(x, x, exponent);
  return x;
}
number::Arb operator+(number::Arb x, const number::Arb& y) {
  arb_add(x, x, y, precision);
  return x;
}
number::Arb operator-(number::Arb x, const number::Arb& y) {
  arb_sub(x, x, y, precision);
  return x;
}
number::Arb operator*(number::Arb x, const number::Arb& y) {
  arb_mul(x, x, y, precision);
  return x;
}
number::Arb operator/(number::Arb x, const number::Arb& y) {
  arb_div(x, x, y, precision);
  return x;
}
// log x, or log(1 + x).
number::Arb logarithm(const PowerRectangle& r, const number::Arb& X) {
  number::Arb result = scaled(X, r.x_exponent);
  if (r.x_is_negative)
    arb_neg(result, result);
  if (r.is_compound)
    arb_log1p(result, result, precision);
  else
    arb_log(result, result, precision);
  return result;
}
// Its derivative with respect to X.
number::Arb slope_of_logarithm(const PowerRectangle& r, const number::Arb& X) {
  if (!r.is_compound)
    return ball(1) / X;
  const number::Arb unit = scaled(ball(r.x_sign()), r.x_exponent);
  return unit / (ball(1) + unit * X);
}
number::Bound size_of(const number::Arb& x) { return number::Bound::of(x); }

double signed_y(const PowerRectangle& r, double y) { return (r.is_negative ? -1 : 1) * std::ldexp(y, r.y_exponent); }

// The jet at a place, or at the nearest value of this binade.
Jet jet_at(const PowerRectangle& rectangle, double x, double y, int exponent, const format::BreakpointGrid& grid) {
  const double power = signed_y(rectangle, y);
  const double t = power * logarithm_at(rectangle, x);
  const double value = std::clamp(t / std::log(2.0), exponent + 0.0, exponent + 1.0);
  return power_jet(std::exp2(value - grid.spacing_exponent(exponent)), inverse_slope_at(rectangle, x), y, power, t);
}

// y·log2 x at a corner.
number::Arb exponent_at(const PowerRectangle& r, std::uint32_t x, std::uint32_t y) {
  number::Arb log;
  if (r.is_compound) {
    arb_const_log2(log, precision);
    log = logarithm(r, ball(x)) / log;
  } else {
    arb_log_base_ui(log, scaled(ball(x), r.x_exponent), 2, precision);
  }
  return ball(signed_y(r, y)) * log;
}

// y·log2 x is monotone in both, so its ends are at corners.
std::array<number::Arb, 4> corners_of(const PowerRectangle& r) {
  return {exponent_at(r, r.x_first, r.y_first), exponent_at(r, r.x_first, r.y_end - 1),
          exponent_at(r, r.x_end - 1, r.y_first), exponent_at(r, r.x_end - 1, r.y_end - 1)};
}

// The least or the greatest of a rectangle's corners.
number::Arb outermost(const std::array<number::Arb, 4>& corners, decltype(&arb_min) choose) {
  number::Arb result = corners[0];
  for (const number::Arb& corner : corners)
    choose(result, result, corner, precision);
  return result;
}

// The quotient of |log x| at the far end of a rectangle and at the near one.
double logarithm_grows(const PowerRectangle& r) {
  const double ratio = logarithm_at(r, r.x_end - 1.0) / logarithm_at(r, r.x_first);
  return std::max(ratio, 1 / ratio);
}

// The significand of 1 in units of 2^exponent; 0 if there is none.
std::uint32_t one_in(int exponent) { return exponent <= 0 && exponent > -32 ? std::uint32_t(1) << -exponent : 0; }

// A bound of what y·log2 x is off by in fixed point.
number::Bound error_of_exponent(const PowerRectangle& r, const number::Arb& X, const number::Arb& y,
                                const number::Arb& t) {
  const number::Bound last_bit = number::Bound::power_of_two(-64);
  if (!r.is_compound)
    return size_of(y).scaled(-71) + last_bit;
  const double greatest = size_of(scaled(X, r.x_exponent)).value();
  number::Bound error = size_of(t).scaled(-68) + last_bit;
  if (!(greatest < std::ldexp(1, small_exponent)))
    error = error + size_of(y).scaled(-71);
  if (!(greatest < std::ldexp(1, most_exact_exponent)))
    error = error + size_of(y).scaled(1 - most_exact_exponent);
  return error;
}

// All values below 2^this are at least a quarter of a spacing from a breakpoint.
int least_exponent(const format::BreakpointGrid& grid, int scale) { return -scale - (grid.shifted() ? 2 : 1); }

// The range of y·log2 x over a rectangle (for (1 + x)^y of y·log2(1 + x), here and below), and of its fixed-point form.
class ValueRange {
public:
  ValueRange(const std::array<number::Arb, 4>& corners, const format::BreakpointGrid& grid, int K)
      : least(outermost(corners, arb_min)), greatest(outermost(corners, arb_max)),
        first(static_cast<int>(std::floor(number::lower_end(least) - margin().value()))),
        last(static_cast<int>(std::floor(number::upper_end(greatest) + margin().value()))), grid_(grid), K_(K) {}

  // The kind of a tile whose values have one spacing: F may lie between two neighbouring breakpoints, away from both,
  // or near one everywhere.
  [[nodiscard]] TileKind kind() const {
    if (is_beside_one())
      return grid_.shifted() ? TileKind::empty : TileKind::beside_one;
    constexpr long digits = 128;
    const auto binade = [&](double exponent) {
      return grid_.is_bounded() ? std::max(static_cast<int>(exponent), grid_.min_exponent) : static_cast<int>(exponent);
    };
    const int exponent = binade(std::floor(number::lower_end(least)));
    if (exponent != binade(std::floor(number::upper_end(greatest))))
      return TileKind::search;
    std::array<number::Arb, 2> ends{least, greatest};
    for (number::Arb& end : ends) {
      number::Arb power;
      arb_set_ui(power, 2);
      arb_pow(power, power, end, digits);
      arb_sub(end, scaled(power, -grid_.spacing_exponent(exponent)), ball(grid_.shifted() ? 0.5 : 0), digits);
    }
    number::Arb floor;
    arb_floor(floor, ends[0], digits);
    const double whole = number::lower_end(floor);
    if (whole != number::upper_end(floor))
      return TileKind::search;
    const auto less = [&](const number::Arb& x, const number::Arb& y) {
      number::Arb difference;
      arb_sub(difference, x, y, digits);
      return difference;
    };
    const double epsilon = std::ldexp(1, -K_);
    const number::Arb from_below = less(ends[0], ball(whole));
    const number::Arb to_above = less(ball(whole + 1), ends[1]);
    if (number::lower_end(from_below) > epsilon && number::lower_end(to_above) > epsilon)
      return TileKind::empty;
    const bool are_above =
        number::lower_end(from_below) >= 0 && number::upper_end(less(ends[1], ball(whole))) < epsilon;
    const bool are_below =
        number::lower_end(to_above) >= 0 && number::upper_end(less(ball(whole + 1), ends[0])) < epsilon;
    return are_above || are_below ? TileKind::full : TileKind::search;
  }

  // Whether there may be cases next to the breakpoint 1 and values farther from it.
  [[nodiscard]] bool reaches_next_to_one() const {
    const double nearest = std::max(number::lower_end(least), -number::upper_end(greatest));
    return !grid_.shifted() && nearest < std::ldexp(1, grid_.spacing_exponent(0) + 1 - K_);
  }

  number::Arb least;
  number::Arb greatest;
  int first; // ⌊y·log2 x⌋ of the strips, with the subnormal range as min_exponent
  int last;

private:
  // Whether all values are on one side of 1, and nearer to no other breakpoint than a case is: |2^t - 1| < |t| there.
  [[nodiscard]] bool is_beside_one() const {
    const auto limit = [&](int exponent) {
      return std::ldexp((grid_.shifted() ? 0.5 : 1) - std::ldexp(1, -K_), grid_.spacing_exponent(exponent));
    };
    return (number::lower_end(least) > 0 && number::upper_end(greatest) < limit(0)) ||
           (number::upper_end(greatest) < 0 && number::lower_end(least) > -limit(-1));
  }

  const format::BreakpointGrid& grid_;
  const int K_;
};

} // namespace

double logarithm_at(const PowerRectangle& rectangle, double X) {
  const double x = std::ldexp(X, rectangle.x_exponent);
  return rectangle.is_compound ? std::log1p(rectangle.x_sign() * x) : std::log(x);
}

double inverse_slope_at(const PowerRectangle& rectangle, double X) {
  return rectangle.is_compound ? std::ldexp(rectangle.x_sign(), -rectangle.x_exponent) + X : X;
}

// Few lines may have all the pairs of a unit, as there are up to 2^30 integers in each: the rectangle limits boxes,
// too.
BoxShape power_shape(const PowerRectangle& rectangle, double x, double y, int exponent,
                     const format::BreakpointGrid& grid, const BoxOptions& options) {
  const Jet jet = jet_at(rectangle, x, y, exponent, grid);
  if (!rectangle.is_compound)
    return usual_shape(jet, x, y, options);
  const double to_end = std::fabs(inverse_slope_at(rectangle, x)); // of the logarithm's domain
  return usual_shape(jet, std::min({x, to_end, 4.0 * (rectangle.x_end - rectangle.x_first)}),
                     std::min({y, double(rectangle.y_end - rectangle.y_first), most_of_integers}), options);
}

std::array<PowerRectangle, 2> halves_of(const PowerRectangle& rectangle, bool along_x) {
  std::array<PowerRectangle, 2> result{rectangle, rectangle};
  if (along_x)
    result[0].x_end = result[1].x_first = rectangle.x_first + (rectangle.x_end - rectangle.x_first) / 2;
  else
    result[0].y_end = result[1].y_first = rectangle.y_first + (rectangle.y_end - rectangle.y_first) / 2;
  return result;
}

PowerPlanner::PowerPlanner(const format::BreakpointGrid& grid, int K, const BoxOptions& options)
    : grid_(grid), K_(K), options_(options) {
  if (grid.precision < 2 || grid.precision > 24 || K < 3)
    throw std::invalid_argument("boxes serve significands of 2 to 24 bits, and K from 3 on");
}

std::vector<PowerTile> PowerPlanner::plan(const PowerRectangle& rectangle) const {
  std::vector<PowerTile> tiles;
  PowerRectangle rest = rectangle;
  if (!rest.is_compound && rest.x_first == one_in(rest.x_exponent) && rest.x_first < rest.x_end) {
    PowerRectangle ones = rest;
    rest.x_first = ones.x_end = ones.x_first + 1;
    tiles.push_back({ones, TileKind::given, {}});
  }
  if (rest.y_first == one_in(rest.y_exponent) && !rest.is_negative && rest.pairs() > 0) {
    PowerRectangle ones = rest;
    rest.y_first = ones.y_end = ones.y_first + 1;
    const TileKind kind = rest.is_compound  ? TileKind::given
                          : grid_.shifted() ? TileKind::empty // no number is a midpoint
                                            : TileKind::itself;
    tiles.push_back({ones, kind, {}});
  }
  if (rest.pairs() > 0)
    add(rest, tiles);
  return tiles;
}

void PowerPlanner::add(const PowerRectangle& rectangle, std::vector<PowerTile>& tiles) const {
  ValueRange range(corners_of(rectangle), grid_, K_);
  PowerTile tile{rectangle, range.kind(), {}};
  if (grid_.is_bounded() &&
      (range.first > grid_.max_exponent || range.last < least_exponent(grid_, -grid_.least_spacing_exponent())))
    tile.kind = TileKind::empty;
  if (tile.kind != TileKind::search) {
    tiles.push_back(tile);
    return;
  }
  if (grid_.is_bounded()) {
    range.last = std::clamp(range.last, grid_.min_exponent, grid_.max_exponent);
    range.first = std::max(range.first, grid_.min_exponent);
  }
  const double x = (rectangle.x_first + rectangle.x_end) / 2.0;
  const double y = (rectangle.y_first + rectangle.y_end) / 2.0;
  const int middle = (range.first + range.last) / 2;
  const BoxShape shape = shape_at(rectangle, x, y, middle);
  bool along_x = rectangle.x_end - rectangle.x_first > 1;
  const bool near_one = range.reaches_next_to_one(); // otherwise each pair there would be a hit
  const bool is_tall = rectangle.y_end - rectangle.y_first > most_lines;
  bool is_cut = is_tall || near_one || range.last - range.first >= most_strips;
  if (is_tall)
    along_x = false;
  else if (!is_cut)
    is_cut = !is_even(rectangle, shape, middle, along_x);
  else if (near_one && rectangle.y_end - rectangle.y_first > 1)
    along_x = along_x && logarithm_grows(rectangle) > static_cast<double>(rectangle.y_end) / rectangle.y_first;
  else if (rectangle.y_end - rectangle.y_first > 1) // the coordinate that changes the value more
    along_x =
        std::fabs(signed_y(rectangle, y) * (rectangle.x_end - rectangle.x_first) / inverse_slope_at(rectangle, x)) >
        std::fabs(number::lower_end(range.least)) * (rectangle.y_end - rectangle.y_first) / y;
  const auto halves = halves_of(rectangle, along_x);
  if (is_cut && halves[0].pairs() > 0) {
    add(halves[0], tiles);
    add(halves[1], tiles);
    return;
  }
  for (int exponent = range.first; exponent <= range.last; ++exponent) {
    const BoxShape own = shape_at(rectangle, x, y, exponent);
    tile.strips.push_back(strip_of(rectangle, own.serves ? own : shape, exponent));
  }
  tiles.push_back(std::move(tile));
}

BoxShape PowerPlanner::shape_at(const PowerRectangle& rectangle, double x, double y, int exponent) const {
  return power_shape(rectangle, x, y, exponent, grid_, options_);
}

// Whether the shape is good enough everywhere; if not, `along_x` is the coordinate in which it changes more, which
// should be cut.
bool PowerPlanner::is_even(const PowerRectangle& rectangle, const BoxShape& shape, int exponent, bool& along_x) const {
  const SignificandRange x{rectangle.x_first, rectangle.x_end};
  const SignificandRange y{rectangle.y_first, rectangle.y_end};
  if (!shape.serves) { // looks for a place where boxes can be used
    along_x = x.size() > y.size();
    if (rectangle.pairs() < options_.fewest_pairs)
      return true;
    const auto ends = ends_of(x, y);
    return std::none_of(ends.begin(), ends.end(),
                        [&](const auto& end) { return shape_at(rectangle, end[0], end[1], exponent).serves; });
  }
  const std::array<double, 2> worst = unevenness_of(
      shape, x, y, options_, [&](double at_x, double at_y) { return jet_at(rectangle, at_x, at_y, exponent, grid_); });
  along_x = worst[0] > worst[1];
  return std::max(worst[0], worst[1]) <= 1;
}

PowerStrip PowerPlanner::strip_of(const PowerRectangle& rectangle, const BoxShape& shape, int exponent) const {
  if (rectangle.y_exponent > most_y_exponent)
    throw std::invalid_argument("boxes serve y below 2^44, beyond which no format has values of x^y");
  PowerStrip result;
  box_strip& s = result.kernel;
  const std::uint32_t base = rectangle.is_compound ? rectangle.y_first : 0;
  s = rows_of_boxes({rectangle.x_first, rectangle.x_end}, {rectangle.y_first - base, rectangle.y_end - base}, shape,
                    options_.part);
  s.base = base;
  s.x_sign = rectangle.is_compound ? rectangle.x_sign() : 0;
  s.x_exponent = rectangle.x_exponent;
  s.y_exponent = rectangle.y_exponent;
  s.sign = rectangle.is_negative ? -1 : 1;
  s.scale = -grid_.spacing_exponent(exponent);
  s.greatest = exponent;
  s.least = grid_.is_bounded() && exponent == grid_.min_exponent ? least_exponent(grid_, s.scale) : exponent;
  s.offset = grid_.shifted() ? std::uint64_t(1) << 63 : 0;
  result.ledger = ledger_of(rectangle, shape, exponent);
  if (!bound_errors(result, shape)) // the ledger is infinite if boxes reach beyond all x
    return strip_of(rectangle, BoxShape{}, exponent);
  return result;
}

BoxLedger PowerPlanner::ledger_of(const PowerRectangle& rectangle, const BoxShape& shape, int exponent) const {
  BoxLedger ledger;
  ledger.epsilon = number::Bound::power_of_two(-K_);
  const double lean = shape.lean / 65536.0;
  const double H = shape.half_width();
  const double V = shape.height == 1 ? 0 : shape.half_height();
  const auto [x_reach, y_reach] = reach_of_box(shape);
  // All places of boxes that contain a pair of the tile.
  const number::Arb X = ball(rectangle.x_first - 2 * x_reach, rectangle.x_end - 1 + 2 * x_reach);
  const number::Arb Y = ball(rectangle.y_first - 2 * y_reach, rectangle.y_end - 1 + 2 * y_reach);
  const number::Arb one = ball(1);
  const number::Arb y = scaled(rectangle.is_negative ? ball(0) - Y : Y, rectangle.y_exponent);
  const number::Arb t = y * logarithm(rectangle, X);
  const number::Arb by_x = slope_of_logarithm(rectangle, X);
  const number::Arb by_y = one / Y;
  const number::Bound Bx = size_of(by_x);
  const number::Bound By = size_of(by_y);
  const number::Bound rx = number::Bound::of(x_reach);
  const number::Bound ry = number::Bound::of(y_reach);
  // An upper bound of F there, if a pair of the box belongs to the strip.
  const number::Bound change = number::Bound(2) * (size_of(y) * rx * Bx + size_of(t) * ry * By);
  number::Arb growth;
  arb_set_d(growth, change.value());
  arb_exp(growth, growth, precision);
  const number::Bound F = size_of(growth).scaled(exponent + 1 - grid_.spacing_exponent(exponent));
  const number::Bound exponent_error = error_of_exponent(rectangle, X, y, t);
  ledger.value = F * (exponent_error + number::Bound(3).scaled(-63)) + number::Bound::power_of_two(-63);
  if (!shape.serves)
    return ledger;
  ledger.slopes = (F * (size_of(y) * Bx * rx + size_of(t) * By * ry)).scaled(-49) + F * exponent_error * By * ry +
                  (rx + ry).scaled(-61);
  ledger.form =
      (F * (size_of(y) * (size_of(y) + number::Bound(1)) * number::power(Bx * rx, 2) +
            size_of(y) * (number::Bound(1) + size_of(t)) * Bx * rx * By * ry + number::power(size_of(t) * By * ry, 2)))
          .scaled(-48) +
      F * exponent_error * (size_of(y) * Bx * rx + size_of(t) * By * ry) * By * ry;
  // The Taylor coefficients of degree three, of F = 1, about any of these places.
  number::Arb c30 = scaled(y * (y - one) * (y - ball(2)) / ball(3), -1) * by_x * by_x * by_x;
  number::Arb c21 = y * (y - scaled(one, -1) + scaled(t * (y - one), -1)) * by_x * by_x * by_y;
  number::Arb c12 = y * t * (one + scaled(t, -1)) * by_x * by_y * by_y;
  number::Arb c03 = scaled(t * t * t / ball(3), -1) * by_y * by_y * by_y;
  if (shape.axis != 0) {
    std::swap(c30, c03);
    std::swap(c21, c12);
  }
  const number::Arb s = ball(lean);
  const number::Arb three_s = ball(3) * s;
  const number::Bound h = number::Bound::of(H);
  const number::Bound v = number::Bound::of(V);
  ledger.cubic = F * (size_of(c30) * number::power(h, 3) + size_of(c21 + three_s * c30) * number::power(h, 2) * v +
                      size_of(c12 + s * (scaled(c21, 1) + three_s * c30)) * h * number::power(v, 2) +
                      size_of(c03 + s * (c12 + s * (c21 + s * c30))) * number::power(v, 3));
  return ledger;
}

} // namespace tmd::engine::boxes
