// What `tmd verify` reports of a result that is searched again: which ways serve, and what each has come to.
#pragma once

#include "report/verification.hpp"
#include "search/audit.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tmd::report {

// The row of the report for what is searched again by such means.
[[nodiscard]] std::string_view name_of(searches::AuditWay::Means means);

// A test that has nothing in common with what has searched. Where nobody says what that was, it was the wide test or a
// domain test, by what was asked for.
[[nodiscard]] std::string_view other_algorithm(const result::RecordedSearch& file, const result::SearchResult& result);

// An algorithm that was asked for serves in some ways only: those are kept, and the report says so of the others.
[[nodiscard]] std::vector<searches::AuditWay> ways_by(const std::string& algorithm,
                                                      const std::vector<searches::AuditWay>& ways,
                                                      const searches::Auditable& what, VerifyReport& report);

struct SearchedAgain {
  const searches::AuditWay& way;
  const searches::AuditSize& size; // that was asked for
  std::string device;              // its name
};

// Adds a row with all that differs. cases: the file's entries that are cases; others are failures of the check
// `entries` already.
void report_searched_again(VerifyReport& report, const result::RecordedSearch& file, const std::vector<Case>& cases,
                           const SearchedAgain& how, const searches::AuditComparison& compared);

// Adds a row of the arguments that no way leads to.
void report_rest(VerifyReport& report, const result::RecordedSearch& file, const searches::Auditable& what);

} // namespace tmd::report
