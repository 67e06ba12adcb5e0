// Single records of results (doc/reference/records.md), written and read: jobs, cases and ranges.
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

// An integer that can be beyond 2^53 is a text of its digits: JSON numbers are doubles to many readers.
[[nodiscard]] Json to_json(uint128 value);
// Throws UsageError for what is no integer. Records of schema 1 have numbers up to 2^53.
[[nodiscard]] uint128 to_integer(const Json& value);
// The same below 2^64; and a number that is neither negative nor infinite. Json itself would take −1 for 2^64 − 1, and
// `true` for 1.
[[nodiscard]] std::uint64_t to_count(const Json& value);
[[nodiscard]] double to_amount(const Json& value);

// The symmetry for which only x ≥ 0 was searched; null for none.
[[nodiscard]] Json to_json(Symmetry symmetry);
[[nodiscard]] Symmetry read_symmetry(const Json& value);

// The identity by which the values that were searched decide those at all other arguments; null where none was used.
[[nodiscard]] Json scaling_record(const job::Job& job);
// Where arguments decide the others by it: an array of [first, end]; null where every argument is searched.
[[nodiscard]] Json decisive_record(const job::Job& job);

// A job with its function, which may be an expression of nobody else's.
struct OwnedJob {
  std::shared_ptr<const function::Function> function;
  job::Job job;
};

// Writes all keys of a job into a record, from `job` to `scaling`: whoever reads them with read_job() has the same job.
void write_job(Json& record, const job::Job& job);
// What a record with these keys says. Throws Json::exception where one is missing or has another type, and UsageError
// where a value is none, or the parts do not make up the record's `job`.
[[nodiscard]] OwnedJob read_job(const Json& record);
// The same by the parts alone, whatever `job` says.
[[nodiscard]] OwnedJob read_parts_of_job(const Json& record);

// `case`, `exact` or `undecided`. bits: as they are to be read.
[[nodiscard]] Json case_record(const Case& one, double bits);
// The same as text: there may be millions.
void append_case(std::string& text, const Case& one, double bits);
// Of one of these types. Throws Json::exception, and UsageError where x is none of the job's arguments.
[[nodiscard]] Case read_case(const job::Job& job, const Json& record);

// What was done in a part, without where it is, its plan and what was found there.
void write_part_work(Json& record, const PartResult& part);
[[nodiscard]] PartResult read_part_work(const Json& record);

// What was done in a part and found there, as text, from `,"seconds":` to the `]` of `found`: there may be millions of
// cases a second.
void append_part_result(std::string& text, const PartResult& part);

// {"domains": …, "survivors": …, "seconds": …} under each stage's name, those of the engines that were not used, too.
void write_named_stages(Json& record, const engine::Stages& stages);
// Of a record that was written when there were fewer engines, the others' stages did nothing.
[[nodiscard]] engine::Stages read_named_stages(const Json& record);

// The key `idle`, of a device that has been idle.
void write_idle(Json& record, const engine::Idle& idle);
[[nodiscard]] engine::Idle read_idle(const Json& record);

// By the names of the table.
[[nodiscard]] Json tunables_record(const device::Tunables& tunables);
// What was searched again in one way.
[[nodiscard]] Json to_record(const AuditReport& report);
// Throws Json::exception, and UsageError for an unknown name or a bad value.
[[nodiscard]] device::Tunables read_tunables(const Json& record);

// `range`: a regime's, one that was left out, or a gap.
[[nodiscard]] Json range_record(const job::Job& job, const job::RegimeRange& range);
[[nodiscard]] Json left_out_record(const job::Job& job, const job::RankInterval& ranks);
[[nodiscard]] Json gap_record(const job::Job& job, const job::RankInterval& ranks);
// `shard` of a record.
[[nodiscard]] Json shard_record(const job::Job& job, const job::Shard& shard);
[[nodiscard]] job::Shard read_shard(const job::Job& job, const Json& record);

// Adds what a `range` record says to the result: regimes are covered, what was left out and gaps are not. Throws
// Json::exception, UsageError where a bound is none of the job's arguments, and SoundnessError where something of it is
// known already.
void read_range(SearchResult& result, const job::Job& job, const Json& record);

} // namespace tmd::result
