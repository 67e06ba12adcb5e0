// A prediction: the range is cut as a search would cut it, and planners are asked what some places cost, more of them
// towards the ends of pieces. Of a stretch of many pieces only some are looked at, on all cores.
#include "search/workload.hpp"

#include "engine/planning.hpp"
#include "engine/registry.hpp"
#include "job/pieces.hpp"
#include "number/in_parallel.hpp"
#include "search/expectation.hpp"
#include "search/search.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace tmd::searches {

namespace {

// Places at which the planners are asked, of all stretches together, but of each no fewer than some.
constexpr std::size_t usual_samples = 256;
constexpr std::size_t fewest_samples = 4;

// Places of a claimed stretch's coordinate.
constexpr unsigned claimed_places = 16;

// The same everywhere: mathematical functions may differ in their last bits from one machine to the next.
double rounded(double cost) {
  constexpr double steps = 8; // in a factor of two
  return std::exp2(std::round(steps * std::log2(cost)) / steps);
}

// Pieces with fewer arguments are one interval, or MPFR's.
constexpr uint128 fewest_asked_about = uint128(1) << 16;

// Parts between two so near to each other are not asked about where these cost about the same: of a piece or of pieces
// of the same length, and of neighbouring binades.
constexpr std::size_t near_parts = 16;
constexpr std::size_t near_pieces = 4;
constexpr std::size_t near_stretches = 64;

// Costs per argument of parts in a row, that have so many arguments, by ask(numbers, costs), which sets those of some
// parts. The planners are not asked about parts between two that are near to each other and cost about the same, or
// where that matters little: an answer can take them 20 ms, and every shard asks.
template <typename Ask>
std::vector<double> costs_of_parts(const std::vector<double>& arguments, std::size_t near, const Ask& ask) {
  constexpr double alike = 1.2;
  constexpr double little = 1.0 / 64; // of the cost of all
  struct Between {
    std::size_t low;
    std::size_t high;
    double arguments;
  };
  const std::size_t parts = arguments.size();
  std::vector<double> costs(parts);
  if (parts == 0)
    return costs;
  // The ends may be alike, and all between them otherwise.
  std::vector<std::size_t> asked{0};
  for (const std::size_t part : {(parts - 1) / 2, parts - 1})
    if (part != asked.back())
      asked.push_back(part);
  ask(asked, costs);
  if (parts <= 2)
    return costs;
  const auto between = [&](std::size_t low, std::size_t high) {
    double count = 0;
    for (std::size_t i = low + 1; i < high; ++i)
      count += arguments[i];
    return Between{low, high, count};
  };
  std::vector<Between> open{between(0, asked[1]), between(asked[1], parts - 1)};
  double all = 0; // at least, as far as costs rise or fall from one asked about to the next: a dear one may be alone
  for (const Between& one : open)
    all += std::min(costs[one.low], costs[one.high]) * one.arguments;
  while (!open.empty()) {
    std::vector<Between> halved;
    asked.clear();
    for (const Between& one : open) {
      const std::size_t middle = one.low + (one.high - one.low) / 2;
      const auto [least, most] = std::minmax(costs[one.low], costs[one.high]);
      if (one.high - one.low < 2)
        continue;
      if ((one.high - one.low <= near && most <= alike * least) || most * one.arguments <= little * all) {
        for (std::size_t i = one.low + 1; i < one.high; ++i)
          costs[i] = costs[i < middle ? one.low : one.high];
        continue;
      }
      asked.push_back(middle);
      halved.push_back(one);
    }
    ask(asked, costs);
    open.clear();
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto [low, high, count] = halved[i];
      all = std::max(all, std::min({costs[low], costs[asked[i]], costs[high]}) * count);
      open.push_back(between(low, asked[i]));
      open.push_back(between(asked[i], high));
    }
  }
  return costs;
}

