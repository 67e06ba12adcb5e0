// Plans of the phase walk, with their windows and batches, leave no phase and no argument out.
#include "unit/engine/phase/phases.hpp"

#include "host/engine/phase/planner.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace tmd::engine::phase {

namespace {

// Batches cover the plan one after the other, and the windows of each its part of the coordinate.
void check_batches(const PhasePlan& plan) {
  std::uint64_t done = 0;
  std::uint64_t batches = 0;
  while (done < plan.count) {
    const auto any = plan.batch(done);
    const auto& batch = dynamic_cast<const PhaseBatch&>(*any);
    REQUIRE(batch.count() > 0);
    REQUIRE(batch.count() <= plan.count - done);
    if (plan.is_listed || plan.is_empty) {
      CHECK(batch.windows == 0);
    } else {
      REQUIRE(batch.windows > 0);
      CHECK(batch.first_window + batch.windows <= plan.windows);
      // The first window begins a step before the plan.
      CHECK(uint128(batch.first_window) * plan.width <= uint128(done) + 1);
      CHECK(uint128(batch.first_window + batch.windows) * plan.width >= uint128(done) + batch.count() + 1);
      const std::uint64_t groups = ((batch.windows - 1) >> batch.parameters.group_bits) + 1;
      CHECK(batch.tables.size() == groups * layout::table_words(batch.parameters.degree));
      CHECK(batch.starts.size() == groups * layout::start_words);
    }
    done += batch.count();
    ++batches;
  }
  CHECK(done == plan.count);
  CHECK((plan.windows <= 2 * plan.batch_windows ||
         plan.batch_windows < std::uint64_t(1) << plan.parameters.group_bits || batches > 1));
}

std::vector<std::unique_ptr<PhasePlan>> plans_of(const std::shared_ptr<const PhaseField>& field,
                                                 const PhaseOptions& options, uint128 most) {
  PhasePlanner planner(field, options);
  std::vector<std::unique_ptr<PhasePlan>> plans;
  for (uint128 at = 0; at < field->extent(); at += plans.back()->count) {
    plans.push_back(planner.plan(at, std::min(most, field->extent() - at)));
    REQUIRE(plans.back());
    const PhasePlan& plan = *plans.back();
    CHECK(plan.first == at);
    REQUIRE(plan.count > 0);
    CHECK(uint128(plan.count) <= most);
    CHECK(plan.zone == &field->zone(at));
    CHECK(at + plan.count <= plan.zone->first + plan.zone->extent);
    if (!plan.zone->is_direct) { // one binade of values
      CHECK(field->value_exponent(PhaseField::phase(*plan.zone, at)) == plan.exponent);
      CHECK(field->value_exponent(PhaseField::phase(*plan.zone, at + plan.count - 1)) == plan.exponent);
    }
  }
  return plans;
}

// Adds up the lists of all places of a field: the places outside direct zones, and the arguments of the longest list.
struct Lists {
  std::size_t plans = 0;
  std::size_t longest = 0;
};

// Checks lists by exact counts. The companion's arguments are the own ones of `companion`.
Lists check_lists(const std::shared_ptr<const PhaseField>& field, const PhaseField* companion, double width) {
  PhaseOptions options;
  options.width = width;
  PhasePlanner planner(field, options);
  Lists lists;
  for (const auto& plan : plans_of(field, options, field->extent())) {
    const uint128 at = plan->first;
    const uint128 arguments =
        field->arguments_at(at, plan->count) + (companion != nullptr ? companion->arguments_at(at, plan->count) : 0);
    const PhaseZone& zone = *plan->zone;
    if (plan->is_listed) {
      CHECK(plan->windows == 0);
      REQUIRE(arguments < uint128(1) << 24);
      const uint128 own = field->arguments_at(at, plan->count);
      const std::vector<std::uint64_t> all = plan->all_arguments();
      lists.plans += zone.is_direct ? 0 : 1;
      lists.longest = std::max(lists.longest, all.size());
      // Lists that are not at an end of the phases extend a step further on either side.
      const bool is_inside = at > zone.first && at + plan->count < zone.first + zone.extent;
      const uint128 first = is_inside ? at - 1 : at;
      const uint128 count = plan->count + (is_inside ? 2 : 0);
      if (is_inside || zone.is_direct)
        CHECK(uint128(all.size()) == field->arguments_at(first, count));
      CHECK(uint128(all.size()) >= own);
      if (companion != nullptr) {
        CHECK(companion->zone(at).first == zone.first);
        const std::size_t of_companion = plan->all_arguments(true).size();
        lists.longest = std::max(lists.longest, of_companion);
        CHECK(of_companion >= companion->arguments_at(at, plan->count));
        if (is_inside || zone.is_direct)
          CHECK(of_companion == companion->arguments_at(first, count));
      }
      const auto offer = planner.offer(at, field->extent() - at);
      REQUIRE(offer);
      CHECK(offer->cost * static_cast<double>(offer->count) > static_cast<double>(arguments));
    } else if (!plan->is_empty && arguments < uint128(1) << 18) {
      CHECK(static_cast<double>(plan->windows) <= 16 * static_cast<double>(arguments));
    }
  }
  return lists;
}

} // namespace

