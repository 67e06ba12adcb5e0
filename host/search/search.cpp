#include "search/search.hpp"

#include "error.hpp"
#include "search/bounded_queue.hpp"
#include "search/pieces.hpp"
#include "search/self_test.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <set>
#include <thread>

#include <fmt/format.h>

namespace tmd {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Batches waiting for the device: with the one in work and the one being made, four live at a time.
constexpr std::size_t waiting_batches = 2;
constexpr std::uint64_t direct_batch = 4096; // arguments for MPFR alone
constexpr std::uint64_t confirmations_between_looks = 1024;

// A part of a piece for the consumer: a batch for the device, or arguments for MPFR alone.
struct Work {
  std::size_t piece = 0;
  uint128 first = 0; // index of the first argument in the piece
  std::uint64_t count = 0;
  double survivor_share = 0;          // that the plan expects of phase 1
  std::unique_ptr<DomainBatch> batch; // null: direct
};

// Makes the work of a search, in order, on a thread of its own.
class Producer {
public:
  Producer(const SearchJob& job, const std::vector<Piece>& pieces, std::uint64_t batch_domains, bool hybrid,
           unsigned threads, BoundedQueue<Work>& queue)
      : job_(job), batch_domains_(batch_domains), hybrid_(hybrid), threads_(threads), queue_(queue) {
    for (const Piece& piece : pieces) {
      reports_.emplace_back();
      reports_.back().piece = piece;
    }
    thread_ = std::thread([this] {
      try {
        produce();
      } catch (...) {
        failure_ = std::current_exception();
      }
      queue_.close();
    });
  }
  Producer(const Producer&) = delete;
  Producer& operator=(const Producer&) = delete;
  ~Producer() { stop(); }

  // Waits for the end; throws what the thread threw.
  void finish() {
    stop();
    if (failure_)
      std::rethrow_exception(failure_);
  }
  [[nodiscard]] const std::vector<PieceReport>& reports() const { return reports_; }
  [[nodiscard]] double seconds() const { return seconds_; }

private:
  void stop() {
    queue_.close();
    if (thread_.joinable())
      thread_.join();
  }

  void produce() {
    for (std::size_t piece = 0; piece < reports_.size(); ++piece) {
      Planner planner(ScaledFunction(*job_.function, job_.grid(), reports_[piece].piece), job_.plan);
      for (;;) {
        const auto start = Clock::now();
        const auto plan = planner.next();
        seconds_ += seconds_since(start);
        if (!plan)
          break;
        record(reports_[piece], *plan);
        if (!(plan->method == Method::direct ? push_direct(piece, *plan) : push_batches(piece, *plan)))
          return;
      }
    }
  }

  static void record(PieceReport& report, const IntervalPlan& plan) {
    ++report.intervals;
    if (plan.method == Method::direct) {
      report.direct_arguments += plan.count;
      return;
    }
    report.fewest_domain_bits =
        report.most_domain_bits == 0 ? plan.domain_bits : std::min(report.fewest_domain_bits, plan.domain_bits);
    if (report.most_domain_bits == 0)
      report.costs = plan.costs;
    ++report.methods[plan.method == Method::exhaustive ? "exhaustive" : std::string(to_string(plan.test))];
    if (plan.domain_bits > report.most_domain_bits) {
      report.most_domain_bits = plan.domain_bits;
      report.split_bits = plan.split_bits;
    }
    report.degree = std::max(report.degree, plan.degree);
    report.words = std::max(report.words, plan.polynomial->words());
    report.ledger.merge(plan.ledger);
  }

  bool push_direct(std::size_t piece, const IntervalPlan& plan) {
    for (std::uint64_t done = 0; done < plan.count; done += direct_batch)
      if (!queue_.push({piece, plan.first + done, std::min(direct_batch, plan.count - done), 0, nullptr}))
        return false;
    return true;
  }

  bool push_batches(std::size_t piece, const IntervalPlan& plan) {
    const std::uint64_t domains = plan.domain_count();
    // A device makes whole packets.
    const std::uint64_t packet = plan.polynomial->packet_size();
    const std::uint64_t most = hybrid_ ? std::max(batch_domains_ / packet * packet, packet) : batch_domains_;
    for (std::uint64_t done = 0; done < domains; done += most) {
      const std::uint64_t count = std::min(most, domains - done);
      const std::uint64_t first_argument = done << plan.domain_bits;
      const auto start = Clock::now();
      auto batch = std::make_unique<DomainBatch>(hybrid_ ? make_hybrid_batch(plan, done, count)
                                                         : make_batch(plan, done, count, threads_));
      seconds_ += seconds_since(start);
      const std::uint64_t arguments = batch->parameters.argument_limit;
      if (!queue_.push({piece, plan.first + first_argument, arguments, plan.survivor_share, std::move(batch)}))
        return false;
    }
    return true;
  }

  const SearchJob& job_;
  std::uint64_t batch_domains_;
  bool hybrid_;
  unsigned threads_;
  BoundedQueue<Work>& queue_;
  std::vector<PieceReport> reports_;
  double seconds_ = 0;
  std::exception_ptr failure_;
  std::thread thread_;
};

// Confirms arguments and sorts them into cases and exact cases.
class Collector {
public:
  Collector(const SearchJob& job, const std::function<bool()>& interrupted, SearchResult& result)
      : confirmation_(*job.function, job.grid(), job.plan.bits), interrupted_(interrupted), result_(result) {}

