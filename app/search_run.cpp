// A search with its progress and interrupts; the files are written before the tables are printed.
#include "search_run.hpp"

#include "interrupt.hpp"
#include "standard_streams.hpp"

#include "report/progress.hpp"
#include "report/report.hpp"
#include "result/wc.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace tmd::app {

namespace {

// A user who interrupts a search wants the prompt back soon.
constexpr std::size_t cases_of_interrupted = 100;

// Says how to continue an interrupted search.
std::string what_remains(const result::Journal* journal) {
  return journal == nullptr ? "no file was written"
                            : fmt::format("`tmd resume {}` resumes it", journal->file().string());
}

// The report of an interrupt during a step. It may include parts of binades that do not count until these are complete.
std::string interrupted_at(const Progress& now, const result::Journal* journal) {
  return fmt::format("tmd: interrupted during a step: {} of {} arguments had been searched, {} found; {}\n",
                     to_string(now.done), to_string(now.total), support::counted(now.cases, "case"),
                     what_remains(journal));
}

std::string interrupted_after(const job::Job& job, const result::SearchResult& result, const SearchOutputs& outputs,
                              const result::Journal* journal) {
  const uint128 partial = result.partial_arguments();
  return fmt::format(
      "tmd: interrupted: {} of {} arguments were covered, {} found in them{}{}\n", to_string(result.arguments()),
      to_string(job.size()), support::counted(result.cases.size(), "case"),
      partial > 0 ? fmt::format("; {} more in binades that count when they are complete", to_string(partial)) : "",
      journal != nullptr && journal->has_results() ? "; " + what_remains(journal)
      : outputs.files.names.empty()                ? ""
                                                   : "; no file was written");
}

void print_tables(const request::SearchRequest& request, const SearchOutputs& outputs,
                  const result::RunDescription& run, const result::SearchResult& result) {
  const job::Job& job = request.job;
  report::CasesToShow shown =
      report::cases_to_show(request.spec, result.interrupted ? "" : run::file_of_cases(outputs.files.names));
  if (result.interrupted)
    shown.most = std::min(shown.most, cases_of_interrupted);
  report::write_case_table([](std::string_view piece) { fmt::print("{}", piece); }, result, shown);
  fmt::print("{}", report::range_table(job, result));
  if (request.spec.ledger)
    fmt::print("{}", report::ledger_table(result));
  fmt::print("{}{}{}{}", report::summary_table(job, result), report::audit_table(job, run),
             report::device_table(run, result), report::method_table(result));
  for (const result::DeviceUse& use : run.devices)
    fmt::print("{}", report::cpu_mode_table(use.cpu_modes));
}

} // namespace

SearchOutputs open_outputs(const run::OutputNames& names) {
  SearchOutputs outputs{run::open_files(names), false};
  print_no_tables_beside({&outputs.files.wc, &outputs.files.json});
  return outputs;
}

void print_note(const result::JournalDecision& decision) {
  if (!decision.sentence.empty())
    print_remark(Remark::note, decision.sentence);
}

int finish(const request::SearchRequest& request, const SearchOutputs& outputs, const result::RunDescription& run,
           const result::SearchResult& result, const result::Journal* journal) {
  run::tell_unexpected_counts(request.job, result, print_remark);
  if (result.interrupted) {
    fmt::print(stderr, "{}", interrupted_after(request.job, result, outputs, journal));
    interrupt_is_reported();
  } else {
    keep_for_interrupt("tmd: interrupted: the search was done, but not all that it found was written or printed\n");
    // Writes files first: a failure of standard output must not lose them.
    run::write_files(outputs.files, request, run, result);
  }
  if (!outputs.silent)
    print_tables(request, outputs, run, result);
  flush_output();
  return static_cast<int>(result.interrupted                              ? Status::interrupted
                          : result.is_partial() || result.has_undecided() ? Status::partial
                                                                          : Status::done);
}

int run_request(const request::SearchRequest& request, const SearchOutputs& outputs, const run::Keep& keep,
                run::Ranks* ranks, std::span<run::LaterRun> later) {
  std::optional<report::ProgressLine> line; // present while the search runs
  run::SearchRun run(request, keep, ranks, later, [&](Remark kind, const std::string& sentence) {
    if (line)
      line->clear();
    print_remark(kind, sentence);
  });
  if (!request.spec.quiet)
    fmt::print("{}\n{}", result::describe(request), report::describe_devices(run.description()));
  flush_output();
  keep_for_interrupt(interrupted_at(run.so_far(), run.journal()));
  catch_interrupts();
  line.emplace(!request.spec.quiet, request.job.size(), request.spec.progress);
  const auto show = [&](const Progress& now) {
    line->show(now);
    keep_for_interrupt(interrupted_at(now, run.journal()));
  };
  run.search({show, interrupted, {}});
  line.reset();
  if (!run.result().interrupted)
    run.audit(interrupted);
  return finish(request, outputs, run.description(), run.result(), run.journal());
}

} // namespace tmd::app
