// The results of a job file in their folder: which searches are done, which files each has, and which go together.
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

// What one process does: a search, or two of which each serves the other, by their numbers in the file.
using Turn = std::vector<std::size_t>;

// Whether two searches, which are the same but for their functions, have much in common: what is done for one serves
// the other, too, where one process does both.
[[nodiscard]] bool share_claims(const request::SearchRequest& one, const request::SearchRequest& other);

// A search's turn, with one that shares its claims where that may come second.
[[nodiscard]] Turn turn_of(const std::vector<request::JobSearch>& searches, std::size_t first,
                           const std::function<bool(std::size_t)>& may_be_second);

class JobResults {
public:
  // Reads what is there and writes the index. program: that searches now. ways: what is the same for all searches, such
  // as --other-version. Throws UsageError where the index cannot be written.
  JobResults(std::filesystem::path folder, const std::vector<request::JobSearch>& searches, Program program,
             SearchSpec ways);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  // "DIR/NAME.jsonl", of a search by its number.
  [[nodiscard]] std::string file(std::size_t index, const char* extension) const;
  // With the files of a search, and the ways.
  [[nodiscard]] SearchSpec with_files(std::size_t index, SearchSpec spec) const;

  // Looks for a search's result. False when there is none, or one of another job or program, or not all of it. What the
  // search itself says was left out belongs to it.
  bool read(std::size_t index);
  // What is to be done with its journal, if it has one that nobody writes. One that cannot be read is left: what is
  // wrong with it the search says itself.
  [[nodiscard]] JournalDecision decide_on_journal(std::size_t index) const;
  void fail(std::size_t index, const std::string& why) { entries_[index].failure = why; }
  void write_index() const;

  [[nodiscard]] bool is_done(std::size_t index) const { return entries_[index].result.has_value(); }
  [[nodiscard]] std::size_t done() const;
  // Whether one that is done has left something out.
  [[nodiscard]] bool is_partial() const;
  // One line for people, of a search that is done.
  [[nodiscard]] std::string summary(std::size_t index) const;

private:
  std::filesystem::path folder_;
  Program program_;
  SearchSpec ways_;
  std::vector<IndexEntry> entries_;
};

} // namespace tmd::result
