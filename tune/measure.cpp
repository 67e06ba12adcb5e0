#include "tune/measure.hpp"

#include "engine/registry.hpp"
#include "tune/measure_costs.hpp"

#include "engine/domains/reference.hpp"
#include "engine/domains/self_test.hpp"
#include "function/catalogue.hpp"
#include "job/pieces.hpp"
#include "support/statistics.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <mutex>
#include <new>
#include <thread>

#include <fmt/format.h>

namespace tmd::tune {

namespace {

using Clock = std::chrono::steady_clock;

// Of the calling thread: what else runs on the machine does not count.
double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr std::array<int, 3> slices{11, 8, 5}; // 2^−11 of the job is a few thousand domains
constexpr double hopeless = 1.3;               // in a slice: is not measured on the whole job
constexpr double least_slice = 1e-3;           // seconds; shorter times of a slice prove nothing

// In the first 2^−shift of an interval.
std::uint64_t domains_of(const DomainPlan& plan, int shift) {
  return std::max<std::uint64_t>(plan.domain_count() >> shift, 1);
}

Seconds medians(const std::vector<Seconds>& runs) {
  Seconds result;
  for (const Part part : all_parts) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const Seconds& run : runs)
      values.push_back(run[part]);
    result[part] = median(std::move(values));
  }
  return result;
}

} // namespace

void Bench::Kept::add_candidates(const std::vector<std::uint64_t>& found, std::uint64_t first) {
  candidates += found.size();
  for (const std::uint64_t argument : found) {
    std::uint64_t x = (argument + first) * 0x9e3779b97f4a7c15; // mixed, or sums would hide differences
    x = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9;
    checksum += x ^ (x >> 29);
  }
}

// A configuration, ready to run.
struct Bench::Configured {
  DomainSearch search;
  std::vector<std::pair<Piece, std::unique_ptr<const DomainPlan>>> intervals;

  Configured(const opencl::DeviceDescription& device, const TuningJob& job, const Tunables& tunables)
      : search(device, tunables) {
    EngineSettings settings;
    settings.choices.polynomials = Polynomials::hybrid; // what the device can do
    settings.tunables = tunables;
    settings.costs = engine_tuning().default_costs(device, tunables);
    const Job& what = job.search;
    const DomainOptions options = domain_options(settings); // without feedback: the same plan for everyone
    for (const Piece& piece : find_pieces(*what.function, what.arguments(), what.first, what.last)) {
      DomainPlanner planner(ScaledFunction(*what.function, what.grid(), piece), what.bits, options);
      for (uint128 first = 0; first < piece.count; first += intervals.back().second->count) {
        auto plan = planner.plan(first, piece.count - first);
        if (!plan || plan->exhaustive)
          throw DeviceError("the tests serve no part of the tuning job");
        intervals.emplace_back(piece, std::move(plan));
      }
    }
  }
};

TuningJob tuning_job(bool quick) {
  constexpr int argument_precision = 54;
  constexpr int bits = 33;
  TuningJob job;
  job.search.function = &find_function("exp");
  job.search.format = find_format("binary64");
  job.search.argument_precision = argument_precision;
  job.search.rounding = Rounding::directed;
  job.search.bits = bits;
  const std::string to = quick ? "0x1.00008p+0" : "0x1.0008p+0";
  job.search.first = job.search.arguments().parse("1", "");
  job.search.last = job.search.arguments().parse(to, "");
  job.cases = quick ? 11 : 243;
  job.text = fmt::format("exp on [1, {}), arguments of {} bits, breakpoints: directed, K = {}; {}", to,
                         argument_precision, bits, fmt::format("{}; {}", tuned_wide.job_text, tuned_walk.job_text));
  job.method_seconds = quick ? 0.01 : 0.03;
  job.warm_up = quick ? 2 : 5;
  return job;
}

Bench::Bench(opencl::DeviceDescription device, TuningJob job, const Tunables& base)
    : device_(std::move(device)), job_(std::move(job)),
      base_tunables_(base), methods_{MethodBench(tuned_wide, device_, base, job_.method_seconds),
                                     MethodBench(tuned_walk, device_, base, job_.method_seconds)} {}
Bench::~Bench() = default;