TEST_CASE("phase plans: they and their batches tile the coordinate, however much is asked for") {
  for (const std::string function : {"sin", "cos", "tan", "exp"})
    for (const auto& [precision, exponent, bits] :
         {std::tuple(8, 3, 3), std::tuple(11, 15, 4), std::tuple(16, 1000, 7), std::tuple(53, 1000, 44)}) {
      const auto field =
          std::make_shared<const PhaseField>(phase_job(function, precision, bits), binade(precision, exponent));
      for (const uint128 most : {field->extent(), field->extent() / 13 + 1, (uint128(1) << 57) + 12345}) {
        INFO(function, ", p = ", precision, ", 2^", exponent);
        for (const std::uint64_t batch_windows : {std::uint64_t(1), std::uint64_t(1) << 12}) {
          PhaseOptions options;
          options.batch_windows = batch_windows;
          for (const auto& plan : plans_of(field, options, most))
            if (plan->windows < 4096)
              check_batches(*plan);
        }
      }
    }
}

TEST_CASE("phase plans: windows and lists hold every argument of the plan's phases") {
  for (const std::string function : {"sin", "cos", "tan", "exp10"})
    for (const auto& [precision, exponent, bits] :
         {std::tuple(8, 3, 3), std::tuple(8, 120, 4), std::tuple(11, 15, 4), std::tuple(16, 10, 7)}) {
      INFO(function, ", p = ", precision, ", 2^", exponent);
      const auto field =
          std::make_shared<const PhaseField>(phase_job(function, precision, bits), binade(precision, exponent));
      const auto phases = phases_of(*field);
      const auto before = [&](const number::Integer& phase) {
        return std::lower_bound(phases.begin(), phases.end(), phase,
                                [](const number::Integer& x, const number::Integer& y) { return fmpz_cmp(x, y) < 0; }) -
               phases.begin();
      };
      std::set<std::uint64_t> all;
      for (const auto& plan : plans_of(field, {}, field->extent())) {
        const number::Integer from = PhaseField::phase(*plan->zone, plan->first);
        const number::Integer to = PhaseField::phase(*plan->zone, plan->first + plan->count);
        const auto expected = static_cast<std::size_t>(before(to) - before(from));
        std::set<std::uint64_t> held;
        const auto hold = [&](const std::vector<std::uint64_t>& some) { held.insert(some.begin(), some.end()); };
        if (plan->is_listed)
          hold(plan->all_arguments());
        for (std::uint64_t window = 0; window < plan->windows; ++window)
          hold(plan->arguments_in(window, 1));
        if (!plan->is_listed && !plan->is_empty) {
          const std::vector<std::uint64_t> together = plan->arguments_in(0, plan->windows);
          CHECK(std::set<std::uint64_t>(together.begin(), together.end()) == held);
        }
        CHECK((plan->is_empty || held.size() >= expected));
        if (plan->zone->is_direct)
          CHECK(held.size() == expected);
        all.insert(held.begin(), held.end());
      }
      CHECK(uint128(all.size()) == field->arguments().count);
    }
}

