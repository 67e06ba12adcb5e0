// Several devices in one search find what one finds, also when some of them fail: nothing is lost, nothing counts
// twice.
#include "end_to_end/enumeration.hpp"
#include "host/error.hpp"
#include "host/engine/domains/reference.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tmd;
using namespace tmd::test;

// A device without OpenCL: the phases on the host.
SearchDevice reference_device(const SearchJob& job, std::uint64_t batch_domains) {
  SearchDevice device;
  device.plan = job.plan;
  device.batch_domains = batch_domains;
  device.search = [](const DomainBatch& batch, const std::function<bool()>& interrupted) {
    if (interrupted())
      throw Interrupted();
    PhaseTrace trace;
    BatchResult result;
    result.candidates = search_on_host(batch, &trace);
    result.counts.phase1 = {batch.domain_count(), trace.domains.size(), 1e-3};
    result.counts.phase2 = {trace.domains.size() << batch.parameters.split_bits, trace.sub_domains.size(), 1e-3};
    result.counts.phase3 = {trace.sub_domains.size(), result.candidates.size(), 1e-3};
    return result;
  };
  return device;
}

// When a device fails: before it searches a batch, or with its answer at hand.
enum class Moment { before, after };

// A device that fails at its batch number `at`, counted from 0.
SearchDevice failing(const SearchDevice& device, std::uint64_t at, Moment moment, const std::string& why) {
  SearchDevice result = device;
  result.search = [search = device.search, at, moment, why, done = std::uint64_t(0)](
                      const DomainBatch& batch, const std::function<bool()>& interrupted) mutable {
    const bool fails = done++ == at;
    if (fails && moment == Moment::before)
      throw DeviceError(why);
    BatchResult found = search(batch, interrupted);
    if (fails)
      throw DeviceError(why);
    return found;
  };
  return result;
}

// A device that takes its time: up to so many microseconds more a batch.
SearchDevice delayed(const SearchDevice& device, unsigned seed, int most) {
  SearchDevice result = device;
  result.search = [search = device.search, random = std::mt19937(seed),
                   most](const DomainBatch& batch, const std::function<bool()>& interrupted) mutable {
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<int>(0, most)(random)));
    return search(batch, interrupted);
  };
  return result;
}

// Small domains, whatever the cost model says: so that the domains tested can be counted.
SearchJob small_domains(SearchJob job, int domain_bits) {
  job.plan.costs = test_eagerly();
  job.plan.test = Test::regular;
  job.plan.domain_bits = domain_bits;
  job.plan.split_bits = 2;
  return job;
}

// Some dozen pieces with exact cases, about a hundred batches of 16 domains.
SearchJob many_pieces() {
  return small_domains(make_job(known_exp2, {"p13", 13, -1022, 13, 0.75, 6}, Rounding::all, 5), 5);
}

// One piece in parts: 2^22 arguments and a few.
SearchJob one_piece() {
  return small_domains(
      make_job(known_exp, {"binary64", 53, -1022, 53, 1, 1 + std::ldexp(4194304.0 + 77, -52)}, Rounding::all, 12), 9);
}

bool same(const std::vector<Case>& left, const std::vector<Case>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), [](const Case& one, const Case& other) {
    return one.x == other.x && one.bits == other.bits && one.breakpoint == other.breakpoint;
  });
}

// The result is that of one device, and its parts are its devices'.
void check_same(const SearchResult& result, const SearchResult& one) {
  CHECK_FALSE(result.interrupted);
  CHECK(result.arguments == one.arguments);
  CHECK(result.direct == one.direct);
  CHECK(same(result.cases, one.cases));
  CHECK(same(result.exact, one.exact));
  CHECK(result.phases.phase1.tested == one.phases.phase1.tested); // none again, none left out
  uint128 arguments = 0;
  uint128 of_pieces = 0;
  PhaseCounts phases;
  for (const DeviceReport& device : result.devices) {
    arguments += device.arguments;
    phases += device.phases;
  }
  for (const PieceReport& piece : result.pieces)
    of_pieces += piece.piece.count;
  CHECK(arguments == of_pieces); // single arguments are no device's
  CHECK(phases.phase1.tested == result.phases.phase1.tested);
  CHECK(phases.phase2.survivors == result.phases.phase2.survivors);
  CHECK(phases.phase3.survivors == result.phases.phase3.survivors);
}

SearchResult run_one(const SearchJob& job, std::uint64_t batch_domains) {
  const std::vector<SearchDevice> one{reference_device(job, batch_domains)};
  SearchResult result = run_search(job, one);
  REQUIRE(result.arguments == job.size());
  REQUIRE(result.cases.size() > 100);
  REQUIRE(result.phases.phase1.survivors < result.phases.phase1.tested);
  REQUIRE(result.phases.phase1.survivors > 0);
  return result;
}

