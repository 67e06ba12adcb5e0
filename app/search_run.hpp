// One search as a user of the terminal sees it: what `tmd search` and `tmd resume` have in common.
#pragma once

#include "result/journal_policy.hpp"
#include "run/kept_search.hpp"
#include "run/search_files.hpp"
#include "run/search_run.hpp"

namespace tmd::app {

struct SearchOutputs {
  run::SearchFiles files;
  bool silent = false; // nothing is printed on standard output
};

// Tries the files, and prints no tables where one is standard output. Throws what open_files() throws.
[[nodiscard]] SearchOutputs open_outputs(const run::OutputNames& names);

// On standard error, where there is something to say.
void print_note(const result::JournalDecision& decision);

// Writes the files and prints the tables of a search that has ended, or was interrupted; returns the exit status.
int finish(const request::SearchRequest& request, const SearchOutputs& outputs, const result::RunDescription& run,
           const result::SearchResult& result, const result::Journal* journal);

// Searches with progress and interrupts, writes the files and prints the tables; returns the exit status. ranks, next:
// as SearchRun takes them.
int run_request(const request::SearchRequest& request, const SearchOutputs& outputs, const run::Keep& keep,
                run::Ranks* ranks, run::NextRun* next = nullptr);

} // namespace tmd::app
