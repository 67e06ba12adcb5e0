// A search by boxes with its line of progress and its interrupts; journals of such searches taken up and merged.
#include "search_powers.hpp"

#include "interrupt.hpp"
#include "standard_streams.hpp"

#include "pairs/pair_files.hpp"
#include "report/progress.hpp"
#include "result/reader.hpp"
#include "run/kept_search.hpp"
#include "support/text.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::app {

namespace {

constexpr int usual_rows = 20;
constexpr std::string_view progress_unit = "boxes";

std::string interrupted_at(const Progress& now, const PowerJournal* journal) {
  return fmt::format("tmd: interrupted: {:.2f} % had been searched, {} found; {}\n",
                     100 * static_cast<double>(now.done) / static_cast<double>(now.total), counted(now.cases, "case"),
                     journal == nullptr ? "no file was written"
                                        : fmt::format("`tmd resume {}` goes on", journal->file().string()));
}

int run_powers(PowerRun& run, KeptPowers kept, const PowerRequest& request, const SearchFiles& files) {
  if (!request.spec.quiet)
    fmt::print("{}\non {}\n", describe(request.job), fmt::join(run.devices(), ", "));
  flush_output();
  const PowerJournal* journal = kept.journal.get();
  std::optional<ProgressLine> line;
  Progress last;
  catch_interrupts();
  const bool is_done = run.search(
      kept,
      [&](const Progress& now) {
        if (!line)
          line.emplace(!request.spec.quiet, now.total, request.spec.progress, STDERR_FILENO, progress_unit);
        line->show(now);
        last = now;
        keep_for_interrupt(interrupted_at(now, journal));
      },
      interrupted);
  line.reset();
  if (!is_done) {
    fmt::print(stderr, "{}", interrupted_at(last, journal));
    interrupt_is_told();
    return static_cast<int>(Status::interrupted);
  }
  keep_for_interrupt("tmd: interrupted: the search was done, but not all that it found was written or printed\n");
  return finish_pairs(request, files, std::move(run).result());
}

int print_dry_run(const PowerRequest& request) {
  const PowerLines lines(request.job.format);
  const Coverage wanted = lines_wanted(lines, request.job, request.spec.shard);
  const PowerEstimate all = estimate_of(lines, wanted, request.job);
  constexpr double usual_seconds = 1.25e-10; // a box of an H100: the mean of the tiles of `tmd-lab boxes`
  fmt::print("{}\n  pairs     {}, {:.4g} of them with values that are numbers of the format and not beside 1\n"
             "  boxes     about {:.3g}: {} of an H100\n  cases     about {:.4g}\n",
             describe(request.job), to_string(lines.pairs(wanted)), all.pairs, all.boxes,
             duration(all.boxes * usual_seconds), std::ldexp(all.pairs, 1 - request.job.bits));
  return static_cast<int>(Status::done);
}

} // namespace

int finish_pairs(const PowerRequest& request, const SearchFiles& files, const PairResult& result) {
  const std::string command = command_of(request.job, request.spec.shard);
  if (files.wc)
    files.wc->commit(pair_list(request.job, result, command));
  if (files.json)
    files.json->commit(pair_records(request.job, result, command, request.spec.reproducible));
  if (!request.spec.quiet)
    fmt::print("{}", pair_table(request.job, result, static_cast<std::size_t>(request.spec.show.value_or(usual_rows))));
  flush_output();
  return static_cast<int>(Status::done);
}

int search_powers(const PowerRequest& request, const OutputNames& outputs) {
  check_boxes_serve(request.job);
  if (request.spec.dry_run)
    return print_dry_run(request);
  refuse_too_many_cases(request);
  const SearchFiles files = open_files(outputs);
  print_no_tables_beside({&files.wc, &files.json});
  const std::filesystem::path journal = journal_of(request.spec, outputs);
  PowerRun run(request, print_remark);
  KeptPowers kept = keep_powers(journal, request, outputs, run.kernels(), print_remark);
  return run_powers(run, std::move(kept), request, files);
}

int resume_powers(const std::filesystem::path& journal, const std::function<void(SearchSpec&)>& take_up_options,
                  const std::function<OutputNames(const OutputNames&)>& outputs) {
  KeptPowers kept{std::make_unique<PowerJournal>(journal), {}};
  kept.so_far = kept.journal->contents();
  if (!kept.so_far)
    throw UsageError(fmt::format("the journal '{}' is empty: start the search again", journal.string()));
  PowerRequest request{kept.so_far->header.job, kept.so_far->header.request};
  take_up_options(request.spec);
  const SearchFiles files = open_files(outputs(kept.so_far->header.outputs));
  print_no_tables_beside({&files.wc, &files.json});
  if (kept.so_far->was_torn)
    print_remark(Remark::note,
                 fmt::format("the last line of the journal '{}' was not whole, and is dropped", journal.string()));
  const Coverage wanted = kept.so_far->header.wanted;
  if (kept.so_far->done == wanted) {
    take_up(*kept.so_far, request, journal.string(), kept.so_far->header.program.kernels, print_remark);
    return finish_pairs(request, files, power_result(request, std::move(kept.so_far->work), wanted));
  }
  PowerRun run(request, print_remark);
  take_up(*kept.so_far, request, journal.string(), run.kernels(), print_remark);
  return run_powers(run, std::move(kept), request, files);
}

int merge_powers(const std::vector<std::string>& journals, const SearchSpec& spec, bool allow_gaps) {
  const SearchFiles files = open_files(output_names(spec));
  print_no_tables_beside({&files.wc, &files.json});
  std::vector<PowerJournalContents> parts;
  for (const std::string& name : journals) {
    const ResultText text = open_result(name);
    parts.push_back(parse_power_journal(text.text, text.name));
    PowerRequest request{parts.back().header.job, parts.back().header.request};
    request.spec.other_version = spec.other_version;
    take_up(parts.back(), request, name, parts.front().header.program.kernels, print_remark);
  }
  PowerJournalContents sum = merged(std::move(parts));
  PowerRequest request{sum.header.job, spec};
  request.spec.shard.reset();
  request.spec.reproducible = true;
  const Coverage all = lines_wanted(PowerLines(request.job.format), request.job);
  if (!(sum.done == all) && !allow_gaps)
    throw UsageError(
        fmt::format("{} of {} lines of pairs are in none of the parts: --allow-gaps merges them all the same",
                    to_string(all.size() - sum.done.size()), to_string(all.size())));
  PairResult result = power_result(request, std::move(sum.work), sum.done);
  if (!(sum.done == all))
    result.boxes->part = "a part of all pairs";
  return std::max(finish_pairs(request, files, result),
                  static_cast<int>(sum.done == all ? Status::done : Status::partial));
}

} // namespace tmd::app
