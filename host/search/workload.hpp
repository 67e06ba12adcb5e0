// What a search will cost, before it is run.
#pragma once

#include "engine/engine.hpp"
#include "engine/settings.hpp"
#include "job/job.hpp"
#include "job/stretch.hpp"
#include "search/worker.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tmd {

// Consecutive ranks, and the predicted cost of searching them all, in regular existence tests on the device.
struct Work {
  RankInterval ranks;
  double cost = 0;
  bool is_claimed = false; // by an engine, as a whole: parts of it cost more
};

// A job's work in the order of ranks, by the planner's prices with these settings. What is proven without a device or
// left out costs nothing and is not among it. Throws Interrupted when `interrupted` says so.
[[nodiscard]] std::vector<Work> predicted_work(const Job& job, bool leaves_out, const EngineSettings& settings,
                                               const std::function<bool()>& interrupted = {});

// Settings that are the same on every machine: those of a GPU that nobody has measured.
[[nodiscard]] EngineSettings usual_settings();

// How long a search of all that work would take, by the time that samples of it take: seconds, without what is spent
// once at the beginning; not a number where all of it is claimed. Only what is not is sampled: samples grow until they
// take `least_seconds`, or are a good part of the work.
[[nodiscard]] double predicted_seconds(const Job& job, const std::vector<Work>& work,
                                       std::span<const std::unique_ptr<Worker>> workers, double least_seconds,
                                       const Interrupt& interrupted);

// The borders of `count` parts of a job with equal predicted cost: part i, counted from 0, has the ranks from border i
// up to border i + 1. No part is empty. Throws UsageError where the job has fewer arguments than that.
[[nodiscard]] std::vector<ArgumentSet::Rank> shard_borders(const Job& job, const std::vector<Work>& work, int count);

} // namespace tmd
