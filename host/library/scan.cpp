// Threads make visits (samples.hpp) round by round: each takes samples, calls the library at them, and compares the
// results. Between rounds the findings are evaluated: as soon as something is wrong, half of the visits go there and
// next to it. A quarter of the visits go to the fixed arguments until these are done, so that a short budget covers
// some of everything. With a budget of calls the seed decides all visits, whatever the number of threads.
#include "library/scan.hpp"

#include "library/c_type.hpp"
#include "library/other_function.hpp"
#include "library/samples.hpp"
#include "number/arb.hpp"
#include "support/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cmath>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>

namespace tmd::library {

namespace {

constexpr std::size_t block_size = 4096;   // samples called together
constexpr std::size_t first_round = 8;     // visits; each further round has twice as many
constexpr std::size_t round_size = 64;     // limit of visits
constexpr std::size_t fixed_at_once = 256; // fixed arguments of a visit
constexpr std::size_t most_followed = 6;   // groups of faults that get more visits
constexpr int bits_beside = 3;             // range of hardness beyond a group's that is visited, too

// Calls the library at samples, and judges the results.
template <typename Real> class SampleJudge {
public:
  SampleJudge(const ScanRequest& request, const Encodings& encodings, std::unique_ptr<CalledFunction> called)
      : listed(request.most_listed), other(request.other ? request.other() : nullptr, encodings), request_(request),
        encodings_(encodings), called_(std::move(called)) {
    if (request.flags)
      findings.flags.emplace(encodings);
  }

  void visit(const Visit& visit) {
    findings.by_mpfr += take_samples(*request_.function, encodings_, visit, samples_);
    if (samples_.size() >= block_size)
      judge();
  }
  void judge() {
    for (std::size_t begin = 0; begin < samples_.size() && !findings.gave_up; begin += SharedCalls::most)
      judge(begin, std::min(SharedCalls::most, samples_.size() - begin));
    samples_.clear();
  }

  ScanFindings findings;
  Evidence evidence;
  std::array<Worst, directions.size()> worst;
  std::array<Misrounded, directions.size()> largest{};
  ListedResults listed;
  OtherFunction other;
  BrokenPromise broken;

private:
  static std::size_t index(Direction direction) { return static_cast<std::size_t>(direction); }

  void judge(std::size_t begin, std::size_t count) {
    const SharedCalls& block = called_->block();
    for (std::size_t i = 0; i < count; ++i)
      set_code(block.arguments<Real>()[i], samples_[begin + i].argument);
    const std::vector<LostCall> lost = called_->call(count, most_lost);
    findings.gave_up = lost.size() > most_lost;
    if (findings.gave_up)
      return;
    other.compare<Real>(*called_, count, lost, [&](std::size_t i) { return samples_[begin + i].right; });
    is_lost_.assign(count * directions.size(), false);
    for (const LostCall& one : lost) {
      const Sample& sample = samples_[begin + one.index];
      is_lost_[one.index * directions.size() + index(one.direction)] = true;
      ++findings.tallies.at(index(one.direction)).lost;
      findings.faults.push_back(fault(sample, one.direction, one.answer));
    }
    if (block.header().noted != 0)
      note_besides(begin, count);
    for (std::size_t i = 0; i < count; ++i)
      judge_one(samples_[begin + i], i);
  }

  void note_besides(std::size_t begin, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      for (const Direction direction : directions)
        for (const LibraryAnswer& answer : answers_of_note(called_->block().notes(direction)[i])) {
          if (++besides_ <= most_besides)
            findings.faults.push_back(fault(samples_[begin + i], direction, answer));
          else
            ++findings.more_faults;
        }
  }

  [[nodiscard]] LibraryFault fault(const Sample& sample, Direction direction, LibraryAnswer answer) const {
    return {encodings_.text(sample.argument), direction, std::move(answer),
            sample.right ? encodings_.text(encodings_.expected(*sample.right, direction)) : ""};
  }

  void judge_one(const Sample& sample, std::size_t i) {
    ++findings.arguments;
    for (const Direction direction : directions)
      if (called_->rounds(direction))
        ++findings.tallies.at(index(direction)).calls;
    bool is_broken = false;
    std::array<bool, directions.size()> wrong{};
    std::array<Code, directions.size()> results{};
    if (!sample.right)
      ++findings.not_judged;
    for (const Direction direction : directions) {
      const std::size_t d = index(direction);
      if (is_lost_[i * directions.size() + d]) {
        is_broken = true;
        continue;
      }
      if (!called_->rounds(direction))
        continue;
      results.at(d) = code_of(called_->block().results<Real>(direction)[i]);
      if (findings.flags)
        findings.flags->add(sample.argument, sample.right, direction, results.at(d),
                            called_->block().flags(direction)[i]);
      if (!sample.right)
        continue;
      wrong.at(d) = !encodings_.is_right(*sample.right, direction, results.at(d));
      const Misrounded one{sample.argument, results.at(d), error(*sample.right, results.at(d)),
                           encodings_.expected(*sample.right, direction)};
      if ((wrong.at(d) || direction == Direction::nearest) && one.size > largest.at(d).size)
        largest.at(d) = one;
      if (!wrong.at(d))
        continue;
      ++findings.tallies.at(d).misrounded;
      findings.misrounded.add_size(direction, one.size);
      worst.at(d).add(one);
      listed.add(direction, one);
      is_broken =
          is_broken || (request_.promise && breaks(*request_.promise, *request_.function, encodings_, one, direction));
    }
    if (sample.right && !std::isnan(sample.right->fraction)) {
      evidence.add(sample, wrong, results);
      findings.most_bits = std::max(findings.most_bits, sample.nearest.bits);
    }
    if (is_broken)
      broken.add({1, sample.argument}, encodings_); // counted twice if sampled twice
  }

  // The size of a result's error in ulps, nearly.
  [[nodiscard]] double error(const RightResult& right, Code result) const {
    if (std::isnan(right.fraction) || encodings_.is_nan(result))
      return std::isnan(right.fraction) && encodings_.is_nan(result) ? 0 : std::numeric_limits<double>::infinity();
    const auto size = static_cast<double>(encodings_.magnitude(result));
    const bool is_same_sign = encodings_.is_negative(result) == encodings_.is_negative(right.toward_zero);
    const auto truncated = static_cast<int128>(encodings_.magnitude(right.toward_zero));
    if (!is_same_sign)
      return size + static_cast<double>(truncated) + right.fraction;
    const int128 off = static_cast<int128>(encodings_.magnitude(result)) - truncated;
    return std::fabs(static_cast<double>(off) - right.fraction);
  }

  const ScanRequest& request_;
  const Encodings& encodings_;
  std::unique_ptr<CalledFunction> called_;
  std::vector<Sample> samples_;
  std::vector<bool> is_lost_;
  std::size_t besides_ = 0;
};

template <typename Real> class Scan {
public:
  Scan(const ScanRequest& request, unsigned threads, const MakeCalledFunction& called)
      : request_(request), encodings_(request.format),
        strata_(*request.function, encodings_, request.ranks, request.seed) {
    for (unsigned i = 0; i < threads; ++i)
      judges_.push_back(std::make_unique<SampleJudge<Real>>(request_, encodings_, called()));
  }

  // The threads live as long as the scan, because a process started by a thread ends with it.
  [[nodiscard]] ScanFindings run(const std::function<void(double)>& report) {
    visits_ = next_visits();
    std::barrier barrier(static_cast<std::ptrdiff_t>(judges_.size()), [&]() noexcept { end_round(report); });
    std::vector<std::thread> threads;
    for (const auto& judge : judges_)
      threads.emplace_back([&, own = judge.get()] {
        const number::ThreadCaches caches;
        for (; !has_ended_; barrier.arrive_and_wait())
          make_visits(*own);
      });
    for (std::thread& thread : threads)
      thread.join();
    if (failure_)
      std::rethrow_exception(failure_);
    return put_together();
  }

private:
  // The next visit to fixed arguments.
  [[nodiscard]] std::optional<Visit> fixed_visit() {
    const auto all = std::span(strata_.fixed()).subspan(fixed_);
    if (all.empty())
      return std::nullopt;
    const auto part = all.first(std::min(fixed_at_once, all.size()));
    fixed_ += part.size();
    Visit visit;
    visit.arguments.assign(part.begin(), part.end());
    return visit;
  }

  // Every second visit goes where something is wrong: into a group, to neighbouring binades, or to neighbouring degrees
  // of hardness.
  [[nodiscard]] std::vector<Visit> next_visits() {
    const std::vector<FaultGroup> groups = evidence_.groups();
    std::vector<Visit> visits;
    for (std::size_t i = 0; i < visits_of_round_; ++i) {
      const auto chosen = i % 4 == 0                      ? fixed_visit()
                          : i % 2 != 0 && !groups.empty() ? closer_visit(groups)
                                                          : std::nullopt;
      visits.push_back(chosen ? *chosen : strata_.visit(surveyed_++));
    }
    visits_of_round_ = std::min(2 * visits_of_round_, round_size);
    return visits;
  }
  [[nodiscard]] std::optional<Visit> closer_visit(const std::vector<FaultGroup>& groups) {
    const std::uint64_t number = followed_++;
    const std::size_t most = std::min(groups.size(), most_followed);
    const FaultGroup& group = groups[number % most];
    const std::uint64_t turn = number / most;
    constexpr int beside = 2; // binades
    const auto binades = static_cast<unsigned>(group.last_binade - group.first_binade + 1 + 2 * beside);
    const int binade = group.first_binade - beside + static_cast<int>(turn % binades);
    const bool negative = group.has_both_signs ? turn / binades % 2 != 0 : group.negative;
    return strata_.closer_visit(negative, binade, group.least_bits - bits_beside, group.most_bits + bits_beside,
                                number);
  }

  void make_visits(SampleJudge<Real>& judge) {
    try {
      for (std::size_t i = next_++; i < visits_.size() && !judge.findings.gave_up; i = next_++)
        judge.visit(visits_[i]);
      judge.judge();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
  }

  // Called while all threads wait.
  void end_round(const std::function<void(double)>& report) noexcept {
    try {
      for (const auto& judge : judges_)
        evidence_.add(std::exchange(judge->evidence, {}));
      begin_ = begin_.value_or(std::chrono::steady_clock::now());
      const double spent = request_.calls ? static_cast<double>(calls()) / static_cast<double>(*request_.calls)
                                          : support::seconds_since(*begin_) / request_.seconds;
      has_ended_ = spent >= 1 || failure_ || gave_up();
      if (has_ended_)
        return;
      report(spent);
      visits_ = next_visits();
      next_ = 0;
    } catch (...) {
      failure_ = std::current_exception();
      has_ended_ = true;
    }
  }

  [[nodiscard]] std::uint64_t calls() const {
    std::uint64_t sum = 0;
    for (const auto& judge : judges_)
      for (const LibraryTally& tally : judge->findings.tallies)
        sum += tally.calls;
    return sum;
  }
  [[nodiscard]] bool gave_up() const {
    return std::any_of(judges_.begin(), judges_.end(), [](const auto& judge) { return judge->findings.gave_up; });
  }

  [[nodiscard]] ScanFindings put_together() {
    ScanFindings sum;
    std::array<Worst, directions.size()> worst;
    std::array<Misrounded, directions.size()> largest{};
    ListedResults listed(request_.most_listed);
    DifferingResults differing;
    BrokenPromise broken;
    if (request_.flags)
      sum.flags.emplace(encodings_);
    for (const auto& judge : judges_) {
      add(sum, judge->findings);
      if (sum.flags)
        sum.flags->add(*judge->findings.flags);
      for (std::size_t i = 0; i < directions.size(); ++i) {
        worst.at(i).add(judge->worst.at(i));
        const Misrounded& other = judge->largest.at(i);
        Misrounded& own = largest.at(i);
        if (other.size > own.size || (other.size == own.size && other.argument < own.argument))
          own = other;
      }
      listed.add(judge->listed);
      differing.add(judge->other.found());
      broken.add(judge->broken, encodings_);
    }
    sum.listed = listed.take(encodings_);
    if (request_.other)
      sum.differences = differing.take(encodings_);
    sum.groups = evidence_.groups();
    evidence_.add_to(sum.misrounded);
    sum.promise = broken.tested(request_.promise, encodings_);
    for (const Direction direction : directions)
      judge_worst(direction, worst.at(static_cast<std::size_t>(direction)),
                  largest.at(static_cast<std::size_t>(direction)), sum);
    sort_faults(sum.faults);
    return sum;
  }

  static void add(ScanFindings& sum, const ScanFindings& part) {
    for (std::size_t i = 0; i < directions.size(); ++i) {
      sum.tallies.at(i).calls += part.tallies.at(i).calls;
      sum.tallies.at(i).misrounded += part.tallies.at(i).misrounded;
      sum.tallies.at(i).lost += part.tallies.at(i).lost;
    }
    sum.faults.insert(sum.faults.end(), part.faults.begin(), part.faults.end());
    sum.more_faults += part.more_faults;
    sum.misrounded.add(part.misrounded);
    sum.arguments += part.arguments;
    sum.not_judged += part.not_judged;
    sum.by_mpfr += part.by_mpfr;
    sum.most_bits = std::max(sum.most_bits, part.most_bits);
    sum.gave_up = sum.gave_up || part.gave_up;
  }

  // MPFR judges the results that are shown. If it finds one of them right, the polynomials were wrong.
  void judge_worst(Direction direction, Worst& worst, const Misrounded& largest, ScanFindings& sum) const {
    LibraryTally& tally = sum.tallies.at(static_cast<std::size_t>(direction));
    LibraryTally exact;
    std::uint64_t kept = 0;
    for (const Misrounded& one : worst.take()) {
      auto fault = judge_exactly(*request_.function, encodings_, one.argument, one.result, direction, exact);
      if (!fault)
        throw SoundnessError(fmt::format("MPFR finds {} correctly rounded at {}, but the polynomials do not",
                                         encodings_.text(one.result), encodings_.text(one.argument)));
      sum.faults.push_back(*std::move(fault));
      ++kept;
    }
    if (largest.size > 0)
      (void)judge_exactly(*request_.function, encodings_, largest.argument, largest.result, direction, exact);
    tally.largest_error = exact.largest_error;
    tally.at = exact.at;
    sum.more_faults += tally.misrounded - kept;
  }

  const ScanRequest& request_;
  Encodings encodings_;
  Strata strata_;
  std::vector<std::unique_ptr<SampleJudge<Real>>> judges_;
  Evidence evidence_;
  std::size_t fixed_ = 0; // fixed arguments visited so far
  std::size_t visits_of_round_ = first_round;
  std::uint64_t surveyed_ = 0;
  std::uint64_t followed_ = 0;

  // Set after the first round, because a driver may take long to load.
  std::optional<std::chrono::steady_clock::time_point> begin_;
  std::vector<Visit> visits_; // of the current round
  std::atomic<std::size_t> next_ = 0;
  bool has_ended_ = false;
  std::exception_ptr failure_;
  std::mutex mutex_; // guards the failure
};

} // namespace

ScanFindings scan(const ScanRequest& request, unsigned threads, const MakeCalledFunction& called,
                  const std::function<void(double)>& report) {
  return with_c_type(request.format,
                     [&](auto zero) { return Scan<decltype(zero)>(request, threads, called).run(report); });
}

} // namespace tmd::library
