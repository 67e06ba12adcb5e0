// A list as raw numbers, for programs that read arrays.
#pragma once

#include "job/job.hpp"
#include "support/text_source.hpp"
#include "tmd/case.hpp"

#include <span>

namespace tmd::result {

// Each argument in as many bytes as the job's format has, ten of binary80, the lowest first. Throws UsageError where
// the format has no bits of its own, or its arguments have more than its numbers.
void write_raw(const support::TextSink& sink, const job::Job& job, std::span<const Case> cases);

} // namespace tmd::result
