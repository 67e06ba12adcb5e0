// Parts of one job, searched apart, put together.
#pragma once

#include "job/job.hpp"
#include "result/journal.hpp"
#include "result/search_result.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tmd {

// Takes what searches of the same job on several ranges have found. Where two of them have covered the same arguments,
// they must have found the same there.
class Merge {
public:
  // name: of where it comes from, for messages. Throws UsageError for another job, or other parts of shards;
  // DeviceError where another version or other kernels have found it; SoundnessError, naming the argument, where it
  // differs from what was added before.
  void add(const std::string& name, const JournalContents& contents);

  // Of the whole: what the shards are of, or from the first argument to the last.
  [[nodiscard]] Job job() const;
  // What was found; `gaps` are what nobody has covered.
  [[nodiscard]] SearchResult result() const;

private:
  struct Source {
    std::string name;
    JournalHeader header;
    Job job;
  };

  void require_same_job(const Source& source) const;
  void compare(const std::string& name, const SearchResult& result) const;

  std::vector<std::shared_ptr<const Function>> functions_; // of the jobs
  std::vector<Source> sources_;
  SearchResult result_; // of all that were added
};

} // namespace tmd
