// The steps of a run: devices are opened, journals resumed, the rest searched, and some of it searched again.
#include "run/search_run.hpp"

#include "engine/registry.hpp"
#include "run/found_stream.hpp"
#include "run/journal_end.hpp"
#include "search/audit.hpp"
#include "search/expectation.hpp"

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

#include <fmt/format.h>

namespace tmd::run {

namespace {

// The claims of the engines on these devices, under the algorithm asked for.
searches::Claims claims_on(const SearchDevices& open, const request::SearchRequest& asked, bool joins_claims) {
  Choices choices = asked.spec.choices;
  choices.joins_claims = joins_claims;
  for (const result::DeviceUse& use : open.uses())
    choices.on_gpu |= use.device.is_gpu;
  return searches::claims_of(asked.job, choices, engine::engines());
}

std::vector<opencl::DeviceDescription> devices_of(const SearchDevices& open) {
  std::vector<opencl::DeviceDescription> devices;
  for (const result::DeviceUse& use : open.uses())
    devices.push_back(use.device);
  return devices;
}

std::string skipped(const job::Job& job, const result::PartialClaim& partial) {
  return fmt::format(
      "the {} arguments from {} on are now partitioned differently; {} of them that were searched before "
      "are searched again",
      to_string(partial.claim.size()), to_hex(job.arguments().at(partial.claim.ranks.first)),
      to_string(partial.sums.arguments));
}

} // namespace

void tell_unexpected_counts(const job::Job& job, const result::SearchResult& result, const RemarkHandler& on_remark) {
  for (const searches::Unexpected& one : searches::unexpected_counts(job, result))
    on_remark(Remark::warning, searches::describe(job, one));
}

SearchRun::SearchRun(const request::SearchRequest& request, const Keep& keep, Ranks* ranks, std::span<LaterRun> later,
                     RemarkHandler on_remark)
    : request_(request), ranks_(ranks), later_(later), on_remark_(std::move(on_remark)),
      devices_(request, ranks, on_remark_), run_(describe_run(request, devices_.kernels(), devices_.uses())) {
  resume_from(keep(run_.program.kernels));
  resume_later();
  const std::vector<opencl::DeviceDescription> devices = devices_of(devices_);
  if (journal_)
    journal_->begin_run(run_.program, request_.job, devices);
  for (std::size_t i = 0; i < others_.size(); ++i)
    if (later_journals_[i])
      later_journals_[i]->begin_run(run_.program, others_[i].job, devices);
}

void SearchRun::resume_from(KeptSearch kept) {
  journal_ = removed_if_empty(std::move(kept.journal));
  if (kept.so_far) {
    run_.other_programs = result::others_than(run_.program, kept.so_far->programs());
    result_ = std::move(kept.so_far->result);
  }
  for (result::PartialClaim& claim : kept.partial_claims)
    if (claim.is_complete())
      result_.close(request_.job, claim);
    else
      result_.partial_claims.push_back(std::move(claim));
}

void SearchRun::resume_later() {
  for (const LaterRun& one : later_) {
    KeptSearch kept = one.keep(run_.program.kernels);
    later_journals_.push_back(removed_if_empty(std::move(kept.journal)));
    searches::OtherSearch& other =
        others_.emplace_back(searches::OtherSearch{one.request.job,
                                                   claims_on(devices_, one.request, joins_claims()),
                                                   {},
                                                   std::move(kept.partial_claims),
                                                   later_journals_.back().get()});
    if (!kept.so_far)
      continue;
    other.covered = std::move(kept.so_far->result.covered);
    other.partial_claims = std::move(kept.so_far->result.partial_claims);
  }
}

Progress SearchRun::so_far() const {
  return {result_.arguments() + result_.partial_arguments(), request_.job.size(), result_.cases.size(), 0,
          devices_.workers().size()};
}

void SearchRun::guard(const std::function<void()>& step) {
  try {
    step();
  } catch (const SoundnessError&) {
    if (journal_)
      journal_->set_aside();
    for (const KeptJournal& journal : later_journals_)
      if (journal)
        journal->set_aside();
    throw;
  }
}

void SearchRun::search(const RunHooks& hooks) {
  guard([&] { search_on_devices(hooks); });
  close_journals();
  if (!result_.interrupted || ranks_ == nullptr) // nobody needs the others' results
    devices_.finish(run_);
}

void SearchRun::search_on_devices(const RunHooks& wanted) {
  searches::SearchHooks hooks;
  hooks.progress = wanted.progress;
  hooks.interrupted = wanted.interrupted;
  hooks.leaves_out = request_.leaves_out;
  hooks.lost = [&](std::size_t index, const std::string& why) {
    tell_lost(on_remark_, run_.devices[index].place(), why);
  };
  hooks.skipped = [&](const result::PartialClaim& claim) { on_remark_(Remark::note, skipped(request_.job, claim)); };
  hooks.recorder = journal_.get();
  std::optional<FoundStream> stream;
  if (wanted.found)
    hooks.recorder = &stream.emplace(wanted.found, journal_.get(), result_);
  for (searches::OtherSearch& other : others_)
    hooks.others.push_back(&other);
  hooks.joins_claims = joins_claims();
  if (request_.shard)
    hooks.cut_range = {request_.shard->first, request_.shard->last};
  hooks.proven = known_before(hooks);
  result_ = searches::run_search(request_.job, devices_.workers(), hooks, claims_on(devices_, request_, joins_claims()),
                                 std::move(result_));
}

// Without a device here, regimes of an earlier run are taken as they are.
std::vector<job::RegimeRange> SearchRun::known_before(const searches::SearchHooks& hooks) const {
  const job::Job& job = request_.job;
  std::vector<job::RegimeRange> known;
  if (result_.arguments() == job.size())
    return known;
  if (!devices_.workers_here().empty())
    return searches::ranges_beside_leading_term(job, searches::range_to_cut(job, hooks), devices_.workers_here(),
                                                hooks.interrupted);
  std::copy_if(result_.regimes.begin(), result_.regimes.end(), std::back_inserter(known),
               [](const job::RegimeRange& one) { return one.regime.some != nullptr; });
  return known;
}

void SearchRun::close_journals() {
  for (std::size_t i = 0; i < others_.size(); ++i)
    if (later_journals_[i])
      later_journals_[i]->sync();
    else
      later_[i].partial_claims = std::move(others_[i].partial_claims);
  if (!journal_)
    return;
  journal_->sync();
  if (journal_->has_revoked())
    result_ = what_counts(*journal_, std::move(result_));
}

void SearchRun::audit(const engine::Interrupt& interrupted) {
  guard([&] {
    try {
      audit_in_all_ways(interrupted);
    } catch (const Interrupted&) { // the search itself is complete
      if (request_.spec.audit)
        on_remark_(Remark::warning, "the audit was interrupted: less was searched again than --audit asks for");
    }
  });
}

void SearchRun::audit_in_all_ways(const engine::Interrupt& interrupted) {
  constexpr double long_search = 60; // seconds
  constexpr double share_of_time = 0.01;
  const std::optional<double> share = request_.spec.audit;
  if (share.value_or(result_.seconds >= long_search ? 1 : 0) == 0)
    return;
  number::Random random(std::random_device{}());
  const searches::Auditable what = searches::auditable(request_.job, result_);
  const std::vector<searches::AuditWay> ways =
      searches::ways_of(what, searches::auditing_algorithm(result_), devices_.uses().front().tunables, random);
  const searches::AuditSize size{share.value_or(0), share_of_time * result_.seconds / static_cast<double>(ways.size())};
  for (const searches::AuditWay& way : ways) {
    request::SearchRequest again = request_;
    again.spec = again_by(way, request_.spec);
    again.spec.choices.domain_bits.reset();
    const SearchDevices auditing = devices_.again(again, on_remark_);
    result::AuditReport report =
        tmd::searches::audit(request_.job, result_, what, auditing.workers(), way, size, random.next(), interrupted);
    if (report.arguments > 0)
      run_.audits.push_back(std::move(report));
    if (interrupted && interrupted())
      throw Interrupted();
  }
}

} // namespace tmd::run
