// The treatment of an existing journal, case by case.
#include "host/result/journal_policy.hpp"
#include "tmd/error.hpp"
#include "unit/contains.hpp"
#include "unit/message_of.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace tmd::result {

namespace {

using Action = JournalDecision::Action;

const Program this_one{"1", "0123456789ab", {"0123456789abcdef", false}};
const Program other_one{"1", "ba9876543210", {"0123456789abcdef", false}};

// The contents of a journal of the first half of the job, or of all of it.
JournalContents journal_of(const job::Job& job, bool is_complete, const Program& program = this_one) {
  JournalContents contents;
  contents.header.program = program;
  contents.owned = {nullptr, job};
  contents.result.covered.add(job.first, is_complete ? job.last : job.first + (job.last - job.first) / 2);
  return contents;
}

job::Job other_job() {
  job::Job job = some_job();
  job.K = 40;
  return job;
}

} // namespace

TEST_CASE("journals: a search goes on, begins anew or is refused") {
  const job::Job job = some_job();
  const std::string name = "j";
  const JournalUse use{name, job, this_one};
  const auto action = [&](const std::optional<JournalContents>& contents, bool is_known, bool is_unwritten) {
    return decide_for_search(contents, use, is_known, is_unwritten).action;
  };
  CHECK(action(std::nullopt, false, false) == Action::begin);
  JournalContents nothing = journal_of(job, false);
  nothing.result.covered = {};
  CHECK(action(nothing, true, true) == Action::begin);
  CHECK(action(journal_of(job, false), false, false) == Action::go_on);
  // A complete journal is wanted if its files are missing, or this process has put something into it.
  CHECK(action(journal_of(job, true), false, false) == Action::begin);
  CHECK(action(journal_of(job, true), false, true) == Action::go_on);
  CHECK(action(journal_of(job, true), true, false) == Action::go_on);
  // Work for another job is never lost, but a complete journal is replaced.
  CHECK(action(journal_of(other_job(), false), false, true) == Action::refuse);
  CHECK(action(journal_of(other_job(), true), false, true) == Action::begin);
  CHECK(contains(
      message_of([&] { (void)decide_for_search(journal_of(other_job(), false), use, false, false).or_refuse(); }),
      "the journal 'j' is of another search, which has not ended"));
}

TEST_CASE("journals: of another program only where that is wanted, and said") {
  const job::Job job = some_job();
  const std::string name = "j";
  const JournalContents contents = journal_of(job, false, other_one);
  JournalUse use{name, job, this_one};
  JournalDecision decision = decide_for_search(contents, use, false, false);
  CHECK(decision.action == Action::refuse);
  CHECK(contains(decision.sentence, "--other-version goes on with it"));
  use.other_version = true;
  decision = decide_for_search(contents, use, false, false);
  CHECK(decision.action == Action::go_on);
  CHECK(contains(decision.sentence, "the result names both"));
  CHECK(decide_on_program(journal_of(job, false), use).sentence.empty());
}

TEST_CASE("journals: before a job file's searches, and where a user goes on") {
  const job::Job job = some_job();
  const std::string name = "j";
  JournalUse use{name, job, this_one};
  CHECK(decide_for_run(journal_of(job, true), use).action == Action::finish);
  CHECK(decide_for_run(journal_of(job, true, other_one), use).action == Action::leave);
  use.other_version = true;
  CHECK(decide_for_run(journal_of(job, true, other_one), use).action == Action::finish);
  CHECK(decide_for_run(journal_of(job, false), use).action == Action::leave);
  CHECK(decide_for_run(journal_of(other_job(), true), use).action == Action::leave);
  CHECK(decide_for_run(journal_of(other_job(), false), use).action == Action::remove);

  CHECK(decide_for_resume(std::nullopt, name).action == Action::refuse);
  CHECK(decide_for_resume(journal_of(job, true), name).action == Action::finish);
  JournalContents torn = journal_of(job, false);
  CHECK(decide_for_resume(torn, name).sentence.empty());
  torn.was_torn = true;
  CHECK(decide_for_resume(torn, name).action == Action::go_on);
  CHECK(contains(decide_for_resume(torn, name).sentence, "is dropped"));
}

} // namespace tmd::result
