#include "search/search.hpp"

#include "error.hpp"
#include "search/bounded_queue.hpp"
#include "search/dispatcher.hpp"
#include "job/pieces.hpp"
#include "engine/domains/self_test.hpp"
#include "support/stopwatch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

using Clock = std::chrono::steady_clock;

// Batches waiting for a device: with the one in work and the one being made, four live at a time.
constexpr std::size_t waiting_batches = 2;
constexpr std::uint64_t direct_batch = 4096; // arguments for MPFR alone
constexpr std::uint64_t confirmations_between_looks = 1024;
constexpr std::uint64_t confirmations_per_thread = 512; // below, starting a thread costs more than it saves

// A part of an interval on its way through a device: a batch, or arguments for MPFR alone.
struct Work {
  Part part;
  std::shared_ptr<const IntervalPlan> plan;
  bool begins_interval = false;
  std::unique_ptr<DomainBatch> batch; // null: direct
  double seconds = 0;                 // that the host took to make it
};

// Cases and exact cases, not sorted.
using Found = std::vector<Case>;

void record(PieceReport& report, const IntervalPlan& plan) {
  ++report.intervals;
  if (plan.method == Method::direct)
    return;
  if (!report.has_polynomial())
    report.costs = plan.costs;
  ++report.methods[std::string(plan.method == Method::filtered ? to_string(plan.test) : to_string(plan.method))];
  const bool wide = plan.method == Method::wide;
  int& most = wide ? report.most_group_bits : report.most_domain_bits;
  int& fewest = wide ? report.fewest_group_bits : report.fewest_domain_bits;
  fewest = most == 0 ? plan.domain_bits : std::min(fewest, plan.domain_bits);
  if (plan.domain_bits > most) {
    most = plan.domain_bits;
    if (!wide)
      report.split_bits = plan.split_bits;
  }
  report.degree = std::max(report.degree, plan.degree);
  report.words = std::max(report.words, plan.polynomial ? plan.polynomial->words() : plan.wide.polynomial->words());
  report.ledger.merge(plan.ledger);
}

std::vector<uint128> sizes(const std::vector<Piece>& pieces) {
  std::vector<uint128> result(pieces.size());
  std::transform(pieces.begin(), pieces.end(), result.begin(), [](const Piece& piece) { return piece.count; });
  return result;
}

