// Searches by the wide test against plain enumeration, the other tests and known cases: with every function and grid,
// across the borders of groups, sub-intervals, intervals and pieces, and with lists and launches of every size.
#include "end_to_end/enumeration.hpp"
#include "end_to_end/known_cases.hpp"
#include "host/engine/registry.hpp"
#include "host/engine/wide/tunables.hpp"
#include "thorough.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace tmd::test {
namespace {

// The result of a search, all of whose arguments must be covered.
result::SearchResult run(TestDevice& device, const Task& task, Work& work) {
  result::SearchResult result = device.run(task);
  CHECK(result.covered == task.range());
  work.add(result);
  return result;
}

// Checks that the search finds what enumeration finds.
bool same(const job::Job& job, const result::SearchResult& result, const Enumeration& expected) {
  const std::vector<Found> found = found_in(job, result);
  return std::equal(found.begin(), found.end(), expected.found.begin(), expected.found.end(),
                    [](const Found& left, const Found& right) {
                      return left.x == right.x && left.midpoint == right.midpoint &&
                             (left.bits == right.bits || std::fabs(left.bits - right.bits) < 1e-5);
                    });
}

// The two hardest cases of each reference list, on grid `all`.
constexpr KnownCase hardest_cases[] = {{"exp", 0x1.aca7ae8da5a7bp+0, 53.9922},  {"exp", 0x1.8ae823850230bp-5, 53.7787},
                                       {"exp2", 0x1.25dd9eedac79ap+0, 53.1573}, {"log", 0x1.47408cb9583cep+0, 50.8773},
                                       {"sin", 0x1.921fb54442d18p+0, 54.7170},  {"sin", -0x1.d98c4c612718dp-1, 54.5087},
                                       {"cbrt", 0x1.7b1f68fdf7307p+0, 50.4607}};

} // namespace

TEST_CASE("wide: a known case at every place of a group") {
  for (const bool vectors : {false, true}) {
    device::Tunables tunables;
    tunables.set(device::shared_tunable("survivor-capacity"), 8);
    tunables.set(engine::wide::wide_tunable("wide.vector-width"), vectors ? 2 : 0);
    TestDevice device(tunables, Deployment::three, vectors ? Compaction::scan : Compaction::atomic);
    Work work;
    std::uint64_t missed = 0;
    std::uint64_t direct = 0;
    for (std::size_t number = 0; number < std::size(hardest_cases); ++number)
      for (const int group_bits : {7, 8}) {
        if (vectors && group_bits == 8)
          continue;
        // Scalars get the first cases, vectors the last ones, and both get number 4, beside which the check refuses
        // candidates; larger groups get one.
        if (!tries_all && (group_bits == 8 ? number > 0 : vectors ? number < 3 : number >= 3 && number != 4))
          continue;
        const KnownCase& known = hardest_cases[number];
        const int128 size = int128(1) << group_bits;
        for (int128 place = 0; place < size; ++place) {
          // The case is in the second group of three and a bit, or in the last, partial or whole, at the very end of
          // the range.
          const Task task = place % 2 == 0 ? task_around(known, size + place, 3 * size - place + 5)
                                           : task_around(known, size + place, 1);
          const result::SearchResult result = run(device, widely(task, group_bits), work);
          missed += !has(result, known);
          direct += static_cast<std::uint64_t>(result.direct);
        }
      }
    CHECK(missed == 0);
    CHECK(direct == 0);
    work.check_wide();
  }
}

TEST_CASE("wide: first and last argument of ranges of every length") {
  std::uint64_t missed = 0;
  Work work;
  for (const KnownCase& known : hardest_cases)
    for (int128 length = 1; length < 300; length += length < 50 ? 7 : 31) {
      missed += !has(run(usual_device(), widely(task_around(known, 0, length)), work), known);
      missed += !has(run(usual_device(), widely(task_around(known, length - 1, 1)), work), known);
      // A range that ends one short of it, on either side.
      for (const Task& task : {task_around(known, length, 0), task_around(known, -1, length + 1)})
        for (const Case& found : run(usual_device(), widely(task), work).cases)
          missed += to_double(found.x) == known.x;
    }
  CHECK(missed == 0);
  CHECK(work.counts("wide_groups").tested > 0);
}

