#include "pairs/ranges.hpp"

#include "format/argument.hpp"
#include "function/pair_expression.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

using engine::boxes::TileOperand;
using engine::boxes::TileRectangle;

constexpr std::uint64_t fewest_pairs = 1 << 16; // of a rectangle
constexpr std::uint64_t usual_rectangles = 256;

void add_positive(const format::ArgumentSet& numbers, const Format& format, format::ArgumentSet::Rank first,
                  format::ArgumentSet::Rank last, bool is_negative, std::vector<TileOperand>& to) {
  const auto normal = std::uint32_t(1) << (format.precision - 1);
  while (first < last) {
    const Argument number = numbers.at(first);
    const auto significand = static_cast<std::uint32_t>(number.significand);
    const std::uint32_t end = significand < normal ? normal : 2 * normal;
    const auto count = static_cast<std::uint32_t>(std::min<format::ArgumentSet::Rank>(end - significand, last - first));
    to.push_back({number.unit_exponent, is_negative, {significand, significand + count}});
    first += count;
  }
}

void cut(const TileRectangle& rectangle, std::uint64_t most, std::vector<engine::boxes::PowerRectangle>& parts) {
  if (rectangle.pairs() <= most) {
    parts.push_back(rectangle_of(rectangle));
    return;
  }
  for (const TileRectangle& half : halves_of(rectangle, rectangle.x.range.size() > rectangle.y.range.size()))
    cut(half, most, parts);
}

} // namespace

PairJob job_over_ranges(const std::string& expression, const std::array<std::string, 2>& ranges, const Format& format,
                        Rounding rounding) {
  const function::PairFunction* const known = function::find_pair_function(expression);
  const std::string_view text = known != nullptr ? function::expression_of(*known) : expression;
  if (text.empty())
    throw UsageError(
        fmt::format("--x-range and --y-range serve pow, powr, hypot and expressions of x and y, not {}", expression));
  PairJob job;
  job.expression = std::make_shared<const function::PairExpression>(function::make_pair_expression(text));
  job.function = known != nullptr ? known : &job.expression->function;
  job.format = format;
  job.rounding = rounding;
  job.ranges = ranges;
  return job;
}

PairJob job_of_record(const result::Json& record, const Format& format, Rounding rounding) {
  const std::string name = record.at("function");
  if (const auto ranges = record.find("ranges"); ranges != record.end())
    return job_over_ranges(name, {ranges->at(0), ranges->at(1)}, format, rounding);
  PairJob job{function::find_pair_function(name), format, rounding};
  if (job.function == nullptr)
    throw UsageError(fmt::format("'{}' is not a function of two variables", name));
  return job;
}

std::vector<TileOperand> operands_of_range(const std::string& range, const Format& format, const std::string& option) {
  const std::size_t colon = range.find(':');
  if (colon == std::string::npos)
    throw UsageError(fmt::format("{}: '{}' is no range FROM:TO", option, range));
  const format::ArgumentSet numbers(format, format.precision);
  const format::ArgumentSet::Rank first = numbers.parse(range.substr(0, colon), option);
  const format::ArgumentSet::Rank last = numbers.parse(range.substr(colon + 1), option);
  if (first >= last)
    throw UsageError(fmt::format("{}: the range {} is empty: its first number is not below its end", option, range));
  using Rank = format::ArgumentSet::Rank;
  std::vector<TileOperand> result;
  add_positive(numbers, format, std::max<Rank>(1 - last, 1), std::max<Rank>(1 - first, 1), true, result);
  add_positive(numbers, format, std::max<Rank>(first, 1), std::max<Rank>(last, 1), false, result);
  return result;
}

std::vector<engine::boxes::PowerRectangle> cells_of_ranges(const PairJob& job) {
  std::vector<TileRectangle> rectangles;
  double pairs = 0;
  for (const TileOperand& x : operands_of_range((*job.ranges)[0], job.format, "--x-range"))
    for (const TileOperand& y : operands_of_range((*job.ranges)[1], job.format, "--y-range")) {
      rectangles.push_back({x, y});
      pairs += static_cast<double>(rectangles.back().pairs());
    }
  std::vector<engine::boxes::PowerRectangle> cells;
  for (const TileRectangle& rectangle : rectangles)
    cut(rectangle, std::max(fewest_pairs, static_cast<std::uint64_t>(pairs) / usual_rectangles), cells);
  return cells;
}

} // namespace tmd::pairs
