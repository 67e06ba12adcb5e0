// Collects what `tmd verify` finds: a row for each check, and all failures; prints them as a table and as records.
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

// A corrected p-value below this means that chance does not explain a count.
inline constexpr double least_p = 1e-6;

struct VerifyReport : Verification {
  std::vector<result::AuditReport> searched_again;
  bool is_share_reached = true; // whether the requested share was searched again
  std::string device_failure;   // why part of it could not be searched
  Status device_status = Status::done;

  // Adds a check that was done; it failed if there are objections.
  void add(std::string_view name, std::string looked_at, const std::vector<Objection>& objections,
           std::string remark = {});
  // Adds a check that was not done.
  void leave_out(std::string_view name, std::string why);
};

// The table, and the failures.
[[nodiscard]] std::string verification_table(const VerifyReport& report);
// The file to verify.
struct VerifiedFile {
  std::string name;
  std::string job;         // description for people
  result::Program program; // the program that made it
  bool is_partial = false;
};
// JSON Lines.
[[nodiscard]] std::string verification_records(const VerifyReport& report, const VerifiedFile& file,
                                               const searches::CountVerdict& counts = {});

} // namespace tmd::report