// Losses that run_search() told, by device.
struct Losses {
  std::vector<std::pair<std::size_t, std::string>> told;
  SearchHooks hooks() {
    SearchHooks hooks;
    hooks.lost = [this](std::size_t index, const std::string& why) { told.emplace_back(index, why); };
    return hooks;
  }
};

} // namespace

TEST_CASE("devices: two, three and four find what one finds, however batches are cut and delayed") {
  for (const SearchJob& job : {many_pieces(), one_piece()}) {
    const SearchResult one = run_one(job, 16);
    CHECK(one.devices.size() == 1);
    CHECK(one.exact.size() == (job.format.precision == 13 ? 5U : 0U));
    for (const std::size_t count : {2, 3, 4})
      for (const int delay : {0, 300}) {
        std::vector<SearchDevice> devices;
        for (std::size_t i = 0; i < count; ++i)
          devices.push_back(
              delayed(reference_device(job, std::array{16U, 5U, 1024U, 100U}.at(i)), static_cast<unsigned>(i), delay));
        uint128 done = 0;
        SearchHooks hooks;
        hooks.progress = [&](const Progress& progress) {
          CHECK(progress.done >= done);
          CHECK(progress.devices == count);
          done = progress.done;
        };
        const SearchResult result = run_search(job, devices, hooks);
        check_same(result, one);
        CHECK(done == job.size());
        REQUIRE(result.devices.size() == count);
        std::size_t busy = 0;
        for (const DeviceReport& device : result.devices) {
          busy += device.arguments > 0 ? 1 : 0;
          CHECK(device.failure.empty());
        }
        CHECK((busy > 1 || delay == 0)); // without delays the first may be through before the second begins
      }
  }
}

TEST_CASE("devices: one of two fails at its first, second … batch, before or after it has the answer") {
  using namespace std::chrono_literals;
  for (const SearchJob& job : {many_pieces(), one_piece()}) {
    const std::uint64_t batch_domains = job.format.precision == 13 ? 2 : 32;
    const SearchResult one = run_one(job, batch_domains);
    for (const std::uint64_t at : {0, 1, 2, 3, 7, 20, 60})
      for (const Moment moment : {Moment::before, Moment::after})
        for (const std::size_t bad : {0, 1}) {
          // The good one does not go on until the other has failed: that will have been given so many.
          std::atomic<bool> failed = false;
          SearchDevice good = reference_device(job, batch_domains);
          good.search = [&, search = good.search](const DomainBatch& batch, const std::function<bool()>& interrupted) {
            for (int waited = 0; waited < 20000 && !failed; ++waited)
              std::this_thread::sleep_for(1ms);
            return search(batch, interrupted);
          };
          std::vector<SearchDevice> devices(2, good);
          devices[bad] = failing(reference_device(job, batch_domains), at, moment, "no more power");
          Losses losses;
          SearchHooks hooks = losses.hooks();
          hooks.lost = [&, told = hooks.lost](std::size_t index, const std::string& why) {
            told(index, why);
            failed = true;
          };
          const SearchResult result = run_search(job, devices, hooks);
          check_same(result, one);
          CHECK(losses.told == std::vector{std::pair(bad, std::string("no more power"))});
          CHECK(result.devices[bad].failure == "no more power");
          CHECK((result.devices[bad].arguments > 0) == (at > 0));
          CHECK(result.devices[1 - bad].failure.empty());
        }
  }
}

TEST_CASE("devices: one fails when the other has done all the rest") {
  using namespace std::chrono_literals;
  for (const SearchJob& job : {many_pieces(), one_piece()}) {
    const SearchResult one = run_one(job, 16);
    std::atomic<int> batches = 0;
    std::atomic<bool> begun = false; // by the bad one
    SearchDevice good = reference_device(job, 16);
    good.search = [&, search = good.search](const DomainBatch& batch, const std::function<bool()>& interrupted) {
      for (int waited = 0; waited < 20000 && !begun; ++waited)
        std::this_thread::sleep_for(1ms);
      ++batches;
      return search(batch, interrupted);
    };
    SearchDevice bad = reference_device(job, 16);
    int before = 0;
    bad.search = [&](const DomainBatch&, const std::function<bool()>&) -> BatchResult {
      begun = true;
      do {
        before = batches;
        std::this_thread::sleep_for(100ms);
      } while (batches == 0 || batches != before);
      throw DeviceError("too late");
    };
    Losses losses;
    const std::vector<SearchDevice> devices{good, bad};
    const SearchResult result = run_search(job, devices, losses.hooks());
    check_same(result, one);
    CHECK(losses.told.size() == 1);
    CHECK(before > 3);
    CHECK(batches > before); // what the other had held
  }
}

