#include "tune/tuner.hpp"

#include "support/statistics.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace tmd::tune {

namespace {

using Clock = std::chrono::steady_clock;

// Two configurations, run in turn.
struct Comparison {
  std::array<Gain, all_parts.size()> gains;
  std::string failure; // else nothing

  [[nodiscard]] const Gain& of(Part part) const { return gains[static_cast<unsigned>(part)]; }
};

class Tuning {
public:
  Tuning(const TuningOptions& options, const std::vector<Coordinate>& space, const Ask& ask, Journal* journal,
         const TuningHooks& hooks)
      : options_(options), space_(space), ask_(ask), journal_(journal), hooks_(hooks), start_(Clock::now()) {
    if (journal_ != nullptr)
      for (const Trial& trial : journal_->trials())
        remember(trial);
    result_.resumed = result_.trials.size();
    result_.best = result_.tuned = options_.base;
  }

  TuningResult run() {
    try {
      const Trial base = base_trial();
      start_ = Clock::now(); // what it takes to begin is not the budget's
      plan_confirmation(base);
      result_.best = descend(
          space_, options_.base,
          [this](const Tunables& tunables, Part part, double best) { return score(tunables, part, best); },
          options_.descent);
      confirm();
    } catch (const Interrupted&) {
      result_.interrupted = true;
    }
    return std::move(result_);
  }

private:
  [[nodiscard]] double seconds() const { return seconds_since(start_); }

  void remember(const Trial& trial) {
    known_[difference(trial.tunables, Tunables())] = trial;
    result_.trials.push_back(trial);
  }
  [[nodiscard]] const Trial* find(const Tunables& tunables) const {
    const auto found = known_.find(difference(tunables, Tunables()));
    return found == known_.end() ? nullptr : &found->second;
  }

  Trial base_trial() {
    const Trial* known = find(options_.base);
    Trial trial = known != nullptr && known->state == State::ok ? *known : make(options_.base, Part::whole, 0);
    if (trial.state != State::ok)
      throw DeviceError(
          fmt::format("the default cannot be measured: it ends as {}: {}", to_string(trial.state), trial.message));
    gain(Part::whole).default_seconds = trial.seconds[Part::whole];
    for (const Part part : all_parts)
      gain(part).default_seconds = gain(part).tuned_seconds = trial.seconds[part];
    return trial;
  }

  // Keeps back what the comparisons at the end will need.
  void plan_confirmation(const Trial& base) {
    constexpr double comparisons = 3;
    constexpr double most_share = 0.4; // of the budget
    constexpr int fewest_pairs = 3;
    constexpr int most_pairs = 15;
    const double pair =
        2 * std::max(base.seconds[Part::whole] + base.seconds[Part::wide] + base.seconds[Part::walk], 1e-3);
    const double share = most_share * options_.budget;
    result_.pairs = std::clamp(static_cast<int>(share / (comparisons * pair)) - 1, fewest_pairs, most_pairs);
    search_until_ = options_.budget - std::min(share, comparisons * pair * (result_.pairs + 1));
  }

  // The wide test, the phase walk and the phases do not know each other's tunables: each part is tried with the base's
  // of the others, so that no trial is made twice.
  [[nodiscard]] Tunables as_it_counts(const Tunables& tunables, Part part) const {
    if (std::find(parts_with_jobs.begin(), parts_with_jobs.end(), part) != parts_with_jobs.end())
      return with_part(options_.base, space_, part, tunables);
    Tunables result = tunables;
    for (const Part other : parts_with_jobs)
      result = with_part(result, space_, other, options_.base);
    return result;
  }

  std::optional<double> score(const Tunables& all, Part part, double best) {
    const Tunables tunables = as_it_counts(all, part);
    if (tunables == options_.base)
      return 1;
    const Trial* known = find(tunables);
    if (known == nullptr) {
      if (seconds() > search_until_) {
        result_.budget_spent = true;
        throw BudgetSpent();
      }
      make(tunables, part, best);
      known = find(tunables);
    }
    if (known->state != State::ok)
      return std::nullopt;
    return known->ratios[part];
  }

  // Tries tunables; best 0: nothing is known yet.
  Trial make(const Tunables& tunables, Part part, double best) {
    if (hooks_.interrupted && hooks_.interrupted())
      throw Interrupted();
    Message request{{"try", to_json(tunables)}, {"part", to_string(part)}, {"base", to_json(options_.base)}};
    if (best > 0 && std::isfinite(best))
      request["best"] = best;
    const Answer answer = ask_(request);
    Trial trial;
    if (answer.kind == Answer::Kind::message) {
      fail_with(answer.message);
      if (!from_json(answer.message, trial)) {
        trial.state = State::runtime;
        trial.message = "the worker's answer makes no sense";
      }
    } else {
      trial.state = answer.kind == Answer::Kind::timeout ? State::timeout : State::runtime;
      trial.message = answer.text;
    }
    trial.tunables = tunables;
    trial.part = part;
    if (journal_ != nullptr)
      journal_->append(trial);
    remember(trial);
    report(&result_.trials.back());
    return trial;
  }

  static void fail_with(const Message& message) {
    if (const auto error = message.find("error"); error != message.end() && error->is_string()) {
      const auto status = message.find("status");
      const bool unsound = status != message.end() && status->is_number_integer() &&
                           status->get<int>() == static_cast<int>(Status::unsound);
      throw Error(unsound ? Status::unsound : Status::device, error->get<std::string>());
    }
  }

  void report(const Trial* trial) const {
    if (hooks_.progress)
      hooks_.progress({trial, result_.trials.size(), seconds(), options_.budget});
  }

