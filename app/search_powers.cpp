// A search by boxes with its progress and interrupts; resumes and merges journals of such searches.
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

std::string interrupted_at(const Progress& now, const pairs::PowerJournal* journal) {
  return fmt::format(
      "tmd: interrupted: {:.2f} % had been searched, {} found; {}\n",
      100 * static_cast<double>(now.done) / static_cast<double>(now.total), support::counted(now.cases, "case"),
      journal == nullptr ? "no file was written" : fmt::format("`tmd resume {}` resumes it", journal->file().string()));
}

int run_powers(run::PowerRun& run, run::KeptPowers kept, const run::PowerRequest& request,
               const run::SearchFiles& files) {
  if (!request.spec.quiet)
    fmt::print("{}\non {}\n", pairs::describe(request.job), fmt::join(run.devices(), ", "));
  flush_output();
  const pairs::PowerJournal* journal = kept.journal.get();
  std::optional<report::ProgressLine> line;
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
    interrupt_is_reported();
    return static_cast<int>(Status::interrupted);
  }
  run.audit(kept, interrupted);
  keep_for_interrupt("tmd: interrupted: the search was done, but not all that it found was written or printed\n");
  return finish_pairs(request, files, std::move(run).result());
}

// How long rectangles take on the devices: the host plans them for as long as these search, so only trying tells.
std::string time_of_rectangles(const run::PowerRequest& request) {
  constexpr double seconds = 1; // that are spent on it
  try {
    run::PowerRun run(request, nullptr, print_remark);
    const std::optional<double> all = run.predicted_seconds(seconds);
    return all ? fmt::format("about {} on {}, by what parts of it take", report::duration(*all),
                             fmt::join(run.devices(), ", "))
               : "not known: hardly any part of it is done in ten seconds";
  } catch (const DeviceError& error) {
    return fmt::format("not known: {}", error.what());
  }
}

int print_dry_run(const run::PowerRequest& request) {
  const pairs::PowerLines lines(request.job);
  const job::Coverage wanted = pairs::lines_wanted(lines, request.job, request.spec.shard);
  const engine::boxes::PairEstimate all = pairs::estimate_of(lines, wanted, request.job);
  constexpr double usual_seconds = 1.25e-10; // a box on an H100: the mean of the tiles of `tmd-lab boxes`
  const bool is_of_ranges = request.job.ranges.has_value();
  fmt::print("{}\n  pairs     {}, {:.4g} of them with values that are numbers of the format{}\n"
             "  boxes     about {:.3g}{}{}\n  cases     about {:.4g}\n",
             pairs::describe(request.job), to_string(lines.pairs(wanted)), all.pairs,
             is_of_ranges ? "" : " and not beside 1", all.boxes,
             all.single > 0 ? fmt::format(", and {:.3g} pairs one by one", all.single) : "",
             is_of_ranges ? "" : fmt::format(": {} of an H100", report::duration(all.cost() * usual_seconds)),
             std::ldexp(all.pairs, 1 - request.job.K));
  flush_output();
  if (is_of_ranges)
    fmt::print("  time      {}\n", time_of_rectangles(request));
  return static_cast<int>(Status::done);
}

} // namespace

int finish_pairs(const run::PowerRequest& request, const run::SearchFiles& files, const pairs::PairResult& result) {
  const std::string command = run::command_of(request.job, request.spec.shard);
  if (files.wc)
    files.wc->commit(pairs::pair_list(request.job, result, command));
  if (files.json)
    files.json->commit(pairs::pair_records(request.job, result, command, request.spec.reproducible));
  if (!request.spec.quiet)
    fmt::print(
        "{}", pairs::pair_table(request.job, result, static_cast<std::size_t>(request.spec.show.value_or(usual_rows))));
  flush_output();
  return static_cast<int>(result.undecided.empty() ? Status::done : Status::partial);
}

int search_powers(const run::PowerRequest& request, const run::OutputNames& outputs, run::Ranks* ranks) {
  pairs::check_boxes_serve(request.job);
  if (request.spec.dry_run)
    return print_dry_run(request);
  run::refuse_early(request);
  const run::SearchFiles files = run::open_files(outputs);
  print_no_tables_beside({&files.wc, &files.json});
  const std::filesystem::path journal = run::journal_of(request.spec, outputs);
  run::PowerRun run(request, ranks, print_remark);
  run::KeptPowers kept = run::keep_powers(journal, request, outputs, run.kernels(), print_remark);
  return run_powers(run, std::move(kept), request, files);
}

int resume_powers(const std::filesystem::path& journal, const std::function<void(SearchSpec&)>& read_options,
                  const std::function<run::OutputNames(const run::OutputNames&)>& outputs, run::Ranks* ranks) {
  run::KeptPowers kept{std::make_unique<pairs::PowerJournal>(journal), {}};
  kept.so_far = kept.journal->contents();
  if (!kept.so_far)
    throw UsageError(fmt::format("the journal '{}' is empty: start the search again", journal.string()));
  run::PowerRequest request{kept.so_far->header.job, kept.so_far->header.request};
  read_options(request.spec);
  const run::SearchFiles files = run::open_files(outputs(kept.so_far->header.outputs));
  print_no_tables_beside({&files.wc, &files.json});
  if (kept.so_far->was_torn)
    print_remark(Remark::note,
                 fmt::format("the last line of the journal '{}' was incomplete, and is dropped", journal.string()));
  const job::Coverage wanted = kept.so_far->header.wanted;
  if (kept.so_far->done == wanted) {
    run::resume_from(*kept.so_far, request, journal.string(), kept.so_far->header.program.kernels, print_remark);
    return finish_pairs(request, files, run::power_result(request, std::move(kept.so_far->work), wanted));
  }
  run::PowerRun run(request, ranks, print_remark);
  run::resume_from(*kept.so_far, request, journal.string(), run.kernels(), print_remark);
  return run_powers(run, std::move(kept), request, files);
}

int merge_powers(const std::vector<std::string>& journals, const SearchSpec& spec, bool allow_gaps) {
  const run::SearchFiles files = run::open_files(run::output_names(spec));
  print_no_tables_beside({&files.wc, &files.json});
  std::vector<pairs::PowerJournalContents> parts;
  for (const std::string& name : journals) {
    const result::ResultText text = result::open_result(name);
    parts.push_back(pairs::parse_power_journal(text.text, text.name));
    run::PowerRequest request{parts.back().header.job, parts.back().header.request};
    request.spec.other_version = spec.other_version;
    run::resume_from(parts.back(), request, name, parts.front().header.program.kernels, print_remark);
  }
  pairs::PowerJournalContents sum = pairs::merged(std::move(parts));
  run::PowerRequest request{sum.header.job, spec};
  request.spec.shard.reset();
  request.spec.reproducible = true;
  const job::Coverage all = pairs::lines_wanted(pairs::PowerLines(request.job), request.job);
  if (!(sum.done == all) && !allow_gaps)
    throw UsageError(
        fmt::format("{} of {} lines of pairs are in none of the parts: --allow-gaps merges them all the same",
                    to_string(all.size() - sum.done.size()), to_string(all.size())));
  pairs::PairResult result = run::power_result(request, std::move(sum.work), sum.done);
  if (!(sum.done == all))
    result.boxes->part = "a part of all pairs";
  return std::max(finish_pairs(request, files, result),
                  static_cast<int>(sum.done == all ? Status::done : Status::partial));
}

} // namespace tmd::app
