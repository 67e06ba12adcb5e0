// CORE-MATH's lists (.wc): comments that say how a list was made, then one hex float a line.
#pragma once

#include "job/job.hpp"
#include "request/resolve.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"
#include "support/compressed_file.hpp"

#include <string>
#include <string_view>

namespace tmd::result {

// One line: what is searched, as people are told of it everywhere.
[[nodiscard]] std::string describe(const job::Job& job);
// The same, the range as the user wrote it.
[[nodiscard]] std::string describe(const request::SearchRequest& request);
[[nodiscard]] std::string describe(const job::Job& job, const RunDescription& run);

// What decides the values at all other arguments: "; x >= 0 only: f(-x) = -f(x)". Empty where nothing is left out for
// it.
[[nodiscard]] std::string describe_reduction(const job::Job& job, Symmetry symmetry);

// One line: a range, and what is true of all its arguments; fully: with what tells its cases one by one.
[[nodiscard]] std::string describe(const job::Job& job, const job::RegimeRange& range);
[[nodiscard]] std::string describe_fully(const job::Job& job, const job::RegimeRange& range);
// One line: ranks that were left out.
[[nodiscard]] std::string describe_left_out(const job::Job& job, const job::Coverage::Interval& ranks);
[[nodiscard]] std::string describe_gap(const job::Job& job, const job::Coverage::Interval& ranks);

// "# nearest 0x1p+0, upward 0x1.8p+0, downward 0x1p+0, toward-zero 0x1p+0": f(x) as the job's format has it, a line.
[[nodiscard]] std::string right_results(const job::Job& job, const Argument& x);

// What stands before each case: nothing, or a comment that has the right results in every direction.
enum class Expected { untold, told };

// Hands a list to a sink, line by line.
void write_wc(const support::TextSink& sink, const job::Job& job, const RunDescription& run, const SearchResult& result,
              CaseOrder order = CaseOrder::hardest, Expected expected = Expected::untold);
// The same as one text.
// Exact cases, which are no hard-to-round ones, and undecided arguments stand in comments.
[[nodiscard]] std::string wc_file(const job::Job& job, const RunDescription& run, const SearchResult& result,
                                  CaseOrder order = CaseOrder::hardest);

} // namespace tmd::result
