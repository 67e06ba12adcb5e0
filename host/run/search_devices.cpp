// Makes the workers of a search, wherever their devices are.
#include "run/search_devices.hpp"

#include "engine/registry.hpp"

#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace tmd::run {

SearchDevices::SearchDevices(const request::SearchRequest& request, Ranks* ranks, const RemarkHandler& on_remark)
    : SearchDevices(request, ranks, on_remark, nullptr) {}

SearchDevices::SearchDevices(const request::SearchRequest& request, Ranks* ranks, const RemarkHandler& on_remark,
                             const std::vector<DeviceChoice>* choices)
    : request_(request), ranks_(ranks) {
  if (ranks_ != nullptr) {
    const opencl::KernelUse kernels = opencl::use_kernels(request.spec.foreign_kernels);
    ranks_->leader.open({result::version_text(), kernels.digest}, request.job, request_record(request.spec));
    here_ = open_rank_devices(request, ranks_->here, on_remark);
  } else {
    here_.choices = choices != nullptr ? *choices : choose_devices(request.spec, on_remark);
    here_.kernels = here_.choices.front().kernels;
    here_.open = open_devices(request, here_.choices, on_remark);
  }
  workers_ = std::move(here_.open.workers);
  uses_ = here_.open.uses;
  if (ranks_ != nullptr)
    add_other_ranks(on_remark);
}

void SearchDevices::add_other_ranks(const RemarkHandler& on_remark) {
  cluster::RemoteDevices others = ranks_->leader.opened();
  std::move(others.workers.begin(), others.workers.end(), std::back_inserter(workers_));
  uses_.insert(uses_.end(), others.uses.begin(), others.uses.end());
  if (workers_.empty())
    throw DeviceError(here_.without);
  if (uses_.size() == others.uses.size())
    others.without.push_back(fmt::format("rank 0 ({}) has no device: {}", ranks_->here.host, here_.without));
  for (const std::string& sentence : others.without)
    on_remark(Remark::warning, sentence);
}

void SearchDevices::finish(result::RunDescription& run) const {
  const std::vector<const searches::DeviceWorker*>& devices = here_.open.devices;
  for (std::size_t i = 0; i < devices.size(); ++i)
    run.devices[i].cpu_modes = modes_of(*devices[i], request::cpu_mode_of(request_.spec), here_.kernels);
  if (ranks_ == nullptr)
    return;
  try {
    const auto others = ranks_->leader.close();
    for (std::size_t i = 0; i < others.size(); ++i)
      run.devices[devices.size() + i].cpu_modes = others[i];
  } catch (const Interrupted&) { // everything was searched: only the mode remains unknown
  }
}

SearchDevices SearchDevices::again(const request::SearchRequest& request, const RemarkHandler& on_remark) const {
  std::vector<DeviceChoice> choices = here_.choices;
  for (DeviceChoice& choice : choices)
    for (const auto& [name, value] : request.spec.tunables)
      engine::engine_tuning().set(choice.tunables, name, value);
  return {request, ranks_, on_remark, &choices};
}

} // namespace tmd::run
