// Runs one search for the terminal: the common part of `tmd search` and `tmd resume`.
#pragma once

#include "result/journal_policy.hpp"
#include "run/kept_search.hpp"
#include "run/search_files.hpp"
#include "run/search_run.hpp"

#include <span>

namespace tmd::app {

struct SearchOutputs {
  run::SearchFiles files;
  bool silent = false; // whether to print nothing on standard output
};

// Opens the files, and suppresses tables if one of them is standard output. Throws what open_files() throws.
[[nodiscard]] SearchOutputs open_outputs(const run::OutputNames& names);

// Prints a decision's note on standard error, if it has one.
void print_note(const result::JournalDecision& decision);

// Writes the files and prints the tables of a finished or interrupted search; returns the exit status.
int finish(const request::SearchRequest& request, const SearchOutputs& outputs, const result::RunDescription& run,
           const result::SearchResult& result, const result::Journal* journal);

// Runs a search with progress and interrupts, writes the files and prints the tables; returns the exit status. ranks,
// later: as for SearchRun.
int run_request(const request::SearchRequest& request, const SearchOutputs& outputs, const run::Keep& keep,
                run::Ranks* ranks, std::span<run::LaterRun> later = {});

} // namespace tmd::app