// The same, each by cost_of(number), on so many threads.
template <typename CostOf>
std::vector<double> costs_of_parts_by(unsigned threads, const std::vector<double>& arguments, std::size_t near,
                                      const CostOf& cost_of) {
  return costs_of_parts(arguments, near, [&](const std::vector<std::size_t>& asked, std::vector<double>& costs) {
    number::in_parallel(asked.size(), std::min(threads, static_cast<unsigned>(asked.size())),
                        [&](std::uint64_t i, unsigned /*thread*/) { costs[asked[i]] = cost_of(asked[i]); });
  });
}

// What pieces and claims cost, by what the planners say of some places.
class PieceCosts {
public:
  PieceCosts(const job::Job& job, const engine::EngineSettings& settings, const std::function<bool()>& interrupted)
      : job_(job), settings_(settings), interrupted_(interrupted) {
    for (const engine::EngineKind* kind : engine::engines_for(settings.choices.algorithm, tmd::engine::engines()))
      engines_.push_back(kind->open_to_plan(settings));
  }

  // Adds a piece in so many parts, and shorter ones towards its ends, where it may be next to a pole.
  void add(const job::Cut& cut, uint128 parts, std::vector<Work>& work) const {
    if (cut.arguments.count < fewest_asked_about) { // one interval, or MPFR
      const auto count = static_cast<double>(cut.arguments.count);
      const double one_by_one = settings_.costs[device::shared_cost("confirmation")] * count;
      const double at_once = cut.values ? settings_.costs[device::shared_cost("interval")] : one_by_one;
      work.push_back({job::ranks_of(job_.arguments(), cut.arguments, 0, cut.arguments.count),
                      rounded(std::min(one_by_one, at_once))});
      return;
    }
    const std::vector<uint128> borders = borders_of(cut, parts);
    std::vector<double> arguments;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i)
      arguments.push_back(static_cast<double>(borders[i + 1] - borders[i]));
    const std::vector<double> costs = costs_of_parts_by(1, arguments, near_parts, [&](std::size_t i) {
      if (interrupted_ && interrupted_())
        throw Interrupted();
      // A planner offers no much longer intervals than it did last: next to a pole, that is.
      engine::FieldPlanner planner(engines_, job_, engine::Field::of(cut), settings_.choices.algorithm != "auto",
                                   settings_.costs);
      const uint128 place = borders[i] + (borders[i + 1] - borders[i]) / 2;
      const double cost = cut.values ? planner.estimate(place, cut.arguments.count - place)
                                     : settings_.costs[device::shared_cost("confirmation")];
      return rounded(std::isfinite(cost) ? cost : settings_.costs[device::shared_cost("confirmation")]);
    });
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const uint128 count = borders[i + 1] - borders[i];
      work.push_back(
          {job::ranks_of(job_.arguments(), cut.arguments, borders[i], count), costs[i] * static_cast<double>(count)});
    }
  }

  // A claimed stretch, by what its engine says of some places of its coordinate.
  [[nodiscard]] Work of_claimed(const engine::Field& field) const {
    const uint128 part = field.extent() / claimed_places;
    engine::FieldPlanner planner(engines_, job_, field, settings_.choices.algorithm != "auto", settings_.costs);
    ClaimedWork claimed{
        field, costs_of_parts_by(1, std::vector<double>(claimed_places, 1), near_parts, [&](std::size_t i) {
          return planner.estimate(part * i + part / 2, part) * static_cast<double>(field.extent()) / claimed_places;
        })};
    const double cost = std::accumulate(claimed.costs.begin(), claimed.costs.end(), 0.0);
    return {job::ranks_of(job_.arguments(), field.arguments, 0, field.arguments.count), rounded(cost),
            std::make_shared<const ClaimedWork>(std::move(claimed))};
  }

private:
  static std::vector<uint128> borders_of(const job::Cut& cut, uint128 parts) {
    constexpr int nearest_bits = 16; // log2 of the shortest part's arguments
    constexpr int growth_bits = 5;
    constexpr uint128 fewest = uint128(1) << 28; // of a piece; shorter ones cost little
    const uint128 all = cut.arguments.count;
    std::vector<uint128> borders;
    for (uint128 i = 0; i < parts; ++i)
      borders.push_back(all / parts * i);
    for (int bits = nearest_bits; cut.values && all >= fewest && uint128(1) << bits < all / parts / 2;
         bits += growth_bits)
      borders.insert(borders.end(), {uint128(1) << bits, all - (uint128(1) << bits)});
    borders.push_back(all);
    std::sort(borders.begin(), borders.end());
    return borders;
  }

  const job::Job& job_;
  const engine::EngineSettings& settings_;
  const std::function<bool()>& interrupted_;
  std::vector<std::unique_ptr<engine::Engine>> engines_;
};