  Comparison compare(const Tunables& first, const Tunables& second) {
    if (hooks_.interrupted && hooks_.interrupted())
      throw Interrupted();
    report(nullptr);
    const Answer answer = ask_({{"first", to_json(first)},
                                {"second", to_json(second)},
                                {"pairs", result_.pairs},
                                {"base", to_json(options_.base)}});
    Comparison comparison;
    if (answer.kind != Answer::Kind::message) {
      comparison.failure = answer.text;
      return comparison;
    }
    fail_with(answer.message);
    const auto read = [&](const char* member) {
      std::vector<Seconds> runs;
      if (const auto found = answer.message.find(member); found != answer.message.end() && found->is_array())
        for (const Message& run : *found)
          if (Seconds one; from_json(run, one))
            runs.push_back(one);
      return runs;
    };
    const std::vector<Seconds> of_first = read("first");
    const std::vector<Seconds> of_second = read("second");
    if (of_first.empty() || of_first.size() != of_second.size()) {
      const auto message = answer.message.find("message");
      comparison.failure =
          message != answer.message.end() && message->is_string() && !message->get<std::string>().empty()
              ? message->get<std::string>()
              : "the worker's answer makes no sense";
      return comparison;
    }
    for (const Part part : all_parts) {
      std::vector<double> before;
      std::vector<double> after;
      std::vector<double> ratios;
      for (std::size_t i = 0; i < of_first.size(); ++i) {
        before.push_back(of_first[i][part]);
        after.push_back(of_second[i][part]);
        ratios.push_back(before.back() > 0 ? after.back() / before.back() : 1);
      }
      comparison.gains[static_cast<unsigned>(part)] = {median(before), median(after), judge(ratios)};
    }
    return comparison;
  }

  // Keeps of the best what wins against the default: first the parts with kernels of their own, each by itself, then
  // what they share.
  void confirm() {
    Tunables kernels = options_.base;
    std::vector<Part> changed;
    for (const Part part : all_parts)
      if (const Tunables with = with_part(kernels, space_, part, result_.best);
          part != Part::whole && with != kernels) {
        kernels = with;
        changed.push_back(part);
      }
    Tunables tuned = options_.base;
    Comparison overall; // of the default with `compared`
    Tunables compared = options_.base;
    if (!changed.empty()) {
      overall = compare(options_.base, kernels);
      compared = kernels;
      for (const Part part : changed)
        if (keeps(overall, part))
          tuned = with_part(tuned, space_, part, kernels);
    }
    const Tunables all = with_part(tuned, space_, Part::whole, result_.best);
    if (all != tuned) {
      const Comparison comparison = compare(tuned, all);
      if (tuned == options_.base) {
        overall = comparison;
        compared = all;
      }
      if (keeps(comparison, Part::whole))
        tuned = all;
    }
    if (tuned == options_.base)
      return;
    if (tuned != compared)
      overall = compare(options_.base, tuned);
    if (!overall.failure.empty()) {
      result_.notes.push_back(overall.failure);
      return;
    }
    if (as_it_counts(tuned, Part::whole) != options_.base && overall.of(Part::whole).verdict.loses()) {
      result_.notes.emplace_back("all in all the tuned values of the phases lose against the default");
      Tunables left = options_.base;
      for (const Part part : parts_with_jobs)
        left = with_part(left, space_, part, tuned);
      tuned = left;
    }
    // What has not changed has neither gained nor lost, whatever the noise says.
    for (const Part part : all_parts)
      if (as_it_counts(tuned, part) != options_.base)
        gain(part) = overall.of(part);
    result_.tuned = tuned;
  }

  bool keeps(const Comparison& comparison, Part part) {
    const Verdict& verdict = comparison.of(part).verdict;
    if (comparison.failure.empty() && verdict.wins())
      return true;
    result_.notes.push_back(
        comparison.failure.empty()
            ? fmt::format("{}: {} does not win beyond the noise: {:.3f} of the default's time ± {:.3f}",
                          to_string(part),
                          difference(with_part(options_.base, space_, part, result_.best), options_.base),
                          verdict.ratio, verdict.noise)
            : fmt::format("{}: {}", to_string(part), comparison.failure));
    return false;
  }

  Gain& gain(Part part) { return result_.gains[static_cast<unsigned>(part)]; }

  const TuningOptions& options_;
  const std::vector<Coordinate>& space_;
  const Ask& ask_;
  Journal* journal_;
  const TuningHooks& hooks_;
  Clock::time_point start_;
  double search_until_ = 0;
  std::map<std::string, Trial> known_;
  TuningResult result_;
};

} // namespace

bool Verdict::wins() const { return ratio < 1 - std::max(noise, least_difference); }
bool Verdict::loses() const { return ratio > 1 + std::max(noise, least_difference); }

Verdict judge(std::vector<double> ratios) {
  // Of a normal distribution the median deviation is 0.6745 σ, and the standard error of the median of n is 1.2533
  // σ/√n.
  constexpr double to_sigma = 1 / 0.6745;
  constexpr double of_median = 1.2533;
  Verdict verdict;
  if (ratios.empty())
    return verdict;
  const auto count = static_cast<double>(ratios.size());
  verdict.ratio = median(ratios);
  for (double& ratio : ratios)
    ratio = std::abs(ratio - verdict.ratio);
  verdict.noise = 2 * of_median * to_sigma * median(ratios) / std::sqrt(count);
  return verdict;
}

TuningResult tune(const TuningOptions& options, const std::vector<Coordinate>& space, const Ask& ask, Journal* journal,
                  const TuningHooks& hooks) {
  return Tuning(options, space, ask, journal, hooks).run();
}

} // namespace tmd::tune
