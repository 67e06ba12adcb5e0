// How long a search will take, by what samples of its work take.
#pragma once

#include "device/costs.hpp"
#include "engine/engine.hpp"
#include "job/job.hpp"
#include "search/worker.hpp"
#include "search/workload.hpp"

#include <memory>
#include <span>
#include <vector>

namespace tmd::searches {

// How long a search would take, without what is spent once at the beginning.
struct TimePrediction {
  double seconds = 0;
  bool is_least = false; // samples would have taken too long: so long or longer
};

// By the time that samples of the work take: such that are spread over all that is not claimed, and parts of the
// coordinate of the middle one of what is claimed. They grow until what they take beyond smaller ones, which begin as
// far as the costs say that an interval is worth its planning, is about `least_seconds`. Throws Interrupted.
[[nodiscard]] TimePrediction predicted_time(const job::Job& job, const std::vector<Work>& work,
                                            std::span<const std::unique_ptr<Worker>> workers,
                                            const device::Costs& costs, double least_seconds,
                                            const engine::Interrupt& interrupted);

} // namespace tmd::searches
