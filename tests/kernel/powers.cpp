// Searches of x^y by boxes on a device, of whole formats: they find and count what a search pair by pair does, whatever
// the rounding; and what a journal keeps of them.
#include "device.hpp"
#include "host/engine/boxes/self_test.hpp"
#include "host/pairs/pair_counts.hpp"
#include "host/pairs/pair_search.hpp"
#include "host/pairs/power_journal.hpp"
#include "temporary_folder.hpp"
#include "thorough.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <tuple>

namespace tmd::test {

namespace {

pairs::PairJob job_of(const Format& format, Rounding rounding, int bits) {
  return {function::find_pair_function("pow"), format, rounding, bits};
}

struct TestDevice {
  std::shared_ptr<engine::Launcher> launcher = std::make_shared<engine::Launcher>(test_device(), 1 << 20);
  engine::boxes::BoxSearch search{launcher, 100};
};

// All parts of a search in units of this many boxes.
std::vector<pairs::PowerPart> parts_of(const pairs::PairJob& job, const pairs::PowerLines& lines,
                                       const job::Coverage& wanted, TestDevice& device, double boxes = 1e4) {
  std::vector<pairs::PowerPart> parts;
  pairs::PowerHooks hooks;
  hooks.searched = [&](pairs::PowerPart part) { parts.push_back(std::move(part)); };
  const std::array<engine::boxes::BoxSearch*, 1> devices{&device.search};
  CHECK(pairs::search_power_units(job, lines, pairs::power_units(lines, wanted, job, boxes), devices, 2, hooks, {}));
  return parts;
}

pairs::PowerWork sum_of(const pairs::PairJob& job, const std::vector<pairs::PowerPart>& parts) {
  pairs::PowerWork sum{pairs::PairFindings(job)};
  for (const pairs::PowerPart& part : parts)
    sum.add(part.work);
  return sum;
}

std::vector<std::string> texts_of(const std::vector<pairs::PairCase>& cases) {
  std::vector<std::string> texts;
  for (const pairs::PairCase& one : cases)
    texts.push_back(pairs::to_text(one.operands) + " " + std::to_string(one.found.bits));
  return texts;
}

} // namespace

TEST_CASE("powers: whole formats by boxes and pair by pair") {
  if (!test_device().has_fp64())
    return;
  TestDevice device;
  const auto bits = [](int all) { return all - (tries_all ? 0 : 1); }; // each makes four times as many pairs
  const Format many_exponents{"many exponents", bits(8), -14, 15};
  const Format few_exponents{"few exponents", bits(9), -3, 3};
  const Format no_small_numbers{"6 bits", 6, 0, 6};
  for (const pairs::PairJob& job :
       {job_of(many_exponents, Rounding::all, 10), job_of(many_exponents, Rounding::nearest, 8),
        job_of(many_exponents, Rounding::directed, 9), job_of(few_exponents, Rounding::all, 7),
        job_of(few_exponents, Rounding::directed, 12), job_of({"10 bits", 10, -6, 7}, Rounding::all, 11),
        job_of(no_small_numbers, Rounding::all, 3), job_of({"6 bits", 6, -6, 7}, Rounding::directed, 3)}) {
    if (!tries_all && job.format.precision > 9)
      continue;
    CAPTURE(pairs::describe(job));
    const pairs::PowerLines lines(job);
    const std::vector<pairs::PowerPart> parts = parts_of(job, lines, pairs::lines_wanted(lines, job), device);
    pairs::PowerWork work = sum_of(job, parts);
    uint128 pairs = 0;
    for (const uint128 some : work.pairs)
      pairs += some;
    CHECK(bool(pairs == lines.pairs(0, lines.size())));
    CHECK(work.planted > 0);
    const pairs::PairResult found = std::move(work.found).result();
    const pairs::PairResult expected = pairs::search_every_pair(job, 2);
    CHECK(texts_of(found.cases) == texts_of(expected.cases));
    CHECK(found.cases.size() > 20);
    for (std::size_t i = 0; i < found.families.size(); ++i)
      CHECK(bool(found.families[i].entries == expected.families[i].entries));
    MESSAGE(found.cases.size() << " cases, " << parts.size() << " units, " << found.candidates << " candidates");
  }
}

// The integers of each number end where the value is beyond the format's.
TEST_CASE("powers: (1 + x)^n, whole formats by boxes and pair by pair") {
  if (!test_device().has_fp64())
    return;
  TestDevice device;
  engine::boxes::test_boxes(*device.launcher, device.search, true);
  const Format small{"5 bits", 5, -4, 4};
  const int wide_precision = tries_all ? 8 : 7;
  const Format wide{"many n", wide_precision, -6, 6}; // so many n that lines skip most of them
  for (const auto& [format, rounding, bits] : {std::tuple(small, Rounding::all, 5),
                                               {small, Rounding::nearest, 3},
                                               {small, Rounding::directed, 7},
                                               {wide, Rounding::all, wide_precision + 4}}) {
    const pairs::PairJob job{function::find_pair_function("compoundn"), format, rounding, bits};
    const double beside_one = std::ldexp(1, -format.precision - 1); // of n·log2(1 + x)
    pairs::PairFindings pair_by_pair(job);
    for (const engine::boxes::PowerRectangle& cell : engine::boxes::compound_cells(format))
      for (std::uint32_t x = cell.x_first; x < cell.x_end; ++x) {
        const double log2 = std::fabs(engine::boxes::logarithm_at(cell, x)) / std::log(2.0);
        for (std::uint32_t n = cell.y_first; n < cell.y_end && n * log2 < 20; ++n)
          if (cell.is_negative || n > 1)
            pair_by_pair.look_at(pairs::operands_of(cell, {x, n}), 1, n * log2 < beside_one);
      }
    const pairs::PowerLines lines(job);
    pairs::PowerWork work = sum_of(job, parts_of(job, lines, pairs::lines_wanted(lines, job), device));
    CHECK(work.planted > 0);
    const pairs::PairResult found = std::move(work.found).result();
    const pairs::PairResult expected = std::move(pair_by_pair).result();
    CHECK(texts_of(found.cases) == texts_of(expected.cases));
    CHECK(found.cases.size() > 20);
    for (std::size_t i = 0; i < found.families.size(); ++i)
      CHECK(bool(found.families[i].entries == expected.families[i].entries));
    MESSAGE(found.cases.size() << " cases, " << found.candidates << " candidates of " << expected.candidates);
    if (format.precision > 5 && rounding == Rounding::all) {
      std::vector<pairs::PairCase> cases = found.cases;
      const std::vector<pairs::PairCount> counts = count_pairs(job, cases);
      REQUIRE(counts.size() > 4);
      CHECK(counts.front().p * static_cast<double>(counts.size()) > 1e-3);
      MESSAGE(counts.front().cell << ": " << counts.front().cases << " of " << counts.front().expected << " expected");
      cases.resize(cases.size() / 2);
      CHECK(count_pairs(job, cases).front().p < 1e-6);
    }
  }
}

TEST_CASE("powers: values next to 1 are counted, in binary32 too") {
  if (!test_device().has_fp64())
    return;
  const pairs::PairJob job = job_of(find_format("binary32"), Rounding::all, 20);
  // With x next to 2 and y about 2^-45, cases end within these lines. For y < 0 values are below 1, where spacings are
  // half as wide.
  for (const bool is_negative : {false, true}) {
    engine::boxes::PowerRectangle r{-23, -68, is_negative, (1 << 24) - 8, 1 << 24, 1 << 23, 1 << 24};
    uint128 expected = 0;
    const double bound = is_negative ? 0x1p-45 : 0x1p-44; // bound of |y·log x|
    r.y_exponent += is_negative ? 0 : 1;
    for (std::uint32_t x = r.x_first; x < r.x_end; ++x)
      for (std::uint32_t y = r.y_first; y < r.y_end; y += 1 << 16)
        expected +=
            std::ldexp(double(y), r.y_exponent) * std::log(std::ldexp(double(x), r.x_exponent)) < bound ? 1 << 16 : 0;
    const auto counted = static_cast<double>(pairs::count_cases_at_one(job, r));
    CHECK(std::fabs(counted - static_cast<double>(expected)) <= (8 << 16));
    CHECK(counted > 0);
    CHECK(counted < static_cast<double>(r.pairs()));
    // Counts exactly in a line.
    r.x_first = r.x_end - 1;
    const auto last = r.y_first + static_cast<std::uint32_t>(pairs::count_cases_at_one(job, r)) - 1;
    CHECK(pairs::confirm_pair(job, pairs::operands_of(r, {r.x_first, last})));
    CHECK_FALSE(pairs::confirm_pair(job, pairs::operands_of(r, {r.x_first, last + 1})));
  }
}

TEST_CASE("powers: a device that passes its self-test must find what is planted") {
  if (!test_device().has_fp64())
    return;
  TestDevice device;
  engine::boxes::test_boxes(*device.launcher, device.search);
  const Format format{"8 bits", 8, -14, 15};
  const std::vector<engine::boxes::PowerRectangle> cells{{-7, -5, false, 128, 256, 128, 256}};
  engine::boxes::PlannedPairs planned =
      engine::boxes::plan_powers(cells, engine::boxes::PowerPlanner({Rounding::all, 8, -14, 15}, 10, {}));
  engine::boxes::plant(planned, device.search.tables(), 4, 1);
  REQUIRE(planned.planted.size() > 1);
  CHECK_FALSE(engine::boxes::search_planned(planned, device.search).empty());
  planned.planted.back().x ^= 1;
  CHECK_THROWS_AS((void)engine::boxes::search_planned(planned, device.search), FaultError);
}

TEST_CASE("powers: a journal has all that a search needs to go on") {
  if (!test_device().has_fp64())
    return;
  const TemporaryFolder folder;
  TestDevice device;
  const pairs::PairJob job = job_of(find_format("binary16"), Rounding::nearest, 16);
  const pairs::PowerLines lines(job);
  // Only one binade of x is searched here.
  const std::uint64_t middle = lines.size() / 2;
  const std::vector<pairs::PowerPart> parts =
      parts_of(job, lines, job::Coverage(int128(middle), int128(middle + 3000)), device, 300);
  REQUIRE(parts.size() > 2);
  const auto file = folder.path() / "pow.journal";
  const result::Program program = result::running_program();
  SearchSpec spec;
  spec.format = job.format.name;
  spec.rounding = job.rounding;
  {
    pairs::PowerJournal journal(file);
    CHECK_FALSE(journal.contents());
    journal.begin({program, spec, job, pairs::lines_wanted(lines, job), "tmd search pow", {}});
    journal.begin_run(program, {test_device()});
    for (const pairs::PowerPart& part : parts)
      journal.searched(part);
    CHECK_THROWS_AS(pairs::PowerJournal second(file), UsageError);
  }
  const pairs::PowerWork sum = sum_of(job, parts);
  {
    pairs::PowerJournal journal(file);
    auto contents = journal.contents();
    REQUIRE(contents);
    CHECK(contents->done == job::Coverage(int128(middle), int128(middle + 3000)));
    CHECK(contents->cases.size() == sum.found.cases().size());
    CHECK(bool(contents->work.pairs == sum.pairs));
    pairs::confirm_cases(*contents, "it", 2);
    CHECK(texts_of(pairs::PairFindings(contents->work.found).result().cases) ==
          texts_of(pairs::PairFindings(sum.found).result().cases));
    // The device turns out to be faulty: none of its earlier results counts.
    journal.begin_run(program, {test_device()});
    journal.revoked(0);
    journal.searched(parts.front());
  }
  pairs::PowerJournal journal(file);
  const auto contents = journal.contents();
  REQUIRE(contents);
  CHECK(contents->done == job::Coverage(int128(parts.front().first), int128(parts.front().last)));
  CHECK(contents->devices.size() == 1);
  // Counts the same lines once more.
  journal.begin_run(program, {test_device()});
  journal.searched(parts.front());
  CHECK_THROWS_AS((void)journal.contents(), SoundnessError);
}

TEST_CASE("powers: a journal that was changed is refused") {
  if (!test_device().has_fp64())
    return;
  const TemporaryFolder folder;
  TestDevice device;
  const pairs::PairJob job = job_of(find_format("binary16"), Rounding::all, 14);
  const pairs::PowerLines lines(job);
  const std::uint64_t middle = lines.size() / 2;
  const std::vector<pairs::PowerPart> parts =
      parts_of(job, lines, job::Coverage(int128(middle), int128(middle + 2000)), device);
  const auto file = folder.path() / "pow.journal";
  SearchSpec spec;
  spec.format = job.format.name;
  {
    pairs::PowerJournal journal(file);
    journal.begin({result::running_program(), spec, job, pairs::lines_wanted(lines, job), "tmd search pow", {}});
    journal.begin_run(result::running_program(), {test_device()});
    pairs::PowerPart wrong = parts.front();
    wrong.work.pairs[0] += 1;
    journal.searched(wrong);
    CHECK_THROWS_AS((void)journal.contents(), SoundnessError); // pairs that do not exist
  }
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  const auto parse = [](std::string lines) {
    return pairs::parse_power_journal([lines](const support::TextSink& sink) { sink(lines); }, "it");
  };
  const std::string whole = text.str();
  const std::string head = whole.substr(0, whole.rfind("{\"type\":\"part\""));
  CHECK(parse(head).done.empty());
  CHECK(parse(head + "{\"type\":\"pa").was_torn);
  std::string damaged = head;
  damaged[damaged.find("pow")] = 'P';
  CHECK_THROWS_AS((void)parse(damaged), UsageError);
  pairs::PowerJournalContents contents = parse(head);
  contents.cases = {{Argument{false, 3, 0}, Argument{false, 3, -1}}};
  CHECK_THROWS_AS(pairs::confirm_cases(contents, "it", 1), SoundnessError);
}

} // namespace tmd::test