  // Throws Interrupted now and then, when the user asks for it.
  void take(const Argument& x) {
    if (++taken_ % confirmations_between_looks == 0 && interrupted_ && interrupted_())
      throw Interrupted();
    if (auto found = confirmation_.confirm(x))
      (found->is_exact() ? result_.exact : result_.cases).push_back(*found);
  }

private:
  Confirmation confirmation_;
  const std::function<bool()>& interrupted_;
  SearchResult& result_;
  std::uint64_t taken_ = 0;
};

} // namespace

void set_algorithm(PlanOptions& plan, std::string_view name) {
  const std::size_t index = find_name("algorithm", name, algorithm_names);
  plan.exhaustive_only = name == "exhaustive";
  plan.test.reset();
  if (index > 0 && !plan.exhaustive_only)
    plan.test = static_cast<Test>(index); // the tests follow `auto` in their own order
}

Polynomials choose_polynomials(Polynomials asked, const opencl::DeviceDescription& device) {
  if (asked != Polynomials::automatic)
    return asked;
  return device.is_gpu || device.is_accelerator ? Polynomials::hybrid : Polynomials::host;
}

void adapt_plan(PlanOptions& plan, const DeviceSearch& device, Polynomials polynomials) {
  const bool hybrid = choose_polynomials(polynomials, device.device()) == Polynomials::hybrid;
  if (hybrid)
    plan.packets.most_bits = static_cast<int>(device.tunables().polynomials_packet_bits);
  plan.length_bits1 = length_bits(static_cast<Division>(device.tunables().phase1_division));
  plan.length_bits2 = length_bits(static_cast<Division>(device.tunables().phase2_division));
  plan.domain_bits_offset = static_cast<int>(device.tunables().plan_domain_bits_offset);
  plan.split_bits_offset = static_cast<int>(device.tunables().plan_split_bits_offset);
  if (device.device().is_gpu) // the host is slow beside it, divergence dear
    plan.costs = {.polynomial = hybrid ? 0.4 : 8, .lefevre = 3.5, .argument = 0.05, .confirmation = 1e5};
  if (!plan.test && !plan.exhaustive_only)
    plan.feedback = std::make_shared<SurvivorFeedback>();
}

void check_domain(const SearchJob& job) {
  const Domain& domain = job.function->domain;
  const ArgumentSet arguments = job.arguments();
  const Argument first = arguments.at(job.first);
  const Argument last = arguments.at(job.last - 1);
  const auto outside = [&](const Argument& x) {
    const Mpfr value = to_mpfr(x);
    const int lower = mpfr_cmp_d(value, domain.lower);
    const int upper = mpfr_cmp_d(value, domain.upper);
    return lower < 0 || (lower == 0 && !domain.lower_included) || upper > 0 || (upper == 0 && !domain.upper_included);
  };
  for (const Argument& x : {first, last})
    if (outside(x))
      throw UsageError(fmt::format("{} is outside the domain of {}: {}", to_hex(x), job.function->name, domain.text));
}

SearchResult run_search(const SearchJob& job, DeviceSearch& device, unsigned host_threads, const SearchHooks& hooks) {
  const auto start = Clock::now();
  SearchResult result;
  Collector collector(job, hooks.interrupted, result);
  device.reset_counts();

  Pieces pieces;
  try {
    pieces = find_pieces(*job.function, job.arguments(), job.first, job.last, hooks.interrupted);
  } catch (const Interrupted&) {
    result.interrupted = true;
    return result;
  }
  BoundedQueue<Work> queue(waiting_batches);
  const bool hybrid = choose_polynomials(job.polynomials, device.device()) == Polynomials::hybrid;
  Producer producer(job, pieces.pieces, device.batch_domains(), hybrid, host_threads, queue);
  const auto covered = [&](std::uint64_t count) {
    result.arguments += count;
    if (hooks.progress)
      hooks.progress({result.arguments, job.size(), result.cases.size(), seconds_since(start)});
  };
  std::set<Test> trusted;
  const auto trust = [&](Test test) { // before a test is used for the first time
    if (trusted.insert(test).second)
      self_test(device, test);
  };
  try {
    while (const auto work = queue.pop()) {
      const Piece& piece = pieces.pieces[work->piece];
      if (work->batch) {
        trust(work->batch->parameters.test);
        const PhaseCount before = device.counts().phase1;
        const std::vector<std::uint64_t> candidates = device.search(*work->batch, nullptr, hooks.interrupted);
        const PhaseCount& now = device.counts().phase1;
        if (job.plan.feedback && work->batch->parameters.method == Method::filtered)
          job.plan.feedback->observe(work->batch->parameters.test, work->survivor_share, now.tested - before.tested,
                                     now.survivors - before.survivors);
        result.candidates += candidates.size();
        for (const std::uint64_t offset : candidates)
          collector.take(piece.argument(work->first + offset));
      } else {
        for (std::uint64_t offset = 0; offset < work->count; ++offset)
          collector.take(piece.argument(work->first + offset));
        result.direct += work->count;
      }
      covered(work->count);
    }
    producer.finish();
    for (const Argument& x : pieces.singles)
      collector.take(x);
    result.direct += pieces.singles.size();
    covered(pieces.singles.size());
  } catch (const Interrupted&) {
    result.interrupted = true;
    producer.finish();
  }

  if (!result.interrupted && result.arguments != job.size())
    throw SoundnessError(fmt::format("{} arguments were covered, but the range has {}", to_string(result.arguments),
                                     to_string(job.size())));
  std::sort(result.cases.begin(), result.cases.end(), is_harder);
  std::sort(result.exact.begin(), result.exact.end(),
            [](const Case& left, const Case& right) { return compare(left.x, right.x) < 0; });
  result.phases = device.counts();
  result.pieces = producer.reports();
  result.polynomial_seconds = producer.seconds();
  result.seconds = seconds_since(start);
  return result;
}

} // namespace tmd
