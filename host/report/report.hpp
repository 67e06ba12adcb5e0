// The tables that a search prints.
#pragma once

#include "job/job.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"
#include "result/wc.hpp"
#include "tmd/search_spec.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>

namespace tmd::report {

// How many cases the table lists, and where the others are.
struct CasesToShow {
  std::size_t most = std::numeric_limits<std::size_t>::max();
  std::string others_in = {}; // name of a file; empty if there is none
};

// The number that a request asks for: all, but only the first if a file has them, and none with --quiet.
[[nodiscard]] CasesToShow cases_to_show(const SearchSpec& spec, std::string file);

// Writes the table of cases to a sink, line by line.
void write_case_table(const support::TextSink& sink, const result::SearchResult& result, const CasesToShow& shown = {});
// The cases, hardest first, one a line under a heading, and the first few exact cases and undecided arguments. The
// table says how many others there are, unless none are to be shown.
[[nodiscard]] std::string case_table(const result::SearchResult& result, const CasesToShow& shown = {});
// The devices, a line each.
[[nodiscard]] std::string describe_devices(const result::RunDescription& run);
// Counts and times of polynomials and stages, and the coverage.
[[nodiscard]] std::string summary_table(const job::Job& job, const result::SearchResult& result);
// The ranges in which every argument is a case, and those that were left out, a line each.
[[nodiscard]] std::string range_table(const job::Job& job, const result::SearchResult& result);
// What an audit has compared; empty if there was none.
[[nodiscard]] std::string audit_table(const job::Job& job, const result::RunDescription& run);
// For several devices: the share and the time of each. Empty for one.
[[nodiscard]] std::string device_table(const result::RunDescription& run, const result::SearchResult& result);
// The number of intervals for each method, and for a few fields the expected costs that decided it.
[[nodiscard]] std::string method_table(const result::SearchResult& result);
// The requested CPU mode and the mode of each stage; empty if that says nothing.
[[nodiscard]] std::string cpu_mode_table(const std::optional<engine::CpuModes>& modes);
// Every term of the error ledger of every field, as powers of two.
[[nodiscard]] std::string ledger_table(const result::SearchResult& result);

} // namespace tmd::report
