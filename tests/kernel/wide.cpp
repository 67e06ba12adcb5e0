// The wide test's kernels on a device: polynomials of sub-intervals against exact ones, candidates against those of
// every argument, and planted errors.
#include "device.hpp"
#include "host/engine/registry.hpp"
#include "host/engine/self_test.hpp"
#include "host/engine/wide/engine.hpp"
#include "host/engine/wide/plan.hpp"
#include "host/engine/wide/plants.hpp"
#include "host/engine/wide/reference.hpp"
#include "host/engine/wide/self_test.hpp"
#include "host/engine/wide/tunables.hpp"
#include "host/function/catalogue.hpp"
#include "host/job/pieces.hpp"
#include "host/opencl/drivers.hpp"
#include "planted_error.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tmd::test {

namespace {

// An interval's polynomial with random coefficients, such that c_j·t^j is of the order of 2^order at t = count.
polynomial::TaylorPolynomial random_polynomial(int degree, int count_bits, long order, std::mt19937_64& random) {
  polynomial::TaylorPolynomial result;
  result.count = (std::uint64_t(1) << count_bits) - random() % 5;
  result.centre = result.count / 2;
  result.coefficients = number::ArbVector(degree + 1);
  for (int j = 0; j <= degree; ++j) {
    arb_ptr value = result.coefficients[j];
    for (int word = 0; word < 12; ++word) {
      arb_mul_2exp_si(value, value, 64);
      number::Arb part;
      arb_set_ui(part, random());
      arb_add(value, value, part, 2000);
    }
    arb_mul_2exp_si(value, value, order - 12 * 64 - static_cast<long>(j) * count_bits);
    if (random() % 2 == 0)
      arb_neg(value, value);
  }
  return result;
}

// The distance of a value in units of 2^−64 from P(offset), modulo 1.
double distance(std::uint64_t value, const polynomial::TaylorPolynomial& taylor, std::uint64_t offset) {
  number::Arb exact;
  taylor.evaluate(exact, offset, 2000);
  number::Arb computed;
  arb_set_ui(computed, value);
  arb_mul_2exp_si(computed, computed, -64);
  arb_sub(exact, exact, computed, 2000);
  arf_t nearest;
  arf_init(nearest);
  number::Arb rounded;
  arf_set_d(nearest, 0.5);
  arb_set_arf(rounded, nearest);
  arb_add(rounded, rounded, exact, 2000);
  arf_floor(nearest, arb_midref(static_cast<arb_srcptr>(rounded)));
  arb_set_arf(rounded, nearest);
  arf_clear(nearest);
  arb_sub(exact, exact, rounded, 2000);
  return std::fabs(arf_get_d(arb_midref(static_cast<arb_srcptr>(exact)), ARF_RND_UP));
}

// The j-th coefficient of a record as a number from −1/2 to 1/2.
double coefficient(const engine::wide::SubIntervalPolynomial& record, std::size_t j) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < j; ++i)
    at += i + 2;
  double value = 0;
  for (std::size_t limb = j + 2; limb-- > 0;)
    value = std::ldexp(value + record[at + limb], -32);
  double tail = value;
  if (record[at] >> 31 != 0) { // for a small negative number the subtraction would lose all bits
    tail = 0;
    for (std::size_t limb = j + 2; limb-- > 0;)
      tail = std::ldexp(tail + static_cast<double>(~record[at + limb]), -32);
    tail = -tail;
  }
  return tail;
}

engine::wide::WideBatch make_batch(const char* function, const char* format, int q, const char* from,
                                   std::uint64_t count, int bits, std::optional<int> group_bits, std::uint64_t first,
                                   std::uint64_t sub_intervals) {
  const format::ArgumentSet set(find_format(format), q);
  const function::Function& f = function::find_function(function);
  const auto begin = set.parse(from, "");
  const job::Piece piece = job::find_pieces(f, set, begin, begin + static_cast<int128>(count)).at(0);
  engine::wide::WideOptions options;
  options.group_bits = group_bits;
  const auto plan =
      engine::wide::WidePlanner(polynomial::ScaledFunction(f, {Rounding::all, find_format(format).precision}, piece),
                                bits, options)
          .plan(0, piece.count);
  REQUIRE(plan);
  REQUIRE(first < plan->sub_interval_count());
  return engine::wide::make_wide_batch(*plan, first, std::min(sub_intervals, plan->sub_interval_count() - first));
}

