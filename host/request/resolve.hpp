// Turns a request into a job with a range, and decides what the user has left open.
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
  SearchSpec original; // as recorded in files, even if the search is resumed or audited in another way
  std::shared_ptr<const function::Function> function; // the job's function
  job::Job job;
  std::string from; // the range as the user wrote it; ends that were left out come from the function's domain
  std::string to;
  bool leaves_out = false;            // whether stretches of too many pieces are left out
  Symmetry symmetry = Symmetry::none; // the symmetry by which only x ≥ 0 is searched
  std::optional<job::Shard> shard;    // the shard that the job has been cut to
};

// Whether --from and --to may be left out.
enum class BoundsUse { required, optional };

// Resolves a spec of one function. The job is whole, even if the spec names a part of it: cut_to_part() of
// search/part.hpp cuts it. Uses no file and no device. Throws OptionError or UsageError for anything wrong.
[[nodiscard]] SearchRequest resolve(const SearchSpec& spec, BoundsUse bounds = BoundsUse::optional);

// A job that has only the spec's format and argument precision.
[[nodiscard]] job::Job job_of_format(const SearchSpec& spec);

// Cuts the job to a part with known bounds, from a journal for example: finding them again would take time. Does
// nothing if the spec names no part.
void set_part(SearchRequest& request, format::ArgumentSet::Rank first, format::ArgumentSet::Rank last);

// The spec's CPU mode, else that of TMD_CPU_MODE. Throws UsageError if the latter is unknown.
[[nodiscard]] CpuMode cpu_mode_of(const SearchSpec& spec);

} // namespace tmd::request
