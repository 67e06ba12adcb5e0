// One search from its devices to its files: opens the devices, takes up what a journal has, runs the search with
// progress and interrupts, audits it, and writes the files before the tables.
#include "search_run.hpp"

#include "interrupt.hpp"
#include "open_devices.hpp"
#include "search_devices.hpp"
#include "standard_streams.hpp"

#include "engine/registry.hpp"
#include "report/progress.hpp"
#include "report/report.hpp"
#include "request/command.hpp"
#include "result/json_lines.hpp"
#include "search/audit.hpp"
#include "search/expectation.hpp"
#include "search/search.hpp"

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

// Who interrupts a search waits for the prompt.
constexpr std::size_t cases_of_interrupted = 100;

// What becomes of an interrupted search.
std::string what_remains(const Journal* journal) {
  return journal == nullptr ? "no file was written" : fmt::format("`tmd resume {}` goes on", journal->file().string());
}

// Where the search is in the midst of a step. Parts of binades may be among them that do not count until these are
// whole.
std::string interrupted_at(const Progress& now, const Journal* journal) {
  return fmt::format(
      "tmd: interrupted in the midst of a step: {} of {} arguments had been searched, {} cases found; {}\n",
      to_string(now.done), to_string(now.total), now.cases, what_remains(journal));
}

// Searches some of a finished search again: the share asked for, or where none was, what costs little. All that is
// asked of the devices is another algorithm, or other windows.
void audit_in(RunDescription& run, const SearchRequest& asked, const SearchDevices& devices,
              const SearchResult& result) {
  const std::optional<double> share = asked.spec.audit;
  constexpr double long_search = 60; // seconds
  constexpr double share_of_time = 0.01;
  const bool is_long = result.seconds >= long_search;
  if (share.value_or(is_long ? 1 : 0) == 0)
    return;
  Random random(std::random_device{}());
  const Auditable what = auditable(asked.job, result);
  const std::vector<AuditWay> ways = ways_of(what, auditing_algorithm(result), devices.uses().front().tunables, random);
  try {
    for (const AuditWay& way : ways) {
      SearchRequest again = asked;
      again.spec = again_by(way, asked.spec);
      again.spec.choices.domain_bits.reset();
      const SearchDevices auditing = devices.again(again);
      AuditReport report = audit(asked.job, result, what, auditing.workers(), way,
                                 {share.value_or(0), share_of_time * result.seconds / static_cast<double>(ways.size())},
                                 random.next(), interrupted);
      if (report.arguments > 0)
        run.audits.push_back(std::move(report));
      if (interrupted())
        throw Interrupted();
    }
  } catch (const Interrupted&) { // the search itself is done
    if (share)
      fmt::print(stderr, "tmd: warning: the audit was interrupted: less was searched again than --audit asks for\n");
  }
}

// What engines claim, as the choices are and the devices.
Claims claims_on(const SearchDevices& open, const SearchRequest& asked) {
  Choices choices = asked.spec.choices;
  for (const DeviceUse& use : open.uses())
    choices.on_gpu |= use.device.is_gpu;
  return claims_of(asked.job, choices, engines());
}

// A journal in which nothing counts is of no use.
class EmptyJournalRemover {
public:
  explicit EmptyJournalRemover(Journal* journal) : journal_(journal) {}
  EmptyJournalRemover(const EmptyJournalRemover&) = delete;
  EmptyJournalRemover& operator=(const EmptyJournalRemover&) = delete;
  ~EmptyJournalRemover() {
    if (journal_ != nullptr && !counts())
      journal_->remove();
  }

private:
  [[nodiscard]] bool counts() const {
    if (!journal_->has_revoked())
      return journal_->has_results();
    try {
      return journal_->contents()->has_results();
    } catch (const Error&) {
      return true; // whoever goes on is told
    }
  }

  Journal* journal_;
};

// What counts where a device has turned out to be faulty: it may have searched in earlier runs, too.
SearchResult result_of(Journal& journal, SearchResult last_run) {
  SearchResult result = std::move(journal.contents()->result);
  if (!last_run.interrupted && result.interrupted)
    throw DeviceError(fmt::format("a device has turned out to be faulty that had done some of the search in an earlier "
                                  "run, and that has to be done again: `tmd resume {}` does it",
                                  journal.file().string()));
  result.interrupted = last_run.interrupted;
  result.fields = std::move(last_run.fields);
  result.workers = std::move(last_run.workers);
  return result;
}

