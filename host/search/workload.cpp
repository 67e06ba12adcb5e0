#include "search/workload.hpp"

#include "engine/planning.hpp"
#include "engine/registry.hpp"
#include "error.hpp"
#include "job/pieces.hpp"
#include "job/regimes.hpp"
#include "search/search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>

#include <fmt/format.h>

namespace tmd {

namespace {

// Places at which the planners are asked, of all pieces together; one of each piece at least.
constexpr std::size_t usual_samples = 512;

// The same everywhere: mathematical functions may differ in their last bits from one machine to the next.
double rounded(double cost) {
  constexpr double steps = 8; // in a factor of two
  return std::exp2(std::round(steps * std::log2(cost)) / steps);
}

double cost_of(const std::vector<Work>& work) {
  double all = 0;
  for (const Work& one : work)
    all += one.cost;
  return all;
}

// Of what would be handed to a device, and of what MPFR would decide alone.
class Prediction {
public:
  Prediction(const Job& job, bool leaves_out, const EngineSettings& settings, const std::function<bool()>& interrupted)
      : job_(job), leaves_out_(leaves_out), settings_(settings), interrupted_(interrupted) {
    for (const EngineKind* kind : engines_for(settings.choices.algorithm, tmd::engines()))
      engines_.push_back(kind->open_to_plan(settings));
    claims_ = claims_of(job, settings.choices, tmd::engines());
  }

  std::vector<Work> work() {
    divide(
        job_, job_.range(), interrupted_, [](const RegimeRange&) {}, [this](const Stretch& stretch) { add(stretch); });
    const uint128 samples = std::max<std::size_t>(1, usual_samples / std::max<std::size_t>(cuts_.size(), 1));
    for (const Cut& cut : cuts_)
      add_work(cut, std::min(samples, cut.arguments.count), work_);
    std::sort(work_.begin(), work_.end(),
              [](const Work& left, const Work& right) { return left.ranks.first < right.ranks.first; });
    return std::move(work_);
  }

private:
  void add(const Stretch& stretch) {
    if (const auto claimed = claims_ ? claims_(stretch) : std::nullopt) {
      add_claimed(*claimed);
      return;
    }
    if (leaves_out_ && has_too_many_pieces(job_, stretch))
      return;
    if (has_many_pieces(stretch))
      sample(stretch);
    else
      each_cut(stretch, [this](const Cut& cut) { cuts_.push_back(cut); });
  }

  // So many that cutting all of them would take longer than is good for a prediction.
  [[nodiscard]] bool has_many_pieces(const Stretch& stretch) const {
    constexpr uint128 fewest_arguments = uint128(1) << 22;
    constexpr int many_bits = 7;
    return stretch.count > fewest_arguments &&
           !PieceCutter::has_long_pieces(job_, stretch, bit_length((stretch.count >> many_bits) - 1));
  }

  // A claimed stretch, by what its engine says of some places of its coordinate.
  void add_claimed(const Field& field) {
    constexpr unsigned places = 16;
    FieldPlanner planner(engines_, job_, field, settings_.choices.algorithm != "auto", settings_.costs);
    double cost = 0;
    for (unsigned i = 0; i < places; ++i) {
      const uint128 first = field.extent / places * i + field.extent / places / 2;
      cost += planner.estimate(first, field.extent / places) * static_cast<double>(field.extent) / places;
    }
    work_.push_back({ranks_of(job_.arguments(), field.arguments, 0, field.arguments.count), rounded(cost), true});
  }

  // Parts of the stretch, by the cost of what is in a window of each.
  void sample(const Stretch& stretch) {
    constexpr unsigned parts = 16;
    constexpr unsigned windows = 64;
    for (unsigned i = 0; i < parts; ++i) {
      const uint128 first = stretch.count / parts * i;
      const uint128 count = (i + 1 == parts ? stretch.count : first + stretch.count / parts) - first;
      Stretch window = stretch;
      window.first += first + (count - count / windows) / (parts - 1) * i; // not at the same place in all
      window.count = count / windows;
      std::vector<Work> inside;
      each_cut(window, [&](const Cut& cut) { add_work(cut, 1, inside); });
      work_.push_back({ranks_of(job_.arguments(), stretch, first, count), cost_of(inside) * windows});
    }
  }

  template <typename Use> void each_cut(const Stretch& stretch, const Use& use) const {
    const BreakpointGrid grid = job_.grid();
    PieceCutter cutter(job_, stretch, interrupted_);
    while (const auto cut = cutter.next())
      if (!cut->values || grid.reaches(cut->values->exponent, job_.bits))
        use(*cut);
  }

  // Adds a piece in so many parts.
  void add_work(const Cut& cut, uint128 parts, std::vector<Work>& work) {
    if (interrupted_ && interrupted_())
      throw Interrupted();
    FieldPlanner planner(engines_, job_, Field::of(cut), settings_.choices.algorithm != "auto", settings_.costs);
    const uint128 all = cut.arguments.count;
    for (uint128 i = 0; i < parts; ++i) {
      const uint128 first = all / parts * i;
      const uint128 count = (i + 1 == parts ? all : first + all / parts) - first;
      const double cost =
          cut.values ? planner.estimate(first + count / 2, count - count / 2) : settings_.costs.confirmation;
      work.push_back({ranks_of(job_.arguments(), cut.arguments, first, count),
                      rounded(std::isfinite(cost) ? cost : settings_.costs.confirmation) * static_cast<double>(count)});
    }
  }

