// What `tmd verify` finds: a row for each check, and all that failed; as a table and as records.
#pragma once

#include "result/recorded_search.hpp"
#include "result/result_check.hpp"
#include "result/run_description.hpp"
#include "search/binade_counts.hpp"
#include "tmd/error.hpp"
#include "tmd/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tmd::report {

struct VerifyReport : Verification {
  std::vector<result::AuditReport> searched_again;
  bool is_share_reached = true; // that was to be searched again
  std::string device_failure;   // why something could not be
  Status device_status = Status::done;

  // A check that was done; it has failed where there are objections.
  void add(std::string_view name, std::string looked_at, const std::vector<Objection>& objections,
           std::string remark = {});
  // One that was not.
  void leave_out(std::string_view name, std::string why);
};

// The table, and what failed.
[[nodiscard]] std::string verification_table(const VerifyReport& report);
// What is verified.
struct VerifiedFile {
  std::string name;
  std::string job;         // in words
  result::Program program; // that has made it
  bool is_partial = false;
};
// JSON Lines.
[[nodiscard]] std::string verification_records(const VerifyReport& report, const VerifiedFile& file,
                                               const searches::CountVerdict& counts = {});

} // namespace tmd::report