TEST_CASE("phase plans: where windows are far more than arguments, just these are listed") {
  constexpr std::size_t few = std::size_t(1) << 18;
  for (const auto& [function, companion, precision, exponent, bits, width] :
       {std::tuple(std::string("tan"), std::string(), 53, 600, 44, 2.7),
        std::tuple(std::string("tan"), std::string(), 24, 100, 60, 1.0),
        std::tuple(std::string("sin"), std::string("cos"), 64, 100, 55, 2.0)}) {
    INFO(function, ", p = ", precision);
    const auto field =
        std::make_shared<const PhaseField>(phase_job(function, precision, bits), binade(precision, exponent),
                                           companion.empty() ? std::vector<const function::Function*>()
                                                             : std::vector{&function::find_function(companion)});
    std::unique_ptr<const PhaseField> of_companion;
    if (!companion.empty())
      of_companion =
          std::make_unique<const PhaseField>(phase_job(companion, precision, bits), binade(precision, exponent));
    const Lists lists = check_lists(field, of_companion.get(), width);
    CHECK(lists.plans > 0);
    CHECK(lists.longest < few);
  }
}

TEST_CASE(
    "phase plans: lists are not long of a range shorter than a period, where those of a companion crowd elsewhere") {
  const job::Stretch stretch{false, -49, uint128(1) << 52, uint128(1) << 46}; // [8, 8.125): 0.18 periods of exp
  const job::Job job = phase_job("exp", 53, 44);
  const auto both = std::make_shared<const PhaseField>(job, stretch, std::vector<const function::Function*>(),
                                                       std::vector{stretch.mirrored()});
  const PhaseField opposite(job, stretch.mirrored());
  CHECK(check_lists(both, &opposite, 2.7).longest < std::size_t(1) << 18);
  for (const uint128 at : {uint128(0), both->extent() / 3, both->extent() / 5 * 4})
    CHECK(both->arguments_at(at, both->extent() / 7, true) == opposite.arguments_at(at, both->extent() / 7));
  const job::Stretch short_one{false, -46, uint128(1) << 52, uint128(1) << 45}; // [64, 64.5)
  const auto sine = std::make_shared<const PhaseField>(phase_job("sin", 53, 44), short_one,
                                                       std::vector{&function::find_function("cos")});
  const PhaseField cosine(phase_job("cos", 53, 44), short_one);
  CHECK(check_lists(sine, &cosine, 2.7).longest < std::size_t(1) << 18);
}

TEST_CASE("phase plans: lists are not long either of a short range at a pole, where arguments crowd together") {
  const uint128 middle = 0x1921fb54442d18; // multiples of π/2 with 53 bits
  for (const int bits : {41, 33}) {
    INFO("2^", bits, " arguments");
    const job::Stretch stretch{false, -52, middle - (uint128(1) << (bits - 1)), uint128(1) << bits};
    const auto field = std::make_shared<const PhaseField>(phase_job("tan", 53, 44), stretch);
    CHECK(field->arguments_at(0, field->extent()) == stretch.count);
    CHECK(check_lists(field, nullptr, 2).longest < std::size_t(1) << 18);
  }
}

TEST_CASE("phase plans: a list has what lies behind the border of a binade in the last step of the plan before") {
  // Just above 2, the only case of 2^22 arguments in such a step: the plan of [1, 2), which it is counted for, has
  // other breakpoints, and is walked.
  job::Job job = phase_job("tan", 64, 16);
  job.rounding = Rounding::nearest;
  const std::uint64_t index = std::uint64_t(1) << 21;
  const uint128 first = uint128(0xd21a5d4d1a2f3a32) - index;
  const auto field = std::make_shared<const PhaseField>(job, job::Stretch{false, 188, first, uint128(1) << 22});
  for (const double width : {1.5, 3.0}) {
    PhaseOptions options;
    options.width = width;
    bool is_there = false;
    for (const auto& plan : plans_of(field, options, field->extent()))
      if (plan->exponent == 1 && !plan->is_empty) {
        const std::vector<std::uint64_t> own =
            plan->is_listed ? plan->all_arguments() : plan->arguments_in(0, plan->windows);
        is_there = is_there || std::binary_search(own.begin(), own.end(), index);
      }
    CHECK(is_there);
  }
}

