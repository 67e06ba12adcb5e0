// Searches: every hard-to-round case of a job, found on OpenCL devices and confirmed by MPFR.
//
// A search prints nothing, handles no signal, starts no process and never ends this one. It throws what derives from
// tmd::Error, and std::bad_alloc. Several searches may run beside each other in threads of their own. What it does to
// its process, and how to keep it from that, is in doc/guide/cpp.md.
#pragma once

#include "tmd/api.hpp"
#include "tmd/case.hpp"
#include "tmd/error.hpp"
#include "tmd/integer.hpp"
#include "tmd/progress.hpp"
#include "tmd/remark.hpp"
#include "tmd/result.hpp"
#include "tmd/search_spec.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tmd {

// What a search tells while it runs. Any of these may be empty. Threads of the search call them, never two of them the
// same one at the same time. What `found`, `progress` or `on_remark` throws ends the search, and search() throws it.
struct SearchEvents {
  // Each case once, as soon as it is confirmed, in no particular order: hard ones, undecided ones, and exact ones as
  // far as they are listed. First those that a journal has already. Cases of ranges in which every argument is a case
  // are not told one by one, nor are those of ranges of which one binade tells them, which the outcome lists.
  std::function<void(const Case&)> found = {};
  // Several times a second, and at the end.
  std::function<void(const Progress&)> progress = {};
  // Is asked many times a second, by several threads at once: true ends the search within about a second.
  std::function<bool()> cancelled = {};
  RemarkHandler on_remark = {};
};

// What a search has found. Files that it has written are read by tmd/result.hpp.
struct SearchOutcome : Result {
  bool cancelled = false;        // else all is covered but what was left out, since values change too fast there
  std::filesystem::path journal; // from which the same search goes on, where it was cancelled; empty: none is kept

  // Whether every argument of the job was searched.
  [[nodiscard]] bool is_complete() const { return missing() == 0; }
};

// Searches a job, writes the files that the spec names, and returns when all is done or `cancelled` says so. Throws
//   OptionError      what is wrong with the spec, by its member
//   UsageError       a file or journal that cannot be written or is of another search; more cases than most_cases
//   DeviceError      no device can be used, or all have failed; FaultError for one that computes wrongly
//   SoundnessError   a check that protects the result's completeness failed.
[[nodiscard]] TMD_API SearchOutcome search(const SearchSpec& spec, const SearchEvents& events = {});

// What a search would cost.
struct Estimate {
  uint128 arguments = 0;    // of the job
  uint128 without_case = 0; // of them: in ranges that are proven to have no case
  uint128 all_cases = 0;    // in ranges of which every argument is a case
  uint128 all_exact = 0;    // in ranges of which every argument is an exact case
  uint128 beside = 0;       // in ranges whose cases are those of one binade
  uint128 left_out = 0;     // that would be left out
  uint128 to_search = 0;    // the rest
  double cases = 0;         // to be expected among the rest
  // Expected time of the search on the devices that the spec names, without the start-up; empty: not known.
  std::optional<double> seconds;
  bool is_least = false;   // so long or longer
  std::size_t sampled = 0; // stretches that were looked at for it only in part, or not at all: their neighbours were
  std::vector<std::string> devices; // their names
  std::string why_unknown;          // where `seconds` is empty: a sentence
};

// Surveys the job, then searches samples of it for about a second. A device that fails only leaves the time unknown.
// Throws OptionError and UsageError as search() does.
[[nodiscard]] TMD_API Estimate estimate(const SearchSpec& spec, const RemarkHandler& on_remark = {});

} // namespace tmd
