// Messages between ranks are read as they were written.
#include "host/cluster/messages.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>

#include <exception>
#include <limits>
#include <string>
#include <utility>

namespace tmd::cluster {
using namespace tmd::cluster;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The record as the receiver reads it.
result::Json sent(const result::Json& record) { return result::Json::parse(record.dump()); }

// A result as the receiver reads it.
result::PartResult sent(const job::Job& job, const result::PartResult& result, Names& names) {
  return read_result(job, read_message(to_text(message("result", 3), result)), names);
}

template <typename Kind> void check_failure(const Kind& error, Status status, const std::string& sentence) {
  result::Json record = message("lost", 3);
  write_failure(record, error);
  try {
    std::rethrow_exception(read_failure(sent(record)));
  } catch (const Kind& read) {
    CHECK(failure_of(read).status == status);
    CHECK(std::string(read.what()) == sentence);
  }
}

} // namespace

TEST_CASE("messages: parts and their fields") {
  Names names;
  const job::Stretch stretch{true, -1074, uint128(1) << 63, (uint128(1) << 64) + 5};
  const auto check = [&](const engine::Field& field) {
    const searches::PartExchange::Assignment given{{12, uint128(1) << 70, 7}, field};
    const searches::PartExchange::Assignment read = read_assignment(sent(assignment_record(given)), names);
    CHECK(read.part == given.part);
    CHECK(read.field.arguments.negative == field.arguments.negative);
    CHECK(read.field.arguments.unit_exponent == field.arguments.unit_exponent);
    CHECK(read.field.arguments.first == field.arguments.first);
    CHECK(read.field.arguments.count == field.arguments.count);
    CHECK((read.field.values() == nullptr) == (field.values() == nullptr));
    CHECK((field.values() == nullptr || *read.field.values() == *field.values()));
    CHECK(read.field.is_claimed() == field.is_claimed());
    CHECK((!field.is_claimed() || read.field.is_claimed_by(field.claim()->engine)));
    CHECK(read.field.extent() == field.extent());
  };
  check(engine::Field::of({stretch, job::OutputBinade{true, -17}}));
  check(engine::Field::of({stretch, std::nullopt}));
  check({stretch, engine::Claim{.engine = "phase", .extent = 99}});
}

TEST_CASE("messages: results with their plans") {
  Names names;
  const job::Job job = some_job();
  result::PartResult result;
  result.part = {3, 1000, uint128(1) << 60};
  result.found = {{job.arguments().at(job.first + 5), 50.123456789012345, Breakpoint::midpoint, Case::Kind::hard, true},
                  {job.arguments().at(job.first + 6), infinity, Breakpoint::representable, Case::Kind::exact},
                  {job.arguments().at(job.first + 7), infinity, Breakpoint::representable, Case::Kind::undecided}};
  result.candidates = 17;
  result.direct = uint128(1) << 65;
  set_stage(result.stages, "wide_groups", 1000, 30, 2.25);
  result.idle[engine::IdleReason::self_tests] = 0.5;
  result.seconds = 0.1;
  result.planning_seconds = 1e-3;
  result.fixed_seconds = 1e-4;
  result::PartResult read = sent(job, result, names);
  CHECK_FALSE(read.plan);

  result.plan.emplace();
  result.plan->method = "wide";
  result.plan->facts = {{"group_bits", "groups of", true, 12, 20}};
  result.plan->ledger = {{"taylor", number::Bound::power_of_two(-60) * number::Bound(3), false},
                         {"sum", number::Bound::of(infinity), true}};
  result.plan->notes = {"a note"};
  result.intervals = 4;
  result.prices = {{"wide", 0.125}, {"regular", infinity}};
  read = sent(job, result, names);
  CHECK(read.part == result.part);
  REQUIRE(read.found.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(read.found[i].x == result.found[i].x);
    CHECK(read.found[i].bits == result.found[i].bits);
    CHECK(read.found[i].breakpoint == result.found[i].breakpoint);
    CHECK(read.found[i].kind == result.found[i].kind);
    CHECK(read.found[i].is_least == result.found[i].is_least);
  }
  CHECK(read.candidates == 17);
  CHECK(read.direct == result.direct);
  CHECK(engine::stage(read.stages, "wide_groups").kept == 30);
  CHECK(engine::stage(read.stages, "wide_groups").seconds == 2.25);
  CHECK(read.idle.of == result.idle.of);
  CHECK(read.seconds == 0.1);
  CHECK(read.planning_seconds == 1e-3);
  CHECK(read.fixed_seconds == 1e-4);
  REQUIRE(read.plan);
  CHECK(read.plan->method == "wide");
  REQUIRE(read.plan->facts.size() == 1);
  CHECK(read.plan->facts[0].label == "groups of");
  CHECK(read.plan->facts[0].is_log2);
  CHECK(read.plan->facts[0].least == 12);
  CHECK(read.plan->facts[0].greatest == 20);
  REQUIRE(read.plan->ledger.size() == 2);
  CHECK(read.plan->ledger[0].name == "taylor");
  CHECK(read.plan->ledger[0].bound.value() == result.plan->ledger[0].bound.value());
  CHECK_FALSE(read.plan->ledger[1].bound.is_finite());
  CHECK(read.plan->ledger[1].is_sum);
  CHECK(read.plan->notes == result.plan->notes);
  CHECK(read.intervals == 4);
  CHECK(engine::price_of(read.prices, "wide") == 0.125);
  CHECK(engine::price_of(read.prices, "regular") == infinity);
}

