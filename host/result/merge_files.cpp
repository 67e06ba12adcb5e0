// A journal has all bits of its cases; of other files they are computed again.
#include "result/merge_files.hpp"

#include "result/journal.hpp"
#include "result/json_lines.hpp"
#include "result/merge.hpp"
#include "result/plain_result.hpp"
#include "result/reader.hpp"
#include "result/recorded_search.hpp"
#include "result/result_check.hpp"
#include "result/wc.hpp"
#include "support/atomic_file.hpp"
#include "verify/confirm.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

// Files have four decimals of the bits: too few to bring cases of several parts into one order.
void restore_bits(Cases& cases, const Job& job) {
  const Confirmation confirmation(*job.function, job.grid(), job.bits);
  std::vector<Case> restored = cases.to_vector();
  for (Case& one : restored)
    if (const auto found = confirmation.confirm(one.x))
      one.bits = found->bits;
  cases = restored;
}

// Throws UsageError where it is no result, and for the first thing that is wrong with it.
MergePart read_part(const std::string& name, RunDescription& run) {
  const ResultText text = open_result(name);
  if (text.kind == FileKind::journal) {
    JournalContents journal = parse_journal(text.text, name);
    run.symmetry = journal.header.symmetry;
    return {name, journal.programs(), journal.owned, journal.header.shard, std::move(journal.result)};
  }
  SearchResult result;
  const RecordedSearch search = read_sound_search(text, [&](const FoundEntry& entry) { result.add(case_of(entry)); });
  run.symmetry = search.symmetry.value_or(Symmetry::none);
  complete(result, search);
  restore_bits(result.cases, search.job());
  return {name, search.programs(), search.owned, search.shard, std::move(result)};
}

// What a part has of arguments that count only together.
struct BegunPart {
  std::string name;
  ClaimIdentity claim;
  uint128 arguments = 0;
};

void note_begun(const std::vector<BegunPart>& begun, const Job& job, const SearchResult& result, const Tell& tell) {
  for (const auto& [name, claim, arguments] : begun)
    if (!result.gaps.within(claim.ranks.first, claim.ranks.last).empty())
      tell(Remark::note,
           fmt::format("'{}' has {} of the {} arguments from {} on, which count when all of them have been searched: "
                       "`tmd resume` goes on with them",
                       name, to_string(arguments), to_string(claim.size()),
                       to_hex(job.arguments().at(claim.ranks.first))));
}

} // namespace

void require_no_gaps(const Job& job, const SearchResult& result) {
  if (result.gaps.empty())
    return;
  constexpr std::size_t few = 3;
  const auto gaps = result.gaps.intervals();
  std::string text;
  for (std::size_t i = 0; i < std::min(few, gaps.size()); ++i)
    text += fmt::format("{}[{}, {})", i == 0 ? "" : ", ", to_hex(job.arguments().at(gaps[i].first)),
                        to_hex(job.arguments().at(gaps[i].last)));
  if (gaps.size() > few)
    text += fmt::format(" and {} more", gaps.size() - few);
  throw UsageError(fmt::format("{} of {} arguments are in no part: {}; search them, or allow that with --allow-gaps",
                               to_string(result.gaps.size()), to_string(job.size()), text));
}

MergedFiles merge_files(const std::vector<std::string>& names, bool other_version, const Tell& tell) {
  MergedFiles merged;
  RunDescription& run = merged.run;
  Merge merge(other_version);
  std::vector<BegunPart> begun;
  for (const std::string& name : names) {
    const MergePart part = read_part(name, run);
    merged.owned.function = part.owned.function;
    for (const BegunClaim& one : part.result.begun)
      begun.push_back({name, one.claim, one.sums.arguments});
    merge.add(part);
  }
  Job& job = merged.owned.job;
  job = merge.job();
  job.function = merged.owned.function.get();
  merged.result = merge.result();
  note_begun(begun, job, merged.result, tell);
  run.program = merge.programs().front();
  run.other_programs.assign(merge.programs().begin() + 1, merge.programs().end());
  run.from = to_hex(job.arguments().at(job.first));
  run.to = to_hex(job.arguments().at(job.last));
  if (!run.other_programs.empty())
    tell(Remark::note, fmt::format("the parts were found by {}: the result names all", to_string(merge.programs())));
  return merged;
}

Result merge_results(const std::vector<std::string>& files, const MergeOptions& options, const Tell& tell) {
  if (files.empty())
    throw UsageError("no results given");
  std::optional<AtomicFile> wc;
  std::optional<AtomicFile> json;
  if (options.wc)
    wc.emplace(*options.wc);
  if (options.json)
    json.emplace(*options.json);
  const MergedFiles merged = merge_files(files, options.other_version, or_nobody(tell));
  const Job& job = merged.owned.job;
  if (!options.allow_gaps)
    require_no_gaps(job, merged.result);
  const CaseOrder order = options.by_argument ? CaseOrder::argument : CaseOrder::hardest;
  if (wc)
    wc->commit([&](const TextSink& sink) { write_wc(sink, job, merged.run, merged.result, order); });
  if (json)
    json->commit([&](const TextSink& sink) { write_json_lines(sink, job, merged.run, merged.result, true); });
  return plain_result(job, merged.result);
}

} // namespace tmd