TEST_CASE("wide: a known case beside the borders of groups, sub-intervals, batches and intervals") {
  Work work;
  device::Tunables tunables;
  tunables.set(device::shared_tunable("batch-domains"), 1); // a sub-interval in each batch
  TestDevice device(tunables);
  std::uint64_t missed = 0;
  std::uint64_t several = 0;
  for (const KnownCase& known : hardest_cases) {
    // The places where the first sub-interval and the first interval from there end.
    for (const int group_bits : {18, 20}) {
      constexpr int128 reach = int128(1) << 34;
      const Task long_task = widely(task_around(known, reach, reach, 44), group_bits);
      const std::vector<job::Piece> pieces =
          job::find_pieces(*long_task.function, long_task.arguments(), long_task.first, long_task.last);
      const job::Piece& piece = *std::max_element(
          pieces.begin(), pieces.end(), [](const job::Piece& a, const job::Piece& b) { return a.count < b.count; });
      const auto plan =
          engine::wide::WidePlanner(polynomial::ScaledFunction(*long_task.function, long_task.grid(), piece),
                                    long_task.K, engine::wide::wide_options(long_task.settings()))
              .plan(0, piece.count);
      REQUIRE(plan);
      several += plan->sub_interval_count() > 1;
      const int128 sub_interval = int128(1) << plan->sub_bits();
      const int128 group = int128(1) << plan->group_bits();
      for (const int128 offset : {int128(-1), int128(0), int128(1)})
        for (const int128 border : {sub_interval, group, 16 * group, sub_interval - group}) {
          const Task task = widely(task_around(known, border + offset, 2 * group + 3, 44), group_bits);
          missed += !has(run(device, task, work), known);
        }
    }
  }
  CHECK(missed == 0);
  CHECK(several > 0);
  work.check_wide();
}

TEST_CASE("wide: cases as the last and as the first argument of an interval") {
  TestDevice device;
  // Where the intervals of a search within one piece begin.
  std::vector<format::ArgumentSet::Rank> begins;
  format::ArgumentSet::Rank position = 0;
  std::uint64_t joined = 0; // batches of several intervals
  const engine::domains::DomainEngine::Search never = [](const engine::domains::DomainBatch&,
                                                         const engine::Interrupt&) -> engine::BatchResult {
    FAIL("the existence tests were used");
    return {};
  };
  const engine::wide::WideEngine::Search noting =
      [&, plainly = device.search_widely()](const engine::wide::WideBatch& batch, const engine::Interrupt& interrupt) {
        joined += batch.sources.size() > 1;
        format::ArgumentSet::Rank place = position;
        for (const engine::wide::WideSource& source : batch.sources) {
          if (source.first == 0)
            begins.push_back(place);
          place += static_cast<format::ArgumentSet::Rank>(source.count) << batch.parameters.sub_bits;
        }
        position += static_cast<format::ArgumentSet::Rank>(batch.argument_limit);
        return plainly(batch, interrupt);
      };
  const auto run = [&](const Task& task) {
    begins.clear();
    position = task.first;
    result::SearchResult result = run_search_on(task, device.worker(task, never, noting));
    CHECK(position == task.last);
    return result;
  };
  std::uint64_t last = 0;
  std::uint64_t first = 0;
  std::uint64_t missed = 0;
  const std::size_t many_hardest = tries_all ? 10 : 4;
  constexpr double none = 0;
  constexpr double many = 1e12; // the cost of an interval, chosen so that one batch holds several
  for (const auto& [f, from, to, interval] :
       {std::tuple(known_exp, 1.125, 1.375, none), std::tuple(known_cbrt, 1.0625, 1.75, none),
        std::tuple(known_cbrt, 1.0625, 1.75, many)}) {
    Task task = widely(make_task(f, {"p36", 36, -1022, 36, from, to}, Rounding::all, 29));
    task.costs.set(device::shared_cost("interval"), interval);
    const std::uint64_t joined_before = joined;
    const result::SearchResult found = run(task);
    CHECK((joined > joined_before) == (interval == many));
    const std::vector<format::ArgumentSet::Rank> usual = begins;
    REQUIRE(usual.size() > 1);
    REQUIRE(found.cases.size() > 10);
    const std::vector<Case> hardest = found.cases.to_vector();
    for (std::size_t i = 0; i < many_hardest; ++i) {
      const auto rank = rank_of(task, to_double(hardest[i].x));
      for (const int128 behind : {0, 1}) {
        Task moved = task;
        moved.first += rank + behind - usual[1];
        moved.last += rank + behind - usual[1];
        const result::SearchResult result = run(moved);
        (behind == 0 ? first : last) += std::count(begins.begin(), begins.end(), rank + behind);
        missed += std::none_of(result.cases.begin(), result.cases.end(),
                               [&](const Case& one) { return one.x == hardest[i].x; });
      }
    }
  }
  CHECK(last > many_hardest * 6 / 5);
  CHECK(first > many_hardest * 6 / 5);
  CHECK(missed == 0);
}

