// Writes and reads single records of results (doc/reference/records.md): jobs, cases and ranges.
#pragma once

#include "device/tunables.hpp"
#include "job/job.hpp"
#include "job/shard.hpp"
#include "result/record.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"
#include "verify/confirm.hpp"

#include <memory>

namespace tmd::result {

// An integer as a number, or beyond 2^53 as a text of its digits: many readers take JSON numbers for doubles.
[[nodiscard]] Json to_json(uint128 value);
// Throws UsageError if it is no integer. Records of schema 1 have numbers up to 2^53.
[[nodiscard]] uint128 to_integer(const Json& value);
// The same for integers below 2^64, below 2^31, and for a finite number that is not negative. Json itself would accept
// −1 as 2^64 − 1, `true` as 1, and numbers that the type cannot hold.
[[nodiscard]] std::uint64_t to_count(const Json& value);
[[nodiscard]] int to_int(const Json& value);
[[nodiscard]] double to_amount(const Json& value);

// The symmetry by which only x ≥ 0 was searched; null for none.
[[nodiscard]] Json to_json(Symmetry symmetry);
[[nodiscard]] Symmetry read_symmetry(const Json& value);

// The identity by which the searched values decide those at all other arguments; null if none was used.
[[nodiscard]] Json scaling_record(const job::Job& job);
// The arguments that decide the others by that identity: an array of [first, end]; null if every argument is searched.
[[nodiscard]] Json decisive_record(const job::Job& job);

// A job with its function, which may be an expression that belongs to this job alone.
struct OwnedJob {
  std::shared_ptr<const function::Function> function;
  job::Job job;
};

// Writes all keys of a job into a record, from `job` to `scaling`. read_job() reads the same job from them.
void write_job(Json& record, const job::Job& job);
// The job of a record with these keys. Throws Json::exception if one is missing or has another type, and UsageError for
// an invalid value, or if the parts do not make up the record's `job`.
[[nodiscard]] OwnedJob read_job(const Json& record);
// The same by the parts alone, ignoring `job`.
[[nodiscard]] OwnedJob read_parts_of_job(const Json& record);

// A record `case`, `exact` or `undecided`. bits: as they are to be written.
[[nodiscard]] Json case_record(const Case& one, double bits);
// The same as text, which is faster: there may be millions.
void append_case(std::string& text, const Case& one, double bits);
// The case of such a record. Throws Json::exception, and UsageError if x is none of the job's arguments.
[[nodiscard]] Case read_case(const job::Job& job, const Json& record);

// Writes the work of a part, without its place, its plan and its findings.
void write_part_work(Json& record, const PartResult& part);
[[nodiscard]] PartResult read_part_work(const Json& record);

// Writes the work and the findings of a part as text, from `,"seconds":` to the `]` of `found`: there may be millions
// of cases a second.
void append_part_result(std::string& text, const PartResult& part);

// Writes {"domains": …, "survivors": …, "seconds": …} under the name of every stage, including those of unused engines.
void write_named_stages(Json& record, const engine::Stages& stages);
// Stages missing from a record are empty: when it was written, there were fewer engines.
[[nodiscard]] engine::Stages read_named_stages(const Json& record);

// Writes the key `idle`, for a device that has been idle.
void write_idle(Json& record, const engine::Idle& idle);
[[nodiscard]] engine::Idle read_idle(const Json& record);

// Tunables by their names in the table.
[[nodiscard]] Json tunables_record(const device::Tunables& tunables);
// What was searched again in one way.
[[nodiscard]] Json to_record(const AuditReport& report);
// Throws Json::exception, and UsageError for an unknown name or an invalid value.
[[nodiscard]] device::Tunables read_tunables(const Json& record);

// A `range` record of a regime; below, those of arguments left out, and of a gap.
[[nodiscard]] Json range_record(const job::Job& job, const job::RegimeRange& range);
[[nodiscard]] Json left_out_record(const job::Job& job, const job::RankInterval& ranks);
[[nodiscard]] Json gap_record(const job::Job& job, const job::RankInterval& ranks);
// The value of `shard`.
[[nodiscard]] Json shard_record(const job::Job& job, const job::Shard& shard);
[[nodiscard]] job::Shard read_shard(const job::Job& job, const Json& record);

// Adds a `range` record to the result: regimes are covered, left-out arguments and gaps are not. Throws
// Json::exception, UsageError if a bound is none of the job's arguments, and SoundnessError if part of it is known
// already.
void read_range(SearchResult& result, const job::Job& job, const Json& record);

} // namespace tmd::result
