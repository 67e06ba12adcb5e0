// The rectangle is cut into blocks. Threads plan some of them; then the device searches their strips, a few planted
// pairs among them, and threads judge what it has found. Every pair is counted in a tile of some kind.
#include "pairs/tile_search.hpp"

#include "engine/boxes/rectangles.hpp"
#include "format/argument.hpp"
#include "number/in_parallel.hpp"
#include "number/random.hpp"
#include "pairs/findings.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

using engine::boxes::PlannedTiles;
using engine::boxes::PowerStrip;
using engine::boxes::TileOperand;
using engine::boxes::TileRectangle;

constexpr int most_precision = 24;
constexpr std::uint64_t fewest_pairs = 1 << 16; // of a block
constexpr std::uint64_t usual_blocks = 256;
constexpr std::uint64_t most_pairs = std::uint64_t(1) << 34;    // of strips that are searched at once, by boxes
constexpr std::uint64_t most_of_lines = std::uint64_t(1) << 20; // the same, pair by pair
constexpr unsigned plants_of_batch = 4;

Argument number_of(const TileOperand& operand, std::uint32_t significand) {
  return {operand.is_negative, significand, operand.exponent};
}
Operands pair_of(const TileRectangle& tile, std::uint32_t x, std::uint32_t y) {
  return {number_of(tile.x, x), number_of(tile.y, y)};
}

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

void cut(const TileRectangle& rectangle, std::uint64_t most, std::vector<TileRectangle>& blocks) {
  const auto [x, y] = std::pair(rectangle.x.range, rectangle.y.range);
  if (rectangle.pairs() <= most) {
    blocks.push_back(rectangle);
    return;
  }
  TileRectangle lower(rectangle);
  TileRectangle upper(rectangle);
  auto& of_lower = x.size() > y.size() ? lower.x.range : lower.y.range;
  auto& of_upper = x.size() > y.size() ? upper.x.range : upper.y.range;
  of_lower.end = of_upper.first = of_lower.first + of_lower.size() / 2;
  cut(lower, most, blocks);
  cut(upper, most, blocks);
}

class TileSearch {
public:
  TileSearch(const PairJob& job, const function::Formula& formula, engine::boxes::BoxSearch& device,
             const TileHooks& hooks)
      : job_(job), planner_(formula, job.grid(), job.K, {}), device_(device), hooks_(hooks), findings_(job) {}

  PairResult search(const std::vector<TileRectangle>& blocks) {
    const auto start = std::chrono::steady_clock::now();
    Progress now;
    for (const TileRectangle& block : blocks)
      now.total += block.pairs();
    const std::size_t together = std::size_t(4) * std::max(hooks_.threads, 1U);
    for (std::size_t first = 0; first < blocks.size(); first += together) {
      const std::span part = std::span(blocks).subspan(first, std::min(together, blocks.size() - first));
      search_batch(plan(part));
      for (const TileRectangle& block : part)
        now.done += block.pairs();
      now.cases = findings_.cases().size();
      now.seconds = support::seconds_since(start);
      hooks_.progress(now);
    }
    if (done_.searched + done_.empty != now.total)
      throw SoundnessError("the tiles do not have as many pairs as the ranges");
    done_.pairs = now.total;
    done_.expected = std::ldexp(static_cast<double>(done_.searched), 1 - job_.K);
    done_.stages = device_.stages();
    PairResult result = std::move(findings_).result();
    result.method = "by boxes of pairs in tiles";
    result.tested = done_.searched;
    result.boxes = std::move(done_);
    result.seconds = support::seconds_since(start);
    return result;
  }

private:
  [[nodiscard]] PlannedTiles plan(std::span<const TileRectangle> blocks) const {
    std::vector<PlannedTiles> parts(blocks.size());
    number::in_parallel(blocks.size(), hooks_.threads, [&](std::uint64_t block, unsigned) {
      planner_.plan(blocks[block], parts[block]);
      refuse_too_many(parts[block]);
      if (hooks_.interrupted && hooks_.interrupted())
        throw Interrupted();
    });
    PlannedTiles all;
    for (PlannedTiles& part : parts)
      all.add(std::move(part));
    return all;
  }

