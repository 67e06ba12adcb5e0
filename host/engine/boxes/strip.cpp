#include "engine/boxes/strip.hpp"

#include <algorithm>
#include <cmath>

namespace tmd::engine::boxes {

namespace {

constexpr double uneven = 1.35;     // largest growth of the form within a tile
constexpr double least_lambda3 = 8; // with less, vectors would be half a turn high
constexpr double most_reach = 1.0 / 8;
constexpr int pairs_width = 1023; // width of boxes that are searched by lines
const number::Bound most_error =
    number::Bound::power_of_two(-4); // largest error of boxes; above, more than an eighth of all pairs would pass

float float_below(double x) {
  const auto rounded = static_cast<float>(x);
  return static_cast<double>(rounded) > x ? std::nextafter(rounded, 0.0F) : rounded;
}

} // namespace

BoxReach reach_of_box(const BoxShape& shape) {
  if (!shape.serves)
    return {};
  const double V = shape.height == 1 ? 0 : shape.half_height();
  const double along = shape.half_width() + std::fabs(shape.lean / 65536.0) * V + 1;
  return shape.axis == 0 ? BoxReach{along, V} : BoxReach{V, along};
}

BoxShape usual_shape(const Jet& jet, double X, double Y, const BoxOptions& options) {
  BoxShape shape;
  for (double lambda3 = options.lambda3; !shape.serves && lambda3 >= least_lambda3; lambda3 /= 2)
    shape = shape_of(jet, X, Y, {lambda3, options.cubic, most_reach, options.most_pairs});
  return shape;
}

std::array<std::array<double, 2>, 4> ends_of(const SignificandRange& x, const SignificandRange& y) {
  return {
      {{x.first + 0.0, y.middle()}, {x.end - 1.0, y.middle()}, {x.middle(), y.first + 0.0}, {x.middle(), y.end - 1.0}}};
}

std::array<double, 2> unevenness_of(const BoxShape& shape, const SignificandRange& x, const SignificandRange& y,
                                    const BoxOptions& options, const std::function<Jet(double x, double y)>& jet_at) {
  const auto ends = ends_of(x, y);
  std::array<double, 2> worst{};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const Jet jet = jet_at(ends[i][0], ends[i][1]);
    const Jet l = leaned(shape.axis == 0 ? jet : swapped(jet), shape.lean / 65536.0);
    const double H = shape.half_width();
    const double V = shape.half_height();
    const double grown = unit_of(l, H, V) / shape.delta;
    const double mixed = std::fabs(l.B) * H * V / shape.delta;
    worst[i / 2] = std::max({worst[i / 2], std::fabs(std::log(grown)) / std::log(uneven), mixed / options.most_mixed});
  }
  const auto has_room = [&](std::uint32_t size, int of_box) {
    return size >= 2 * static_cast<std::uint64_t>(options.fewest_boxes) * static_cast<std::uint64_t>(of_box);
  };
  worst[0] *= has_room(x.size(), shape.axis == 0 ? shape.width : shape.height) ? 1 : 0;
  worst[1] *= has_room(y.size(), shape.axis == 0 ? shape.height : shape.width) ? 1 : 0;
  return worst;
}

layout::box_strip rows_of_boxes(const SignificandRange& x, const SignificandRange& y, const BoxShape& shape, int part) {
  layout::box_strip s{};
  s.axis = shape.serves ? shape.axis : (y.size() > x.size() ? 1 : 0);
  const SignificandRange& along = s.axis == 0 ? x : y;
  const SignificandRange& across = s.axis == 0 ? y : x;
  s.width = shape.serves ? shape.width : std::min(pairs_width, static_cast<int>(along.size()) | 1);
  s.height = shape.serves ? shape.height : 1;
  s.lean = shape.serves ? shape.lean : 0;
  s.along = static_cast<int>(along.first);
  s.along_end = static_cast<int>(along.end);
  s.across = static_cast<int>(across.first);
  s.across_end = static_cast<int>(across.end);
  const auto lean_of = [&](int line) {
    return static_cast<int>((static_cast<std::int64_t>(s.lean) * line + 32768) >> 16);
  };
  const int first = lean_of(-(s.height - 1) / 2);
  const int last = lean_of((s.height - 1) / 2);
  s.row_begin = s.along - std::max(first, last);
  s.boxes = (s.along_end - std::min(first, last) - s.row_begin + s.width - 1) / s.width;
  s.part = part;
  s.parts = (s.boxes + s.part - 1) / s.part;
  return s;
}

bool bound_errors(PowerStrip& strip, const BoxShape& shape) {
  layout::box_strip& s = strip.kernel;
  if (shape.serves && !(strip.ledger.of_walk() < most_error))
    return false;
  s.accept = strip.ledger.of_pair().fixed_point();
  if (!shape.serves)
    return true;
  strip.is_walked = true;
  s.slope = static_cast<float>(s.lean / 65536.0);
  s.x_unit = float_below(2.0 / s.width);
  s.y_unit = float_below(1 / shape.half_height());
  s.z_unit = static_cast<float>(std::ldexp(1 / shape.delta, -64));
  const double one = std::ldexp(static_cast<double>(s.z_unit), 64);
  const auto x_unit = static_cast<double>(s.x_unit);
  const auto y_unit = static_cast<double>(s.y_unit);
  s.of_along = one / (x_unit * x_unit);
  s.of_both = one / (x_unit * y_unit);
  s.of_across = one / (y_unit * y_unit);
  s.determinant = static_cast<float>(x_unit * y_unit * one);
  s.tolerance = number::float_above((strip.ledger.of_walk() * number::Bound::of(one)).value());
  return true;
}

} // namespace tmd::engine::boxes