TEST_CASE("wide: the same cases as by the regular and by Lefèvre's test") {
  struct Slice {
    const Known& f;
    double centre;
    int size_bits;
  };
  const Slice slices[] = {{known_exp, 1.7, 26},
                          {known_exp, 0x1.62e42fep+0, 26},       // ln 4: the output binade changes
                          {known_exp, 0x1.26962a1p-2, 26},       // ln 4/3: F' is 2/3
                          {known_exp, -0x1.26962p-2, 26},        // ln 3/4
                          {known_exp, 0x1.4p-30, 26},            // F' is nearly a power of two
                          {known_exp, -0x1.4p-18, 26},           //
                          {known_exp, 700.25, 26},               //
                          {known_exp, -3.7, 26},                 //
                          {known_exp2, 1.3, 26},                 //
                          {known_exp2, -0.71, 26},               //
                          {known_log, 0x1.5bf0a8b1p+1, 26},      // e
                          {known_log, 0x1.000001p+0, 26},        //
                          {known_log, 0.71, 26},                 //
                          {known_log, 0x1.234p-700, 26},         //
                          {known_sin, 1.2, 26},                  //
                          {known_sin, 0x1.921fb54442d18p+0, 12}, // π/2: F' vanishes
                          {known_sin, 0x1.922p+0, 26},           //
                          {known_sin, 0x1.0c15239p+0, 26},       // π/3: F' is nearly an integer
                          {known_sin, 3.14159, 26},              // F″ nearly vanishes
                          {known_sin, 0x1.8p-12, 26},            //
                          {known_cbrt, 1.3, 26},                 //
                          {known_cbrt, 8, 20},                   //
                          {known_cbrt, -0.3, 26},                //
                          {known_cbrt, 0x1.8p-1000, 26}};        //
  Work work;
  std::size_t cases_found = 0;
  for (const Slice& slice : slices)
    for (const auto& [grid, q] : {std::pair(Rounding::all, 53), std::pair(Rounding::nearest, 54),
                                  std::pair(Rounding::directed, 53 + static_cast<int>(&slice - slices) % 2)}) {
      if (!is_tried(grid, static_cast<std::size_t>(&slice - slices)))
        continue;
      const double reach = std::ldexp(1.0, std::ilogb(slice.centre) - q + slice.size_bits);
      const Task task =
          make_task(slice.f, {"binary64", 53, -1022, q, slice.centre - reach, slice.centre + reach / 2}, grid, 20);
      INFO(slice.f.name, " around ", slice.centre, ", q = ", q, ", ", to_string(grid));
      const result::SearchResult wide = run(usual_device(), widely(task), work);
      CHECK((engine::stage(wide.stages, "wide_groups").tested > 0 ||
             !wide.regimes.empty())); // the host proves flat places
      CHECK(engine::stage(wide.stages, "phase1").tested == 0);
      cases_found += wide.cases.size();
      for (const char* other : {"regular", "lefevre"}) {
        Task by_other = task;
        set_algorithm(by_other, other);
        const result::SearchResult result = run(usual_device(), by_other, work);
        CHECK(engine::stage(result.stages, "wide_groups").tested == 0);
        CHECK(same(result.cases, wide.cases));
        CHECK(same(result.exact, wide.exact));
      }
    }
  CHECK(cases_found > (tries_all ? 5000 : 1500));
  work.check();
  work.check_wide();
}