// Sums over what would be given to a device, and what MPFR would decide alone. Stretches are looked at on all cores; of
// a long row of neighbours only so many as costs_of_parts() asks for.
class Prediction {
public:
  Prediction(const job::Job& job, const engine::EngineSettings& settings, const std::function<bool()>& interrupted)
      : job_(job), interrupted_(interrupted), costs_(job, settings, interrupted),
        claims_(claims_of(job, settings.choices, tmd::engine::engines())) {}

  std::vector<Work> work(std::span<const job::Stretch> to_search) {
    const std::vector<job::Stretch> open = without_claims(to_search);
    places_ = std::max(fewest_samples, usual_samples / std::max<std::size_t>(open.size(), 1));
    for (std::size_t begin = 0; begin < open.size();) {
      std::size_t end = begin + 1;
      while (end < open.size() && ranks_of(open[end - 1]).last == ranks_of(open[end]).first)
        ++end;
      add_row(std::span(open).subspan(begin, end - begin));
      begin = end;
    }
    std::sort(work_.begin(), work_.end(),
              [](const Work& left, const Work& right) { return left.ranks.first < right.ranks.first; });
    return std::move(work_);
  }

private:
  [[nodiscard]] job::RankInterval ranks_of(const job::Stretch& stretch) const {
    return job::ranks_of(job_.arguments(), stretch, 0, stretch.count);
  }

  // Adds what engines claim. Returns the other stretches in the order of ranks.
  [[nodiscard]] std::vector<job::Stretch> without_claims(std::span<const job::Stretch> to_search) {
    std::vector<engine::Field> fields;
    std::vector<job::Stretch> open;
    for (const job::Stretch& stretch : to_search) {
      const ClaimedParts claimed = claimed_parts(claims_, stretch);
      fields.insert(fields.end(), claimed.fields.begin(), claimed.fields.end());
      open.insert(open.end(), claimed.left.begin(), claimed.left.end());
    }
    add_claimed(families_of(std::move(fields), [](const auto&, const auto&) { return true; }));
    std::sort(open.begin(), open.end(), [this](const job::Stretch& left, const job::Stretch& right) {
      return ranks_of(left).first < ranks_of(right).first;
    });
    return open;
  }

  // Adds the work of claims; what one costs is shared out among all that it serves.
  void add_claimed(const std::vector<Family>& families) {
    std::vector<Work> of_first(families.size());
    number::in_parallel(families.size(), number::cores(), [&](std::uint64_t i, unsigned /*thread*/) {
      of_first[i] = costs_.of_claimed(leader_of(families[i]));
    });
    for (std::size_t i = 0; i < families.size(); ++i)
      for (const engine::Field& field : families[i])
        work_.push_back({ranks_of(field.arguments), of_first[i].cost / static_cast<double>(families[i].size()),
                         of_first[i].claimed});
  }

