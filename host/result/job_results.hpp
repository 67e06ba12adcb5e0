// The results of a job file in their folder: which searches are done, which files they have, and which share a process.
#pragma once

#include "request/job_file.hpp"
#include "result/index.hpp"
#include "result/journal_policy.hpp"
#include "result/program.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tmd::result {

// The searches of one process, by their numbers in the file: one, and those that share its claims.
using Turn = std::vector<std::size_t>;

// Whether what is done for one of two searches serves the other, too, if one process does both. They must be the same
// but for their functions.
[[nodiscard]] bool share_claims(const request::SearchRequest& one, const request::SearchRequest& other);

// A search's turn, with those after it that share its claims.
[[nodiscard]] Turn turn_of(const std::vector<request::JobSearch>& searches, std::size_t first,
                           const std::function<bool(std::size_t)>& may_be_with);

class JobResults {
public:
  // Reads the existing results and writes the index. program: the running one. ways: options for all searches, such as
  // --other-version. Throws UsageError if the index cannot be written.
  JobResults(std::filesystem::path folder, const std::vector<request::JobSearch>& searches, Program program,
             SearchSpec ways);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  // The path "DIR/NAME.jsonl" of a search, by its number.
  [[nodiscard]] std::string file(std::size_t index, const char* extension) const;
  // Adds a search's files and the common options to a spec.
  [[nodiscard]] SearchSpec with_files(std::size_t index, SearchSpec spec) const;

  // Reads a search's result. False if there is none, or if it is incomplete or from another job or program. Arguments
  // that the search itself left out are no gap.
  bool read(std::size_t index);
  // Decides what to do with a search's journal, if it has one that nobody is writing. An unreadable journal is left:
  // the search itself will report what is wrong with it.
  [[nodiscard]] JournalDecision decide_on_journal(std::size_t index) const;
  void fail(std::size_t index, const std::string& why) { entries_[index].failure = why; }
  void write_index() const;

  [[nodiscard]] bool is_done(std::size_t index) const { return entries_[index].result.has_value(); }
  [[nodiscard]] std::size_t done() const;
  // Whether a finished search has left something out.
  [[nodiscard]] bool is_partial() const;
  // A line for people about a finished search.
  [[nodiscard]] std::string summary(std::size_t index) const;

private:
  std::filesystem::path folder_;
  Program program_;
  SearchSpec ways_;
  std::vector<IndexEntry> entries_;
};

} // namespace tmd::result