double Bench::run_interval(const Configured& configured, const DomainPlan& plan, int shift, const RunBatch& run) {
  const std::uint64_t domains = domains_of(plan, shift);
  const std::uint64_t packet = plan.polynomial->packet_size();
  const std::uint64_t most = std::max(configured.search.batch_domains() / packet * packet, packet);
  const auto first_argument = [&](std::uint64_t domain) {
    return static_cast<std::uint64_t>(plan.first) + (domain << plan.domain_bits);
  };
  double making = 0;
  for (std::uint64_t done = 0; done < domains; done += most) {
    const std::uint64_t count = std::min(most, domains - done);
    const double start = thread_seconds();
    const DomainBatch batch = make_hybrid_batch(plan, done, count);
    making += thread_seconds() - start;
    run(batch, first_argument(done));
  }
  if (shift > 0)
    return making;
  // The best time for this N, so that no luck is in a comparison.
  const double one_domain = making / static_cast<double>(domains);
  double& best = making_seconds_.emplace(plan.domain_bits, one_domain).first->second;
  best = std::min(best, one_domain);
  return best * static_cast<double>(domains);
}

Seconds Bench::run(Configured& configured, int shift, Kept* kept) {
  configured.search.reset_stages();
  double wall = 0;
  double host = 0;
  for (const auto& [piece, plan] : configured.intervals)
    host += run_interval(configured, *plan, shift, [&](const DomainBatch& batch, std::uint64_t first_argument) {
      const auto start = Clock::now();
      const std::vector<std::uint64_t> candidates = configured.search.search(batch);
      wall += seconds_since(start);
      if (kept != nullptr)
        kept->add_candidates(candidates, first_argument);
    });
  const Stages stages = configured.search.stages(); // in the order of domain_stages
  if (kept != nullptr) {
    kept->survivors1 = stages[1].kept;
    kept->survivors2 = stages[2].kept;
  }
  Seconds seconds;
  seconds[Part::polynomials] = stages[0].seconds;
  seconds[Part::phase1] = stages[1].seconds;
  seconds[Part::phase2] = stages[2].seconds;
  seconds[Part::phase3] = stages[3].seconds;
  // The host's thread makes the next batch meanwhile; where the device is the CPU, it takes its share of the cores.
  seconds[Part::whole] = wall + (device_.is_cpu ? host / std::max(device_.compute_units, 1U) : 0);
  return seconds;
}

const Bench::Kept& Bench::expected(const Configured& configured, int shift, const Announce& announce) {
  Parameters key{static_cast<std::uint64_t>(shift)};
  for (const auto& [piece, plan] : configured.intervals) {
    const BatchParameters p = BatchParameters::of(*plan);
    for (const std::uint64_t part :
         {static_cast<std::uint64_t>(p.test), static_cast<std::uint64_t>(p.length_bits1),
          static_cast<std::uint64_t>(p.length_bits2), static_cast<std::uint64_t>(p.domain_bits),
          static_cast<std::uint64_t>(p.split_bits), p.offset1, p.offset2, p.offset3})
      key.push_back(part);
  }
  if (const auto known = expected_.find(key); known != expected_.end())
    return known->second;
  announce("searching on the host", unknown);

  constexpr std::uint64_t chunk = 1 << 14; // domains
  Kept kept;
  std::vector<Argument> candidates;
  std::mutex mutex; // of both
  for (const auto& interval : configured.intervals) {
    const Piece& piece = interval.first;
    const DomainPlan& plan = *interval.second;
    const std::uint64_t domains = domains_of(plan, shift);
    std::atomic<std::uint64_t> next = 0;
    const auto search_chunks = [&] {
      for (std::uint64_t first = next++ * chunk; first < domains; first = next++ * chunk) {
        PhaseTrace trace;
        const std::vector<std::uint64_t> found =
            search_on_host(make_batch(plan, first, std::min(chunk, domains - first)), &trace);
        const std::scoped_lock lock(mutex);
        kept.survivors1 += trace.domains.size();
        kept.survivors2 += trace.sub_domains.size();
        const uint128 first_argument = plan.first + (static_cast<uint128>(first) << plan.domain_bits);
        kept.add_candidates(found, static_cast<std::uint64_t>(first_argument));
        for (const std::uint64_t argument : found)
          candidates.push_back(piece.argument(first_argument + argument));
      }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1U); ++i)
      threads.emplace_back(search_chunks);
    for (std::thread& thread : threads)
      thread.join();
  }
  const Confirmation confirmation(*job_.search.function, job_.search.grid(), job_.search.bits);
  const auto cases = static_cast<std::uint64_t>(
      std::count_if(candidates.begin(), candidates.end(), [&](const Argument& x) { return confirmation.confirm(x); }));
  if (shift == 0 && cases != job_.cases) // no SoundnessError: that is how a device's wrong coefficients are told
    throw Error(Status::unsound, fmt::format("the host finds {} cases in the tuning job, not {}", cases, job_.cases));
  return expected_.emplace(std::move(key), kept).first->second;
}

