// Reports what `tmd verify` finds when it searches a result again: the ways it can use, and the outcome of each.
#pragma once

#include "report/verification.hpp"
#include "search/audit.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tmd::report {

// The row of the report for a way of searching again.
[[nodiscard]] std::string_view name_of(searches::AuditWay::Means means);

// A test that shares nothing with the one that searched. If the file does not say which that was, the request decides
// between the wide test and the domain tests.
[[nodiscard]] std::string_view other_algorithm(const result::RecordedSearch& file, const result::SearchResult& result);

// If an algorithm was requested, keeps only the ways that it serves and reports the others as left out.
[[nodiscard]] std::vector<searches::AuditWay> ways_by(const std::string& algorithm,
                                                      const std::vector<searches::AuditWay>& ways,
                                                      const searches::Auditable& what, VerifyReport& report);

struct SearchedAgain {
  const searches::AuditWay& way;
  const searches::AuditSize& size; // the requested size
  std::string device;              // name of the device
};

// Adds a row with all differences. cases: the file's entries that are cases; the check `entries` has already reported
// the others.
void report_searched_again(VerifyReport& report, const result::RecordedSearch& file, const std::vector<Case>& cases,
                           const SearchedAgain& how, const searches::AuditComparison& compared);

// Adds a row for the arguments that no way covers.
void report_rest(VerifyReport& report, const result::RecordedSearch& file, const searches::Auditable& what);

} // namespace tmd::report
