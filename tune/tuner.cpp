// A coordinate descent: each coordinate is set to the value that is best for its part, until nothing improves or the
// budget is spent. The winner and the default then run alternately, and only gains beyond the noise are kept.
#include "tune/tuner.hpp"

#include "support/statistics.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <random>

#include <fmt/format.h>

namespace tmd::tune {

namespace {

using Clock = std::chrono::steady_clock;

struct BudgetSpent {};

class Tuning {
public:
  Tuning(const TuningOptions& options, const std::vector<Coordinate>& space, const RunSearch& search, Journal* journal)
      : options_(options), space_(space), search_(search), journal_(journal) {
    if (journal_ != nullptr)
      result_.trials = journal_->trials();
    result_.resumed = result_.trials.size();
  }

  TuningResult run() {
    try {
      measure_default();
      try {
        descend();
      } catch (const BudgetSpent&) { // the best settings so far are kept
        result_.budget_spent = true;
      }
      options_.progress({nullptr, result_.trials.size(), support::seconds_since(start_)});
      for (const Work work : all_works)
        confirm(work);
    } catch (const Interrupted&) {
      result_.interrupted = true;
    }
    return std::move(result_);
  }

private:
  // Runs a search with the default settings.
  struct Default {
    Seconds seconds;
    std::vector<std::string> found;
    double wall = 0;
  };

  void measure_default() {
    double walls = 0;
    for (const Work work : all_works) {
      constexpr double patience = 3600;  // the first search builds every kernel
      (void)search_(work, {}, patience); // and determines the size of the searches
      const auto start = Clock::now();
      SearchRun run = search_(work, {}, patience);
      if (run.state != State::ok) {
        const std::string sentence =
            fmt::format("the default cannot be measured: it ends as {}: {}", to_string(run.state), run.message);
        throw Error(run.state == State::incorrect ? Status::unsound : Status::device, sentence);
      }
      for (const auto& [part, seconds] : run.seconds)
        result_.gains[part] = {seconds, seconds, {}};
      Default& known = defaults_[work];
      known = {std::move(run.seconds), std::move(run.found), support::seconds_since(start)};
      walls += known.wall;
    }
    constexpr double share = 0.4; // share of the budget that two comparisons of everything may take
    constexpr int fewest_pairs = 3;
    constexpr int most_pairs = 15;
    result_.pairs = std::clamp(static_cast<int>(share * options_.budget / (4 * walls)), fewest_pairs, most_pairs);
    search_until_ = (1 - share) * options_.budget;
    start_ = Clock::now(); // what was spent before does not count in the budget
  }

  // Runs a search whose list is compared with the default's.
  SearchRun checked(Work work, const Settings& settings) {
    constexpr double usual = 60; // seconds that kernels may take to compile
    const Default& known = defaults_[work];
    SearchRun run = search_(work, settings, usual + 4 * known.wall);
    if (run.state == State::ok && run.found != known.found) {
      run.state = State::incorrect;
      run.message =
          fmt::format("it finds {} records, not the default's {}, or others", run.found.size(), known.found.size());
    }
    return run;
  }

  void descend() {
    constexpr int most_rounds = 8;      // limit, because parts that undo each other's gains would continue for ever
    constexpr double least_gain = 0.02; // least relative gain of a setting; less may be noise
    std::mt19937_64 random(options_.seed);
    std::vector<const Coordinate*> order; // in the order of declaration, where the greatest gains come first
    for (const Coordinate& coordinate : space_)
      order.push_back(&coordinate);
    bool improved = true;
    for (int round = 0; round < most_rounds && improved; ++round) {
      improved = false;
      for (const Coordinate* coordinate : order) {
        const Settings before = best_;
        double least = ratio(before, coordinate->part).value_or(1);
        for (const device::Setting& setting : coordinate->settings) {
          const Settings tried = with(before, *coordinate, setting, options_.default_values);
          const std::optional<double> of_tried = ratio(tried, coordinate->part);
          if (of_tried && *of_tried < least * (1 - least_gain)) {
            least = *of_tried;
            best_ = tried;
            improved = true;
          }
        }
      }
      for (std::size_t i = order.size(); i > 1; --i) // unlike std::shuffle, it is the same with every standard library
        std::swap(order[i - 1], order[random() % i]);
    }
  }

  // Only the settings determined by coordinates of the wanted parts.
  template <typename IsWanted> [[nodiscard]] Settings only(const Settings& settings, const IsWanted& is_wanted) const {
    Settings result;
    for (const Coordinate& coordinate : space_)
      if (is_wanted(coordinate.part))
        for (const std::string& name : coordinate.tunables)
          if (const auto found = settings.find(name); found != settings.end())
            result.insert(*found);
    return result;
  }

  // The time of a part divided by that with the default. Nothing if the settings do not count.
  std::optional<double> ratio(const Settings& all, Part part) {
    const Settings settings = only(all, [&](Part other) { return work_of(other) == work_of(part); });
    if (settings.empty())
      return 1;
    const auto is_of_it = [&](const Trial& trial) { return trial.settings == settings; };
    auto known = std::find_if(result_.trials.begin(), result_.trials.end(), is_of_it);
    if (known == result_.trials.end()) {
      if (support::seconds_since(start_) > search_until_)
        throw BudgetSpent();
      result_.trials.push_back(make(settings, part));
      known = std::prev(result_.trials.end());
      if (journal_ != nullptr)
        journal_->append(*known);
      options_.progress({&*known, result_.trials.size(), support::seconds_since(start_)});
    }
    return known->state == State::ok ? std::optional(known->ratios.at(part)) : std::nullopt;
  }