std::string Bench::self_test(Configured& configured, const Announce& announce) const {
  announce("building kernels", building);
  // With one compaction: the other's kernels are built where they are used.
  const Compaction asked = configured.search.compaction();
  if (asked == Compaction::automatic)
    configured.search.set_compaction(Compaction::atomic);
  const std::string wrong = self_test_failure(configured.search, configured.intervals.front().second->test);
  configured.search.set_compaction(asked);
  return wrong.empty() ? "" : fmt::format("wrong {} in the self-test", wrong);
}

void Bench::announce_run(const Announce& announce, const std::string& step, int runs) const {
  constexpr double patience = 16; // times the base; what is slower was to be given up in a slice before
  constexpr double least = 10;    // seconds
  announce(step, least + runs * patience * base_seconds_);
}

void Bench::warm_up(const Announce& announce) {
  if (base_)
    return;
  constexpr double least = 1; // seconds; clocks rise within
  const double most = job_.warm_up;
  constexpr double stable = 0.03;
  const auto fail = [&](const std::string& what) {
    throw DeviceError(fmt::format("the default cannot be measured on {}: {}", device_.name, what));
  };
  auto configured = std::make_unique<Configured>(device_, job_, base_tunables_);
  if (const std::string wrong = self_test(*configured, announce); !wrong.empty())
    fail(wrong);
  announce("warming up", unknown);
  Kept kept;
  base_seconds_ = run(*configured, 0, &kept)[Part::whole];
  if (kept != expected(*configured, 0, announce))
    fail("other survivors or cases than the host's");
  announce("warming up", unknown);
  const auto start = Clock::now();
  for (double before = 0; seconds_since(start) < least ||
                          (seconds_since(start) < most && std::abs(base_seconds_ - before) > stable * before);) {
    before = base_seconds_;
    base_seconds_ = run(*configured, 0)[Part::whole];
  }
  base_ = std::move(configured);
}

Trial Bench::measure(const Tunables& tunables, Part part, double best, const Announce& announce) {
  Trial trial;
  const bool is_base = tunables == base_tunables_;
  auto* const method =
      std::find_if(methods_.begin(), methods_.end(), [&](const MethodBench& one) { return one.method().part == part; });
  if (method == methods_.end() || is_base)
    warm_up(announce);
  Seconds of_methods;
  if (is_base)
    for (MethodBench& one : methods_)
      of_methods[one.method().part] = one.base_seconds(announce);
  try {
    trial = method != methods_.end() && !is_base ? method->measure(tunables, best, announce)
                                                 : measure_phases(tunables, part, best, announce);
    if (is_base)
      for (const MethodBench& one : methods_) {
        trial.seconds[one.method().part] = of_methods[one.method().part];
        trial.ratios[one.method().part] = 1;
      }
  } catch (const BuildError& error) {
    trial.state = State::compile;
    trial.message = error.what();
  } catch (const FaultError& error) {
    trial.state = State::incorrect;
    trial.message = error.what();
  } catch (const DeviceError& error) {
    trial.state = State::runtime;
    trial.message = error.what();
  } catch (const SoundnessError& error) {
    trial.state = State::incorrect;
    trial.message = error.what();
  } catch (const UsageError& error) { // a kernel's macro beyond its range
    trial.state = State::compile;
    trial.message = error.what();
  } catch (const std::bad_alloc&) {
    trial.state = State::runtime;
    trial.message = "out of memory";
  }
  trial.tunables = tunables;
  trial.part = part;
  return trial;
}