TEST_CASE("wide: small groups, the largest, and all between find the same cases") {
  Work work;
  for (const auto& [f, from] : {std::tuple(&known_exp, 0x1.5p-22), std::tuple(&known_exp, 0x1.4p-25),
                                std::tuple(&known_exp, 0x1.9p-9), std::tuple(&known_log, 0x1.7p+900)}) {
    const double to = from + std::ldexp(1.0, std::ilogb(from) - 52 + 34);
    const Task task = make_task(*f, {"binary64", 53, -1022, 53, from, to}, Rounding::all, 29);
    const result::SearchResult expected = run(usual_device(), widely(task, 16), work);
    CHECK(expected.cases.size() > 30);
    for (const std::optional<int> group_bits : {std::optional<int>(), {20}, {22}, {23}, {24}, {25}, {26}, {27}}) {
      INFO(f->name, " from ", from, ", groups of 2^", group_bits.value_or(0));
      const result::SearchResult result = run(usual_device(), widely(task, group_bits), work);
      CHECK(same(result.cases, expected.cases));
      CHECK(engine::stage(result.stages, "phase1").tested == 0);
    }
  }
  work.check_wide();
}

TEST_CASE("wide: bfloat16, negative arguments and parts of binades of 24 bits where F″ vanishes, on every grid") {
  Work work;
  for (const Known* f : {&known_exp, &known_exp2, &known_sin, &known_cbrt}) {
    const auto all = enumerate(*f, {8, -126}, -64, 64, 8, 3);
    for (std::size_t i = 0; i < all.size(); ++i)
      compare(widely(make_task(*f, {"bfloat16", 8, -126, 8, -64, 64}, grids[i], 3)), usual_device(), all[i], work);
  }
  struct Job {
    const Known& f;
    double from;
    double to;
  };
  for (const Job& one : {Job{known_sin, 3.125, 3.1875}, Job{known_sin, -6.3125, -6.1875},
                         Job{known_exp, -0.515625, -0.5}, Job{known_log, 2.6875, 2.75}})
    for (const Rounding grid : grids) {
      const Range range{"binary32", 24, -126, 24, one.from, one.to};
      const Enumeration expected = enumerate_fast(one.f, {24, -126}, one.from, one.to, 24, grid, 12);
      CHECK(expected.found.size() > 90);
      compare(widely(make_task(one.f, range, grid, 12)), usual_device(), expected, work);
    }
  work.check_wide();
}

