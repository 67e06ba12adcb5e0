// What a request means: the job, its range, and what the user has left to this program.
#pragma once

#include "job/job.hpp"
#include "job/shard.hpp"
#include "tmd/search_spec.hpp"

#include <memory>
#include <optional>
#include <string>

namespace tmd::request {

struct SearchRequest {
  SearchSpec spec;
  SearchSpec original; // that files tell of, also where the search goes on, or is audited, in another way
  std::shared_ptr<const function::Function> function; // the job's
  job::Job job;
  std::string from; // the range as the user wrote it; what was left out is an end of the function's domain
  std::string to;
  bool is_whole = false;              // whether a bound was left out
  Symmetry symmetry = Symmetry::none; // for which only x ≥ 0 is searched
  std::optional<job::Shard> shard;    // that the job has been cut to
};

// Whether --from and --to may be left out.
enum class BoundsUse { required, optional };

// Of a spec of one function. The job is whole, also where the spec names a part of it: cut_to_part() of
// search/part.hpp cuts it. Touches no file and no device. Throws OptionError or UsageError for anything wrong.
[[nodiscard]] SearchRequest resolve(const SearchSpec& spec, BoundsUse bounds = BoundsUse::optional);

// The format of a spec and the precision of its arguments, and nothing else of its job.
[[nodiscard]] job::Job job_of_format(const SearchSpec& spec);

// Cuts the job to a part whose bounds are known, from a journal for instance: to find them again would take time. Where
// the spec names no part, nothing changes.
void set_part(SearchRequest& request, format::ArgumentSet::Rank first, format::ArgumentSet::Rank last);

// The spec's CPU mode, or else that of TMD_CPU_MODE. Throws UsageError for an unknown one there.
[[nodiscard]] CpuMode cpu_mode_of(const SearchSpec& spec);

} // namespace tmd::request