TEST_CASE("devices: when the last one fails, its error ends the search; the others' are told") {
  const SearchJob job = many_pieces();
  for (const std::uint64_t first : {0, 1, 5})
    for (const std::uint64_t second : {0, 3}) {
      std::vector<SearchDevice> devices;
      for (const std::uint64_t at : {first, second})
        devices.push_back(failing(delayed(reference_device(job, 16), 7, 100), at, Moment::before,
                                  "failed at " + std::to_string(at) + " as " + std::to_string(devices.size())));
      Losses losses;
      std::string last;
      try {
        (void)run_search(job, devices, losses.hooks());
      } catch (const DeviceError& error) {
        last = error.what();
      }
      REQUIRE(losses.told.size() == 1);
      std::set<std::string> all{last, losses.told[0].second};
      CHECK(all == std::set<std::string>{"failed at " + std::to_string(first) + " as 0",
                                         "failed at " + std::to_string(second) + " as 1"});
    }
  // One alone: as it was before there could be several.
  const std::vector<SearchDevice> alone{failing(reference_device(job, 16), 2, Moment::after, "alone")};
  Losses losses;
  CHECK_THROWS_WITH_AS((void)run_search(job, alone, losses.hooks()), "alone", DeviceError);
  CHECK(losses.told.empty());
}

TEST_CASE("devices: random delays and losses, one device left at least") {
  const SearchJob job = many_pieces();
  const SearchResult one = run_one(job, 16);
  std::mt19937 random(2026);
  const auto below = [&](int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random); };
  std::size_t losses_in_all = 0;
  for (int round = 0; round < 150; ++round) {
    const std::size_t count = 2 + static_cast<std::size_t>(below(3));
    const auto survivor = static_cast<std::size_t>(below(static_cast<int>(count)));
    std::vector<SearchDevice> devices;
    for (std::size_t i = 0; i < count; ++i) {
      SearchDevice device =
          delayed(reference_device(job, 1 + static_cast<std::uint64_t>(below(40))), random(), below(2) * 200);
      if (i != survivor && below(4) != 0)
        device = failing(device, static_cast<std::uint64_t>(below(30)), below(2) == 0 ? Moment::before : Moment::after,
                         "lost");
      devices.push_back(std::move(device));
    }
    Losses losses;
    const SearchResult result = run_search(job, devices, losses.hooks());
    INFO("round ", round, ", ", count, " devices, ", losses.told.size(), " lost");
    check_same(result, one);
    losses_in_all += losses.told.size();
  }
  CHECK(losses_in_all > 50);
}

TEST_CASE("devices: what is not a device's failure ends the search, whatever other devices there are") {
  const SearchJob job = many_pieces();
  std::vector<SearchDevice> devices(3, delayed(reference_device(job, 16), 3, 100));
  const auto throwing = [&](auto error) {
    devices[1].search = [error](const DomainBatch&, const std::function<bool()>&) -> BatchResult { throw error; };
  };
  throwing(SoundnessError("unsound"));
  CHECK_THROWS_WITH_AS((void)run_search(job, devices), "unsound", SoundnessError);
  throwing(UsageError("refused"));
  CHECK_THROWS_WITH_AS((void)run_search(job, devices), "refused", UsageError);
  throwing(std::bad_alloc());
  CHECK_THROWS_AS((void)run_search(job, devices), std::bad_alloc);
}

TEST_CASE("devices: an interrupted search counts what was covered, of every device") {
  const SearchJob job = one_piece();
  const SearchResult one = run_one(job, 64);
  for (const int after : {1, 2, 10, 50, 80}) {
    const std::vector<SearchDevice> devices(2, delayed(reference_device(job, 64), 5, 100));
    std::atomic<int> asked = 0;
    SearchHooks hooks;
    hooks.interrupted = [&] { return ++asked > after; };
    const SearchResult result = run_search(job, devices, hooks);
    CHECK(result.interrupted);
    CHECK(result.arguments < job.size());
    CHECK((result.arguments > 0 || after < 50));
    CHECK(result.arguments == result.devices[0].arguments + result.devices[1].arguments);
    CHECK(result.cases.size() <= one.cases.size());
    for (const Case& found : result.cases)
      CHECK(std::any_of(one.cases.begin(), one.cases.end(), [&](const Case& known) { return known.x == found.x; }));
  }
}