TEST_CASE("wide: lists, launches and kernels of every kind find what enumeration finds") {
  const double from = 1.375;
  const double to = 0x1.70003p+0;
  const Enumeration expected = enumerate_fast(known_exp, {24, -126}, from, to, 24, Rounding::all, 11);
  CHECK(expected.found.size() > 400);
  using Setting = std::tuple<const char*, const char*>;
  struct Variant {
    std::vector<Setting> settings;
    Compaction compaction = Compaction::atomic;
    std::vector<std::optional<int>> group_bits{std::nullopt, 7};
  };
  const Variant variants[] = {
      {{{"survivor-capacity", "1"}}, Compaction::atomic, {std::nullopt}},
      {{{"survivor-capacity", "1"}}, Compaction::scan, {13}},
      {{{"survivor-capacity", "8"}, {"batch-domains", "1"}}},
      {{{"survivor-capacity", "8"}, {"wide.items", "2"}}, Compaction::scan},
      {{{"survivor-capacity", "8"}, {"wide.order", "by-lines"}, {"wide.work-group-size", "3"}}, Compaction::scan},
      {{{"wide.items", "2"}, {"wide.order", "by-lines"}, {"wide.work-group-size", "96"}}},
      {{{"batch-domains", "64"}, {"wide.work-group-size", "1"}, {"wide.items", "3"}}},
      {{{"wide.work-group-size", "96"}}, Compaction::scan},
      {{{"wide.vector-width", "4"}, {"wide.items", "2"}, {"survivor-capacity", "16"}}, Compaction::scan, {7, 9}},
      {{{"wide.vector-width", "16"}}, Compaction::atomic, {std::nullopt, 7, 8, 10, 12}},
      {{{"wide.group-bits-offset", "-4"}, {"wide.denominator-percent", "10"}}, Compaction::atomic, {std::nullopt}},
      {{{"wide.group-bits-offset", "-1"}, {"wide.denominator-percent", "1000"}}, Compaction::atomic, {std::nullopt, 9}},
      {{{"wide.group-bits-offset", "4"}, {"launch-milliseconds", "1"}}, Compaction::atomic, {std::nullopt}}};
  Work work;
  for (const Variant& variant : variants) {
    device::Tunables tunables;
    for (const auto& [name, value] : variant.settings)
      if (std::string_view(name) == "survivor-capacity") // fewer than users may choose
        tunables.set(device::shared_tunable("survivor-capacity"), std::stoll(value));
      else
        engine::engine_tuning().set(tunables, name, value);
    TestDevice device(tunables, Deployment::three, variant.compaction);
    for (const auto& group_bits : variant.group_bits) {
      INFO(std::get<0>(variant.settings[0]), " ", std::get<1>(variant.settings[0]), ", ", to_string(variant.compaction),
           ", groups of 2^", group_bits.value_or(0));
      const Task task =
          widely(make_task(known_exp, {"binary32", 24, -126, 24, from, to}, Rounding::all, 11), group_bits);
      const result::SearchResult result = run(device, task, work);
      CHECK(result.arguments() == uint128(expected.arguments));
      CHECK(same(task, result, expected));
    }
  }
  work.check_wide();
  CHECK(work.counts("wide_refused").tested > 0);
  CHECK(work.counts("wide_refused_again").tested > 0);
}

TEST_CASE("wide: two devices, one of which fails, find what one finds") {
  const Task task = widely(make_task(known_exp, {"binary32", 24, -126, 24, 1, 2}, Rounding::all, 13));
  const result::SearchResult expected = usual_device().run(task);
  CHECK(expected.cases.size() > 1000);
  device::Tunables tunables;
  tunables.set(device::shared_tunable("batch-domains"), 1);
  TestDevice first(tunables);
  TestDevice second;
  for (const int fails_at : {-1, 0, 1, 5}) {
    // Counts the launches of both engines together.
    const auto done = std::make_shared<std::atomic<int>>(0);
    const auto failing = [fails_at, done](auto search) {
      return [=](const auto& batch, const engine::Interrupt& interrupt) {
        engine::BatchResult found = search(batch, interrupt);
        if ((*done)++ == fails_at)
          throw DeviceError("lost");
        return found;
      };
    };
    // The other waits until the first has failed.
    const auto patient = [fails_at, done](auto search) {
      return [=](const auto& batch, const engine::Interrupt& interrupt) {
        for (int waited = 0; waited < 20000 && *done <= fails_at; ++waited)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return search(batch, interrupt);
      };
    };
    std::vector<std::unique_ptr<searches::Worker>> workers;
    workers.push_back(first.worker(task, failing(first.search_domains()), failing(first.search_widely())));
    workers.push_back(second.worker(task, patient(second.search_domains()), patient(second.search_widely())));
    const result::SearchResult result = searches::run_search(task, workers);
    CHECK(result.covered == task.range());
    CHECK(same(result.cases, expected.cases));
    CHECK(same(result.exact, expected.exact));
    CHECK(result.workers[0].failure.empty() == (fails_at < 0));
    CHECK(engine::stage(result.stages, "wide_groups").tested > 0);
  }
}

} // namespace tmd::test
