// One search from its devices to its result: what `tmd search`, `tmd resume` and programs that use the library have in
// common.
#pragma once

#include "request/resolve.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"
#include "run/kept_search.hpp"
#include "run/ranks.hpp"
#include "run/search_devices.hpp"
#include "search/search.hpp"
#include "tmd/remark.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tmd::run {

// A search that comes next, of a function that the same claims serve: what is found of it on the way is kept.
struct NextRun {
  const request::SearchRequest& request;
  Keep keep;
  std::vector<result::BegunClaim> begun; // where there is no journal
};

// Warns of fields whose number of cases is far from what chance would have.
void tell_unexpected_counts(const job::Job& job, const result::SearchResult& result, const Tell& tell);

// What a search tells, and is told, while it runs; as in SearchEvents of tmd/search.hpp.
struct RunHooks {
  std::function<void(const Progress&)> progress = {};
  engine::Interrupt interrupted = {};
  std::function<void(const Case&)> found = {};
};

class SearchRun {
public:
  // Opens devices, over MPI those of all ranks, and takes up what is kept: `keep` is called once the devices are open,
  // and so is the next one's. ranks, next: may be null. The request and the next one must outlive the run. Throws what
  // opening devices and journals throws.
  SearchRun(const request::SearchRequest& request, const Keep& keep, Ranks* ranks, NextRun* next, Tell tell);

  [[nodiscard]] const result::RunDescription& description() const { return run_; }
  // What is known by now: before search(), what was kept.
  [[nodiscard]] const result::SearchResult& result() const { return result_; }
  [[nodiscard]] Progress so_far() const;
  // Null where none is kept. It is removed at the end of the run if nothing counts that it has.
  [[nodiscard]] const result::Journal* journal() const { return journal_.get(); }

  // Searches what is left. Throws what run_search() throws; after a SoundnessError the journals are set aside.
  void search(const RunHooks& hooks);

  // Searches some of a finished search again: the share asked for, or where none was, what costs little. The devices
  // use another algorithm, or other windows. Throws SoundnessError where anything differs.
  void audit(const engine::Interrupt& interrupted);

private:
  using KeptJournal = std::shared_ptr<result::Journal>;

  void take_up(KeptSearch kept);
  void take_up_next();
  void search_on_devices(const RunHooks& wanted);
  [[nodiscard]] std::vector<job::RegimeRange> known_before(const searches::SearchHooks& hooks) const;
  void close_journals();
  void audit_in_all_ways(const engine::Interrupt& interrupted);
  // Runs a step; where a check fails, nothing that the devices have done can be trusted.
  void guard(const std::function<void()>& step);

  const request::SearchRequest& request_;
  Ranks* ranks_;
  NextRun* next_;
  Tell tell_;
  SearchDevices devices_;
  result::RunDescription run_;
  result::SearchResult result_;
  KeptJournal journal_;
  KeptJournal next_journal_;
  std::optional<searches::OtherSearch> other_; // the next one's
};

} // namespace tmd::run