// The threads of a search, two a device, and what they share. The feeder plans intervals and makes batches, the
// searcher has them searched and confirms what is found.
class Search {
public:
  Search(const SearchJob& job, std::span<const SearchDevice> devices, const SearchHooks& hooks)
      : job_(job), hooks_(hooks), confirmation_(*job.function, job.grid(), job.plan.bits),
        pieces_(find_pieces(*job.function, job.arguments(), job.first, job.last, hooks.interrupted)),
        dispatcher_(sizes(pieces_.pieces), devices.size()) {
    for (const Piece& piece : pieces_.pieces)
      result_.pieces.emplace_back().piece = piece;
    result_.devices.resize(devices.size());
    for (const SearchDevice& device : devices)
      workers_.emplace_back(device, workers_.size());
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  ~Search() {
    stop();
    join();
  }

  // Searches the pieces, then the single arguments. Throws what ended a thread, unless that was the user or the loss of
  // a device beside others. The first device is the calling thread's.
  SearchResult run() {
    for (Worker& worker : workers_) {
      worker.feeder = std::thread([this, &worker] {
        const ThreadCaches caches;
        guarded([&] { feed(worker); });
        worker.queue.close();
      });
      if (&worker != &workers_.front())
        worker.searcher = std::thread([this, &worker] {
          const ThreadCaches caches;
          guarded([&] { search(worker); });
        });
    }
    guarded([&] { search(workers_.front()); });
    join();
    if (!result_.interrupted && !failure_)
      guarded([&] { search_singles(); });
    if (failure_)
      std::rethrow_exception(failure_);
    for (const Worker& worker : workers_)
      result_.polynomial_seconds += worker.polynomial_seconds;
    return std::move(result_);
  }

private:
  struct Worker {
    Worker(const SearchDevice& of, std::size_t at) : device(of), index(at) {}
    const SearchDevice& device;
    std::size_t index;
    BoundedQueue<Work> queue{waiting_batches};
    double polynomial_seconds = 0;
    std::thread feeder;
    std::thread searcher;
  };

  // What a thread does; whatever it throws ends the search.
  template <typename Body> void guarded(const Body& body) {
    try {
      body();
    } catch (const Interrupted&) {
      {
        const std::lock_guard lock(mutex_);
        result_.interrupted = true;
      }
      stop();
    } catch (...) {
      {
        const std::lock_guard lock(mutex_);
        if (!failure_)
          failure_ = std::current_exception();
      }
      stop();
    }
  }

  void stop() {
    stopping_ = true;
    dispatcher_.stop();
    for (Worker& worker : workers_)
      worker.queue.close();
  }

  void join() {
    for (Worker& worker : workers_)
      for (std::thread* thread : {&worker.feeder, &worker.searcher})
        if (thread->joinable())
          thread->join();
  }

  [[nodiscard]] bool interrupted() const { return stopping_ || (hooks_.interrupted && hooks_.interrupted()); }

  // With the mutex locked.
  void tell_progress() {
    if (hooks_.progress)
      hooks_.progress(
          {result_.arguments, job_.size(), result_.cases.size(), seconds_since(start_), dispatcher_.working()});
  }

  void feed(Worker& worker) {
    std::optional<Planner> planner;
    std::size_t planned_piece = 0;
    while (const auto part = dispatcher_.take(worker.index)) {
      const auto start = Clock::now();
      if (!planner || planned_piece != part->piece) {
        const Piece& piece = pieces_.pieces[part->piece];
        planner.emplace(ScaledFunction(*job_.function, job_.grid(), piece), worker.device.plan);
        planned_piece = part->piece;
      }
      const auto plan = std::make_shared<const IntervalPlan>(planner->at(part->first, part->count));
      dispatcher_.shorten(worker.index, *part, plan->count);
      if (!push(worker, part->piece, plan, start))
        return;
    }
  }

  // Cuts an interval into work for the device. Returns false when the device wants no more.
  static bool push(Worker& worker, std::size_t piece, const std::shared_ptr<const IntervalPlan>& plan,
                   Clock::time_point start) {
    const SearchDevice& device = worker.device;
    std::uint64_t count = 0;
    for (std::uint64_t done = 0; done < plan->count; done += count) {
      Work work{{piece, plan->first + done, 0}, plan, done == 0, nullptr, 0};
      if (plan->method == Method::direct) {
        count = std::min(direct_batch, plan->count - done);
      } else {
        work.batch = std::make_unique<DomainBatch>(make(device, *plan, done >> plan->unit_bits()));
        count = work.batch->parameters.argument_limit;
      }
      work.part.count = count;
      work.seconds = seconds_since(start);
      worker.polynomial_seconds += work.seconds;
      if (!worker.queue.push(std::move(work)))
        return false;
      start = Clock::now();
    }
    return true;
  }

  static DomainBatch make(const SearchDevice& device, const IntervalPlan& plan, std::uint64_t first_domain) {
    if (plan.method == Method::wide)
      return make_wide_batch(plan, first_domain,
                             std::min(device.batch_sub_intervals, plan.domain_count() - first_domain));
    std::uint64_t most = device.batch_domains;
    if (device.hybrid) { // a device makes whole packets
      const std::uint64_t packet = plan.polynomial->packet_size();
      most = std::max(most / packet * packet, packet);
    }
    const std::uint64_t count = std::min(most, plan.domain_count() - first_domain);
    return device.hybrid ? make_hybrid_batch(plan, first_domain, count)
                         : make_batch(plan, first_domain, count, device.host_threads);
  }

  void search(Worker& worker) {
    try {
      while (const auto work = worker.queue.pop()) {
        if (interrupted())
          throw Interrupted();
        search(worker, *work);
      }
    } catch (const DeviceError& error) {
      if (!lose(worker, error))
        throw;
    }
  }

  void search(Worker& worker, const Work& work) {
    const auto start = Clock::now();
    const Piece& piece = pieces_.pieces[work.part.piece];
    BatchResult batch;
    Found found;
    if (work.batch) {
      batch = worker.device.search(*work.batch, [this] { return interrupted(); });
      found = confirm(batch.candidates.size(), worker.device.host_threads,
                      [&](std::uint64_t i) { return piece.argument(work.part.first + batch.candidates[i]); });
    } else {
      found = confirm(static_cast<std::uint64_t>(work.part.count), worker.device.host_threads,
                      [&](std::uint64_t i) { return piece.argument(work.part.first + i); });
    }
    if (const auto& feedback = worker.device.plan.feedback; feedback && work.plan->method == Method::filtered)
      feedback->observe(work.plan->test, work.plan->survivor_share, batch.counts.phase1.tested,
                        batch.counts.phase1.survivors);
    count(worker, work, batch, found, std::max(work.seconds, seconds_since(start)));
  }

  // From here on a batch's arguments are covered, and what was found there counts.
  void count(const Worker& worker, const Work& work, const BatchResult& batch, const Found& found, double seconds) {
    const std::lock_guard lock(mutex_);
    dispatcher_.finish(worker.index, work.part, seconds);
    add(found);
    DeviceReport& report = result_.devices[worker.index];
    report.arguments += work.part.count;
    report.phases += batch.counts;
    result_.arguments += work.part.count;
    result_.phases += batch.counts;
    result_.candidates += batch.candidates.size();
    PieceReport& piece = result_.pieces[work.part.piece];
    if (!work.batch) {
      result_.direct += work.part.count;
      piece.direct_arguments += work.part.count;
    }
    if (work.begins_interval)
      record(piece, *work.plan);
    tell_progress();
  }

  void add(const Found& found) {
    for (const Case& one : found)
      (one.is_exact() ? result_.exact : result_.cases).push_back(one);
  }

  // Returns false when it was the last device.
  bool lose(Worker& worker, const DeviceError& error) {
    worker.queue.close(); // the feeder need not go on
    const std::lock_guard lock(mutex_);
    result_.devices[worker.index].failure = error.what();
    if (dispatcher_.drop(worker.index) == 0)
      return false;
    if (hooks_.lost)
      hooks_.lost(worker.index, error.what());
    return true;
  }

  void search_singles() {
    const auto& singles = pieces_.singles;
    add(confirm(singles.size(), workers_.front().device.host_threads, [&](std::uint64_t i) { return singles[i]; }));
    result_.direct += singles.size();
    result_.arguments += singles.size();
    tell_progress();
  }

  // The cases among argument(0) … argument(count − 1).
  Found confirm(std::uint64_t count, unsigned threads, const std::function<Argument(std::uint64_t)>& argument) const {
    const auto confirm_part = [&](std::uint64_t first, std::uint64_t last) {
      Found found;
      for (std::uint64_t i = first; i < last; ++i) {
        if (i % confirmations_between_looks == 0 && interrupted())
          throw Interrupted();
        if (auto one = confirmation_.confirm(argument(i)))
          found.push_back(*one);
      }
      return found;
    };
    const std::uint64_t parts = std::clamp<std::uint64_t>(count / confirmations_per_thread, 1, std::max(threads, 1U));
    std::vector<std::future<Found>> helpers;
    for (std::uint64_t part = 1; part < parts; ++part)
      helpers.push_back(std::async(std::launch::async, [&, part] {
        const ThreadCaches caches;
        return confirm_part(count * part / parts, count * (part + 1) / parts);
      }));
    Found found = confirm_part(0, count / parts);
    for (auto& helper : helpers) {
      const Found more = helper.get();
      found.insert(found.end(), more.begin(), more.end());
    }
    return found;
  }

  const Clock::time_point start_ = Clock::now();
  const SearchJob& job_;
  const SearchHooks& hooks_;
  const Confirmation confirmation_;
  const Pieces pieces_;
  Dispatcher dispatcher_;
  std::deque<Worker> workers_;
  std::atomic<bool> stopping_ = false;

  std::mutex mutex_; // of what follows, and of the hooks that tell the caller something
  SearchResult result_;
  std::exception_ptr failure_;
};

} // namespace

