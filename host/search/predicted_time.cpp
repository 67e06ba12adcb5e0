// Samples of the work, searched by the devices: each is some times as large as the one before, and what the last takes
// beyond it tells what the whole takes.
#include "search/predicted_time.hpp"

#include "search/search.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"
#include "tmd/integer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>

namespace tmd::searches {

namespace {

// Places from which samples are taken.
constexpr unsigned sample_places = 16;

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

} // namespace tmd::searches
