// A list as raw numbers, for programs that read arrays.
#pragma once

#include "job/job.hpp"
#include "support/text_source.hpp"
#include "tmd/case.hpp"

#include <span>

namespace tmd::result {

// Writes each argument in the bytes of the job's format, ten for binary80, the lowest first. Throws UsageError if the
// format has no encoding, or arguments have more bits than the format.
void write_raw(const support::TextSink& sink, const job::Job& job, std::span<const Case> cases);

} // namespace tmd::result