// Four consecutive intervals that begin in the second half of the first; the last is cut short.
engine::wide::WideBatch make_joined_batch() {
  const format::ArgumentSet set(find_format("binary32"), 24);
  const function::Function& f = function::find_function("cbrt");
  const job::Piece piece = job::find_pieces(f, set, set.parse("1", ""), set.parse("2", "")).at(0);
  const polynomial::ScaledFunction scaled(f, {Rounding::all, 24}, piece);
  constexpr engine::wide::WideChoice choice{
      .group_bits = 7, .sub_bits = 11, .denominator_limit = 60, .lines = 3, .cost = 1};
  const auto plan_of = [&](std::uint64_t first, std::uint64_t count) {
    const auto taylor = polynomial::taylor_polynomial(scaled, first, count, number::Bound::power_of_two(-20), 12, 200);
    REQUIRE(taylor);
    auto plan = engine::wide::plan_wide(*taylor, choice, 11);
    REQUIRE(plan);
    return plan;
  };
  constexpr std::uint64_t count = std::uint64_t(1) << 19;
  const auto plan = plan_of(0, count);
  for (std::uint64_t first = count; first < 4 * count; first += count)
    REQUIRE(plan->append(*plan_of(first, first == 3 * count ? count - 333 : count)));
  const std::uint64_t half = plan->sources.at(0).count / 2;
  const engine::wide::WideBatch batch = engine::wide::make_wide_batch(*plan, half, plan->sub_interval_count() - half);
  REQUIRE(batch.sources.size() == 4);
  REQUIRE(batch.sources[0].first == half);
  REQUIRE(batch.argument_limit == plan->count - (half << plan->sub_bits()));
  return batch;
}

// Prepares the engine as a search does before it trusts a device.
void test_itself(engine::wide::WideSearch& device, engine::wide::WideSelfTest of = engine::wide::WideSelfTest::all) {
  engine::self_test::require(device.device(), engine::wide::wide_self_test_failure(device, of));
}

} // namespace

TEST_CASE("wide: polynomials of sub-intervals by the device, by the host, and exactly") {
  opencl::Compute compute(test_device());
  std::mt19937_64 random(7);
  struct Shape {
    int degree, count_bits, sub_bits, group_bits;
    int words;
  };
  for (const Shape& shape :
       {Shape{2, 16, 11, 7, 4}, Shape{5, 32, 20, 12, 5}, Shape{8, 40, 27, 16, 5}, Shape{12, 52, 32, 27, 7},
        // Records of many sub-intervals.
        Shape{4, 52, 20, 12, 6}, Shape{9, 52, 20, 12, 8}, Shape{11, 52, 20, 12, 9}, Shape{12, 52, 20, 12, 10}}) {
    const polynomial::TaylorPolynomial taylor = random_polynomial(shape.degree, shape.count_bits, 40, random);
    const engine::wide::WidePolynomial polynomial(taylor, shape.sub_bits, shape.group_bits);
    REQUIRE(polynomial.words() == shape.words);
    const std::uint64_t all = ((taylor.count - 1) >> shape.sub_bits) + 1;
    const std::uint64_t count = std::min<std::uint64_t>(all, 70);
    const std::uint64_t first = random() % (all - count + 1);
    const auto expected = engine::wide::sub_interval_polynomials(polynomial, first, count);
    std::vector<std::uint64_t> words{0, first, engine::wide::source_words, polynomial.size()};
    words.insert(words.end(), polynomial.coefficients().begin(), polynomial.coefficients().end());
    const opencl::Buffer sources = compute.allocate(8 * words.size());
    compute.write(sources, words.data(), 8 * words.size());
    const opencl::Buffer counters = compute.allocate(sizeof(std::uint32_t) * engine::Launcher::counter_count);
    compute.clear(counters);
    constexpr std::size_t limbs = 24;
    const opencl::Buffer records = compute.allocate(4 * limbs * count);
    const engine::wide::WideShift build = engine::wide::wide_shift(shape.words);
    opencl::Kernel shift = compute.kernel(build.program, "wide_shift", build.macros);
    const int scale = 2 * (shape.group_bits - 1);
    engine::wide::layout::wide_parameters parameters{};
    parameters.source_count = 1;
    parameters.sub_bits = static_cast<std::uint32_t>(shape.sub_bits);
    parameters.group_bits = static_cast<std::uint32_t>(shape.group_bits);
    shift.set(sources, records, parameters,
              engine::kernel_layout::launch_slice{0, static_cast<std::uint32_t>(count), 7, 0, 0}, counters);
    (void)compute.run(shift, count, 64);
    std::vector<std::uint32_t> made(limbs * count);
    compute.read(records, made.data(), 4 * made.size());
    std::uint64_t different = 0;
    std::uint64_t off = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint32_t* record = made.data() + limbs * i;
      different += !std::equal(expected[i].begin(), expected[i].end(), record);
      const double factors[] = {std::ldexp(1.0, scale), std::ldexp(3.0, scale + shape.sub_bits),
                                std::ldexp(6.0, scale + 2 * shape.sub_bits)};
      for (std::size_t j = 2; j <= 4; ++j) {
        float value = 0;
        std::memcpy(&value, record + 20 + j - 2, sizeof value);
        const double exact = coefficient(expected[i], j) * factors[j - 2];
        off += !(std::fabs(value - exact) <= 0x1p-21 * std::fabs(exact) + 0x1p-120 + factors[j - 2] * 0x1p-128);
      }
    }
    CHECK(different == 0);
    CHECK(off == 0);
    // Terms of degree > 4 are left out, as in the ledger.
    if (shape.degree > 4)
      continue;
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t at = random() % count;
      const std::uint64_t t = i % 5 == 0 ? (std::uint64_t(1) << shape.sub_bits) - 1 : random() >> (64 - shape.sub_bits);
      const std::uint64_t offset = ((first + at) << shape.sub_bits) + t;
      worst = std::max(worst, distance(engine::wide::value_in(expected[at], t), taylor, offset));
    }
    CHECK(worst <= polynomial.coefficient_error().value());
    CHECK(worst > 0x1p-66);
  }
}

