// Cells are numbered in the order of power_cells() or cells_of_ranges(), and lines through all cells. Formulas at some
// places of a cell estimate its cost; by that, large cells are cut into units, and small ones put together.
#include "pairs/power_lines.hpp"

#include "pairs/pair_planner.hpp"
#include "pairs/pair_search.hpp"
#include "pairs/ranges.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

constexpr int most_box_precision = 24;

using engine::boxes::PowerRectangle;

std::uint64_t lines_of(const PowerRectangle& cell) { return cell.x_end - cell.x_first; }

// Cuts lines that come in order into units.
class UnitCutter {
public:
  UnitCutter(std::vector<PowerUnit>& units, double most_cost) : units_(units), most_cost_(most_cost) {}

  void add(std::uint64_t first, std::uint64_t last, double cost) {
    const std::uint64_t lines = last - first;
    const auto parts = static_cast<std::uint64_t>(std::clamp(std::ceil(cost / most_cost_), 1.0, double(lines)));
    if (parts > 1 || open_.last != first || cells_ == most_cells || open_.cost + cost > most_cost_)
      close();
    for (std::uint64_t i = 0; parts > 1 && i < parts; ++i)
      units_.push_back({first + lines * i / parts, first + lines * (i + 1) / parts, cost / double(parts)});
    if (parts > 1)
      return;
    if (cells_ == 0)
      open_.first = first;
    open_.last = last;
    open_.cost += cost;
    ++cells_;
  }
  void close() {
    if (cells_ > 0)
      units_.push_back(open_);
    open_ = {};
    cells_ = 0;
  }

private:
  static constexpr int most_cells = 256; // limit, because even cells without boxes take time
  std::vector<PowerUnit>& units_;
  double most_cost_;
  PowerUnit open_;
  int cells_ = 0; // cells of the current unit
};

} // namespace

void check_boxes_serve(const PairJob& job) {
  const std::string& name = job.function->name;
  if (job.expression && job.format.precision > most_box_precision)
    throw UsageError(
        fmt::format("expressions of x and y can be searched in formats of up to {} bits of precision; {} has {}",
                    most_box_precision, job.format.name, job.format.precision));
  if (!job.expression && !is_power(*job.function))
    throw UsageError(fmt::format("{} is searched on the host: it takes no device and no journal", name));
  if (job.K < least_pair_bits)
    throw UsageError(fmt::format("functions of two variables need --bits {} or more", least_pair_bits));
  if (job.format.precision > most_box_precision)
    throw UsageError(fmt::format("{} can be searched in formats of up to {} bits of precision; {} has {}", name,
                                 most_box_precision, job.format.name, job.format.precision));
}

PowerLines::PowerLines(const PairJob& job)
    : are_of_ranges_(job.ranges.has_value()),
      cells_(are_of_ranges_                ? cells_of_ranges(job)
             : job.function->takes_integer ? engine::boxes::compound_cells(job.format)
                                           : engine::boxes::power_cells(job.format)),
      begins_{0} {
  for (const engine::boxes::PowerRectangle& cell : cells_)
    begins_.push_back(begins_.back() + lines_of(cell));
}

std::vector<engine::boxes::PowerRectangle> PowerLines::rectangles(std::uint64_t first, std::uint64_t last) const {
  std::vector<engine::boxes::PowerRectangle> result;
  auto cell = static_cast<std::size_t>(std::upper_bound(begins_.begin(), begins_.end(), first) - begins_.begin()) - 1;
  for (; first < last; first = begins_[++cell]) {
    const std::uint64_t end = std::min(last, begins_[cell + 1]);
    engine::boxes::PowerRectangle part = cells_[cell];
    part.x_end = part.x_first + static_cast<std::uint32_t>(end - begins_[cell]);
    part.x_first += static_cast<std::uint32_t>(first - begins_[cell]);
    result.push_back(part);
  }
  return result;
}

