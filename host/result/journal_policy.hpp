// What becomes of a journal that is there already: the one place that decides whether a search goes on from it or
// begins it anew, or whether somebody else's work is in it. The decision is data; commands print it and act.
#pragma once

#include "request/resolve.hpp"
#include "result/journal.hpp"

#include <optional>
#include <string>

namespace tmd::result {

struct JournalDecision {
  enum class Action {
    begin,  // there is nothing in it, or nothing of use
    go_on,  // with what it has
    finish, // nothing is left to be searched: only the files are to be written
    remove, // nobody asks for its search any more
    leave,  // what it is good for the search itself decides
    refuse  // a sentence says why
  };
  Action action = Action::begin;
  std::string sentence = {}; // why it is refused; else what the user should know, where there is something

  // Throws UsageError where it is refused.
  const JournalDecision& or_refuse() const;
};

// Who asks, and for what.
struct JournalUse {
  const std::string& name; // of the file, for sentences
  const job::Job& job;
  Program program;
  bool other_version = false; // goes on with what another program has begun
};

// Whether this program may go on with what others have found: go_on or refuse.
[[nodiscard]] JournalDecision decide_on_program(const JournalContents& contents, const JournalUse& use);

// Where a search is to be kept: begin, go_on or refuse. A search that has not ended goes on, as does one of which this
// process has put something into its journal (is_known); one that has ended is only wanted where its files are lost
// (is_unwritten).
[[nodiscard]] JournalDecision decide_for_search(const std::optional<JournalContents>& contents, const JournalUse& use,
                                                bool is_known, bool is_unwritten);

// Before the searches of a job file begin: finish, remove or leave. What has ended of the same job and program has its
// files from there; what has not ended of a job that the file no longer has is of no more use, and a search would
// refuse it.
[[nodiscard]] JournalDecision decide_for_run(const JournalContents& contents, const JournalUse& use);

// Where a user goes on from a journal: go_on, finish or refuse. Programs are compared when it is known which kernels
// are used.
[[nodiscard]] JournalDecision decide_for_resume(const std::optional<JournalContents>& contents,
                                                const std::string& name);

// What was asked for, as the journal has it. Throws UsageError where that contradicts itself.
[[nodiscard]] request::SearchRequest request_of(const JournalContents& contents);

} // namespace tmd::result
