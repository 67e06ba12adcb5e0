#include "pairs/pair_planner.hpp"

#include "function/pair_expression.hpp"
#include "pairs/power_lines.hpp"
#include "tmd/error.hpp"

#include <utility>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

using engine::boxes::PlannedPairs;
using engine::boxes::PowerPlanner;
using engine::boxes::PowerRectangle;
using engine::boxes::TilePlanner;

std::variant<PowerPlanner, TilePlanner> planner_of(const PairJob& job, const engine::boxes::BoxOptions& options) {
  if (job.expression)
    return TilePlanner(*job.expression->formula, job.grid(), job.K, options);
  return PowerPlanner(job.grid(), job.K, options);
}

std::string first_pair(const PowerRectangle& r, std::uint32_t x, std::uint32_t y) {
  return to_text(operands_of(r, {x, y}));
}

[[noreturn]] void refuse_place(const PairJob& job, const PowerRectangle& r) {
  throw UsageError(fmt::format("{} cannot be searched next to {}: it has no value there, or is not smooth, or is "
                               "nearly 0; leave such places out of --x-range and --y-range",
                               job.function->name, first_pair(r, r.x_first, r.y_first)));
}

} // namespace

PairPlanner::PairPlanner(PairJob job, const engine::boxes::BoxOptions& options)
    : job_(std::move(job)), planner_(planner_of(job_, options)) {}

PlannedPairs PairPlanner::plan(std::span<const PowerRectangle> rectangles) {
  if (const auto* const powers = std::get_if<PowerPlanner>(&planner_))
    return plan_powers(rectangles, *powers);
  PlannedPairs planned = plan_tiles(rectangles, std::get<TilePlanner>(planner_));
  refuse_too_many(rectangles, planned);
  return planned;
}

void PairPlanner::refuse_too_many(std::span<const PowerRectangle> rectangles, const PlannedPairs& planned) {
  constexpr std::uint64_t most_in_all = std::uint64_t(1) << 34;
  const auto full = static_cast<std::uint64_t>(planned.pairs_of(engine::boxes::TileKind::full));
  if ((one_by_one_ += full) > engine::boxes::most_one_by_one && full > 0)
    refuse_place(job_, planned.full.back().pairs);
  for (std::size_t i = 0; i < planned.strips.size(); ++i) {
    const engine::boxes::layout::box_strip& s = planned.strips[i].kernel;
    if (planned.strips[i].is_walked)
      continue;
    const auto along = static_cast<std::uint32_t>(s.along);
    const auto across = static_cast<std::uint32_t>(s.across);
    const std::uint64_t pairs = (static_cast<std::uint32_t>(s.along_end) - along) *
                                std::uint64_t(static_cast<std::uint32_t>(s.across_end) - across);
    if ((pair_by_pair_ += pairs) > most_in_all || pairs > engine::boxes::most_pair_by_pair)
      throw UsageError(fmt::format(
          "{} cannot be searched by boxes next to {}: it is linear there, or bends too much; take smaller ranges",
          job_.function->name,
          first_pair(rectangles[planned.rectangles[i]], s.axis == 0 ? along : across, s.axis == 0 ? across : along)));
  }
}

void refuse_singular(const PairJob& job, std::span<const PowerRectangle> rectangles) {
  if (!job.expression)
    return;
  const TilePlanner planner(*job.expression->formula, job.grid(), job.K, {});
  if (const std::optional<PowerRectangle> place = planner.singular_place(rectangles))
    refuse_place(job, *place);
}

engine::boxes::PairEstimate estimate_of(const PairJob& job, const PowerRectangle& rectangle) {
  return job.expression ? estimate_tiles(rectangle, *job.expression->formula, job.grid(), {})
                        : estimate_powers(rectangle, job.grid(), {});
}

} // namespace tmd::pairs