void set_algorithm(PlanOptions& plan, std::string_view name) {
  const std::size_t index = find_name("algorithm", name, algorithm_names);
  plan.exhaustive_only = name == "exhaustive";
  plan.wide = name == "auto" ? WideUse::when_cheaper : name == "wide" ? WideUse::always : WideUse::never;
  plan.test.reset();
  if (plan.wide == WideUse::never && !plan.exhaustive_only)
    plan.test = static_cast<Test>(index); // the tests follow `auto` in their own order
}

Polynomials choose_polynomials(Polynomials asked, const opencl::DeviceDescription& device, uint128 arguments) {
  constexpr uint128 much = uint128(1) << 42; // what pays for building the kernels with a CPU's compiler
  if (asked != Polynomials::automatic)
    return asked;
  return device.is_gpu || device.is_accelerator || arguments >= much ? Polynomials::hybrid : Polynomials::host;
}

void adapt_plan(PlanOptions& plan, const DeviceSearch& device, Polynomials polynomials) {
  const bool hybrid = polynomials == Polynomials::hybrid;
  if (hybrid)
    plan.packets.most_bits = static_cast<int>(device.tunables().polynomials_packet_bits);
  plan.length_bits1 = length_bits(static_cast<Division>(device.tunables().phase1_division));
  plan.length_bits2 = length_bits(static_cast<Division>(device.tunables().phase2_division));
  plan.domain_bits_offset = static_cast<int>(device.tunables().plan_domain_bits_offset);
  plan.split_bits_offset = static_cast<int>(device.tunables().plan_split_bits_offset);
  plan.wide_group_bits_offset = static_cast<int>(device.tunables().wide_group_bits_offset);
  plan.wide_denominator_percent = static_cast<int>(device.tunables().wide_denominator_percent);
  if (device.device().is_gpu) // the host is slow beside it, divergence dear
    plan.costs = {.polynomial = hybrid ? 0.4 : 8,
                  .lefevre = 3.5,
                  .argument = 0.05,
                  .confirmation = 1e5,
                  .interval = 5e7,
                  .wide_group = 1.2,
                  .wide_line = 0.105,
                  .wide_candidate = 2.5,
                  .wide_part = 4};
  else if (device.tunables().phase1_vector_bits > 0) // which the regular test has, Lefèvre's has not
    plan.costs = {.polynomial = hybrid ? 0.8 : 2,
                  .lefevre = 25,
                  .argument = 0.035,
                  .confirmation = 1000,
                  .interval = 1.7e5,
                  .wide_group = 1.5,
                  .wide_line = 0.11,
                  .wide_candidate = 12,
                  .wide_part = 20};
  if (plan.test || plan.exhaustive_only)
    plan.feedback.reset();
  else if (!plan.feedback) // it may be shared with other devices
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

SearchDevice search_device(DeviceSearch& device, const PlanOptions& plan, Polynomials polynomials,
                           unsigned host_threads) {
  SearchDevice result;
  result.plan = plan;
  result.hybrid = polynomials == Polynomials::hybrid;
  result.batch_domains = device.batch_domains();
  result.batch_sub_intervals = device.batch_sub_intervals();
  result.host_threads = host_threads;
  result.search = [&device, trusted = std::set<Test>(), trusted_with_wide = false](
                      const DomainBatch& batch, const std::function<bool()>& interrupted) mutable {
    const Test test = batch.parameters.test;
    if (batch.parameters.method == Method::wide) {
      if (!trusted_with_wide)
        wide_self_test(device);
      trusted_with_wide = true;
    } else if (!trusted.contains(test)) {
      self_test(device, test);
      trusted.insert(test);
    }
    device.reset_counts();
    BatchResult found;
    found.candidates = device.search(batch, nullptr, interrupted);
    found.counts = device.counts();
    return found;
  };
  return result;
}

SearchResult run_search(const SearchJob& job, std::span<const SearchDevice> devices, const SearchHooks& hooks) {
  const auto start = Clock::now();
  SearchResult result;
  try {
    result = Search(job, devices, hooks).run();
  } catch (const Interrupted&) { // while the pieces were found
    result.interrupted = true;
    result.devices.resize(devices.size());
    return result;
  }
  if (!result.interrupted && result.arguments != job.size())
    throw SoundnessError(fmt::format("{} arguments were covered, but the range has {}", to_string(result.arguments),
                                     to_string(job.size())));
  std::sort(result.cases.begin(), result.cases.end(), is_harder);
  std::sort(result.exact.begin(), result.exact.end(),
            [](const Case& left, const Case& right) { return compare(left.x, right.x) < 0; });
  result.seconds = seconds_since(start);
  return result;
}

SearchResult run_search(const SearchJob& job, DeviceSearch& device, unsigned host_threads, const SearchHooks& hooks) {
  const Polynomials polynomials = choose_polynomials(job.polynomials, device.device(), job.size());
  const SearchDevice alone = search_device(device, job.plan, polynomials, host_threads);
  return run_search(job, std::span(&alone, 1), hooks);
}

} // namespace tmd
