// Writes CORE-MATH's lists (.wc): comments that say how a list was made, then one hex float a line.
#pragma once

#include "job/job.hpp"
#include "request/resolve.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"
#include "support/compressed_file.hpp"

#include <string>
#include <string_view>

namespace tmd::result {

// A line that describes the job; the same text everywhere.
[[nodiscard]] std::string describe(const job::Job& job);
// The same, with the range as the user wrote it.
[[nodiscard]] std::string describe(const request::SearchRequest& request);
[[nodiscard]] std::string describe(const job::Job& job, const RunDescription& run);

// The identity that gives the values at all other arguments: "; x >= 0 only: f(-x) = -f(x)". Empty if nothing was left
// out by it.
[[nodiscard]] std::string describe_reduction(const job::Job& job, Symmetry symmetry);

// A line that describes a range and its arguments; fully: with the data from which its cases follow.
[[nodiscard]] std::string describe(const job::Job& job, const job::RegimeRange& range);
[[nodiscard]] std::string describe_fully(const job::Job& job, const job::RegimeRange& range);
// A line that names ranks that were left out.
[[nodiscard]] std::string describe_left_out(const job::Job& job, const job::Coverage::Interval& ranks);
[[nodiscard]] std::string describe_gap(const job::Job& job, const job::Coverage::Interval& ranks);

// "# nearest 0x1p+0, upward 0x1.8p+0, downward 0x1p+0, toward-zero 0x1p+0": f(x) rounded to the job's format.
[[nodiscard]] std::string right_results(const job::Job& job, const Argument& x);

// Whether a comment with the right results in every direction precedes each case.
enum class Expected { untold, told };

// Writes a list to a sink, line by line.
void write_wc(const support::TextSink& sink, const job::Job& job, const RunDescription& run, const SearchResult& result,
              CaseOrder order = CaseOrder::hardest, Expected expected = Expected::untold);
// The same as one text. Exact and undecided cases, which are no hard cases, are in comments.
[[nodiscard]] std::string wc_file(const job::Job& job, const RunDescription& run, const SearchResult& result,
                                  CaseOrder order = CaseOrder::hardest);

} // namespace tmd::result