TEST_CASE("wide: values of sub-intervals lie within the ledger of the function's polynomial") {
  for (const auto& [function, from, group_bits] :
       {std::tuple("exp", "0x1.5p+0", 10), std::tuple("sin", "0x1.9p+1", 9), std::tuple("log", "0x1.8p-1", 8)}) {
    const format::ArgumentSet set(find_format("p30"), 30);
    const function::Function& f = function::find_function(function);
    const auto begin = set.parse(from, "");
    const job::Piece piece = job::find_pieces(f, set, begin, begin + (1 << 24)).at(0);
    const polynomial::ScaledFunction scaled(f, {Rounding::all, 30}, piece);
    const auto taylor = polynomial::taylor_polynomial(scaled, 0, static_cast<std::uint64_t>(piece.count),
                                                      number::Bound::power_of_two(-40), 12, 300);
    REQUIRE(taylor);
    const engine::wide::WidePolynomial polynomial(*taylor, 14, group_bits);
    const std::uint64_t count = taylor->count >> 14;
    const auto records = engine::wide::sub_interval_polynomials(polynomial, 0, count);
    std::mt19937_64 random(3);
    double worst = 0;
    for (int i = 0; i < 3000; ++i) {
      const std::uint64_t at = random() % count;
      const std::uint64_t t = i % 5 == 0 ? (1 << 14) - 1 : random() % (1 << 14);
      worst = std::max(worst, distance(engine::wide::value_in(records[at], t), *taylor, (at << 14) + t));
    }
    CHECK(worst <= (polynomial.coefficient_error() + polynomial.beyond()).value());
    CHECK(worst > 0x1p-66);
  }
}

TEST_CASE("wide: values at both ends of the longest intervals lie within the ledger") {
  const format::ArgumentSet set(find_format("binary80"), 64);
  const function::Function& f = function::find_function("exp");
  const job::Piece piece = job::find_pieces(f, set, set.parse("1", ""), set.parse("1.125", "")).at(0);
  const polynomial::ScaledFunction scaled(f, {Rounding::all, 64}, piece);
  engine::wide::WidePlanner planner(scaled, 55, {});
  const auto plan = planner.plan(uint128(1) << 59, engine::wide::longest_wide_interval);
  REQUIRE(plan);
  REQUIRE(plan->count == engine::wide::longest_wide_interval);
  const auto taylor =
      polynomial::taylor_polynomial(scaled, plan->first, plan->count, number::Bound::power_of_two(-80), 14, 300);
  REQUIRE(taylor);
  const number::Bound bound = plan->ledger.taylor + plan->ledger.coefficients + plan->ledger.subinterval;
  std::mt19937_64 random(5);
  double worst = 0;
  for (const std::uint64_t first : {std::uint64_t(0), plan->sub_interval_count() - 2}) {
    const auto records = engine::wide::sub_interval_polynomials(*plan->sources.at(0).polynomial, first, 2);
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t t = i == 0 ? 0 : (std::uint64_t(1) << plan->sub_bits()) - (i == 1 ? 1 : 1 + random() % 4096);
      for (std::uint64_t at = 0; at < 2; ++at)
        worst = std::max(
            worst, distance(engine::wide::value_in(records[at], t), *taylor, ((first + at) << plan->sub_bits()) + t));
    }
    // Batches begin and end where the interval does, and all of their arguments are counted.
    const engine::wide::WideBatch batch = engine::wide::make_wide_batch(*plan, first, 2);
    CHECK(batch.sub_intervals == 2);
    CHECK(batch.first_argument == plan->first + (uint128(first) << plan->sub_bits()));
    CHECK(batch.argument_limit == std::uint64_t(2) << plan->sub_bits());
  }
  CHECK(worst <= bound.value());
  CHECK(worst > 0x1p-70);
}

