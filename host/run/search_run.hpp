// One search from its devices to its result, for `tmd search`, `tmd resume` and programs that use the library.
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
#include <span>
#include <vector>

namespace tmd::run {

// A later search, of a function that the same claims serve: results for it are recorded during this one.
struct LaterRun {
  const request::SearchRequest& request;
  Keep keep;
  std::vector<result::PartialClaim> partial_claims; // used without a journal
};

// Warns of fields whose number of cases is far from the one expected by chance.
void tell_unexpected_counts(const job::Job& job, const result::SearchResult& result, const RemarkHandler& on_remark);

// Callbacks during a search, as in SearchEvents of tmd/search.hpp.
struct RunHooks {
  std::function<void(const Progress&)> progress = {};
  engine::Interrupt interrupted = {};
  std::function<void(const Case&)> found = {};
};

class SearchRun {
public:
  // Opens devices, over MPI those of all ranks, and resumes from journals: `keep` is called once the devices are open,
  // and so are those of later searches. ranks: may be null. The requests and later searches must outlive the run.
  // Throws what opening devices and journals throws.
  SearchRun(const request::SearchRequest& request, const Keep& keep, Ranks* ranks, std::span<LaterRun> later,
            RemarkHandler on_remark);

  [[nodiscard]] const result::RunDescription& description() const { return run_; }
  // The result so far; before search(), the journal's.
  [[nodiscard]] const result::SearchResult& result() const { return result_; }
  [[nodiscard]] Progress so_far() const;
  // Null if none is kept. Its file is removed at the end of the run if nothing in it counts.
  [[nodiscard]] const result::Journal* journal() const { return journal_.get(); }

  // Searches the rest. Throws what run_search() throws; after a SoundnessError the journals are set aside.
  void search(const RunHooks& hooks);

  // Searches some of a finished search again: the share asked for, or by default one that costs little. The devices use
  // another algorithm, or other windows. Throws SoundnessError at a difference.
  void audit(const engine::Interrupt& interrupted);

private:
  using KeptJournal = std::shared_ptr<result::Journal>;

  void resume_from(KeptSearch kept);
  void resume_later();
  void search_on_devices(const RunHooks& wanted);
  [[nodiscard]] std::vector<job::RegimeRange> known_before(const searches::SearchHooks& hooks) const;
  void close_journals();
  void audit_in_all_ways(const engine::Interrupt& interrupted);
  // Runs a step; if a check fails in it, nothing that the devices have done is trusted.
  void guard(const std::function<void()>& step);

  const request::SearchRequest& request_;
  // MPI's ranks do not tell what work for one claim has found for others.
  [[nodiscard]] bool joins_claims() const { return ranks_ == nullptr; }

  Ranks* ranks_;
  std::span<LaterRun> later_;
  RemarkHandler on_remark_;
  SearchDevices devices_;
  result::RunDescription run_;
  result::SearchResult result_;
  KeptJournal journal_;
  std::vector<KeptJournal> later_journals_;
  std::vector<searches::OtherSearch> others_; // the later searches
};

} // namespace tmd::run
