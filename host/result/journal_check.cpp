#include "result/journal_check.hpp"

#include "number/in_parallel.hpp"
#include "result/result_check.hpp"
#include "tmd/error.hpp"

#include <vector>

#include <fmt/format.h>

namespace tmd::result {

namespace {

constexpr std::size_t samples_of_range = 16;

void refuse_first(const std::vector<Objection>& objections, std::string_view name) {
  if (!objections.empty())
    throw SoundnessError(fmt::format("the journal '{}' is wrong at {}: {}; remove it and start the search again", name,
                                     objections.front().x, objections.front().sentence));
}

} // namespace

void check_journal(const JournalContents& journal, std::string_view name) {
  const unsigned threads = number::cores();
  RecordedSearch file = recorded(journal);
  refuse_first(check_entries(file, threads, Judges::mpfr).objections, name);
  // A resumed search proves ranges itself, and compares them with those of the journal.
  const RegimeProof proof = journal.is_complete() ? RegimeProof::again : RegimeProof::left_out;
  refuse_first(check_regimes(file, samples_of_range, proof).objections, name);
  file.in_ranges = {}; // leaves out gaps that do not count yet, such as the parts of claims
  for (const PartialClaim& claim : journal.result.partial_claims) {
    file.found = entries_of(claim.sums.found);
    refuse_first(check_entries(file, threads, Judges::mpfr).objections, name);
  }
}

} // namespace tmd::result
