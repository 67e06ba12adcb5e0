// tmd search, resume, status and merge by boxes: pow and powr, and expressions over ranges.
#pragma once

#include "run/power_run.hpp"

#include <functional>
#include <string>

namespace tmd::app {

// Starts a search, or resumes it from its journal. Returns the exit status.
[[nodiscard]] int search_powers(const run::PowerRequest& request, const run::OutputNames& outputs, run::Ranks* ranks);
// Writes the files and prints the table of a finished search.
[[nodiscard]] int finish_pairs(const run::PowerRequest& request, const run::SearchFiles& files,
                               const pairs::PairResult& result);

// spec: that of the journal's search, with the options given now. names: its outputs.
[[nodiscard]] int resume_powers(const std::filesystem::path& journal,
                                const std::function<void(SearchSpec&)>& read_options,
                                const std::function<run::OutputNames(const run::OutputNames&)>& outputs,
                                run::Ranks* ranks);

// The state of a search by its journal, as text and as a record.
struct PowerStatus {
  std::string table;
  std::string record;
};
[[nodiscard]] PowerStatus power_status(const std::string& journal);

// Merges the parts of one search. Returns the exit status.
[[nodiscard]] int merge_powers(const std::vector<std::string>& journals, const SearchSpec& spec, bool allow_gaps);

} // namespace tmd::app