TEST_CASE("wide: candidates are those of every argument") {
  std::vector<engine::wide::WideBatch> batches;
  batches.push_back(engine::wide::wide_self_test_batch());
  batches.push_back(make_batch("exp", "binary32", 24, "0x1.5p+0", 600000, 11, 8, 1, 3));
  // ends where the interval does
  batches.push_back(make_batch("exp", "binary32", 24, "0x1.5p+0", 600001, 11, {}, 1, 5));
  batches.push_back(make_batch("sin", "binary32", 25, "0x1.9p+1", 300000, 9, {}, 0, 100));
  batches.push_back(make_batch("cbrt", "binary64", 53, "0x1.7b1f68fdf0000p+0", 300001, 12, 12, 0, 100));
  batches.push_back(make_batch("exp", "binary64", 53, "0x1.5p+9", 300001, 11, {}, 0, 100));
  batches.push_back(make_batch("sin", "binary64", 53, "0x1.921fb5444p+0", 300001, 14, {}, 0, 100)); // beside π/2
  batches.push_back(make_batch("exp", "binary32", 24, "0x1.5p+0", 600000, 10, 12, 0, 100));         // with many lines
  batches.push_back(make_joined_batch());
  batches.push_back(make_batch("exp", "p28", 28, "0x1.5p+0", 600000, 10, 14, 0, 100)); // with many hundreds
  batches.back().parameters.most_lines = engine::wide::wide_most_lines;
  std::vector<std::vector<std::uint64_t>> expected;
  for (const engine::wide::WideBatch& batch : batches) {
    expected.push_back(engine::wide::sweep_on_host(batch));
    CHECK(expected.back().size() > 20);
    CHECK(expected.back().back() < batch.argument_limit);
  }
  // A work-item that holds 16 and tests 128 groups has more, for one.
  CHECK(std::any_of(batches.begin(), batches.end(), [&](const engine::wide::WideBatch& batch) {
    const std::uint64_t groups = ((batch.argument_limit - 1) >> batch.parameters.group_bits) + 1;
    return expected[static_cast<std::size_t>(&batch - batches.data())].size() > 16 * (groups / 128 + 1);
  }));
  struct Build {
    const char* width;
    const char* items;
    Compaction compaction;
    const char* order = "given";
    const char* size = "64";
  };
  for (const Build& build : {Build{"1", "1", Compaction::atomic}, Build{"1", "3", Compaction::scan},
                             Build{"1", "1", Compaction::atomic, "by-lines"},
                             Build{"1", "2", Compaction::scan, "by-lines", "24"}, Build{"2", "1", Compaction::scan},
                             Build{"16", "2", Compaction::atomic}, Build{"2", "64", Compaction::atomic}}) {
    device::Tunables tunables;
    engine::engine_tuning().set(tunables, "wide.order", build.order);
    engine::engine_tuning().set(tunables, "wide.work-group-size", build.size);
    engine::engine_tuning().set(tunables, "wide.vector-width", build.width);
    engine::engine_tuning().set(tunables, "wide.items", build.items);
    engine::wide::WideSearch device(test_device(), tunables, build.compaction);
    for (std::size_t i = 0; i < batches.size(); ++i)
      for (const float limit : {batches[i].parameters.denominator_limit, 8.0F}) { // the second one makes many lines
        INFO("batch ", i, ", vectors of ", std::string(build.width), ", denominators up to ", limit);
        engine::wide::WideBatch batch = batches[i];
        batch.parameters.denominator_limit = limit;
        CHECK(device.search(batch) == expected[i]);
      }
    CHECK(engine::stage(device.stages(), "wide_groups").tested > 100);
    const engine::Stage check = engine::stage(device.stages(), "wide_check");
    CHECK(check.tested > check.kept);
  }
}

