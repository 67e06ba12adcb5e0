// Whole searches against plain enumeration.
#include "end_to_end/enumeration.hpp"
#include "host/engine/domains/tunables.hpp"
#include "thorough.hpp"

namespace tmd::test {
namespace {

enum class Plans { usual, every };

// Enumerates once for the least K, because the cases for a greater K are a subset.
void compare_bounds(const Known& f, const Range& range, std::initializer_list<int> bounds, Work& work, Plans plans) {
  const auto all = enumerate(f, {range.q, range.min_exponent}, range.from, range.to, range.p, std::min(bounds));
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const int bits : bounds) {
      Enumeration expected{all[i].arguments, {}};
      for (const Found& found : all[i].found)
        if (found.bits > bits)
          expected.found.push_back(found);
      Task task = make_task(f, range, grids[i], bits);
      compare(task, usual_device(), expected, work);
      // Groups have the size that the planner chooses, or a small one.
      compare(bits == *bounds.begin() ? widely(task) : widely(task, 7), usual_device(), expected, work);
      if (plans == Plans::usual)
        continue;
      task.choices.algorithm = "exhaustive";
      compare(task, usual_device(), expected, work);
      task.choices.algorithm = "auto";
      task.costs = test_eagerly();
      for (const int domain_bits : {3, 4, 6}) {
        task.choices.domain_bits = domain_bits;
        task.choices.split_bits = domain_bits % 3 + 1;
        compare(task, usual_device(), expected, work);
      }
    }
  }
}

} // namespace

TEST_CASE("brute force: every argument of binary16") {
  Work work;
  compare_bounds(known_exp, {"binary16", 11, -14, 11, -65504, 65536}, {6, 9}, work, Plans::usual);
  compare_bounds(known_log, {"binary16", 11, -14, 11, 0x1p-24, 65536}, {6}, work, Plans::usual);
  if (tries_all) { // whole_format.cpp has these functions, too
    for (const Known& f : {known_exp, known_sin, known_exp2, known_cbrt})
      compare_bounds(f, {"binary16", 11, -14, 11, -65504, 65536}, {4, 9}, work, Plans::usual);
    compare_bounds(known_log, {"binary16", 11, -14, 11, 0x1p-24, 65536}, {4, 9}, work, Plans::usual);
  }
  CHECK(work.candidates > 0);
}

TEST_CASE("brute force: 11 and 13 bits, signs, binades, small domains") {
  Work work;
  compare_bounds(known_exp, {"p11", 11, -1022, 11, -2.5, -0.125}, {1, 2, 5, 8}, work, Plans::every);
  compare_bounds(known_sin, {"p13", 13, -1022, 14, 1, 8}, {6, 8}, work, Plans::every);
  compare_bounds(known_log, {"p13", 13, -1022, 13, 0.25, 4}, {6}, work, Plans::every);
  compare_bounds(known_cbrt, {"p13", 13, -1022, 13, -1, -0.0625}, {6}, work, Plans::every);
  compare_bounds(known_exp2, {"p13", 13, -1022, 14, -1, -0.25}, {5, 8}, work, Plans::every);
  work.check();
}

TEST_CASE("brute force: 16 bits, signs, binades, small domains") {
  Work work;
  compare_bounds(known_exp, {"p16", 16, -1022, 16, 1, 4}, {7}, work, Plans::every);
  compare_bounds(known_exp, {"p16", 16, -1022, 17, -1, -0.5}, {9}, work, Plans::usual);
  compare_bounds(known_sin, {"p16", 16, -1022, 16, -4, -0.5}, {9}, work, Plans::usual);
  compare_bounds(known_log, {"p16", 16, -1022, 17, 0.9375, 1.0625}, {7}, work, Plans::every);
  compare_bounds(known_cbrt, {"p16", 16, -1022, 17, 3, 9}, {10}, work, Plans::usual);
  compare_bounds(known_exp2, {"p16", 16, -1022, 16, -1.25, -0.25}, {5}, work, Plans::usual);
  work.check();
}

// Values are much finer than arguments: the second difference may reach a whole breakpoint spacing.
TEST_CASE("brute force: fewer bits in the arguments than in the values") {
  Work work;
  for (const char* format : {"p22", "p23", "p24", "p25", "p26"})
    compare_bounds(known_exp, {format, std::atoi(format + 1), -1022, 13, 1, 4}, {5, 8}, work, Plans::usual);
  compare_bounds(known_log, {"p30", 30, -1022, 16, 1, 1.5}, {6}, work, Plans::usual);
  compare_bounds(known_sin, {"p29", 29, -1022, 16, 1, 2}, {6}, work, Plans::usual);
}

