// Decides what to do with an existing journal: whether a search resumes from it or starts it anew, and whether it holds
// the work of another search. The decision is data; commands print it and act on it.
#pragma once

#include "request/resolve.hpp"
#include "result/journal.hpp"

#include <optional>
#include <string>

namespace tmd::result {

struct JournalDecision {
  enum class Action {
    begin,  // it is empty or useless
    go_on,  // resume with what it has
    finish, // nothing is left to search: only write the files
    remove, // its search is not wanted any more
    leave,  // the search itself decides
    refuse  // the sentence says why
  };
  Action action = Action::begin;
  std::string sentence = {}; // why it is refused, or a note for the user; may be empty

  // Throws UsageError if it is refused.
  const JournalDecision& or_refuse() const;
};

// The search that wants to use the journal.
struct JournalUse {
  const std::string& name; // of the file, for messages
  const job::Job& job;
  Program program;
  bool other_version = false; // whether to resume what another program has started
};

// Whether this program may resume the work of other programs: go_on or refuse.
[[nodiscard]] JournalDecision decide_on_program(const JournalContents& contents, const JournalUse& use);

// For a search with this journal: begin, go_on or refuse. An unfinished search resumes, and so does one for which this
// process has already written into the journal (is_known). A finished search is used only if its files are lost
// (is_unwritten).
[[nodiscard]] JournalDecision decide_for_search(const std::optional<JournalContents>& contents, const JournalUse& use,
                                                bool is_known, bool is_unwritten);

// For a run of a job file, before its searches: finish, remove or leave. A finished search of the same job and program
// gets its files from the journal. An unfinished one of a job that the file no longer has is removed, because a search
// would refuse it.
[[nodiscard]] JournalDecision decide_for_run(const JournalContents& contents, const JournalUse& use);

// For `tmd resume`: go_on, finish or refuse. Programs are compared later, when the kernels in use are known.
[[nodiscard]] JournalDecision decide_for_resume(const std::optional<JournalContents>& contents,
                                                const std::string& name);

// The request in the journal. Throws UsageError if it contradicts itself.
[[nodiscard]] request::SearchRequest request_of(const JournalContents& contents);

} // namespace tmd::result