void print_passed_over(const Job& job, const BegunClaim& begun) {
  fmt::print(
      stderr,
      "tmd: note: the {} arguments from {} on are searched otherwise now, or counted otherwise, and what was done "
      "of them before, {}, is done again\n",
      to_string(begun.claim.size()), to_hex(job.arguments().at(begun.claim.ranks.first)),
      to_string(begun.sums.arguments));
}

void warn_of_unexpected_counts(const Job& job, const SearchResult& result) {
  for (const Unexpected& one : unexpected_counts(job, result))
    fmt::print(stderr,
               "tmd: warning: {} cases among {} arguments from {} on, where {:.0f} ± {:.0f} were to be expected\n",
               one.cases, to_string(one.arguments), to_hex(one.field.arguments.argument(0)), one.expected,
               std::sqrt(one.expected));
}

void print_tables(const SearchRequest& request, const RunDescription& run, const SearchResult& result) {
  const Job& job = request.job;
  write_case_table([](std::string_view piece) { fmt::print("{}", piece); }, result,
                   result.interrupted ? cases_of_interrupted : result.cases.size() + result.undecided.size());
  fmt::print("{}", range_table(job, result));
  if (request.spec.ledger)
    fmt::print("{}", ledger_table(result));
  if (request.spec.quiet)
    return;
  fmt::print("{}{}{}{}", summary_table(job, result), audit_table(job, run), device_table(run, result),
             method_table(result));
  for (const DeviceUse& use : run.devices)
    fmt::print("{}", cpu_mode_table(use.cpu_modes));
}

} // namespace

SearchOutputs open_outputs(const OutputNames& names) {
  SearchOutputs outputs{names, {}, {}, false};
  const auto open = [&](const char* option, std::optional<AtomicFile>& file) {
    if (const auto name = names.find(option); name != names.end())
      file.emplace(name->second);
  };
  open("wc", outputs.wc);
  open("json", outputs.json);
  if (outputs.wc && outputs.json && outputs.wc->same_target(*outputs.json))
    throw UsageError(fmt::format("--wc and --json name the same file, '{}'", names.at("wc").string()));
  print_no_tables_beside({&outputs.wc, &outputs.json});
  return outputs;
}

void require_same_program(const std::filesystem::path& journal, const JournalContents& contents,
                          const opencl::KernelUse& kernels, bool other_version) {
  const Program here = running_program(kernels);
  const std::vector<Program> others = others_than(here, contents.programs());
  if (others.empty())
    return;
  const std::string sentence =
      fmt::format("the journal '{}' is of {}, and this is {}", journal.string(), to_string(others), to_string(here));
  if (!other_version)
    throw UsageError(sentence + ": --other-version goes on with it");
  fmt::print(stderr, "tmd: note: {}: the result names both\n", sentence);
}

RunDescription describe_run(const SearchRequest& request, const opencl::KernelUse& kernels,
                            std::vector<DeviceUse> devices) {
  return {running_program(kernels),
          command_of(request.original),
          request.original,
          request.from,
          request.to,
          std::move(devices),
          {},
          request.symmetry,
          request.shard};
}

int finish(const SearchRequest& request, const SearchOutputs& outputs, const RunDescription& run,
           const SearchResult& result, const Journal* journal) {
  const Job& job = request.job;
  warn_of_unexpected_counts(job, result);
  if (result.interrupted) {
    const uint128 begun = result.begun_arguments();
    fmt::print(stderr, "tmd: interrupted: {} of {} arguments were covered, {} cases found in them{}{}\n",
               to_string(result.arguments()), to_string(job.size()), result.cases.size(),
               begun > 0 ? fmt::format("; {} more in binades that count when they are complete", to_string(begun)) : "",
               journal != nullptr && journal->has_results() ? "; " + what_remains(journal)
               : outputs.names.empty()                      ? ""
                                                            : "; no file was written");
    interrupt_is_told();
  } else {
    keep_for_interrupt("tmd: interrupted: the search was done, but not all that it found was written or printed\n");
    // Files first: they are what the search was run for, and nothing that happens to standard output may lose them.
    const CaseOrder order = request.spec.by_argument ? CaseOrder::argument : CaseOrder::hardest;
    if (outputs.wc)
      outputs.wc->commit([&](const TextSink& sink) { write_wc(sink, job, run, result, order); });
    if (outputs.json)
      outputs.json->commit(
          [&](const TextSink& sink) { write_json_lines(sink, job, run, result, request.spec.reproducible); });
  }
  if (!outputs.silent)
    print_tables(request, run, result);
  flush_output();
  return static_cast<int>(result.interrupted    ? Status::interrupted
                          : result.is_partial() ? Status::partial
                                                : Status::done);
}