TEST_CASE("wide: batches that are searched in one go have the candidates of each alone, at all of their ends") {
  const format::ArgumentSet set(find_format("binary32"), 24);
  const function::Function& f = function::find_function("cbrt");
  const job::Piece piece = job::find_pieces(f, set, set.parse("1", ""), set.parse("2", "")).at(0);
  const polynomial::ScaledFunction scaled(f, {Rounding::all, 24}, piece);
  constexpr engine::wide::WideChoice choice{
      .group_bits = 7, .sub_bits = 11, .denominator_limit = 60, .lines = 3, .cost = 1};
  std::vector<engine::wide::WideBatch> apart;
  for (const std::uint64_t count : {2049, 32, 100000, 2048, 2047, 300001, 129, 4096, 65}) {
    const auto taylor = polynomial::taylor_polynomial(scaled, 12345 + 400000 * apart.size(), count,
                                                      number::Bound::power_of_two(-20), 12, 200);
    REQUIRE(taylor);
    const auto plan = engine::wide::plan_wide(*taylor, choice, 11);
    REQUIRE(plan);
    apart.push_back(engine::wide::make_wide_batch(*plan, 0, plan->sub_interval_count()));
  }
  // In another order the last run also ends where the batch does.
  for (const bool reversed : {false, true}) {
    std::vector<std::vector<std::uint64_t>> expected;
    if (reversed)
      std::reverse(apart.begin(), apart.end());
    engine::wide::WideBatch joined = apart.front();
    joined.most_sub_intervals = 1000;
    for (const engine::wide::WideBatch& one : apart) {
      expected.push_back(engine::wide::indices_by_run(one, engine::wide::sweep_on_host(one)).front());
      REQUIRE((&one == apart.data() || joined.join(one)));
    }
    CHECK(joined.parameters.sub_bits == 11);
    for (const bool vectors : {false, true})
      for (const bool audits : {false, true}) {
        device::Tunables tunables;
        tunables.set(engine::wide::wide_tunable("wide.vector-width"), vectors ? 3 : 0);
        tunables.set(engine::wide::wide_tunable("wide.order"),
                     static_cast<std::int64_t>(vectors ? engine::wide::Order::given : engine::wide::Order::by_lines));
        engine::wide::WideSearch device(test_device(), tunables);
        const auto found = engine::wide::indices_by_run(
            joined, audits ? engine::wide::PlantingGroups(device, 1).search(joined).candidates : device.search(joined));
        REQUIRE(found.size() == expected.size());
        // The joint bounds let some more pass than each batch's own.
        std::size_t missing = 0;
        std::size_t more = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
          missing += !std::includes(found[i].begin(), found[i].end(), expected[i].begin(), expected[i].end());
          more += found[i].size() - expected[i].size();
        }
        CHECK(missing == 0);
        CHECK(more < 20);
        std::size_t all = 0;
        for (const auto& run : found)
          all += run.size();
        CHECK(all > 200);
        const engine::Stage check = engine::stage(device.stages(), "wide_check");
        CHECK(check.kept >= all); // some are found twice
        CHECK(check.kept < all + all / 4);
      }
  }
}

TEST_CASE("wide: a short search on PoCL has kernels that are built quickly, until it has many groups") {
  const auto launcher = std::make_shared<engine::Launcher>(test_device(), 1U << 20);
  engine::EngineSettings settings;
  settings.choices.is_short = true;
  const std::unique_ptr<engine::Engine> engine = engine::wide::wide_engine.open(launcher, settings);
  REQUIRE(engine);
  // The modes of the kernels that groups have used.
  const auto quick_and_other = [&] {
    std::pair<unsigned, unsigned> result;
    for (const auto& [key, used] : launcher->kernels_used())
      if (used.name == "wide_groups")
        ++(used.options.find("-cl-opt-disable") != std::string::npos ? result.first : result.second);
    return result;
  };
  const bool is_quick = opencl::is_pocl(test_device().platform);
  const engine::wide::WideBatch few = make_batch("exp", "binary32", 24, "0x1.5p+0", 600000, 11, 8, 1, 300);
  const engine::wide::WideBatch many =
      make_batch("exp", "p30", 30, "0x1.5p+0", std::uint64_t(1) << 28, 17, 7, 0, 1U << 18);
  const std::uint64_t groups = many.argument_limit >> many.parameters.group_bits;
  REQUIRE(groups > 100000);
  REQUIRE(groups < std::uint64_t(1) << 20);
  engine::wide::WideSearch plain(test_device(), device::Tunables());
  const auto check = [&](const engine::wide::WideBatch& batch) {
    std::vector<std::uint64_t> expected = plain.search(batch);
    for (std::uint64_t& candidate : expected)
      candidate += static_cast<std::uint64_t>(batch.first_argument);
    CHECK(expected.size() > 20);
    CHECK(engine->search(batch, [] { return false; }).candidates == expected);
  };
  check(few);
  for (std::uint64_t searched = groups; searched < std::uint64_t(1) << 20; searched += groups) {
    check(many);
    CHECK(quick_and_other() == (is_quick ? std::pair(1U, 0U) : std::pair(0U, 1U)));
  }
  check(many);
  CHECK(quick_and_other() == (is_quick ? std::pair(1U, 1U) : std::pair(0U, 1U)));
  check(few);
}