// Cells are ordered by the sign and the binade of x, then by the binade of y; one or two cells have that.
std::size_t PowerLines::cell_of_format(const Operands& operands) const {
  const auto& [x, y] = operands;
  const auto behind_x = std::partition_point(cells_.begin(), cells_.end(), [&, &x = x](const PowerRectangle& cell) {
    return std::tuple(cell.x_is_negative, cell.x_exponent, uint128(cell.x_first)) <=
           std::tuple(x.negative, x.unit_exponent, x.significand);
  });
  const auto first = std::partition_point(cells_.begin(), behind_x, [&](const PowerRectangle& cell) {
    const PowerRectangle& last = *(behind_x - 1);
    return std::tuple(cell.x_is_negative, cell.x_exponent, cell.x_first) <
           std::tuple(last.x_is_negative, last.x_exponent, last.x_first);
  });
  const auto behind_y = std::partition_point(first, behind_x, [&, &y = y](const PowerRectangle& cell) {
    return std::pair(cell.y_exponent, uint128(cell.y_first)) <= std::pair(y.unit_exponent, y.significand);
  });
  const auto cell = std::find_if(behind_y - std::min<std::ptrdiff_t>(behind_y - first, 2), behind_y,
                                 [&](const PowerRectangle& one) { return has_pair(one, operands); });
  return static_cast<std::size_t>((cell == behind_y ? cells_.end() : cell) - cells_.begin());
}

std::optional<std::size_t> PowerLines::cell_of(const Operands& operands) const {
  const auto has_it = [&](const engine::boxes::PowerRectangle& cell) { return has_pair(cell, operands); };
  const std::size_t cell =
      are_of_ranges_ ? static_cast<std::size_t>(std::find_if(cells_.begin(), cells_.end(), has_it) - cells_.begin())
                     : cell_of_format(operands);
  return cell < cells_.size() && has_it(cells_[cell]) ? std::optional(cell) : std::nullopt;
}

bool PowerLines::has(const Operands& operands) const { return cell_of(operands).has_value(); }

std::uint64_t PowerLines::line_of(const Operands& operands) const {
  const std::optional<std::size_t> cell = cell_of(operands);
  if (!cell)
    throw UsageError(fmt::format("{} is not a pair of the search", to_text(operands)));
  return begins_[*cell] + static_cast<std::uint64_t>(operands[0].significand) - cells_[*cell].x_first;
}

std::uint32_t PowerLines::longest() const {
  std::uint32_t most = 0;
  for (const engine::boxes::PowerRectangle& cell : cells_)
    most = std::max(most, cell.y_end - cell.y_first);
  return most;
}

uint128 PowerLines::pairs(std::uint64_t first, std::uint64_t last) const {
  uint128 sum = 0;
  for (const engine::boxes::PowerRectangle& part : rectangles(first, last))
    sum += part.pairs();
  return sum;
}

uint128 PowerLines::pairs(const job::Coverage& lines) const {
  uint128 sum = 0;
  for (const auto& [first, last] : lines.intervals())
    sum += pairs(static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last));
  return sum;
}

// The lines of a part of a cell that has x next to 1, in slices that halve towards 1: for large y values are in the
// format only there. Other parts are one slice.
std::vector<engine::boxes::PowerRectangle> slices_of(engine::boxes::PowerRectangle part) {
  std::vector<engine::boxes::PowerRectangle> result;
  if (part.is_compound) // values are in the format for the same share of all y, but for a factor
    return {part};
  const std::uint32_t one = std::uint32_t(1) << std::clamp(-part.x_exponent, 0, 31);
  const auto cut = [&](std::uint32_t end) {
    result.push_back(part);
    result.back().x_end = part.x_first = end;
  };
  if (part.x_exponent < 0 && part.x_end == one) {
    while (lines_of(part) > 1)
      cut(part.x_first + (part.x_end - part.x_first) / 2);
  } else if (part.x_exponent < 0 && part.x_first <= one && part.x_end > one) {
    for (std::uint32_t width = 1; part.x_end - part.x_first > width; width *= 2)
      cut(part.x_first + width);
  }
  result.push_back(part);
  return result;
}

// Calls take(lines, estimate) for a slice, or for its halves if it is expensive and boxes do not serve all of it: then
// some lines may take many times as long as others.
template <typename Take>
void each_estimate(const engine::boxes::PowerRectangle& slice, const PairJob& job, const Take& take) {
  constexpr double expensive = 0x1p31; // a quarter of a second of an H200
  const engine::boxes::PairEstimate estimate = estimate_of(job, slice);
  if (estimate.single == 0 || estimate.cost() < expensive || lines_of(slice) == 1) {
    take(lines_of(slice), estimate);
    return;
  }
  for (const engine::boxes::PowerRectangle& half : halves_of(slice, true))
    each_estimate(half, job, take);
}

