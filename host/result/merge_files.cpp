// Journals have all bits of their cases; for other files the bits are computed again.
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

// Computes the bits again: the four decimals in files are too few to sort the cases of several parts together.
void restore_bits(result::Cases& cases, const job::Job& job) {
  const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
  std::vector<Case> restored = cases.to_vector();
  for (Case& one : restored)
    if (const auto found = confirmation.confirm(one.x)) {
      one.bits = found->bits;
      one.is_least = found->is_least;
    }
  cases = restored;
}

// Throws UsageError if it is no result, and for the first mistake in it.
result::MergePart read_part(const std::string& name, result::RunDescription& run) {
  const result::ResultText text = result::open_result(name);
  if (text.kind == result::FileKind::journal) {
    result::JournalContents journal = result::parse_journal(text.text, name);
    run.symmetry = journal.header.symmetry;
    return {name, journal.programs(), journal.owned, journal.header.shard, std::move(journal.result)};
  }
  result::SearchResult result;
  const result::RecordedSearch search =
      result::read_sound_search(text, [&](const result::FoundEntry& entry) { result.add(result::case_of(entry)); });
  run.symmetry = search.symmetry.value_or(Symmetry::none);
  result::complete(result, search);
  restore_bits(result.cases, search.job());
  return {name, search.programs(), search.owned, search.shard, std::move(result)};
}

// A partly searched claim of a part.
struct PartialPart {
  std::string name;
  result::ClaimIdentity claim;
  uint128 arguments = 0;
};

void note_partial(const std::vector<PartialPart>& partial, const job::Job& job, const result::SearchResult& result,
                  const RemarkHandler& on_remark) {
  for (const auto& [name, claim, arguments] : partial)
    if (!result.gaps.within(claim.ranks.first, claim.ranks.last).empty())
      on_remark(
          Remark::note,
          fmt::format("'{}' has {} of the {} arguments from {} on, which count when all of them have been searched: "
                      "`tmd resume` goes on with them",
                      name, to_string(arguments), to_string(claim.size()),
                      to_hex(job.arguments().at(claim.ranks.first))));
}

} // namespace

void result::require_no_gaps(const job::Job& job, const result::SearchResult& result) {
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
                               tmd::to_string(result.gaps.size()), tmd::to_string(job.size()), text));
}

result::MergedFiles result::merge_files(const std::vector<std::string>& names, bool other_version,
                                        const RemarkHandler& on_remark) {
  result::MergedFiles merged;
  result::RunDescription& run = merged.run;
  result::Merge merge(other_version);
  std::vector<PartialPart> partial;
  for (const std::string& name : names) {
    const result::MergePart part = read_part(name, run);
    merged.owned.function = part.owned.function;
    for (const result::PartialClaim& one : part.result.partial_claims)
      partial.push_back({name, one.claim, one.sums.arguments});
    merge.add(part);
  }
  job::Job& job = merged.owned.job;
  job = merge.job();
  job.function = merged.owned.function.get();
  merged.result = merge.result();
  note_partial(partial, job, merged.result, on_remark);
  run.program = merge.programs().front();
  run.other_programs.assign(merge.programs().begin() + 1, merge.programs().end());
  run.from = to_hex(job.arguments().at(job.first));
  run.to = to_hex(job.arguments().at(job.last));
  if (!run.other_programs.empty())
    on_remark(Remark::note,
              fmt::format("the parts were found by {}: the result names all", result::to_string(merge.programs())));
  return merged;
}

Result merge_results(const std::vector<std::string>& files, const MergeOptions& options,
                     const RemarkHandler& on_remark) {
  if (files.empty())
    throw UsageError("no results given");
  std::optional<support::AtomicFile> wc;
  std::optional<support::AtomicFile> json;
  if (options.wc)
    wc.emplace(*options.wc);
  if (options.json)
    json.emplace(*options.json);
  const result::MergedFiles merged = result::merge_files(files, options.other_version, or_ignore(on_remark));
  const job::Job& job = merged.owned.job;
  if (!options.allow_gaps)
    result::require_no_gaps(job, merged.result);
  const result::CaseOrder order = options.by_argument ? result::CaseOrder::argument : result::CaseOrder::hardest;
  if (wc)
    wc->commit([&](const support::TextSink& sink) { result::write_wc(sink, job, merged.run, merged.result, order); });
  if (json)
    json->commit(
        [&](const support::TextSink& sink) { result::write_json_lines(sink, job, merged.run, merged.result, true); });
  return result::plain_result(job, merged.result);
}

} // namespace tmd