  const Job& job_;
  const bool leaves_out_;
  const EngineSettings& settings_;
  const std::function<bool()>& interrupted_;
  std::vector<std::unique_ptr<Engine>> engines_;
  Claims claims_;
  std::vector<Cut> cuts_; // of stretches that have few
  std::vector<Work> work_;
};

// Some of the work, about `share` of it, from places spread over all of it.
Coverage sample_of(const std::vector<Work>& work, double all, double share) {
  constexpr int places = 8;
  Coverage sample;
  double before = 0;
  int place = 0;
  for (const Work& one : work) {
    for (; place < places && before + one.cost > all * (place + 0.5) / places; ++place) {
      const auto count = static_cast<double>(one.ranks.last - one.ranks.first);
      const double from = std::max(all * (place + 0.5) / places - before, 0.0) / one.cost * count;
      const double length = std::max(all * share / places / one.cost * count, 1.0);
      const ArgumentSet::Rank first = one.ranks.first + static_cast<ArgumentSet::Rank>(from);
      const ArgumentSet::Rank last = std::min(first + static_cast<ArgumentSet::Rank>(length), one.ranks.last);
      for (const auto& [begin, end] :
           sample.intersection(Coverage(first, last)).complement_in(Coverage(first, last)).intervals())
        sample.add(begin, end);
    }
    before += one.cost;
  }
  return sample;
}

double cost_of(const std::vector<Work>& work, const Coverage& ranks) {
  double cost = 0;
  for (const Work& one : work)
    for (const auto& [first, last] : ranks.within(one.ranks.first, one.ranks.last))
      cost += one.cost * static_cast<double>(last - first) / static_cast<double>(one.ranks.last - one.ranks.first);
  return cost;
}

} // namespace

EngineSettings usual_settings() {
  EngineSettings settings;
  opencl::DeviceDescription usual;
  usual.set_type(true, false, false);
  settings.costs = default_costs(usual, settings.tunables);
  return settings;
}

double predicted_seconds(const Job& job, const std::vector<Work>& work,
                         std::span<const std::unique_ptr<Worker>> workers, double least_seconds,
                         const Interrupt& interrupted) {
  constexpr double first_share = 0x1p-24;
  constexpr double growth = 4;
  constexpr double good_part = 0.125;
  std::vector<Work> sampled;
  std::copy_if(work.begin(), work.end(), std::back_inserter(sampled), [](const Work& one) { return !one.is_claimed; });
  const double all = cost_of(sampled);
  if (all == 0)
    return work.empty() ? 0 : std::numeric_limits<double>::quiet_NaN();
  SearchHooks hooks;
  hooks.interrupted = interrupted;
  const auto run = [&](double share) {
    const Coverage sample = sample_of(sampled, all, share);
    hooks.only = &sample;
    const SearchResult result = run_search(job, workers, hooks);
    if (result.interrupted)
      throw Interrupted();
    return result.seconds * cost_of(work) / cost_of(sampled, sample);
  };
  for (double share = first_share;; share *= growth) {
    double seconds = run(share);
    // The first sample in which anything is left to a device has its kernels built: what counts is the next one.
    if (seconds * share >= least_seconds || share >= good_part)
      seconds = std::min(seconds, run(share));
    if (seconds * share >= least_seconds || share >= good_part)
      return seconds;
  }
}

std::vector<Work> predicted_work(const Job& job, bool leaves_out, const EngineSettings& settings,
                                 const std::function<bool()>& interrupted) {
  return Prediction(job, leaves_out, settings, interrupted).work();
}

std::vector<ArgumentSet::Rank> shard_borders(const Job& job, const std::vector<Work>& work, int count) {
  if (job.size() < static_cast<uint128>(count))
    throw UsageError(fmt::format("a range of {} arguments has no {} parts", to_string(job.size()), count));
  const double all = cost_of(work);
  std::vector<ArgumentSet::Rank> borders{job.first};
  auto next = work.begin();
  double before = 0; // of all the work before the next
  for (int i = 1; i < count; ++i) {
    const double wanted = all * i / count;
    while (next != work.end() && before + next->cost <= wanted)
      before += next++->cost;
    ArgumentSet::Rank border = 0;
    if (all == 0) // nothing is left to be searched
      border = job.first + static_cast<ArgumentSet::Rank>(job.size() / static_cast<uint128>(count)) * i;
    else if (next == work.end())
      border = job.last;
    else
      border = next->ranks.first +
               static_cast<ArgumentSet::Rank>(std::floor((wanted - before) / next->cost *
                                                         static_cast<double>(next->ranks.last - next->ranks.first)));
    borders.push_back(std::clamp(border, borders.back() + 1, job.last - (count - i)));
  }
  borders.push_back(job.last);
  return borders;
}

} // namespace tmd
