// Merges separately searched parts of one job.
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

// A part of a job and its origin.
struct MergePart {
  std::string name;              // for messages
  std::vector<Program> programs; // programs that found it, the first one first
  OwnedJob owned;
  std::optional<job::Shard> shard;
  SearchResult result;
};

// Merges searches of the same job on several ranges. If two of them cover the same arguments, they must have found the
// same cases there.
class Merge {
public:
  // other_version: allows parts from different programs.
  explicit Merge(bool other_version = false) : other_version_(other_version) {}

  // Throws UsageError for another job, a part of other shards, or another program, and SoundnessError, naming the
  // argument, for a difference from what was added before.
  void add(const MergePart& part);

  // The programs that found something, those of the first part first.
  [[nodiscard]] const std::vector<Program>& programs() const { return programs_; }
  // The job of the whole: that of the shards, or from the first argument to the last.
  [[nodiscard]] job::Job job() const;
  // The merged findings; `gaps` are the arguments that no part covers.
  [[nodiscard]] SearchResult result() const;

private:
  void require_same_job(const MergePart& part) const;
  void compare(const std::string& name, const SearchResult& result) const;

  bool other_version_;
  std::vector<MergePart> parts_; // without their results
  std::vector<Program> programs_;
  SearchResult result_;                  // of all added parts
  std::optional<Argument> listed_until_; // beyond it, some part only counts exact cases
};

} // namespace tmd::result