TEST_CASE("messages: cases of every format, and none that are damaged") {
  Names names;
  for (const auto& [format, precision] :
       {std::pair("binary64", 53), std::pair("binary64", 54), std::pair("binary80", 64), std::pair("binary16", 11),
        std::pair("bfloat16", 8)}) {
    job::Job job = some_job();
    job.format = find_format(format);
    job.argument_precision = precision;
    const format::ArgumentSet::Rank end = job.arguments().end();
    for (const format::ArgumentSet::Rank first :
         {format::ArgumentSet::Rank(-end + 1), format::ArgumentSet::Rank(-5), format::ArgumentSet::Rank(1),
          format::ArgumentSet::Rank(end - 8), job.arguments().parse("1", "")}) {
      job.first = first;
      job.last = first + 4;
      result::PartResult result;
      for (int i = 0; i < 4; ++i)
        result.found.push_back({job.arguments().at(first + (i * 3) % 4), 30 + i / 3.0, Breakpoint::midpoint});
      const result::PartResult read = sent(job, result, names);
      REQUIRE(read.found.size() == 4);
      for (std::size_t i = 0; i < 4; ++i) {
        CHECK(read.found[i].x == result.found[i].x);
        CHECK(read.found[i].bits == result.found[i].bits);
      }
    }
  }

  const job::Job job = some_job();
  result::PartResult result;
  for (const int i : {0, 9})
    result.found.push_back({job.arguments().at(job.first + i), 50.5, Breakpoint::midpoint});
  const std::string text = to_text(message("result", 3), result);
  const auto read = [&](const std::string& changed) { (void)read_result(job, read_message(changed), names); };
  const auto with = [&](std::size_t from_end, char byte) {
    std::string changed = text;
    changed[changed.size() - from_end] = byte;
    return changed;
  };
  result.found[1].bits = infinity;
  CHECK_THROWS_AS(read(to_text(message("result", 3), result)), UsageError);
  read(text);
  CHECK_THROWS_AS(read(text.substr(0, text.size() - 1)), UsageError);
  CHECK_THROWS_AS(read(text.substr(0, text.size() - 17)), UsageError);
  CHECK_THROWS_AS(read(text.substr(0, text.find('\0'))), UsageError);
  CHECK_THROWS_AS(read(text + "and more"), UsageError);
  CHECK_THROWS_AS(read(to_text(message("result", 3), result::PartResult()) + '\0' + std::string(17, '\0')), UsageError);
  for (const char flags : {'\1', '\3', '\7', '\x14'})
    CHECK_THROWS_AS(read(with(1, flags)), UsageError);
  for (const bool is_least : {false, true}) { // only a hard case has a lower bound of bits
    result::PartResult exact;
    exact.found.push_back({job.arguments().at(job.first), infinity, Breakpoint::midpoint, Case::Kind::exact, is_least});
    const std::string sent_text = to_text(message("result", 3), exact);
    if (is_least)
      CHECK_THROWS_AS(read(sent_text), UsageError);
    else
      read(sent_text);
  }
  CHECK_THROWS_AS(read(with(10, '\x7f')), UsageError); // it is no argument
  CHECK_THROWS_AS(read(text.substr(5)), result::Json::exception);
  result.found.push_back({job.arguments().at(job.first - 1), 50.5, Breakpoint::midpoint});
  CHECK_THROWS_AS((void)to_text(message("result", 3), result), SoundnessError);
}

TEST_CASE("messages: modes, and what has ended a worker") {
  CHECK_FALSE(read_cpu_modes(sent(cpu_modes_record(std::nullopt))));
  const engine::CpuModes modes{CpuMode::vector, {{"phase1", "explicit vectors of 8"}, {"phase2", "unknown"}}};
  const auto read = read_cpu_modes(sent(cpu_modes_record(modes)));
  REQUIRE(read);
  CHECK(read->asked == CpuMode::vector);
  CHECK(read->in_effect("phase1") == "explicit vectors of 8");
  CHECK(read->rows.size() == 2);

  check_failure(DeviceError("gone"), Status::device, "gone");
  check_failure(FaultError("wrong"), Status::unsound, "wrong");
  check_failure(FaultError("wrong", Status::device), Status::device, "wrong");
  check_failure(SoundnessError("no"), Status::unsound, "no");
  check_failure(Error(Status::usage, "what?"), Status::usage, "what?");
}

} // namespace tmd::cluster
