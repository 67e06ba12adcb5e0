// A prediction: the range is cut as a search would cut it, and planners are asked what some places cost, more of them
// towards the ends of pieces. Of a stretch of many pieces only some are looked at, on all cores.
#include "search/workload.hpp"

#include "engine/planning.hpp"
#include "engine/registry.hpp"
#include "job/pieces.hpp"
#include "number/in_parallel.hpp"
#include "search/expectation.hpp"
#include "search/search.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
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

// Places from which samples are taken that a device searches.
constexpr unsigned sample_places = 16;

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

double cost_of(const std::vector<Work>& work) {
  double all = 0;
  for (const Work& one : work)
    all += one.cost * one.weight;
  return all;
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
    const uint128 part = field.extent() / sample_places;
    engine::FieldPlanner planner(engines_, job_, field, settings_.choices.algorithm != "auto", settings_.costs);
    ClaimedWork claimed{
        field, costs_of_parts_by(1, std::vector<double>(sample_places, 1), near_parts, [&](std::size_t i) {
          return planner.estimate(part * i + part / 2, part) * static_cast<double>(field.extent()) / sample_places;
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

// Some of the work, about `share` of it, from places spread over all of it. As many arguments at a time as a search
// takes, a power of two and a multiple of it, as far as there are: odd ends are planned otherwise.
job::Coverage sample_of(const std::vector<Work>& work, double all, double share) {
  job::Coverage sample;
  double before = 0;
  unsigned place = 0;
  for (const Work& one : work) {
    const double weighted = one.cost * one.weight;
    for (; place < sample_places && before + weighted > all * (place + 0.5) / sample_places; ++place) {
      const int128 count = one.ranks.last - one.ranks.first;
      const double from = std::max(all * (place + 0.5) / sample_places - before, 0.0) / weighted;
      const double wanted = std::clamp(all * share / sample_places / one.cost, 0.0, 1.0) * static_cast<double>(count);
      const int128 length = int128(1) << (bit_length(std::max<uint128>(static_cast<uint128>(wanted), 1)) - 1);
      format::ArgumentSet::Rank first =
          one.ranks.first + std::min(static_cast<int128>(from * static_cast<double>(count)), count - length);
      if (const auto aligned = first & ~(length - 1); aligned >= one.ranks.first)
        first = aligned;
      for (const auto& [begin, end] : sample.intersection(job::Coverage(first, first + length))
                                          .complement_in(job::Coverage(first, first + length))
                                          .intervals())
        sample.add(begin, end);
    }
    before += weighted;
  }
  return sample;
}

double cost_of(const std::vector<Work>& work, const job::Coverage& ranks) {
  double cost = 0;
  for (const Work& one : work)
    for (const auto& [first, last] : ranks.within(one.ranks.first, one.ranks.last))
      cost += one.cost * static_cast<double>(last - first) / static_cast<double>(one.ranks.last - one.ranks.first);
  return cost;
}

// Parts of a claimed field that one worker takes, some windows of each of its places, and what they took.
class ClaimSample : public PartExchange {
public:
  // share: of each place.
  ClaimSample(const ClaimedWork& claimed, double share, const engine::Interrupt& interrupted)
      : claimed_(claimed), interrupted_(interrupted) {
    const uint128 place = claimed.field.extent() / claimed.costs.size();
    const auto count = std::max<uint128>(1, static_cast<uint128>(share * static_cast<double>(place)));
    for (std::size_t i = 0; i < claimed.costs.size(); ++i)
      parts_.push_back({0, place * i + (place - count) / 2, count});
  }

  [[nodiscard]] double cost() const { return cost_; }
  [[nodiscard]] double seconds() const { return seconds_; }

  [[nodiscard]] std::optional<Assignment> take() override {
    const std::lock_guard lock(mutex_);
    if (closed_ || next_ == parts_.size())
      return std::nullopt;
    return Assignment{parts_[next_++], claimed_.field};
  }
  void shorten(const Assignment&, uint128) override {} // what is delivered tells it
  void deliver(const result::PartResult& result) override {
    const std::lock_guard lock(mutex_);
    const uint128 place = claimed_.field.extent() / claimed_.costs.size();
    const auto at = std::min(static_cast<std::size_t>(result.part.first / place), claimed_.costs.size() - 1);
    cost_ += claimed_.costs[at] * static_cast<double>(result.part.count) / static_cast<double>(place);
    seconds_ += result.seconds;
  }
  void close() override {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  [[nodiscard]] bool interrupted() const override { return interrupted_ && interrupted_(); }

private:
  const ClaimedWork& claimed_;
  const engine::Interrupt& interrupted_;
  std::mutex mutex_;
  std::vector<result::Part> parts_;
  std::size_t next_ = 0;
  bool closed_ = false;
  double cost_ = 0;
  double seconds_ = 0;
};

struct Timed {
  double cost = 0;
  double seconds = 0;

  // By what this takes beyond the smaller one, where that tells anything.
  [[nodiscard]] double seconds_a_cost(const Timed& smaller) const {
    const double more = seconds - smaller.seconds;
    const bool tells = smaller.cost > 0 && cost > smaller.cost && more > seconds / 4;
    return tells ? more / (cost - smaller.cost) : seconds / cost;
  }
};

constexpr int most_tries = 4; // of a sample during which kernels may be built: each try finds what was built before

// A worker's, of a claimed field.
double seconds_a_cost(Worker& worker, const job::Job& job, const ClaimedWork& claimed, double least_seconds,
                      const engine::Interrupt& interrupted) {
  constexpr double least_share = 0x1p-32;
  constexpr double least_growth = 4;
  constexpr double most_growth = 64;
  const auto timed = [&](double share) {
    ClaimSample sample(claimed, share, interrupted);
    worker.work(job, sample);
    return Timed{sample.cost(), sample.seconds()};
  };
  Timed last = timed(least_share); // kernels are built
  const auto begin = std::chrono::steady_clock::now();
  double share = least_share;
  for (;;) {
    Timed now = timed(share);
    // Shares grow to what takes the least seconds: more tells that kernels have been built, or the device is slow. The
    // first one of its size may be tested with.
    const double most_seconds = 2 * least_seconds;
    bool is_open = now.seconds < least_seconds || now.seconds > most_seconds;
    for (int i = 1; is_open && i < most_tries; ++i) {
      const double again = timed(share).seconds;
      is_open = again > most_seconds && again < now.seconds / 2;
      now.seconds = std::min(now.seconds, again);
    }
    const double growth = std::clamp(least_seconds / now.seconds, least_growth, most_growth);
    if (now.seconds >= least_seconds || support::seconds_since(begin) > 4 * least_seconds || share * growth > 1)
      return now.seconds_a_cost(last);
    last = now;
    share *= growth;
  }
}

// Times samples of what is not claimed, each some times as large as the one before.
class SampleTimer {
public:
  SampleTimer(const job::Job& job, std::span<const std::unique_ptr<Worker>> workers, double least_seconds,
              const engine::Interrupt& interrupted)
      : job_(job), workers_(workers), least_seconds_(least_seconds), interrupted_(interrupted) {}

  // A sample of that cost; its seconds are infinite if it does not end in time.
  Timed timed(const job::Coverage& sample, double cost, const Timed& last) {
    constexpr double much_longer = 4; // than by the last sample: kernels may have been built meanwhile
    SearchHooks hooks;
    hooks.only = &sample;
    hooks.interrupted = [&] { return (interrupted_ && interrupted_()) || is_over(); };
    Timed timed{cost, std::numeric_limits<double>::infinity()};
    bool has_ended = false;
    for (int i = 0; i < most_tries; ++i) {
      const result::SearchResult result = run_search(job_, workers_, hooks);
      if (result.interrupted && interrupted_ && interrupted_())
        throw Interrupted();
      // Kernels may have been built: in the first sample until it has ended once, and in one that takes much longer
      // than by the last.
      const bool is_first = last.cost == 0;
      const bool may_have_built = is_first ? !has_ended || result.interrupted : i == 0;
      const bool is_as_before = !is_first && result.seconds < much_longer * last.seconds * cost / last.cost;
      const bool tells = !may_have_built || is_as_before || i + 1 == most_tries;
      has_ended = has_ended || !result.interrupted;
      is_least_ = result.interrupted && tells && is_first && !std::isfinite(timed.seconds);
      if (!result.interrupted || is_least_)
        timed.seconds = std::min(timed.seconds, result.seconds);
      if (tells && (i > 0 || result.interrupted || (!is_first && result.seconds >= least_seconds_)))
        break;
      if (!tells)
        begin_ = std::chrono::steady_clock::now();
      any_ended_ = any_ended_ || has_ended;
    }
    return timed;
  }

  // Whether the first sample has not ended: what it took is too little.
  [[nodiscard]] bool is_least() const { return is_least_; }
  // Whether samples have taken as long as they may.
  [[nodiscard]] bool is_over() const {
    constexpr double most_times = 4;     // of the least seconds, all of them,
    constexpr double most_at_first = 16; // and the first one, for which kernels may have to be built
    return support::seconds_since(begin_) > (any_ended_ ? most_times : most_at_first) * least_seconds_;
  }

private:
  const job::Job& job_;
  std::span<const std::unique_ptr<Worker>> workers_;
  double least_seconds_;
  const engine::Interrupt& interrupted_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool any_ended_ = false;
  bool is_least_ = false;
};

// The estimate of what is not claimed, if anything is.
TimePrediction time_of_open(const job::Job& job, const std::vector<Work>& sampled,
                            std::span<const std::unique_ptr<Worker>> workers, const device::Costs& costs,
                            double least_seconds, const engine::Interrupt& interrupted) {
  constexpr double least_share = 0x1p-24;
  constexpr double intervals = 2; // that a place is worth at least: where planning outweighs all else, others are best
  constexpr double least_growth = 2;
  constexpr double most_growth = 4;
  const double all = cost_of(sampled);
  TimePrediction prediction;
  SampleTimer timer(job, workers, least_seconds, interrupted);
  Timed last;
  double share = std::clamp(sample_places * intervals * costs[device::shared_cost("interval")] / all, least_share, 1.0);
  for (;;) {
    const job::Coverage sample = sample_of(sampled, all, share);
    const double cost = cost_of(sampled, sample);
    if (cost <= last.cost) // the places have no more
      return prediction;
    Timed timed = timer.timed(sample, cost, last);
    if (!std::isfinite(timed.seconds)) // the smaller ones must do
      timed = last;
    prediction = {timed.seconds_a_cost(last) * all, timer.is_least()};
    const bool is_over = timer.is_least() || timer.is_over();
    if (is_over || share == 1 || (last.cost > 0 && timed.seconds >= least_seconds))
      return prediction;
    last = timed;
    share = std::min(1.0, share * std::clamp(2 * least_seconds / timed.seconds, least_growth, most_growth));
  }
}

} // namespace

TimePrediction predicted_time(const job::Job& job, const std::vector<Work>& work,
                              std::span<const std::unique_ptr<Worker>> workers, const device::Costs& costs,
                              double least_seconds, const engine::Interrupt& interrupted) {
  std::vector<Work> open;
  std::vector<Work> claimed;
  for (const Work& one : work)
    if (one.examples == nullptr) {
      (one.claimed ? claimed : open).push_back(one);
    } else {
      const double weight = one.cost / cost_of(*one.examples);
      for (const Work& example : *one.examples)
        open.push_back({example.ranks, example.cost, nullptr, nullptr, weight});
    }
  TimePrediction prediction;
  if (cost_of(open) > 0 && !claimed.empty())
    least_seconds /= 2;
  if (cost_of(open) > 0)
    prediction = time_of_open(job, open, workers, costs, least_seconds, interrupted);
  if (!claimed.empty()) {
    double costs_a_second = 0;
    for (const auto& worker : workers)
      costs_a_second +=
          1 / seconds_a_cost(*worker, job, *claimed[claimed.size() / 2].claimed, least_seconds, interrupted);
    prediction.seconds += cost_of(claimed) / costs_a_second;
  }
  return prediction;
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