  // Adds the work of neighbouring stretches. Those that are not looked at cost as much an argument as others near them.
  void add_row(std::span<const job::Stretch> row) {
    constexpr std::size_t all_looked_at = 64;
    std::vector<std::optional<std::vector<Work>>> looked(row.size());
    std::vector<double> arguments;
    for (const job::Stretch& stretch : row)
      arguments.push_back(static_cast<double>(stretch.count));
    const auto ask = [&](const std::vector<std::size_t>& asked, std::vector<double>& costs) {
      number::in_parallel(asked.size(), number::cores(), [&](std::uint64_t i, unsigned /*thread*/) {
        const std::size_t which = asked[i];
        looked[which] = look(row[which]);
        costs[which] = cost_of(*looked[which]) / arguments[which];
      });
    };
    std::vector<double> costs(row.size());
    if (row.size() > all_looked_at) {
      costs = costs_of_parts(arguments, near_stretches, ask);
    } else {
      std::vector<std::size_t> each(row.size());
      std::iota(each.begin(), each.end(), 0);
      ask(each, costs);
    }
    std::size_t low = 0; // the last one that was looked at
    for (std::size_t i = 0; i < row.size(); ++i)
      if (looked[i]) {
        work_.insert(work_.end(), looked[i]->begin(), looked[i]->end());
        low = i;
      } else if (costs[i] > 0) {
        std::size_t like = low; // or the next one, the one whose cost it has
        if (costs[i] != costs[low])
          while (!looked[like] || like == low)
            ++like;
        const std::vector<Work>& alike = *looked[like];
        work_.push_back({ranks_of(row[i]), costs[i] * arguments[i], nullptr,
                         alike.size() == 1 ? alike.front().examples : nullptr, 1, false});
      }
  }

  // The work of a stretch: that of its pieces, or of some of them if there are very many.
  [[nodiscard]] std::vector<Work> look(const job::Stretch& stretch) const {
    constexpr std::size_t most_cuts = 32; // more of them would take longer than is good for a prediction
    constexpr int many_bits = 7;
    if (stretch.count >> many_bits > 1 &&
        !job::PieceCutter::has_long_pieces(job_, stretch, bit_length((stretch.count >> many_bits) - 1)))
      return sample(stretch);
    std::vector<job::Cut> cuts;
    job::PieceCutter cutter(job_, stretch, interrupted_);
    for (std::size_t i = 0; i < most_cuts; ++i) {
      const auto cut = cutter.next();
      if (!cut)
        return cost_of_cuts(cuts);
      if (has_breakpoints(*cut))
        cuts.push_back(*cut);
    }
    return sample(stretch);
  }

  [[nodiscard]] bool has_breakpoints(const job::Cut& cut) const {
    return !cut.values || job_.grid().reaches(cut.values->exponent, job_.K);
  }

  // Not all of many pieces are planned: among those of about the same length most cost the same. On all cores, since a
  // few stretches have most of the work, and are looked at one after the other.
  [[nodiscard]] std::vector<Work> cost_of_cuts(std::vector<job::Cut> cuts) const {
    std::stable_sort(cuts.begin(), cuts.end(), [](const job::Cut& left, const job::Cut& right) {
      return left.arguments.count < right.arguments.count;
    });
    const std::size_t places = std::max<std::size_t>(1, places_ / std::max<std::size_t>(cuts.size(), 1));
    std::vector<std::vector<Work>> planned(cuts.size());
    const std::vector<double> costs =
        costs_of_parts_by(number::cores(), std::vector<double>(cuts.size(), 1), near_pieces, [&](std::size_t i) {
          costs_.add(cuts[i], std::min<uint128>(places, cuts[i].arguments.count), planned[i]);
          return cost_of(planned[i]);
        });
    std::vector<Work> work;
    for (std::size_t i = 0; i < cuts.size(); ++i)
      if (planned[i].empty())
        work.push_back({ranks_of(cuts[i].arguments), costs[i]});
      else
        work.insert(work.end(), planned[i].begin(), planned[i].end());
    return work;
  }

  // A stretch as a whole, by some pieces of it that follow each other, with those around a zero or a pole: there are
  // very few arguments in many pieces, and each of them costs much.
  [[nodiscard]] std::vector<Work> sample(const job::Stretch& stretch) const {
    job::Stretch from = stretch;
    from.first += stretch.count / 3;
    from.count -= stretch.count / 3;
    std::vector<job::Cut> cuts = some_cuts(from);
    uint128 looked_at = 0;
    for (const job::Cut& cut : cuts)
      looked_at += cut.arguments.count;
    std::erase_if(cuts, [this](const job::Cut& cut) { return !has_breakpoints(cut); });
    std::vector<Work> examples = cost_of_cuts(cuts);
    const double cost = cost_of(examples);
    if (cost == 0)
      return {};
    return {{ranks_of(stretch), cost / static_cast<double>(looked_at) * static_cast<double>(stretch.count), nullptr,
             std::make_shared<const std::vector<Work>>(std::move(examples))}};
  }

