// What `tmd verify` reports of a result that is searched again: which ways serve, and what each has come to.
#pragma once

#include "report/verification.hpp"
#include "search/audit.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tmd {

// The row of the report for what is searched again by such means.
[[nodiscard]] std::string_view name_of(AuditWay::Means means);

// A test that has nothing in common with what has searched. Where nobody says what that was, it was the wide test or a
// domain test, by what was asked for.
[[nodiscard]] std::string_view other_algorithm(const RecordedSearch& file, const SearchResult& result);

// An algorithm that was asked for serves in some ways only: those are kept, and the report says so of the others.
[[nodiscard]] std::vector<AuditWay> ways_by(const std::string& algorithm, const std::vector<AuditWay>& ways,
                                            const Auditable& what, VerifyReport& report);

struct SearchedAgain {
  const AuditWay& way;
  const AuditSize& size; // that was asked for
  std::string device;    // its name
};

// Adds a row with all that differs. cases: the file's entries that are cases; others are failures of the check
// `entries` already.
void report_searched_again(VerifyReport& report, const RecordedSearch& file, const std::vector<Case>& cases,
                           const SearchedAgain& how, const AuditComparison& compared);

// Adds a row of the arguments that no way leads to.
void report_rest(VerifyReport& report, const RecordedSearch& file, const Auditable& what);

} // namespace tmd
