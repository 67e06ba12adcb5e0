// Each turn is a process of its own, so that a crash does not harm the others; with MPI it is this process.
#include "run_turns.hpp"

#include "interrupt.hpp"
#include "run_child.hpp"
#include "search.hpp"
#include "standard_streams.hpp"

#include "request/spec_json.hpp"
#include "support/stopwatch.hpp"
#include "support/terminal_line.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::app {

namespace {

// Runs the searches in this process with the ranks of an MPI job, which a child process would not have.
ChildEnd run_over(run::Ranks& ranks, const std::vector<SearchSpec>& specs) {
  try {
    return {ChildEnd::Kind::exited, search_all(specs, &ranks, true), {}, {}};
  } catch (const Interrupted&) {
    return {ChildEnd::Kind::interrupted, 0, {}, {}};
  } catch (const std::exception& error) {
    const Failure failure = failure_of(error);
    return {ChildEnd::Kind::exited, static_cast<int>(failure.status), {}, fmt::format("tmd: {}\n", failure.sentence)};
  }
}

ChildEnd run_turn(const result::Turn& turn, const std::vector<request::JobSearch>& searches,
                  const result::JobResults& results, run::Ranks* ranks) {
  std::vector<SearchSpec> specs;
  std::string names;
  for (const std::size_t index : turn) {
    specs.push_back(results.with_files(index, searches[index].request.spec));
    specs.back().journal = results.file(index, ".journal");
    names += (names.empty() ? "" : ", ") + searches[index].name;
  }
  if (ranks != nullptr)
    return run_over(*ranks, specs);
  support::TerminalLine line;
  const auto start = std::chrono::steady_clock::now();
  return run_search(specs, std::numeric_limits<double>::infinity(), [&] {
    if (line.due())
      line.show(fmt::format("{}: {:.0f} s", names, support::seconds_since(start)));
    return interrupted();
  });
}

// The more severe of two: a failed soundness check, then a device, then a bad value.
Status more_severe(Status left, Status right) {
  return static_cast<int>(left) < static_cast<int>(right) ? right : left;
}

Status status_of(const ChildEnd& end) {
  const bool said_so = end.kind == ChildEnd::Kind::exited;
  for (const Status status : {Status::usage, Status::unsound})
    if (said_so && end.number == static_cast<int>(status))
      return status;
  return Status::device;
}

// The searches of a job file, turn by turn.
class Run {
public:
  Run(const std::vector<request::JobSearch>& searches, result::JobResults& results, std::vector<bool> wanted,
      run::Ranks* ranks)
      : searches_(searches), results_(results), wanted_(std::move(wanted)), ranks_(ranks), had_turn_(searches.size()),
        is_alone_(searches.size(), ranks != nullptr) {}

  int run() {
    catch_interrupts();
    resume_journals();
    for (std::size_t i = 0; i < searches_.size() && !interrupted(); ++i)
      while (wanted_[i] && !had_turn_[i] && !interrupted())
        do_turn_of(i);
    if (interrupted()) {
      fmt::print(stderr, "{}", where_interrupted());
      interrupt_is_reported();
      return static_cast<int>(Status::interrupted);
    }
    if (!failed_.empty())
      throw Error(status_, fmt::format("of {} searches {} failed: {}; the same command tries again",
                                       std::count(wanted_.begin(), wanted_.end(), true), failed_.size(),
                                       fmt::join(failed_, ", ")));
    fmt::print("{} of {} searches are done: {}\n", results_.done(), searches_.size(),
               (results_.folder() / "index.md").string());
    return static_cast<int>(results_.is_partial() ? Status::partial : Status::done);
  }

private:
  // Before any search, finished searches get their files from their journals, in processes of their own, and need no
  // turn. If that fails, the search is done again.
  void resume_journals() {
    for (std::size_t i = 0; i < wanted_.size() && !interrupted(); ++i) {
      if (!wanted_[i] || results_.is_done(i))
        continue;
      const result::JournalDecision decision = results_.decide_on_journal(i);
      const std::string journal = results_.file(i, ".journal");
      std::error_code none;
      if (decision.action == result::JournalDecision::Action::remove && std::filesystem::remove(journal, none))
        fmt::print(stderr, "tmd: note: {}\n", decision.sentence);
      if (decision.action != result::JournalDecision::Action::finish || ranks_ != nullptr)
        continue;
      (void)run_child({"resume", journal, "--spec", request::to_json(results_.with_files(i, {})).dump()},
                      std::numeric_limits<double>::infinity(), interrupted);
      had_turn_[i] = results_.read(i);
      if (had_turn_[i])
        fmt::print("{} (from its journal)\n", results_.summary(i));
    }
  }

  void do_turn_of(std::size_t first) {
    if (results_.is_done(first)) {
      fmt::print("{} (done before)\n", results_.summary(first));
      had_turn_[first] = true;
      return;
    }
    keep_for_interrupt(where_interrupted());
    const result::Turn turn = result::turn_of(searches_, first, [&](std::size_t other) {
      return !is_alone_[first] && wanted_[other] && !had_turn_[other] && !is_alone_[other] && !results_.is_done(other);
    });
    const ChildEnd end = run_turn(turn, searches_, results_, ranks_);
    const bool is_interrupted = end.kind == ChildEnd::Kind::interrupted || interrupted();
    if (!is_interrupted && end.has_ended())
      fmt::print(stderr, "{}", end.errors); // warnings
    const bool is_shared = turn.size() > 1;
    if (is_shared && !is_interrupted && !end.has_ended())
      fmt::print(stderr, "tmd: note: several searches by one walk have failed, and are done one by one: {}\n",
                 end.sentence());
    for (const std::size_t index : turn) {
      had_turn_[index] = true;
      if (is_interrupted)
        (void)results_.read(index); // the first of them may be complete
      else
        take(index, end, !is_shared);
    }
    results_.write_index();
    flush_output();
  }

  // Processes the outcome of a turn for one of its searches.
  void take(std::size_t index, const ChildEnd& end, bool was_alone) {
    if (results_.read(index)) { // even if another one has failed
      fmt::print("{}\n", results_.summary(index));
      return;
    }
    if (!was_alone) { // the fault may be in only one of them
      is_alone_[index] = true;
      had_turn_[index] = false;
      return;
    }
    const std::string why = end.has_ended() ? "its result is not that of the job" : end.sentence();
    results_.fail(index, why);
    fmt::print(stderr, "tmd: warning: the search {} has failed: {}\n", searches_[index].name, why);
    failed_.push_back(searches_[index].name);
    status_ = more_severe(status_, status_of(end));
  }

  [[nodiscard]] std::string where_interrupted() const {
    return fmt::format("tmd: interrupted: {} of {} searches are done; the same command resumes them\n", results_.done(),
                       searches_.size());
  }

  const std::vector<request::JobSearch>& searches_;
  result::JobResults& results_;
  std::vector<bool> wanted_;
  run::Ranks* ranks_;
  std::vector<bool> had_turn_;
  std::vector<bool> is_alone_; // searches with turns of their own: with MPI, ranks search for one function at a time
  std::vector<std::string> failed_;
  Status status_ = Status::done;
};

} // namespace

int run_turns(const std::vector<request::JobSearch>& searches, result::JobResults& results, std::vector<bool> wanted,
              run::Ranks* ranks) {
  return Run(searches, results, std::move(wanted), ranks).run();
}

} // namespace tmd::app