  Trial make(const Settings& settings, Part part) {
    constexpr double hopeless = 1.5; // times the default; slower settings are not compared in turn
    const Work work = work_of(part);
    SearchRun run = checked(work, settings);
    Trial trial{settings, part, run.state, run.seconds, {}, run.message};
    if (trial.state != State::ok)
      return trial;
    const Default& known = defaults_[work];
    const bool is_close = run.seconds[part] < hopeless * known.seconds.at(part);
    const SearchRun beside = is_close ? checked(work, {}) : SearchRun{State::ok, known.seconds, known.found, {}};
    if (beside.state != State::ok)
      throw DeviceError(fmt::format("the default was searched with, and now ends as {}: {}", to_string(beside.state),
                                    beside.message));
    for (const auto& [of, seconds] : run.seconds)
      trial.ratios[of] = std::max(seconds, 1e-12) / std::max(beside.seconds.at(of), 1e-12);
    return trial;
  }

  // Runs the default and the settings alternately. If one of them fails, adds a note and returns nothing.
  std::optional<std::map<Part, Gain>> compare(Work work, const Settings& settings) {
    // times of the default, times of the settings, and their ratios
    std::map<Part, std::array<std::vector<double>, 3>> runs;
    for (int pair = 0; pair < result_.pairs; ++pair) {
      SearchRun before = checked(work, {});
      SearchRun after = checked(work, settings);
      for (const SearchRun* run : {&before, &after})
        if (run->state != State::ok) {
          result_.notes.push_back(fmt::format("{}: {}", to_string(settings), run->message));
          return std::nullopt;
        }
      for (const auto& [part, seconds] : before.seconds) {
        runs[part][0].push_back(seconds);
        runs[part][1].push_back(after.seconds[part]);
        runs[part][2].push_back(seconds > 0 ? after.seconds[part] / seconds : 1);
      }
    }
    std::map<Part, Gain> gains;
    for (const auto& [part, of] : runs)
      gains[part] = {support::median(of[0]), support::median(of[1]), judge(of[2])};
    return gains;
  }

  // Keeps those of the best settings that win against the default: each part by itself, then all together.
  void confirm(Work work) {
    Settings kept = only(best_, [&](Part part) { return work_of(part) == work; });
    if (kept.empty())
      return;
    std::optional<std::map<Part, Gain>> gains = compare(work, kept);
    if (!gains)
      return;
    const Settings all = kept;
    for (const auto& [part, gain] : *gains) {
      const Settings of_part = only(all, [&, wanted = part](Part other) { return other == wanted; });
      if (of_part.empty() || gain.verdict.wins())
        continue;
      result_.notes.push_back(fmt::format("{}: {} does not win beyond the noise: {:.3f} of the default's time ± {:.3f}",
                                          to_string(part), to_string(of_part), gain.verdict.ratio, gain.verdict.noise));
      for (const auto& [name, value] : of_part)
        kept.erase(name);
    }
    if (!kept.empty() && kept != all)
      gains = compare(work, kept);
    if (kept.empty() || !gains)
      return;
    if (work == Work::phases && gains->at(Part::whole).verdict.loses()) {
      result_.notes.emplace_back("all in all the tuned values of the phases lose against the default");
      return;
    }
    result_.tuned.insert(kept.begin(), kept.end());
    for (const auto& [part, gain] : *gains)
      result_.gains[part] = gain;
  }

  const TuningOptions& options_;
  const std::vector<Coordinate>& space_;
  const RunSearch& search_;
  Journal* journal_;
  Clock::time_point start_;
  double search_until_ = 0;
  std::map<Work, Default> defaults_;
  Settings best_;
  TuningResult result_;
};

} // namespace

bool Verdict::wins() const { return ratio < 1 - std::max(noise, least_difference); }
bool Verdict::loses() const { return ratio > 1 + std::max(noise, least_difference); }

Verdict judge(std::vector<double> ratios) {
  // The median deviation of a normal distribution is 0.6745 σ, and the standard error of a median of n is 1.2533 σ/√n.
  constexpr double to_sigma = 1 / 0.6745;
  constexpr double of_median = 1.2533;
  Verdict verdict;
  if (ratios.empty())
    return verdict;
  const auto count = static_cast<double>(ratios.size());
  verdict.ratio = support::median(ratios);
  for (double& ratio : ratios)
    ratio = std::abs(ratio - verdict.ratio);
  verdict.noise = 2 * of_median * to_sigma * support::median(ratios) / std::sqrt(count);
  return verdict;
}

TuningResult tune(const TuningOptions& options, const std::vector<Coordinate>& space, const RunSearch& search,
                  Journal* journal) {
  return Tuning(options, space, search, journal).run();
}

} // namespace tmd::tune
