// The checks of `tmd verify` that need no device.
#pragma once

#include "report/verification.hpp"
#include "result/recorded_search.hpp"
#include "search/binade_counts.hpp"
#include "tmd/case.hpp"

#include <string>
#include <vector>

namespace tmd::report {

inline constexpr const char* cases_not_listed = "the cases are in the list beside it";

// A result with its request, cut to its part of the job, if it has one, as the search did.
[[nodiscard]] result::RecordedSearch read_to_verify(const result::ResultText& text);

struct FileChecks {
  std::vector<Case> cases; // entries that MPFR confirms as cases
  searches::CountVerdict counts;
};

// Adds a row for each check: lines, header, origin, entries, order, ranges, coverage, and counts of each binade.
FileChecks check_file(VerifyReport& report, const result::RecordedSearch& file);

} // namespace tmd::report
