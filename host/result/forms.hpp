// The forms that a recorded search has, each read by a file of its own for recorded_search.cpp; and what these have in
// common.
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

// Calls read(line, its number) for every line that is not blank, and `complain`(number, sentence) where that throws.
void each_full_line(const support::TextSource& text, const std::function<void(std::string_view, std::size_t)>& read,
                    const std::function<void(std::size_t, const std::string&)>& complain);

// An entry is counted, and handed on or kept.
void add_entry(RecordedSearch& search, const EntrySink& use, const FoundEntry& entry);
// Of a `case`, `exact` or `undecided` record, or of a journal.
[[nodiscard]] FoundEntry entry_of(std::size_t line, const Case& found, double bits);
// What a `range` record says. What does not follow from the rest of it is a mistake.
void add_range(RecordedSearch& search, const Json& record, std::size_t line);

// Takes what a published form says that its blocks cover; the rest of the job is left out. False where they cover
// arguments that the job has not.
[[nodiscard]] bool add_covered(RecordedSearch& search, const job::Coverage& covered);

// What was asked for. Of a file of 0.1.0, which has no request, the command tells it.
void resolve_request(RecordedSearch& search, const std::optional<Json>& request);

} // namespace tmd::result