  void refuse_too_many(const PlannedTiles& planned) const {
    if (one_by_one_ + planned.pairs_of_each > engine::boxes::most_one_by_one)
      throw UsageError(fmt::format(
          "{} cannot be searched next to {}: it has no value there, or is not smooth, or is "
          "nearly 0; leave such places out of --x-range and --y-range",
          job_.function->name,
          to_text(pair_of(planned.each.back(), planned.each.back().x.range.first, planned.each.back().y.range.first))));
  }

  void refuse_without_boxes(const PlannedTiles& planned) {
    constexpr double most_in_all = 0x1p34;
    for (std::size_t i = 0; i < planned.strips.size(); ++i) {
      if (planned.strips[i].is_walked)
        continue;
      pair_by_pair_ += static_cast<double>(planned.tiles[i].pairs());
      if (planned.tiles[i].pairs() > engine::boxes::most_pair_by_pair || pair_by_pair_ > most_in_all)
        throw UsageError(fmt::format(
            "{} cannot be searched by boxes next to {}: it is linear there, or bends too much; "
            "take smaller ranges",
            job_.function->name,
            to_text(pair_of(planned.tiles[i], planned.tiles[i].x.range.first, planned.tiles[i].y.range.first))));
    }
  }

  void search_batch(PlannedTiles planned) {
    refuse_too_many(planned);
    refuse_without_boxes(planned);
    one_by_one_ += planned.pairs_of_each;
    done_.searched += planned.searched + planned.pairs_of_each;
    done_.empty += planned.empty;
    device_.use_tiles(planned.polynomials);
    const std::vector<engine::boxes::PowerPair> planted = plant(planned);
    std::vector<char> is_met(planted.size());
    const std::size_t own = planned.tiles.size();
    for (std::size_t first = 0; first < planned.strips.size();) {
      const std::span part = next_strips(std::span(planned.strips).subspan(first));
      std::vector<Operands> candidates;
      for (const engine::boxes::BoxCandidate& one : device_.search(part, hooks_.interrupted))
        if (const std::size_t strip = first + one.strip; strip < own)
          candidates.push_back(pair_of(planned.tiles[strip], one.pair.x, one.pair.y));
        else if (one.pair == planted[strip - own])
          is_met[strip - own] = 1;
      first += part.size();
      judge(std::move(candidates));
    }
    if (std::count(is_met.begin(), is_met.end(), 0) != 0)
      throw device_.fault("it has not found a pair whose value was shifted onto a breakpoint");
    done_.planted += planted.size();
    std::vector<Operands> each;
    for (const TileRectangle& tile : planned.each)
      for (std::uint32_t x = tile.x.range.first; x < tile.x.range.end; ++x)
        for (std::uint32_t y = tile.y.range.first; y < tile.y.range.end; ++y)
          each.push_back(pair_of(tile, x, y));
    judge(std::move(each));
  }

  [[nodiscard]] static double pairs_in(std::span<const PowerStrip> strips) {
    return std::accumulate(strips.begin(), strips.end(), 0.0, [](double sum, const PowerStrip& strip) {
      return sum + static_cast<double>(strip.kernel.along_end - strip.kernel.along) *
                       (strip.kernel.across_end - strip.kernel.across);
    });
  }

  // Appends rows with planted pairs to the strips.
  std::vector<engine::boxes::PowerPair> plant(PlannedTiles& planned) {
    std::vector<engine::boxes::PowerPair> planted;
    const std::size_t own = planned.strips.size();
    for (unsigned i = 0; i < plants_of_batch && own > 0; ++i)
      if (const auto row = planted_row(planned.strips[random_.below(own)], device_.tables(), random_)) {
        planned.strips.push_back(row->strip);
        planted.push_back(row->pair);
      }
    return planted;
  }

