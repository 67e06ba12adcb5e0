// What a search will cost, before it is run.
#pragma once

#include "engine/engine.hpp"
#include "engine/settings.hpp"
#include "job/job.hpp"
#include "job/stretch.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tmd::searches {

// A stretch that an engine has claimed, and what parts of its coordinate cost, all as long.
struct ClaimedWork {
  engine::Field field;
  std::vector<double> costs;
};

// Consecutive ranks, and the predicted cost of searching them all, in regular existence tests on the device.
struct Work {
  job::RankInterval ranks;
  double cost = 0;
  std::shared_ptr<const ClaimedWork> claimed{}; // null where no engine has: then any of the ranks may be searched alone
  // Parts of a stretch of which only these were looked at, and which stand for it. Null where all of it was.
  std::shared_ptr<const std::vector<Work>> examples{};
  double weight = 1;        // of an example: how many such there are
  bool is_looked_at = true; // false for a stretch whose cost is taken from its neighbours'
};

// The work of stretches of a job, in the order of ranks, by the planner's prices with these settings. Those of many
// pieces are looked at in some places only, and of many neighbours only some. Throws Interrupted when `interrupted`
// says so.
[[nodiscard]] std::vector<Work> predicted_work(const job::Job& job, std::span<const job::Stretch> to_search,
                                               const engine::EngineSettings& settings,
                                               const std::function<bool()>& interrupted = {});
// A job's, as a survey finds it: what is proven without a device or left out costs nothing and is not among it.
[[nodiscard]] std::vector<Work> predicted_work(const job::Job& job, bool leaves_out,
                                               const engine::EngineSettings& settings,
                                               const std::function<bool()>& interrupted = {});

// Settings that are the same on every machine: those of a GPU that nobody has measured.
[[nodiscard]] engine::EngineSettings usual_settings();

// What all of it costs.
[[nodiscard]] double cost_of(const std::vector<Work>& work);

// The borders of `count` parts of a job with equal predicted cost: part i, counted from 0, has the ranks from border i
// up to border i + 1. No part is empty; what is claimed is cut only where there are fewer claims than parts. Throws
// UsageError where the job has fewer arguments than that.
[[nodiscard]] std::vector<format::ArgumentSet::Rank> shard_borders(const job::Job& job, const std::vector<Work>& work,
                                                                   int count);

} // namespace tmd::searches