int run_request(const SearchRequest& request, const SearchOutputs& outputs, const Keep& keep, Ranks* ranks,
                MateRun* mate) {
  const Job& job = request.job;
  const SearchDevices open(request, ranks);
  RunDescription run = describe_run(request, open.kernels(), open.uses());
  KeptSearch kept = keep(run.program.kernels);
  const EmptyJournalRemover remover(kept.journal.get());
  SearchResult result;
  if (kept.so_far) {
    run.other_programs = others_than(run.program, kept.so_far->programs());
    result = std::move(kept.so_far->result);
  }
  for (BegunClaim& claim : kept.begun)
    if (claim.is_complete())
      result.close(job, claim);
    else
      result.begun.push_back(std::move(claim));
  KeptSearch kept_of_mate;
  std::optional<OtherSearch> of_mate;
  if (mate != nullptr) {
    kept_of_mate = mate->keep(run.program.kernels);
    of_mate = {mate->request.job, claims_on(open, mate->request), {}, {}, kept_of_mate.journal.get()};
    if (kept_of_mate.so_far) {
      of_mate->covered = std::move(kept_of_mate.so_far->result.covered);
      of_mate->begun = std::move(kept_of_mate.so_far->result.begun);
    }
  }
  const EmptyJournalRemover remover_of_mates(kept_of_mate.journal.get());
  std::vector<opencl::DeviceDescription> devices;
  for (const DeviceUse& use : open.uses())
    devices.push_back(use.device);
  if (kept.journal)
    kept.journal->begin_run(run.program, job, devices);
  if (kept_of_mate.journal)
    kept_of_mate.journal->begin_run(run.program, of_mate->job, devices);
  // Where a check fails, nothing that the devices have done can be trusted.
  const auto checked = [&](const auto& step) {
    try {
      step();
    } catch (const SoundnessError&) {
      for (const KeptSearch* one : {&kept, &kept_of_mate})
        if (one->journal)
          one->journal->set_aside();
      throw;
    }
  };
  if (!request.spec.quiet)
    fmt::print("{}\n{}", describe(job, run), describe_devices(run));
  flush_output();

  keep_for_interrupt(interrupted_at(
      {result.arguments() + result.begun_arguments(), job.size(), result.cases.size(), 0, open.workers().size()},
      kept.journal.get()));
  catch_interrupts();
  {
    ProgressLine progress(!request.spec.quiet, job.size(), request.spec.progress);
    SearchHooks hooks;
    hooks.progress = [&](const Progress& now) {
      progress.show(now);
      keep_for_interrupt(interrupted_at(now, kept.journal.get()));
    };
    hooks.interrupted = interrupted;
    hooks.leaves_out = request.is_whole;
    hooks.lost = [&](std::size_t index, const std::string& sentence) {
      progress.clear();
      print_lost(run.devices[index].place(), sentence);
    };
    hooks.passed_over = [&](const BegunClaim& claim) {
      progress.clear();
      print_passed_over(job, claim);
    };
    hooks.recorder = kept.journal.get();
    if (of_mate)
      hooks.others.push_back(&*of_mate);
    if (request.shard)
      hooks.cut_range = {request.shard->first, request.shard->last};
    checked([&] { result = run_search(job, open.workers(), hooks, claims_on(open, request), std::move(result)); });
  }
  if (kept_of_mate.journal)
    kept_of_mate.journal->sync();
  else if (of_mate)
    mate->begun = std::move(of_mate->begun);
  if (kept.journal) {
    kept.journal->sync();
    if (kept.journal->has_revoked())
      result = result_of(*kept.journal, std::move(result));
  }
  if (!result.interrupted || ranks == nullptr) // nobody waits for the others
    open.finish(run);
  if (!result.interrupted)
    checked([&] { audit_in(run, request, open, result); });
  return finish(request, outputs, run, result, kept.journal.get());
}

} // namespace tmd::app
