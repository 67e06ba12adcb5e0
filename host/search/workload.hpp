// What a search will cost, before it is run and without a device.
#pragma once

#include "job/job.hpp"
#include "job/stretch.hpp"
#include "result/journal.hpp"

#include <functional>
#include <vector>

namespace tmd {

// Consecutive ranks, and the predicted cost of searching them all, in regular existence tests on a GPU.
struct Work {
  RankInterval ranks;
  double cost = 0;
};

// A job's work in the order of ranks. What is proven without a device or left out costs nothing and is not among it.
// The same on every machine. Throws Interrupted when `interrupted` says so.
[[nodiscard]] std::vector<Work> predicted_work(const Job& job, bool leaves_out,
                                               const std::function<bool()>& interrupted = {});

// The borders of `count` parts of a job with equal predicted cost: part i, counted from 0, has the ranks from border i
// up to border i + 1. No part is empty. Throws UsageError where the job has fewer arguments than that.
[[nodiscard]] std::vector<ArgumentSet::Rank> shard_borders(const Job& job, const std::vector<Work>& work, int count);

} // namespace tmd
