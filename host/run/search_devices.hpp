// The devices of a search: those here and, over MPI, those of the other ranks.
#pragma once

#include "run/ranks.hpp"

#include "opencl/kernel_files.hpp"
#include "result/run_description.hpp"
#include "search/worker.hpp"

#include <memory>
#include <span>
#include <vector>

namespace tmd::run {

class SearchDevices {
public:
  // ranks: null without MPI. The other ranks open theirs at the same time. Throws DeviceError if no device can be
  // opened, or the ranks differ in program or job.
  SearchDevices(const request::SearchRequest& request, Ranks* ranks, const RemarkHandler& on_remark);

  [[nodiscard]] std::span<const std::unique_ptr<searches::Worker>> workers() const { return workers_; }
  // The workers of this process, which also take other jobs.
  [[nodiscard]] std::span<const std::unique_ptr<searches::Worker>> workers_here() const {
    return workers().first(here_.open.devices.size());
  }
  [[nodiscard]] const std::vector<result::DeviceUse>& uses() const { return uses_; }
  [[nodiscard]] const opencl::KernelUse& kernels() const { return here_.kernels; }

  // The search has ended: adds how the kernels used each CPU. Throws DeviceError if a device has used other kernels
  // than those at the beginning.
  void finish(result::RunDescription& run) const;

  // These devices with the settings of an audit of the same job.
  [[nodiscard]] SearchDevices again(const request::SearchRequest& request, const RemarkHandler& on_remark) const;

private:
  SearchDevices(const request::SearchRequest& request, Ranks* ranks, const RemarkHandler& on_remark,
                const std::vector<DeviceChoice>* choices);
  void add_other_ranks(const RemarkHandler& on_remark);

  request::SearchRequest request_;
  Ranks* ranks_;
  RankDevices here_;
  std::vector<std::unique_ptr<searches::Worker>> workers_; // this process's first
  std::vector<result::DeviceUse> uses_;
};

} // namespace tmd::run
