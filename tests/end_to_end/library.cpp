// The public headers as a program uses them: whole searches on a device, with their callbacks.
#include <tmd/function.hpp>
#include <tmd/result.hpp>
#include <tmd/search.hpp>

#include "device.hpp"
#include "temporary_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tmd::test {

namespace {

// The papers' 2^40 arguments, with 243 cases, or the first 2^(40 - less) of them.
SearchSpec papers(int less = 0) {
  SearchSpec spec;
  spec.functions = {"exp"};
  spec.from = "1";
  spec.to = "1+2^-" + std::to_string(13 + less);
  spec.argument_precision = 54;
  spec.rounding = Rounding::directed;
  spec.bits = 33 - less;
  spec.devices = {std::to_string(test_device().index)};
  return spec;
}

std::vector<std::string> sorted(const std::vector<Case>& cases) {
  std::vector<std::string> texts;
  for (const Case& one : cases)
    texts.push_back(to_hex(one.x));
  std::sort(texts.begin(), texts.end());
  return texts;
}

} // namespace

TEST_CASE("library: a job is described before it is searched, and what is wrong with it names its option") {
  const JobDescription job = describe_job(papers());
  CHECK(job.identity == "exp on [0x1p+0, 0x1.0008p+0), p = 53, e = -1022 to 1023, q = 54, directed, K = 33");
  CHECK(job.arguments == uint128(1) << 40);
  CHECK(job.expected_cases == doctest::Approx(256));
  CHECK(describe_function("exp(x)/x").name == "exp(x)/x");
  JobSpec wrong = papers();
  wrong.to = "1";
  try {
    (void)describe_job(wrong);
    FAIL("no exception");
  } catch (const OptionError& error) {
    CHECK(error.option() == "to");
  }
}

TEST_CASE("library: each case is told once, whatever is left to a journal") {
  const TemporaryFolder folder;
  SearchSpec spec = papers(8);
  spec.journal = (folder.path() / "journal").string();
  std::vector<Case> told;
  std::atomic<bool> stop = false;
  SearchEvents events;
  events.found = [&](const Case& one) {
    told.push_back(one);
    stop = true;
  };
  events.cancelled = [&] { return stop.load(); };
  const SearchOutcome first = search(spec, events);
  CHECK(sorted(told).size() >= first.cases.size());
  if (first.cancelled) {
    CHECK(first.journal == folder.path() / "journal");
    CHECK_FALSE(first.is_complete());
  }
  told.clear();
  events.cancelled = {};
  double last = 0;
  events.progress = [&](const Progress& now) { last = static_cast<double>(now.done) / static_cast<double>(now.total); };
  const SearchOutcome whole = search(spec, events);
  CHECK(whole.is_complete());
  CHECK(whole.arguments == uint128(1) << 32);
  CHECK(whole.cases.size() > 200);
  CHECK(sorted(told) == sorted(whole.cases));
  CHECK(last == 1);
}

TEST_CASE("library: what a callback throws ends the search and comes out of it") {
  SearchEvents events;
  events.found = [](const Case&) { throw std::logic_error("enough"); };
  CHECK_THROWS_WITH_AS((void)search(papers(8), events), "enough", std::logic_error);
  events.found = {};
  events.progress = [](const Progress&) { throw std::logic_error("too far"); };
  CHECK_THROWS_WITH_AS((void)search(papers(8), events), "too far", std::logic_error);
}

TEST_CASE("library: two searches beside each other find what each finds alone") {
  SearchSpec other = papers(8);
  other.functions = {"exp2"};
  const SearchOutcome one_alone = search(papers(8));
  const SearchOutcome other_alone = search(other);
  SearchOutcome one;
  std::thread beside([&] { one = search(papers(8)); });
  const SearchOutcome found = search(other);
  beside.join();
  CHECK(sorted(one.cases) == sorted(one_alone.cases));
  CHECK(sorted(found.cases) == sorted(other_alone.cases));
}

TEST_CASE("library: an estimate counts what is to be searched, and predicts how long it takes") {
  const Estimate estimate = tmd::estimate(papers());
  CHECK(estimate.arguments == uint128(1) << 40);
  CHECK(estimate.to_search == estimate.arguments);
  CHECK(estimate.cases == doctest::Approx(256));
  CHECK(estimate.seconds.value_or(0) > 0);
  CHECK(estimate.devices.size() == 1);
}

TEST_CASE("library: files are read, verified and merged to what the searches have found") {
  const TemporaryFolder folder;
  const auto file = [&](const std::string& name) { return (folder.path() / name).string(); };
  SearchSpec spec = papers(8);
  spec.json = file("whole.jsonl");
  spec.wc = file("whole.wc.xz");
  const SearchOutcome whole = search(spec);
  for (const std::string& name : {*spec.json, *spec.wc, file("whole.wc.xz.journal")}) {
    const Result read = read_result(name);
    CHECK(sorted(read.cases) == sorted(whole.cases));
    CHECK(read.job.identity == whole.job.identity);
    CHECK(read.missing() == 0);
    CHECK(verify_result(name).failures.empty());
  }
  std::vector<std::string> parts;
  for (const int part : {1, 2}) {
    spec.shard = PartOfJob{part, 2};
    spec.wc.reset();
    spec.json = parts.emplace_back(file(std::to_string(part) + ".jsonl"));
    (void)search(spec);
  }
  MergeOptions options;
  options.json = file("merged.jsonl");
  CHECK(sorted(merge_results(parts, options).cases) == sorted(whole.cases));
  CHECK(sorted(read_result(*options.json).cases) == sorted(whole.cases));
  parts.pop_back();
  CHECK_THROWS_AS((void)merge_results(parts), UsageError);
  options.allow_gaps = true;
  CHECK(merge_results(parts, options).missing() > 0);
  CHECK_THROWS_AS((void)read_result(file("no such file")), UsageError);
}

} // namespace tmd::test