TEST_CASE("wide: the self-test passes on this device, and notices planted errors") {
  const engine::wide::WideBatch batch = engine::wide::wide_self_test_batch();
  CHECK(engine::wide::sweep_on_host(batch).size() > 20);
  {
    engine::wide::WideSearch device(test_device(), device::Tunables());
    CHECK_NOTHROW(test_itself(device));
    CHECK(engine::stage(device.stages(), "wide_groups").tested == 0); // a repeated launch leaves no trace in the counts
    CHECK(device.search(batch) == engine::wide::sweep_on_host(batch));
    const engine::Stage groups = engine::stage(device.stages(), "wide_groups");
    CHECK(groups.kept < groups.tested * 20);
    CHECK(engine::stage(device.stages(), "wide_refused").tested < groups.tested * 4); // most groups are not refused
  }
  const Replacement errors[] = {
      {"wide/lines.clh", "-l.side * turn * f.inverse", "l.side * turn * f.inverse"},
      {"wide/lines.clh", "l.last_left = nearest_below(at_left_end + margin)", "l.last_left = l.line - 1.0f"},
      {"wide/fraction.clh", "minus = determinant == 0xffffffffu", "minus = determinant == 1u"},
      {"wide/lines.clh", "residue = -l.side * TO_FLOATS(rest)", "residue = -TO_FLOATS(rest)"},
      {"wide/lines.clh", "l.twice_g = g * (2.0001f * m)", "l.twice_g = g * (0.5f * m)"},
      {"wide/lines.clh", "slope < 2.0f * bend)", "slope < 0.0f)"},
      {"wide/polynomial.clh", "horner_step3(d2, t, p2, d1)", "horner_step3(p2, t, p2, d1)"},
      {"wide/lines.clh", "SELECT32(member, -member, l->side < 0.0f)", "member"},
      {"wide/lines.clh", "float per_part = 0.5f / half_part", "float per_part = 0.25f / half_part"},
      {"wide/crowded.clh", "TO_I32(SELECT32(l->denominator, -l->denominator, turned))", "TO_I32(l->denominator)"},
      {"wide/crowded.clh", "members.to = TO_I32(", "members.to = -1 + TO_I32("},
      {"wide/crowded.clh", "vfloat place = -value * per_rise", "vfloat place = value * per_rise"},
      {"wide/groups.cl", "(u64)group[lane] << to->part_bits", "(u64)group[lane] << (to->part_bits - 1)"},
      {"wide/check.clh", "value + bound < 2 * bound", "value + bound < bound"}};
  const Replacement errors_of_refused[] = {
      {"wide/parts.cl", "(i32)(l.side * member)", "(i32)(member)"},
      {"common/shared_list.clh", "value;\n    return;\n  }", "value;\n  }\n  return;"},
      {"wide/check.clh", "(run & (((u64)1 << runs_bits) - 1)) << run_bits", "0"}};
  for (const Replacement& error : errors) {
    CAPTURE(std::string(error.text));
    CAPTURE(std::string(error.replacement));
    const PlantedError planted(error.file, error.text, error.replacement);
    engine::wide::WideSearch device(test_device(), device::Tunables());
    CHECK_THROWS_AS(test_itself(device), FaultError);
    CHECK_THROWS_AS(test_itself(device, engine::wide::WideSelfTest::groups), DeviceError);
  }
  for (const Replacement& error : errors_of_refused) {
    CAPTURE(std::string(error.replacement));
    const PlantedError planted(error.file, error.text, error.replacement);
    engine::wide::WideSearch device(test_device(), device::Tunables());
    CHECK_THROWS_AS(test_itself(device), FaultError);
    CHECK_NOTHROW(test_itself(device, engine::wide::WideSelfTest::groups));
    CHECK_THROWS_AS(test_itself(device, engine::wide::WideSelfTest::refused), DeviceError);
  }
  for (const Replacement& error :
       {Replacement{"wide/groups.cl", "middle_of(group[lane], group_bits)", "middle_of(group[lane & 1], group_bits)"},
        Replacement{"wide/groups.cl", "c.first + k * c.step", "c.first"},
        Replacement{"wide/groups.cl", "(u64)group[lane] << to->part_bits", "(u64)group[0] << to->part_bits"},
        Replacement{"wide/parabola.clh", "(TO_U32(lane_numbers()) << bits)", "0"}}) {
    CAPTURE(std::string(error.replacement));
    const PlantedError planted(error.file, error.text, error.replacement);
    device::Tunables tunables;
    tunables.set(engine::wide::wide_tunable("wide.vector-width"), 2);
    engine::wide::WideSearch device(test_device(), tunables);
    CHECK_THROWS_AS(test_itself(device), FaultError);
    CHECK_THROWS_AS(test_itself(device, engine::wide::WideSelfTest::groups), DeviceError);
  }
  for (const Replacement& error :
       {Replacement{"wide/groups.cl", "u32 slot = order[place];", "u32 slot = order[place / 2];"},
        Replacement{"wide/groups.cl", "TMD_PUT(l->side, 13)", "TMD_PUT((vfloat)(1.0f), 13)"}}) {
    CAPTURE(std::string(error.replacement));
    const PlantedError planted(error.file, error.text, error.replacement);
    device::Tunables tunables;
    engine::engine_tuning().set(tunables, "wide.order", "by-lines");
    engine::wide::WideSearch device(test_device(), tunables);
    CHECK_THROWS_AS(test_itself(device), FaultError);
    CHECK_THROWS_AS(test_itself(device, engine::wide::WideSelfTest::groups), DeviceError);
  }
  // In each kind of build, a filter stops everything, lists lose entries for which there is no room, or lines are left
  // out.
  const Replacement stopped{"wide/filter.clh", "return (least <= width + width) | !(tolerance < 0.25f)",
                            "return tolerance != tolerance"};
  const Replacement lost{"common/shared_list.clh", "value;\n    return;\n  }", "value;\n  }\n  return;"};
  const Replacement left{"wide/groups.cl", "if (left_count > 0)", "if (0)"};
  for (const auto& [width, order, error] :
       {std::tuple("1", "given", stopped), std::tuple("2", "given", stopped), std::tuple("4", "given", stopped),
        std::tuple("8", "given", stopped), std::tuple("16", "given", stopped), std::tuple("1", "by-lines", stopped),
        std::tuple("1", "by-lines", lost), std::tuple("1", "by-lines", left)}) {
    CAPTURE(std::string(width));
    CAPTURE(std::string(error.replacement));
    const PlantedError planted(error.file, error.text, error.replacement);
    device::Tunables tunables;
    engine::engine_tuning().set(tunables, "wide.vector-width", width);
    engine::engine_tuning().set(tunables, "wide.order", order);
    engine::wide::WideSearch device(test_device(), tunables);
    CHECK_THROWS_AS(test_itself(device), FaultError);
    CHECK_THROWS_AS(test_itself(device, engine::wide::WideSelfTest::groups), DeviceError);
  }
  // Some errors appear only with more bits than the self-test has. They are noticed because the last polynomial of each
  // interval is compared with the host's.
  const engine::wide::WideBatch far =
      make_batch("exp", "binary64", 53, "0x1p+0", std::uint64_t(1) << 46, 44, 23, 16000, 1);
  for (const Replacement& error :
       {Replacement{"wide/shift.clh", "+ carry + y[i]", "+ (carry & 0xfffffffe) + y[i]"},
        Replacement{"wide/shift.clh", "float sum = 0.0f;", "float sum = 0.0f;\n  exponent += exponent > 50 ? 3 : 0;"},
        Replacement{"wide/shift_kernel.clh", "(u32)source[1] +", "(u32)(source[1] & 0xff) +"}}) {
    CAPTURE(std::string(error.replacement));
    const PlantedError planted(error.file, error.text, error.replacement);
    engine::wide::WideSearch device(test_device(), device::Tunables());
    CHECK_THROWS_AS((void)device.search(far), FaultError);
  }
  // In the first batch with so many words, many more polynomials are compared, also those at seams.
  const engine::wide::WideBatch longer =
      make_batch("cbrt", "binary64", 53, "0x1p+100", std::uint64_t(1) << 50, 58, 20, 0, 300);
  REQUIRE(engine::wide::coefficient_words_of(longer) == 7);
  REQUIRE(longer.sub_intervals == 300);
  for (const bool audited : {false, true}) {
    const PlantedError planted("wide/shift.clh", "sum += b[j][4 - j + limb];",
                               "b[j][4 - j + limb] ^= "
                               "(TMD_COEFFICIENT_WORDS == 7 && number == 100 && j == 4 && limb == 5 ? 1 : 0);\n"
                               "sum += b[j][4 - j + limb];");
    engine::wide::WideSearch device(test_device(), device::Tunables());
    CHECK_NOTHROW(test_itself(device));
    if (audited)
      CHECK_THROWS_AS((void)engine::wide::PlantingGroups(device).search(longer), FaultError);
    else
      CHECK_NOTHROW((void)device.search(longer));
  }
}

