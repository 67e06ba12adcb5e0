// Parts of one job, searched apart, put together.
#pragma once

#include "job/job.hpp"
#include "job/shard.hpp"
#include "result/program.hpp"
#include "result/records.hpp"
#include "result/search_result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmd::result {

// A part of a job, and where it comes from.
struct MergePart {
  std::string name;              // for messages
  std::vector<Program> programs; // that it was found by, the first one first
  OwnedJob owned;
  std::optional<job::Shard> shard;
  SearchResult result;
};

// Takes what searches of the same job on several ranges have found. Where two of them have covered the same arguments,
// they must have found the same there.
class Merge {
public:
  // other_version: takes what different programs have found, too.
  explicit Merge(bool other_version = false) : other_version_(other_version) {}

  // Throws UsageError for another job, other parts of shards, and where another program has found it; SoundnessError,
  // naming the argument, where it differs from what was added before.
  void add(const MergePart& part);

  // Those that have found something, the first part's first.
  [[nodiscard]] const std::vector<Program>& programs() const { return programs_; }
  // Of the whole: what the shards are of, or from the first argument to the last.
  [[nodiscard]] job::Job job() const;
  // What was found; `gaps` are what nobody has covered.
  [[nodiscard]] SearchResult result() const;

private:
  void require_same_job(const MergePart& part) const;
  void compare(const std::string& name, const SearchResult& result) const;

  bool other_version_;
  std::vector<MergePart> parts_; // without their results
  std::vector<Program> programs_;
  SearchResult result_;                  // of all that were added
  std::optional<Argument> listed_until_; // behind it some part counts exact cases, and does not list them
};

} // namespace tmd::result
