// The messages between ranks: JSON records, one a message, that contain records of result files. `type` says what a
// message is and `search` to which search it belongs, counted by rank 0; a rank skips messages of another search.
//
//   rank 0                              another rank
//   open    version, job, request  -->
//                                  <--  opened  kernels, devices     or  refused  status, sentence
//                                  <--  take    device               a device wants work
//   parts   device, fields         -->
//   done    device                 -->                               there is no more
//                                  <--  result  device, part         again and again
//   stop                           -->                               results are no longer wanted
//                                  <--  closed  device, interrupted  or  lost  device, kind, sentence
//   close                          -->                               all devices are done
//                                  <--  ended   devices
//   end                            -->                               of all searches
//                                  <--  gone                         nothing follows
//
// In a search of another kind, which `open` names (`kind`: powers), run/power_ranks.hpp says what follows.
//
// A message is its record's text. A result's text is followed by its cases, of which there may be millions a second: a
// NUL, and for each case, all of one binade, 17 bytes, the least significant ones first:
//
//   8  its significand, less that of the record's `cases`: sign, unit exponent, least significand, how many
//   8  its hardness, a double; infinite unless it is hard
//   1  0 hard, 1 exact, 2 undecided; 4 more if its breakpoint is a midpoint
//
// The messages have no version of their own: ranks have the same version of the program, or refuse to begin.
#pragma once

#include "engine/cpu_modes.hpp"
#include "engine/engine.hpp"
#include "result/part_result.hpp"
#include "result/records.hpp"
#include "result/run_description.hpp"
#include "search/worker.hpp"
#include "tmd/error.hpp"

#include <cstddef>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace tmd::cluster {

// Names of engines, methods and bounds that have come in messages; they live as long as this object.
class Names {
public:
  [[nodiscard]] std::string_view keep(const std::string& name) { return *names_.insert(name).first; }

private:
  std::set<std::string> names_;
};

// {"type": type, "search": search}
[[nodiscard]] result::Json message(std::string_view type, std::size_t search);

// A message as it is sent.
[[nodiscard]] std::string to_text(const result::Json& record);
// A result with its cases as a message. Throws SoundnessError if its cases are not all of one binade.
[[nodiscard]] std::string to_text(result::Json record, const result::PartResult& result);

// A received message; it refers to the text.
struct Received {
  result::Json record;
  std::string_view cases; // bytes
};
[[nodiscard]] Received read_message(std::string_view text);

// Readers of the records above. They throw Json::exception, and UsageError for a bad value.

[[nodiscard]] result::Json assignment_record(const searches::PartExchange::Assignment& assignment);
[[nodiscard]] searches::PartExchange::Assignment read_assignment(const result::Json& record, Names& names);

// Reads the result in a message.
[[nodiscard]] result::PartResult read_result(const job::Job& job, const Received& message, Names& names);

[[nodiscard]] result::Json device_use_record(const result::DeviceUse& use);
[[nodiscard]] result::DeviceUse read_device_use(const result::Json& record);

[[nodiscard]] result::Json cpu_modes_record(const std::optional<engine::CpuModes>& modes);
[[nodiscard]] std::optional<engine::CpuModes> read_cpu_modes(const result::Json& record);

// Adds the reason that ended a worker to a record.
void write_failure(result::Json& record, const std::exception& error);
// The error in a record, as an exception of the same kind.
[[nodiscard]] std::exception_ptr read_failure(const result::Json& record);

} // namespace tmd::cluster