TEST_CASE("wide: of several intervals in a batch each sub-interval is made of its own") {
  const engine::wide::WideBatch batch = make_joined_batch();
  {
    engine::wide::WideSearch device(test_device(), device::Tunables());
    device.records().check_all(true);
    // Hits are planted before it and in it.
    CHECK(engine::wide::PlantingGroups(device, 1).search(batch).candidates == engine::wide::sweep_on_host(batch));
  }
  for (const Replacement& error :
       {Replacement{"wide/sources.clh", "count -= half_count;", "count = half_count - 1;"},
        Replacement{"wide/sources.clh", "* TMD_SOURCE_WORDS] <= item)", "* TMD_SOURCE_WORDS] < item)"},
        Replacement{"wide/shift_kernel.clh", "(item - (u32)source[0])", "item"},
        Replacement{"wide/shift_kernel.clh", "sources + source[2]", "sources + sources[2]"}}) {
    CAPTURE(std::string(error.replacement));
    const PlantedError planted(error.file, error.text, error.replacement);
    engine::wide::WideSearch device(test_device(), device::Tunables());
    CHECK_THROWS_AS((void)device.search(batch), FaultError);
  }
}

TEST_CASE("wide: a launch that counts more than its items can keep ends the search") {
  const engine::wide::WideBatch batch = engine::wide::wide_self_test_batch();
  device::Tunables tunables;
  tunables.set(device::shared_tunable("survivor-capacity"), 1000);
  const PlantedError planted("wide/check.clh", "append(argument, kept",
                             "for (u32 i = 0; i < 1001; ++i)\n      append(argument, kept");
  engine::wide::WideSearch device(test_device(), tunables);
  try {
    (void)device.search(batch);
    FAIL("survivors were lost in silence");
  } catch (const DeviceError& error) {
    CHECK(std::string(error.what()) == "a launch has counted more than its items can keep");
  }
}

