// Each way to choose arguments ends alike: what was found goes into the files that were asked for, a table is printed,
// and the exit status says whether a promise is broken or something was left out.
#include "libm_run.hpp"

#include "options.hpp"
#include "search_child.hpp"

#include "library/library_calls.hpp"
#include "library/other_function.hpp"
#include "report/difference_report.hpp"
#include "report/failing_list.hpp"
#include "report/library_report.hpp"
#include "report/misrounded_report.hpp"
#include "report/scan_report.hpp"
#include "result/record.hpp"
#include "result/wc.hpp"
#include "support/terminal_line.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <thread>

#include <fmt/format.h>

namespace tmd::app {

namespace {

constexpr std::size_t most_listed = 25000; // misrounded results of each direction in a list

unsigned cores() { return std::max(std::thread::hardware_concurrency(), 1U); }

} // namespace

ScanRequest scan_request(const cxxopts::ParseResult& parsed) {
  constexpr double usual_seconds = 10;
  const auto value = [&](const char* name) { return parsed[name].as<std::string>(); };
  ScanRequest request;
  request.seconds = parsed.count("seconds") != 0 ? parse_positive(value("seconds"), "--seconds") : usual_seconds;
  if (parsed.count("calls") != 0)
    request.calls = static_cast<std::uint64_t>(parse_positive(value("calls"), "--calls"));
  request.seed =
      parsed.count("seed") != 0
          ? static_cast<std::uint64_t>(parse_integer(value("seed"), "--seed", 0, std::numeric_limits<int>::max()))
          : std::random_device()() >> 1;
  return request;
}

std::optional<Promise> promise_of(const cxxopts::ParseResult& parsed) {
  return parsed.count("promise") == 0 ? std::nullopt : std::optional<Promise>(parsed["promise"].as<std::string>());
}

void LibmRun::begin(const Function& function, const Format& format, const LibmTarget& called) {
  begin(function.name, format, called);
  job.function = &function;
}

void LibmRun::begin(const std::string& function, const Format& format, const LibmTarget& called) {
  job.format = format;
  job.argument_precision = format.precision;
  target = called;
  if (!promise && target.promise)
    promise.emplace(*target.promise);
  head = first_record("library", running_program(), {{"function", function}});
  head.update(target.keys);
  head.update({{"format", format.name}, {"list", nullptr}, {"search", nullptr}});
}

ScanFindings LibmRun::take_samples(ScanRequest request) const {
  request.function = job.function;
  request.format = job.format;
  request.ranks = range;
  request.promise = promise;
  if (against)
    request.other = against->open;
  request.most_listed = output.wc ? most_listed : 0;
  request.flags = target.flags;
  TerminalLine line;
  ScanFindings findings = tmd::scan(request, cores(), target.open, [&](double spent) {
    if (line.due())
      line.show(fmt::format("{:.0f} %", 100 * spent));
  });
  line.clear();
  return findings;
}

int LibmRun::scan(const ScanRequest& request) const {
  const ScanFindings findings = take_samples(request);
  return tell(findings, scan_verdict(findings, job.format), scan_records(head, findings, job.format));
}

AllFindings LibmRun::call_for_all() const {
  TerminalLine line;
  AllFindings findings =
      tmd::call_for_all({job.function, job.format, range, promise, target.flags, against ? against->open : nullptr,
                         output.wc ? most_listed : 0},
                        cores(), target.open, [&](std::uint64_t done, std::uint64_t of) {
                          if (line.due())
                            line.show(fmt::format("{:.1f} % of {} arguments",
                                                  100.0 * static_cast<double>(done) / static_cast<double>(of), of));
                        });
  line.clear();
  return findings;
}

int LibmRun::all() const {
  const AllFindings findings = call_for_all();
  const int status = tell(findings, all_verdict(findings), all_records(head, findings, job.format));
  return status != 0 || findings.not_called + findings.undecided == 0 ? status : static_cast<int>(Status::partial);
}

int LibmRun::list(const CaseList& list) const { return judge(library_calls(list, job), job.function->name); }

int LibmRun::pairs(const CaseList& list, const PairFunction& function) const {
  return judge(library_calls(list, function, job.format), function.name);
}

int LibmRun::judge(const LibraryCalls& calls, const std::string& function) const {
  for (const std::string& note : library_notes(calls, function, job.format))
    fmt::print(stderr, "tmd: note: {}\n", note);
  const auto called = target.open();
  const Encodings encodings(job.format);
  OtherFunction other(against ? against->open() : nullptr, encodings);
  const LibraryAnswers answers = call_library(*called, calls, job.format, compare_with(other, calls, encodings));
  LibraryFindings findings = judge_library(calls, answers, job.format, promise);
  if (target.flags)
    findings.flags = judge_flags(calls, answers, job.format);
  if (against)
    findings.differences = DifferingResults(other.found()).take(encodings);
  return tell(findings, "", library_records(head, findings, job.format));
}

int LibmRun::cases(int bits, const std::vector<std::string>& devices) {
  job.values = Values::format;
  const RankInterval searched = range ? *range : usual_range(job);
  job.first = searched.first;
  job.last = searched.last;
  check_domain(job);
  job.bits = bits;
  head["search"] = job.identity();
  where = ", at the cases of " + describe(job);
  return list(search_in_child(job, devices, "hard cases"));
}

int LibmRun::tell(const LibraryFindings& findings, const std::string& verdict, const std::string& records) const {
  if (output.json)
    output.json->commit(records);
  if (output.page)
    output.page->write(records);
  if (output.wc)
    output.wc->commit(failing_list(target.text + where, findings));
  fmt::print("{}{}\n{}{}", target.text, where, library_table(findings),
             output.histogram ? misrounded_tables(findings) : "");
  if (findings.differences)
    fmt::print("{}", difference_table(*findings.differences, against->text));
  fmt::print("{}", verdict);
  return findings.promise && findings.promise->broken != 0 ? static_cast<int>(Status::unsound) : 0;
}

} // namespace tmd::app
