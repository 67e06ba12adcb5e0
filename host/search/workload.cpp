#include "search/workload.hpp"

#include "engine/planning.hpp"
#include "engine/registry.hpp"
#include "error.hpp"
#include "job/pieces.hpp"
#include "job/regimes.hpp"
#include "search/search.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

namespace tmd {

namespace {

// Places at which the planners are asked, of all pieces together; one of each piece at least.
constexpr std::size_t usual_samples = 512;

// What would be handed to a device, and what MPFR would decide alone.
std::vector<Cut> cuts_of(const Job& job, bool leaves_out, const std::function<bool()>& interrupted) {
  std::vector<Cut> cuts;
  const BreakpointGrid grid = job.grid();
  divide(
      job, job.range(), interrupted, [](const RegimeRange&) {},
      [&](const Stretch& stretch) {
        if (leaves_out && has_too_many_pieces(job, stretch))
          return;
        PieceCutter cutter(job, stretch, interrupted);
        while (const auto cut = cutter.next())
          if (!cut->values || grid.reaches(cut->values->exponent, job.bits))
            cuts.push_back(*cut);
      });
  return cuts;
}

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
  const double all = cost_of(work);
  if (all == 0)
    return 0;
  SearchHooks hooks;
  hooks.interrupted = interrupted;
  const auto run = [&](double share) {
    const Coverage sample = sample_of(work, all, share);
    hooks.only = &sample;
    const SearchResult result = run_search(job, workers, hooks);
    if (result.interrupted)
      throw Interrupted();
    return result.seconds * all / cost_of(work, sample);
  };
  (void)run(first_share); // kernels are built
  for (double share = first_share;; share *= growth) {
    const double seconds = run(share);
    if (seconds * share >= least_seconds || share >= good_part)
      return seconds;
  }
}

std::vector<Work> predicted_work(const Job& job, bool leaves_out, const EngineSettings& settings,
                                 const std::function<bool()>& interrupted) {
  std::vector<std::unique_ptr<Engine>> engines;
  for (const EngineKind* kind : engines_for(settings.choices.algorithm, tmd::engines()))
    engines.push_back(kind->open_to_plan(settings));

  const std::vector<Cut> cuts = cuts_of(job, leaves_out, interrupted);
  const uint128 samples = std::max<std::size_t>(1, usual_samples / std::max<std::size_t>(cuts.size(), 1));
  std::vector<Work> work;
  for (const Cut& cut : cuts) {
    if (interrupted && interrupted())
      throw Interrupted();
    FieldPlanner planner(engines, job, Field::of(cut), settings.choices.algorithm != "auto", settings.costs);
    const uint128 all = cut.arguments.count;
    const uint128 parts = std::min(samples, all);
    for (uint128 i = 0; i < parts; ++i) {
      const uint128 first = all / parts * i;
      const uint128 count = (i + 1 == parts ? all : first + all / parts) - first;
      const double cost =
          cut.values ? planner.estimate(first + count / 2, count - count / 2) : settings.costs.confirmation;
      work.push_back({ranks_of(job.arguments(), cut.arguments, first, count),
                      rounded(std::isfinite(cost) ? cost : settings.costs.confirmation) * static_cast<double>(count)});
    }
  }
  std::sort(work.begin(), work.end(),
            [](const Work& left, const Work& right) { return left.ranks.first < right.ranks.first; });
  return work;
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
