// One search as a user of the terminal sees it: what `tmd search` and `tmd resume` have in common.
#pragma once

#include "result/journal_policy.hpp"
#include "run/kept_search.hpp"
#include "run/search_files.hpp"
#include "run/search_run.hpp"

namespace tmd::app {

struct SearchOutputs {
  SearchFiles files;
  bool silent = false; // nothing is printed on standard output
};

// Tries the files, and prints no tables where one is standard output. Throws what open_files() throws.
[[nodiscard]] SearchOutputs open_outputs(const OutputNames& names);

// On standard error, where there is something to say.
void print_note(const JournalDecision& decision);

// Writes the files and prints the tables of a search that has ended, or was interrupted; returns the exit status.
int finish(const SearchRequest& request, const SearchOutputs& outputs, const RunDescription& run,
           const SearchResult& result, const Journal* journal);

// Searches with progress and interrupts, writes the files and prints the tables; returns the exit status. ranks, next:
// as SearchRun takes them.
int run_request(const SearchRequest& request, const SearchOutputs& outputs, const Keep& keep, Ranks* ranks,
                NextRun* next = nullptr);

} // namespace tmd::app