// Calls take(first line, last line, estimate) for the wanted lines of each slice of a cell.
template <typename Take>
void each_part(const PowerLines& lines, const job::Coverage& wanted, const PairJob& job, const Take& take) {
  for (const auto& [from, to] : wanted.intervals()) {
    auto first = static_cast<std::uint64_t>(from);
    for (const engine::boxes::PowerRectangle& part : lines.rectangles(first, static_cast<std::uint64_t>(to)))
      for (const engine::boxes::PowerRectangle& slice : job.ranges ? std::vector{part} : slices_of(part))
        each_estimate(slice, job, [&](std::uint64_t count, const engine::boxes::PairEstimate& estimate) {
          take(first, first + count, estimate);
          first += count;
        });
  }
}

job::Coverage lines_wanted(const PowerLines& lines, const PairJob& job, const std::optional<PartOfJob>& part) {
  if (!part)
    return {0, int128(lines.size())};
  constexpr double cost_of_cell = 1.0 / 8; // cost of a cell without boxes, as a share of the mean
  constexpr double places = 64;            // places of a cell at which a part may begin: the same on every machine
  std::vector<double> costs;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cells;
  each_part(lines, {0, int128(lines.size())}, job,
            [&](std::uint64_t first, std::uint64_t last, const engine::boxes::PairEstimate& estimate) {
              cells.emplace_back(first, last);
              costs.push_back(estimate.cost());
            });
  const double boxes = std::accumulate(costs.begin(), costs.end(), 0.0);
  for (double& cost : costs)
    cost += boxes * cost_of_cell / static_cast<double>(cells.size());
  const double all = boxes * (1 + cost_of_cell);
  const auto begin_of = [&](int number) { // of the part after `number` parts
    double left = all / part->count * number;
    for (std::size_t i = 0; i < cells.size(); ++i, left -= costs[i - 1])
      if (left < costs[i] && number < part->count)
        return cells[i].first + (cells[i].second - cells[i].first) *
                                    static_cast<std::uint64_t>(std::floor(places * std::max(left / costs[i], 0.0))) /
                                    static_cast<std::uint64_t>(places);
    return lines.size();
  };
  return {int128(begin_of(part->index - 1)), int128(begin_of(part->index))};
}

std::vector<PowerUnit> power_units(const PowerLines& lines, const job::Coverage& wanted, const PairJob& job,
                                   double cost) {
  std::vector<PowerUnit> units;
  UnitCutter cutter(units, cost);
  each_part(lines, wanted, job,
            [&](std::uint64_t first, std::uint64_t last, const engine::boxes::PairEstimate& estimate) {
              cutter.add(first, last, estimate.cost());
            });
  cutter.close();
  return units;
}

engine::boxes::PairEstimate estimate_of(const PowerLines& lines, const job::Coverage& wanted, const PairJob& job) {
  engine::boxes::PairEstimate sum;
  each_part(lines, wanted, job,
            [&](std::uint64_t /*first*/, std::uint64_t /*last*/, const engine::boxes::PairEstimate& estimate) {
              sum.boxes += estimate.boxes;
              sum.single += estimate.single;
              sum.pairs += estimate.pairs;
            });
  return sum;
}

bool has_pair(const engine::boxes::PowerRectangle& r, const Operands& operands) {
  const auto& [x, y] = operands;
  return x.negative == r.x_is_negative && x.unit_exponent == r.x_exponent && x.significand >= r.x_first &&
         x.significand < r.x_end && y.unit_exponent == r.y_exponent && y.negative == r.is_negative &&
         y.significand >= r.y_first && y.significand < r.y_end;
}

Operands operands_of(const engine::boxes::PowerRectangle& rectangle, const engine::boxes::PowerPair& pair) {
  return {Argument{rectangle.x_is_negative, pair.x, rectangle.x_exponent},
          Argument{rectangle.is_negative, pair.y, rectangle.y_exponent}};
}

} // namespace tmd::pairs
