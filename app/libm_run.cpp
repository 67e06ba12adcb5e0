// All ways to choose arguments end in the same way: the findings are written to the requested files, a table is
// printed, and the exit status says whether a promise is broken or something was left out.
#include "libm_run.hpp"

#include "number/in_parallel.hpp"
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

#include <limits>
#include <random>
#include <string>

#include <fmt/format.h>

namespace tmd::app {

namespace {

constexpr std::size_t most_listed = 25000; // misrounded results in a list, for each direction

} // namespace

library::ScanRequest scan_request(const cxxopts::ParseResult& parsed) {
  constexpr double usual_seconds = 10;
  const auto value = [&](const char* name) { return parsed[name].as<std::string>(); };
  library::ScanRequest request;
  request.seconds =
      parsed.count("seconds") != 0 ? request::parse_positive(value("seconds"), "--seconds") : usual_seconds;
  if (parsed.count("calls") != 0)
    request.calls = static_cast<std::uint64_t>(request::parse_positive(value("calls"), "--calls"));
  request.seed = parsed.count("seed") != 0 ? static_cast<std::uint64_t>(request::parse_integer(
                                                 value("seed"), "--seed", 0, std::numeric_limits<int>::max()))
                                           : std::random_device()() >> 1;
  return request;
}

std::optional<library::Promise> promise_of(const cxxopts::ParseResult& parsed) {
  return parsed.count("promise") == 0 ? std::nullopt
                                      : std::optional<library::Promise>(parsed["promise"].as<std::string>());
}

void LibmRun::begin(const function::Function& function, const Format& format, const LibmTarget& called) {
  begin(function.name, format, called);
  job.function = &function;
}

void LibmRun::begin(const std::string& function, const Format& format, const LibmTarget& called) {
  job.format = format;
  job.argument_precision = format.precision;
  target = called;
  if (!promise && target.promise)
    promise.emplace(*target.promise);
  head = result::first_record("library", result::running_program(), {{"function", function}});
  head.update(target.keys);
  head.update({{"format", format.name}, {"list", nullptr}, {"search", nullptr}});
}

library::ScanFindings LibmRun::take_samples(library::ScanRequest request) const {
  request.function = job.function;
  request.format = job.format;
  request.ranks = range;
  request.promise = promise;
  if (against)
    request.other = against->open;
  request.most_listed = output.wc ? most_listed : 0;
  request.flags = target.flags;
  support::TerminalLine line;
  library::ScanFindings findings = tmd::library::scan(request, number::cores(), target.open, [&](double spent) {
    if (line.due())
      line.show(fmt::format("{:.0f} %", 100 * spent));
  });
  line.clear();
  return findings;
}

int LibmRun::scan(const library::ScanRequest& request) const {
  const library::ScanFindings findings = take_samples(request);
  return tell(findings, report::scan_verdict(findings, job.format), report::scan_records(head, findings, job.format));
}

library::AllFindings LibmRun::call_for_all() const {
  support::TerminalLine line;
  library::AllFindings findings = tmd::library::call_for_all(
      {job.function, job.format, range, promise, target.flags, against ? against->open : nullptr,
       output.wc ? most_listed : 0},
      number::cores(), target.open, [&](std::uint64_t done, std::uint64_t of) {
        if (line.due())
          line.show(
              fmt::format("{:.1f} % of {} arguments", 100.0 * static_cast<double>(done) / static_cast<double>(of), of));
      });
  line.clear();
  return findings;
}

int LibmRun::all() const {
  const library::AllFindings findings = call_for_all();
  const int status = tell(findings, report::all_verdict(findings), report::all_records(head, findings, job.format));
  return status != 0 || findings.not_called + findings.undecided == 0 ? status : static_cast<int>(Status::partial);
}

int LibmRun::list(const result::CaseList& list) const {
  return judge(library::library_calls(list, job), job.function->name);
}

int LibmRun::pairs(const result::CaseList& list, const function::PairFunction& function) const {
  return judge(library::library_calls(list, function, job.format), function.name);
}

int LibmRun::judge(const library::LibraryCalls& calls, const std::string& function) const {
  for (const std::string& note : library::library_notes(calls, function, job.format))
    fmt::print(stderr, "tmd: note: {}\n", note);
  const auto called = target.open();
  const library::Encodings encodings(job.format);
  library::OtherFunction other(against ? against->open() : nullptr, encodings);
  const library::LibraryAnswers answers =
      library::call_library(*called, calls, job.format, library::compare_with(other, calls, encodings));
  library::LibraryFindings findings = library::judge_library(calls, answers, job.format, promise);
  if (target.flags)
    findings.flags = library::judge_flags(calls, answers, job.format);
  if (against)
    findings.differences = library::DifferingResults(other.found()).take(encodings);
  return tell(findings, "", report::library_records(head, findings, job.format));
}

int LibmRun::cases(int bits, const std::vector<std::string>& devices) {
  job.values = Values::format;
  const job::RankInterval searched = range ? *range : library::usual_range(job);
  job.first = searched.first;
  job.last = searched.last;
  job::check_domain(job);
  job.K = bits;
  head["search"] = job.identity();
  where = ", at the cases of " + result::describe(job);
  return list(search_in_child(job, devices, "hard cases"));
}

int LibmRun::tell(const library::LibraryFindings& findings, const std::string& verdict,
                  const std::string& records) const {
  if (output.json)
    output.json->commit(records);
  if (output.page)
    output.page->write(records);
  if (output.wc)
    output.wc->commit(report::failing_list(target.text + where, findings));
  fmt::print("{}{}\n{}{}", target.text, where, report::library_table(findings),
             output.histogram ? report::misrounded_tables(findings) : "");
  if (findings.differences)
    fmt::print("{}", report::difference_table(*findings.differences, against->text));
  fmt::print("{}", verdict);
  return findings.promise && findings.promise->broken != 0 ? static_cast<int>(Status::unsound) : 0;
}

} // namespace tmd::app