  // Some cuts from the beginning of a stretch on, until they are long again.
  [[nodiscard]] std::vector<job::Cut> some_cuts(const job::Stretch& stretch) const {
    constexpr std::size_t fewest = 8;
    constexpr std::size_t most = 32;
    std::vector<job::Cut> cuts;
    uint128 longest = 0;
    job::PieceCutter cutter(job_, stretch, interrupted_);
    while (cuts.size() < most) {
      const auto cut = cutter.next();
      if (!cut)
        break;
      cuts.push_back(*cut);
      longest = std::max(longest, cut->arguments.count);
      if (cuts.size() >= fewest && cut->arguments.count >= longest / 4)
        break;
    }
    return cuts;
  }

  const job::Job& job_;
  const std::function<bool()>& interrupted_;
  PieceCosts costs_;
  Claims claims_;
  std::size_t places_ = 1; // at which the planners are asked, of a stretch
  std::vector<Work> work_;
};

} // namespace

double cost_of(const std::vector<Work>& work) {
  double all = 0;
  for (const Work& one : work)
    all += one.cost * one.weight;
  return all;
}

engine::EngineSettings usual_settings() {
  engine::EngineSettings settings;
  opencl::DeviceDescription usual;
  usual.set_type(true, false, false);
  settings.costs = engine::engine_tuning().default_costs(usual, settings.tunables);
  return settings;
}

std::vector<Work> predicted_work(const job::Job& job, std::span<const job::Stretch> to_search,
                                 const engine::EngineSettings& settings, const std::function<bool()>& interrupted) {
  return Prediction(job, settings, interrupted).work(to_search);
}

std::vector<Work> predicted_work(const job::Job& job, bool leaves_out, const engine::EngineSettings& settings,
                                 const std::function<bool()>& interrupted) {
  const Claims claims = claims_of(job, settings.choices, tmd::engine::engines());
  return predicted_work(job, survey(job, leaves_out, claims, interrupted).to_search, settings, interrupted);
}

std::vector<format::ArgumentSet::Rank> shard_borders(const job::Job& job, const std::vector<Work>& work, int count) {
  const job::Coverage range = job.range();
  const auto size = static_cast<int128>(range.size());
  if (size < count)
    throw UsageError(fmt::format("a range of {} arguments has no {} parts", to_string(range.size()), count));
  const auto place_of = [&](format::ArgumentSet::Rank rank) { // in the range, which may have gaps
    int128 place = 0;
    for (const auto& [first, last] : range.within(job.first, rank))
      place += last - first;
    return place;
  };
  const double all = cost_of(work);
  const double each = all / count;
  std::vector<int128> places{0};
  auto next = work.begin();
  double before = 0; // of all the work before the next
  for (int i = 1; i < count; ++i) {
    const double wanted = all * i / count;
    while (next != work.end() && before + next->cost <= wanted)
      before += next++->cost;
    int128 place = 0;
    if (all == 0) { // nothing is left to be searched
      place = size / count * i;
    } else if (next == work.end()) {
      place = size;
    } else {
      const double share = (wanted - before) / next->cost;
      // A part of what is claimed costs more than its share: a border that is alone in it goes to an end.
      const format::ArgumentSet::Rank rank =
          next->claimed && next->cost <= each
              ? (share < 0.5 ? next->ranks.first : next->ranks.last)
              : next->ranks.first + static_cast<format::ArgumentSet::Rank>(
                                        std::floor(share * static_cast<double>(next->ranks.last - next->ranks.first)));
      place = place_of(rank);
    }
    places.push_back(std::clamp(place, places.back() + 1, size - (count - i)));
  }
  std::vector<format::ArgumentSet::Rank> borders{job.first};
  for (const int128 place : std::span(places).subspan(1))
    borders.push_back(range.slice(static_cast<uint128>(place), 1).intervals().front().first);
  borders.push_back(job.last);
  return borders;
}

} // namespace tmd::searches