TEST_CASE("wide: kernels for what is refused are tested when they are first used, before what they find counts") {
  engine::EngineSettings settings;
  const auto open = [&] {
    return engine::wide::wide_engine.open(std::make_shared<engine::Launcher>(test_device(), 1 << 16), settings);
  };
  // No group of a long interval is refused, even if hits are planted beside it.
  const engine::wide::WideBatch batch =
      make_batch("exp", "binary64", 53, "0x1p+0", std::uint64_t(1) << 46, 44, 21, 0, 1);
  engine::wide::WideBatch refusing = engine::wide::wide_self_test_batch();
  refusing.parameters.most_lines = 2;
  {
    const auto engine = open();
    CHECK(engine::stage(engine->search(batch, {}).stages, "wide_refused").tested == 0);
    CHECK(engine->search(refusing, {}).candidates == engine::wide::sweep_on_host(refusing));
  }
  {
    const PlantedError planted("wide/parts.cl", "kernel void", "kernel void not_needed;");
    const auto engine = open();
    CHECK_NOTHROW((void)engine->search(batch, {})); // no such kernel is built
    CHECK_THROWS_AS((void)engine->search(refusing, {}), DeviceError);
    settings.choices.test_all_kernels = true;
    CHECK_THROWS_AS((void)open()->search(batch, {}), DeviceError);
    settings.choices.test_all_kernels = false;
  }
  const PlantedError planted("wide/parts.cl", "(i32)(l.side * member)", "(i32)(member)");
  const auto engine = open();
  CHECK_NOTHROW((void)engine->search(batch, {}));
  CHECK_THROWS_AS((void)engine->search(refusing, {}), DeviceError);
}

} // namespace tmd::test