TEST_CASE("brute force: binades of 24 bits, whole or a quarter") {
  Work work;
  struct Job {
    const Known& f;
    double from;
    double to;
    Rounding grid;
    int bits;
  };
  const Job jobs[] = {{known_exp, tries_all ? -2 : -1.25, -1, Rounding::nearest, 14},
                      {known_sin, 2, 4, Rounding::all, 12},
                      {known_cbrt, 0x1p-149, tries_all ? 0x1p-126 : 0x1p-128, Rounding::directed, 14},
                      {known_log, 1, tries_all ? 2 : 1.25, Rounding::nearest, 15},
                      {known_exp, 1, 2, Rounding::all, 15},
                      {known_log, 0.5, 1, Rounding::all, 13},
                      {known_sin, 1, 2, Rounding::directed, 16},
                      {known_exp2, 1, 2, Rounding::nearest, 15}};
  for (const Job& one : std::span(jobs).first(tries_all ? std::size(jobs) : 4)) {
    const Range range{"binary32", 24, -126, 24, one.from, one.to};
    const Enumeration expected = enumerate_fast(one.f, {24, -126}, one.from, one.to, 24, one.grid, one.bits);
    CHECK(expected.arguments + 1 >= std::uint64_t(1) << (tries_all ? 23 : 21)); // the subnormal numbers are one less
    CHECK(expected.found.size() > 50);
    const Task task = make_task(one.f, range, one.grid, one.bits);
    compare(task, usual_device(), expected, work);
    compare(widely(task), usual_device(), expected, work);
    compare(widely(task, 9), usual_device(), expected, work);
    Task by_cost = task;
    set_algorithm(by_cost, "auto");
    compare(by_cost, usual_device(), expected, work);
  }
  CHECK(work.intervals > work.pieces);
  work.check();
  work.check_wide();
}

TEST_CASE("brute force: batches, lists and domains of every size on a binade of 24 bits") {
  const double from = 1.375;
  const double to = 0x1.70003p+0;
  const Enumeration expected = enumerate_fast(known_exp, {24, -126}, from, to, 24, Rounding::all, 11);
  Task task = make_task(known_exp, {"binary32", 24, -126, 24, from, to}, Rounding::all, 11);
  Work work;
  for (const std::int64_t batch : {1, 3, 1000, 1 << 20}) {
    for (const std::int64_t capacity : {5, 1 << 20}) {
      if (!tries_all && (batch == 1 || batch == 1 << 20) == (capacity > 5))
        continue; // each with one of them
      device::Tunables tunables;
      tunables.set(device::shared_tunable("batch-domains"), batch);
      tunables.set(device::shared_tunable("survivor-capacity"), capacity);
      TestDevice device(tunables);
      for (const int domain_bits : {5, 7, 8, 10, 12}) {
        if ((batch < 1000 || capacity < 1000) && domain_bits < 8)
          continue; // too many launches
        task.choices.domain_bits = domain_bits;
        task.costs = test_eagerly();
        compare(task, device, expected, work);
      }
    }
  }
  work.check();
}

TEST_CASE("brute force: N and κ moved from the planner's choice, compaction of the tunables") {
  const double from = 1.375;
  const double to = 0x1.70003p+0;
  const Enumeration expected = enumerate_fast(known_exp, {24, -126}, from, to, 24, Rounding::all, 11);
  Work work;
  for (const int offset : {-4, -2, -1, 1, 2, 4}) {
    device::Tunables tunables;
    tunables.set(engine::domains::domain_tunable("plan.domain-bits-offset"), offset);
    tunables.set(engine::domains::domain_tunable("plan.split-bits-offset"), -offset / 2);
    tunables.set(device::shared_tunable("compaction"), offset % 4 == 0 ? 1 : 2);
    TestDevice device(tunables);
    CHECK(device.compaction() == (offset % 4 == 0 ? Compaction::atomic : Compaction::scan));
    Task task = make_task(known_exp, {"binary32", 24, -126, 24, from, to}, Rounding::all, 11);
    task.costs = test_eagerly();
    const engine::domains::DomainOptions options = engine::domains::domain_options(device.settings(task));
    CHECK(options.domain_bits_offset == offset);
    CHECK(options.split_bits_offset == -offset / 2);
    compare(task, device, expected, work);
  }
  work.check();
}

} // namespace tmd::test