Trial Bench::measure_phases(const Tunables& tunables, Part part, double best, const Announce& announce) {
  constexpr double long_run = 0.25; // seconds; shorter runs are repeated, the first of them not counted
  constexpr double enough = 0.3;    // of both together
  constexpr std::size_t fewest = 3;
  constexpr std::size_t most = 15;
  constexpr int attempts = 3;
  Trial trial;
  const auto ended = [&](State state, const std::string& message) {
    trial.state = state;
    trial.message = message;
    return trial;
  };
  Configured configured(device_, job_, tunables);
  if (const std::string wrong = self_test(configured, announce); !wrong.empty())
    return ended(State::incorrect, wrong);
  Seconds here;
  Seconds ratio; // to the base, run just after
  const auto run_both = [&](const std::string& step, int shift, Kept* kept = nullptr) {
    announce_run(announce, step, 2);
    here = run(configured, shift, kept);
    const Seconds there = run(*base_, shift);
    for (const Part each : all_parts)
      ratio[each] = there[each] > 0 ? here[each] / there[each] : 1;
  };
  const auto too_slow = [&] {
    const double limit = give_up * std::min(best, give_up);
    return (here[part] > least_slice && ratio[part] > limit) ||
           (here[Part::whole] > least_slice && ratio[Part::whole] > give_up * give_up);
  };
  for (const int shift : slices) {
    bool slow = true; // the best of some runs: a short one is easily disturbed
    for (int attempt = 0; slow && attempt < attempts; ++attempt) {
      run_both("running a slice", shift);
      slow = too_slow();
    }
    if (slow)
      return ended(
          State::timeout,
          fmt::format("a slice of 2^-{} of the job takes more than {} times as long as with the best", shift, give_up));
  }
  std::vector<Seconds> runs;
  std::vector<Seconds> ratios;
  const auto take = [&] {
    runs.push_back(here);
    ratios.push_back(ratio);
  };
  std::string wrong_counts;
  const auto run_checked = [&](const std::string& step, int shift) {
    const Kept& wanted = expected(configured, shift, announce);
    Kept kept;
    run_both(step, shift, &kept);
    if (kept != wanted)
      wrong_counts =
          fmt::format("kept {} domains, {} sub-domains, {} candidates; the host keeps {}, {}, {}", kept.survivors1,
                      kept.survivors2, kept.candidates, wanted.survivors1, wanted.survivors2, wanted.candidates);
  };
  // Where the job is long, a slice of it tells who need not run.
  if (base_seconds_ > long_run) {
    const int shift = slices.back();
    for (std::size_t i = 0; i < fewest && wrong_counts.empty(); ++i) {
      run_checked("running a slice", shift);
      take();
    }
    if (!wrong_counts.empty())
      return ended(State::incorrect, wrong_counts);
    if (std::all_of(ratios.begin(), ratios.end(), [&](const Seconds& each) { return each[part] > hopeless * best; })) {
      trial.ratios = medians(ratios);
      trial.seconds = medians(runs);
      for (const Part each : all_parts)
        trial.seconds[each] = std::ldexp(trial.seconds[each], shift);
      return trial;
    }
    runs.clear();
    ratios.clear();
  }
  run_checked("running the job", 0);
  if (!wrong_counts.empty())
    return ended(State::incorrect, wrong_counts);
  if (too_slow())
    return ended(State::timeout, fmt::format("takes more than {} times as long as with the best", give_up));
  const bool may_be_better = ratio[part] <= promising * best;
  if (!may_be_better || here[Part::whole] > long_run)
    take();
  const auto start = Clock::now();
  while (may_be_better && (runs.size() < fewest || (runs.size() < most && seconds_since(start) < enough))) {
    run_both("running the job", 0);
    take();
  }
  trial.seconds = medians(runs);
  trial.ratios = medians(ratios);
  trial.runs = static_cast<int>(runs.size());
  return trial;
}