TEST_CASE("phase plans: what kernels tell of a point leaves every argument that it may be") {
  const job::Job job = phase_job("sin", 64, 55);
  const uint128 first = uint128(1) << 63;
  for (const int bits : {57, 60, 61, 62, 63})
    for (const int off : {-1, 0, 1}) {
      const uint128 count = (uint128(1) << bits) + off;
      if (count > first)
        continue;
      const auto field = std::make_shared<const PhaseField>(job, job::Stretch{false, 200, first, count},
                                                            std::vector{&function::find_function("cos")});
      PhasePlan plan;
      plan.field = field;
      CHECK(plan.is_told_in_part() == (count > uint128(1) << 61));
      const auto end = static_cast<std::uint64_t>(count);
      for (const std::uint64_t index : {std::uint64_t(0), std::uint64_t(1), end / 4, end / 2 - 1, end / 2, end / 2 + 1,
                                        end - end / 4, end - 2, end - 1})
        for (int target = 0; target < layout::most_targets; ++target) {
          INFO("2^", bits, " + ", off, ", index ", index, ", target ", target);
          const std::int64_t m = static_cast<std::int64_t>(index) - static_cast<std::int64_t>(end / 2);
          const PhasePoint point{target % 2 == 0 ? m : -m, target};
          REQUIRE(plan.argument_of(point) == PhaseArgument{index, target < layout::targets_of_one ? 0U : 1U});
          std::vector<PhasePoint> points;
          plan.add_points(layout::found_entry(point.m, target), PhaseBatch(), points);
          CHECK(std::count(points.begin(), points.end(), point) == 1);
          CHECK(points.size() <= (plan.is_told_in_part() ? 3 : 1));
        }
    }
}

TEST_CASE("phase plans: what kernels tell of a logarithm's point leaves the argument, of all in a batch's windows") {
  for (const auto& [precision, reach] :
       {std::pair(53, 184), std::pair(53, 600), std::pair(64, 2900), std::pair(20, 5)}) {
    INFO("p = ", precision, ", ", reach);
    job::Job job = phase_job("log", precision, precision - 9);
    job.format = {"p", precision, -16382, 16383};
    const std::vector<job::Stretch> others{binade(precision, 5000 + reach), binade(precision, -5000),
                                           binade(precision, -5000 - 2 * reach)};
    const auto field = std::make_shared<const PhaseField>(job, binade(precision, 5000 - reach),
                                                          std::vector<const function::Function*>(), others);
    CHECK(field->targets() == 2);
    PhasePlanner planner(field, {});
    for (const unsigned share : {0U, 5U, 15U}) {
      const uint128 at = field->extent() / 16 * share;
      const auto plan = planner.plan(at, field->extent() - at);
      REQUIRE(plan);
      CHECK(plan->is_told_in_part() == (precision == 64 || reach == 600));
      const auto some = plan->batch(0);
      const auto& batch = dynamic_cast<const PhaseBatch&>(*some);
      for (const std::uint64_t window : {std::uint64_t(0), batch.windows / 2, batch.windows - 1}) {
        const std::vector<std::uint64_t> places = plan->arguments_in(batch.first_window + window, 1);
        REQUIRE(!places.empty());
        for (const std::uint64_t place : {places.front(), places[places.size() / 2], places.back()})
          for (std::size_t owner = 0; owner < 4; ++owner) {
            const PhaseArgument argument{place, owner};
            const PhasePoint point = plan->point_of(argument);
            CHECK(plan->argument_of(point) == argument);
            CHECK(point.target == (owner < 2 ? 0 : 1));
            CHECK(std::abs(point.binade) == reach);
            std::vector<PhasePoint> points;
            plan->add_points(plan->entry_of(point), batch, points);
            CHECK(std::count(points.begin(), points.end(), point) == 1);
            CHECK(points.size() < 20);
          }
      }
    }
  }
}

TEST_CASE("phase plans: values that a format does not have are passed over") {
  job::Job job = phase_job("tan", 11, 4);
  job.format = find_format("binary16");
  job.values = Values::format;
  const auto field = std::make_shared<const PhaseField>(job, binade(11, 12));
  for (const auto& plan : plans_of(field, {}, field->extent()))
    check_batches(*plan);
}

} // namespace tmd::engine::phase
