// What a search leaves behind for people: tables.
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

// How many cases a table has, and where the others are.
struct CasesToShow {
  std::size_t most = std::numeric_limits<std::size_t>::max();
  std::string others_in = {}; // the name of a file; empty: nowhere
};

// What a request asks for: all, but only the first where a file has them, and none with --quiet.
[[nodiscard]] CasesToShow cases_to_show(const SearchSpec& spec, std::string file);

// Hands the table of cases to a sink, line by line.
void write_case_table(const support::TextSink& sink, const result::SearchResult& result, const CasesToShow& shown = {});
// The cases, hardest first, one a line under a heading; few exact cases too, and the undecided arguments. Of each kind
// the first; how many others there are is said, unless none is to be shown.
[[nodiscard]] std::string case_table(const result::SearchResult& result, const CasesToShow& shown = {});
// The devices, a line each.
[[nodiscard]] std::string describe_devices(const result::RunDescription& run);
// Counts and times of polynomials and stages, coverage.
[[nodiscard]] std::string summary_table(const job::Job& job, const result::SearchResult& result);
// The ranges of which every argument is a case, and those that were left out, a line each.
[[nodiscard]] std::string range_table(const job::Job& job, const result::SearchResult& result);
// What an audit has compared; nothing where there was none.
[[nodiscard]] std::string audit_table(const job::Job& job, const result::RunDescription& run);
// Of several devices: what each took, and its time. Nothing for one.
[[nodiscard]] std::string device_table(const result::RunDescription& run, const result::SearchResult& result);
// Which method how many intervals got, and for a few fields the expected costs that decided it.
[[nodiscard]] std::string method_table(const result::SearchResult& result);
// What CPU mode was asked for and what each stage got; empty where that says nothing.
[[nodiscard]] std::string cpu_mode_table(const std::optional<engine::CpuModes>& modes);
// Every term of the error ledger for every field, as powers of two.
[[nodiscard]] std::string ledger_table(const result::SearchResult& result);

} // namespace tmd::report
