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

// A result with what it was asked for, which is cut to its part, if it is one, as the search has done it.
[[nodiscard]] result::RecordedSearch read_to_verify(const std::string& name);

struct FileChecks {
  std::vector<Case> cases; // the entries that are cases, as MPFR finds them
  searches::CountVerdict counts;
};

// Adds a row for each check: lines, header, origin, entries, order, ranges, coverage, and counts of each binade.
FileChecks check_file(VerifyReport& report, const result::RecordedSearch& file);

} // namespace tmd::report
