// The file forms of a recorded search, each read by a source file of its own for recorded_search.cpp, and what they
// have in common.
#pragma once

#include "result/recorded_search.hpp"
#include "tmd/error.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tmd::result {

[[nodiscard]] RecordedSearch read_records(const ResultText& text, const EntrySink& use);
[[nodiscard]] RecordedSearch read_publication(const ResultText& text, const EntrySink& use);
[[nodiscard]] RecordedSearch read_list(const ResultText& text, const EntrySink& use);

[[nodiscard]] UsageError no_result(std::string_view name, std::string_view why);

// Calls read(line, its number) for every line that is not blank, and `complain`(number, sentence) if that throws.
void each_full_line(const support::TextSource& text, const std::function<void(std::string_view, std::size_t)>& read,
                    const std::function<void(std::size_t, const std::string&)>& complain);

// Counts an entry, and hands it on or keeps it.
void add_entry(RecordedSearch& search, const EntrySink& use, const FoundEntry& entry);
// The entry for a `case`, `exact` or `undecided` record, or for a case in a journal.
[[nodiscard]] FoundEntry entry_of(std::size_t line, const Case& found, double bits);
// Adds a `range` record. If it contradicts itself, notes a mistake.
void add_range(RecordedSearch& search, const Json& record, std::size_t line);

// Adds what the blocks of a published form cover; the rest of the job counts as left out. Returns false if they cover
// arguments outside the job.
[[nodiscard]] bool add_covered(RecordedSearch& search, const job::Coverage& covered);

// Resolves the request. Files of 0.1.0 have none: the command replaces it.
void resolve_request(RecordedSearch& search, const std::optional<Json>& request);

} // namespace tmd::result