TEST_CASE("devices: several threads confirm what one does") {
  const auto check = [](const SearchJob& job, std::uint64_t direct) {
    std::vector<SearchDevice> devices(2, reference_device(job, 1 << 15));
    const SearchResult one = run_search(job, std::span(devices).first(1));
    CHECK(one.arguments == job.size());
    CHECK(one.direct == direct);
    CHECK(one.cases.size() > job.size() / 200); // thousands a batch
    devices[0].host_threads = 3;
    devices[1].host_threads = 16;
    check_same(run_search(job, devices), one);
    check_same(run_search(job, std::span(devices).first(1)), one);
  };
  SearchJob job = one_piece();
  job.plan.bits = 8;
  job.plan.domain_bits = 4;
  check(job, 0);
  job.plan.costs.confirmation = 0; // nothing is cheaper than MPFR
  job.last = job.first + 20000;
  check(job, 20000);
}

TEST_CASE("devices: two OpenCL devices with other divisions, batches, deployments and polynomials than each other") {
  Tunables tunables;
  DeviceSearch plain(test_device(), tunables);
  tunables.batch_domains = 333;
  if (test_device().has_fp64()) // lengths of 52 bits: the ledger of what this device searches says so
    tunables.phase1_division = tunables.phase2_division = static_cast<std::int64_t>(Division::double_reciprocal);
  tunables.polynomials_packet_bits = 5;
  DeviceSearch hybrid(test_device(), tunables);
  tunables.survivor_capacity = 16;
  DeviceSearch one_kernel(test_device(), tunables, Deployment::one);
  hybrid.check_all_polynomials(true);

  struct Slice {
    SearchJob job;
    int domain_bits;
  };
  SearchJob papers = make_job(known_exp, {"binary64", 53, -1022, 54, 1, 2}, Rounding::directed, 20);
  papers.last = papers.first + (1 << 24) + 12345;
  for (const auto& [base, domain_bits] : {Slice{many_pieces(), 5}, Slice{papers, 9}}) {
    const SearchJob job = small_domains(base, domain_bits);
    const SearchResult one = run_search(job, plain, 1);
    CHECK(one.cases.size() > 10);
    const auto adapted = [&](DeviceSearch& device, Polynomials polynomials) {
      PlanOptions plan = job.plan;
      adapt_plan(plan, device, polynomials);
      plan.costs = job.plan.costs;
      return search_device(device, plan, polynomials, 1);
    };
    std::vector<SearchDevice> devices{adapted(plain, Polynomials::host), adapted(hybrid, Polynomials::hybrid),
                                      adapted(one_kernel, Polynomials::hybrid)};
    if (test_device().has_fp64()) {
      CHECK(devices[0].plan.length_bits1 == 64);
      CHECK(devices[1].plan.length_bits1 == 52);
    }
    const SearchResult result = run_search(job, devices);
    CHECK(result.arguments == job.size());
    CHECK(same(result.cases, one.cases));
    CHECK(same(result.exact, one.exact));
    CHECK(result.devices[0].phases.polynomials.tested == 0);

    for (const std::uint64_t at : {0, 1, 4}) {
      devices[1] = failing(adapted(hybrid, Polynomials::hybrid), at, Moment::after, "lost");
      devices[2] = failing(adapted(one_kernel, Polynomials::hybrid), at, Moment::before, "lost");
      const SearchResult rest = run_search(job, devices);
      CHECK(rest.arguments == job.size());
      CHECK(same(rest.cases, one.cases));
      CHECK(same(rest.exact, one.exact));
    }
  }
}

TEST_CASE("devices: all that this machine has find what each finds alone") {
  const SearchJob job = one_piece();
  const SearchResult expected = run_one(job, 512);
  std::vector<std::unique_ptr<DeviceSearch>> searches;
  std::vector<SearchDevice> devices;
  for (const opencl::DeviceDescription& description : opencl::list_devices()) {
    if (!description.why_unusable().empty())
      continue;
    DeviceSearch& device =
        *searches.emplace_back(std::make_unique<DeviceSearch>(description, default_tunables(description)));
    PlanOptions plan = job.plan;
    adapt_plan(plan, device);
    devices.push_back(search_device(device, plan, Polynomials::host, 1));
    const SearchResult alone = run_search(job, std::span(&devices.back(), 1));
    CHECK(alone.arguments == job.size());
    CHECK(same(alone.cases, expected.cases));
  }
  MESSAGE(devices.size(), " devices at once");
  const SearchResult result = run_search(job, devices);
  CHECK(result.arguments == job.size());
  CHECK(same(result.cases, expected.cases));
  CHECK(same(result.exact, expected.exact));
}