  // The first strips, as many as may be searched at once: their candidates have to be kept.
  [[nodiscard]] static std::span<const PowerStrip> next_strips(std::span<const PowerStrip> strips) {
    std::size_t count = 0;
    for (double share = 0; count < std::min(strips.size(), engine::boxes::BoxSearch::most_strips) && share < 1;
         ++count) {
      share += pairs_in(strips.subspan(count, 1)) /
               static_cast<double>(strips[count].is_walked ? most_pairs : most_of_lines);
    }
    return strips.first(count);
  }

  // A pair of two strips is a candidate of both.
  void judge(std::vector<Operands> candidates) {
    const auto is_less = [](const Operands& left, const Operands& right) {
      const int order = compare(left[0], right[0]);
      return order != 0 ? order < 0 : compare(left[1], right[1]) < 0;
    };
    std::sort(candidates.begin(), candidates.end(), is_less);
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    constexpr std::size_t of_task = 64;
    std::mutex mutex;
    number::in_parallel((candidates.size() + of_task - 1) / of_task, hooks_.threads, [&](std::uint64_t task, unsigned) {
      PairFindings found(job_);
      for (std::size_t i = task * of_task; i < std::min(candidates.size(), (task + 1) * of_task); ++i)
        found.look_at(candidates[i], 1);
      const std::lock_guard lock(mutex);
      findings_.add(std::move(found));
      if (const double cases = static_cast<double>(findings_.cases().size()) + static_cast<double>(findings_.exact());
          cases > hooks_.most_cases)
        throw UsageError(
            fmt::format("more than {:.0f} pairs are cases or exact: take a larger --bits or smaller ranges, "
                        "or allow more with --most-cases",
                        hooks_.most_cases));
    });
  }

  const PairJob& job_;
  engine::boxes::TilePlanner planner_;
  engine::boxes::BoxSearch& device_;
  const TileHooks& hooks_;
  number::Random random_{1};
  PairFindings findings_;
  BoxesDone done_;
  uint128 one_by_one_ = 0;
  double pair_by_pair_ = 0;
};

} // namespace

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

void check_tiles_serve(const PairJob& job) {
  if (job.format.precision > most_precision)
    throw UsageError(
        fmt::format("expressions of x and y can be searched in formats of up to {} bits of precision; {} has "
                    "{}",
                    most_precision, job.format.name, job.format.precision));
  if (job.K < least_pair_bits)
    throw UsageError(fmt::format("functions of two variables need --bits {} or more", least_pair_bits));
}

PairResult search_tiles(const PairJob& job, const function::Formula& formula, const std::vector<TileOperand>& x,
                        const std::vector<TileOperand>& y, engine::boxes::BoxSearch& device, const TileHooks& hooks) {
  check_tiles_serve(job);
  std::vector<TileRectangle> rectangles;
  double pairs = 0;
  for (const TileOperand& of_x : x)
    for (const TileOperand& of_y : y) {
      rectangles.push_back({of_x, of_y});
      pairs += static_cast<double>(rectangles.back().pairs());
    }
  const double expected = std::ldexp(pairs, 1 - job.K);
  if (expected > hooks.most_cases)
    throw UsageError(
        fmt::format("about {:.2g} cases are to be expected, more than {:.0f}: take a larger --bits, or allow "
                    "more with --most-cases",
                    expected, hooks.most_cases));
  std::vector<TileRectangle> blocks;
  for (const TileRectangle& rectangle : rectangles)
    cut(rectangle, std::max(fewest_pairs, static_cast<std::uint64_t>(pairs) / usual_blocks), blocks);
  return TileSearch(job, formula, device, hooks).search(blocks);
}

} // namespace tmd::pairs