Bench::Pairs Bench::compare(const Tunables& first, const Tunables& second, int pairs, const Announce& announce) {
  constexpr double shortest = 0.02; // seconds; a run shorter than that is repeated and averaged
  constexpr int most_repeats = 50;
  warm_up(announce);
  Pairs result;
  try {
    std::vector<std::unique_ptr<Configured>> both;
    std::array<std::vector<std::unique_ptr<MethodConfiguration>>, 2> of_methods; // by method
    double whole = 0;
    for (const Tunables* tunables : {&first, &second}) {
      both.push_back(std::make_unique<Configured>(device_, job_, *tunables));
      std::string wrong = self_test(*both.back(), announce);
      const Kept& wanted = expected(*both.back(), 0, announce);
      announce_run(announce, "comparing");
      Kept kept;
      whole = run(*both.back(), 0, &kept)[Part::whole];
      if (wrong.empty() && kept != wanted)
        wrong = "other survivors or cases than the host's";
      if (!wrong.empty()) {
        result.message = wrong;
        return result;
      }
      for (std::size_t i = 0; i < methods_.size(); ++i) {
        of_methods[i].push_back(methods_[i].configure(*tunables));
        (void)methods_[i].time(*of_methods[i].back(), announce); // builds the kernels
      }
    }
    const int repeats = std::clamp(static_cast<int>(std::ceil(shortest / whole)), 1, most_repeats);
    const auto time = [&](std::size_t index) {
      Configured& configured = *both[index];
      announce_run(announce, "comparing", repeats);
      Seconds sum;
      for (int i = 0; i < repeats; ++i) {
        const Seconds seconds = run(configured, 0);
        for (const Part part : all_parts)
          sum[part] += seconds[part] / repeats;
      }
      for (std::size_t i = 0; i < methods_.size(); ++i)
        sum[methods_[i].method().part] = methods_[i].time(*of_methods[i][index], announce);
      return sum;
    };
    for (int pair = 0; pair < pairs; ++pair) {
      Seconds of_second;
      if (pair % 2 != 0) // what comes second in a pair may profit from the first
        of_second = time(1);
      result.first.push_back(time(0));
      result.second.push_back(pair % 2 != 0 ? of_second : time(1));
    }
  } catch (const DeviceError& error) {
    result = {{}, {}, error.what()};
  } catch (const std::bad_alloc&) {
    result = {{}, {}, "out of memory"};
  }
  return result;
}

namespace {

// Of {"cost-pairs":N,"tunables":…,"first":…,"second":…}: the times of both tables of costs, and a message.
Message respond_cost_pairs(const Bench& bench, const Message& request, const Tunables& tunables,
                           const Announce& announce) {
  Costs first;
  Costs second;
  if (!request.contains("first") || !from_json(request["first"], first) || !request.contains("second") ||
      !from_json(request["second"], second) || !request["cost-pairs"].is_number_integer())
    throw UsageError("a worker was given a request that it does not understand");
  const CostPairs pairs = compare_costs(bench.device(), tunables, first, second, bench.job().method_seconds,
                                        request["cost-pairs"].get<int>(), announce);
  return {{"first", pairs.first}, {"second", pairs.second}, {"message", pairs.message}};
}

} // namespace

Message respond(Bench& bench, const Message& request, const Announce& announce) {
  const auto failure = [](Status status, const std::string& sentence) {
    return Message{{"error", sentence}, {"status", static_cast<int>(status)}};
  };
  const auto tunables_of = [&](const char* member) {
    Tunables tunables;
    if (!request.is_object() || !request.contains(member) || !from_json(request[member], tunables))
      throw UsageError("a worker was given a request that it does not understand");
    return tunables;
  };
  try {
    if (request.is_object() && request.contains("try")) {
      const auto part = static_cast<Part>(find_name("part", request.value("part", ""), part_names));
      const double best = request.contains("best") && request["best"].is_number()
                              ? request["best"].get<double>()
                              : std::numeric_limits<double>::infinity();
      return to_json(bench.measure(tunables_of("try"), part, best, announce));
    }
    if (request.is_object() && request.contains("costs"))
      return {{"costs", to_json(measure_costs(bench.device(), tunables_of("costs"), announce))}};
    if (request.is_object() && request.contains("cost-pairs"))
      return respond_cost_pairs(bench, request, tunables_of("tunables"), announce);
    const Bench::Pairs pairs =
        bench.compare(tunables_of("first"), tunables_of("second"), request.value("pairs", 0), announce);
    Message answer{{"first", Message::array()}, {"second", Message::array()}, {"message", pairs.message}};
    for (const Seconds& seconds : pairs.first)
      answer["first"].push_back(to_json(seconds));
    for (const Seconds& seconds : pairs.second)
      answer["second"].push_back(to_json(seconds));
    return answer;
  } catch (const Error& error) {
    return failure(error.status(), error.what());
  }
}

} // namespace tmd::tune
