// Parts of one job, searched apart, put together.
#pragma once

#include "job/job.hpp"
#include "job/shard.hpp"
#include "opencl/kernel_files.hpp"
#include "result/records.hpp"
#include "result/search_result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmd {

// A part of a job, and where it comes from.
struct MergePart {
  std::string name; // for messages
  std::string version;
  opencl::KernelUse kernels; // that it was found by
  OwnedJob owned;
  std::optional<Shard> shard;
  SearchResult result;
};

// Takes what searches of the same job on several ranges have found. Where two of them have covered the same arguments,
// they must have found the same there.
class Merge {
public:
  // Throws UsageError for another job, or other parts of shards; DeviceError where another version or other kernels
  // have found it; SoundnessError, naming the argument, where it differs from what was added before.
  void add(const MergePart& part);

  // Of the whole: what the shards are of, or from the first argument to the last.
  [[nodiscard]] Job job() const;
  // What was found; `gaps` are what nobody has covered.
  [[nodiscard]] SearchResult result() const;

private:
  void require_same_job(const MergePart& part) const;
  void compare(const std::string& name, const SearchResult& result) const;

  std::vector<MergePart> parts_; // without their results
  SearchResult result_;          // of all that were added
};

} // namespace tmd
