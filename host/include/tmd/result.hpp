// The results of searches as data, and functions that read, verify and merge their files.
#pragma once

#include "tmd/api.hpp"
#include "tmd/argument.hpp"
#include "tmd/case.hpp"
#include "tmd/error.hpp"
#include "tmd/integer.hpp"
#include "tmd/job.hpp"
#include "tmd/remark.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmd {

// Consecutive arguments that are all cases: f(x) lies next to the breakpoint slope·x + offset.
struct CaseRange {
  Argument from;
  Argument to; // the end, not included
  uint128 arguments = 0;
  std::string slope; // exact, as C hex floats, like `offset`
  std::string offset;
};

struct Result {
  JobDescription job;
  std::vector<Case> cases;       // hard ones, the hardest first
  std::vector<Case> exact;       // by argument
  uint128 unlisted_exact = 0;    // number of further ones: too many to list, or in ranges of exact cases
  std::vector<Case> undecided;   // by argument: neither proven to be cases nor proven to be none
  std::vector<CaseRange> ranges; // their cases are in none of the lists
  uint128 arguments = 0;         // number of covered arguments
  double seconds = 0;            // 0 if unknown
  std::vector<std::string> devices;

  // The number of the job's arguments that were not searched: left out, in gaps between parts, or not yet reached.
  [[nodiscard]] uint128 missing() const { return job.arguments - arguments; }
};

// Reads the output of a search: JSON Lines, a .wc list of this program, a journal or a published list, perhaps packed
// by xz or gzip. A .wc list does not contain bits and breakpoints: bits are infinite then. Throws UsageError if the
// file cannot be read or is something else, and for the first wrong line.
[[nodiscard]] TMD_API Result read_result(const std::string& file);

// A mistake that a check has found.
struct Objection {
  std::size_t line = 0; // of the file, or 0
  std::string x;        // the argument, or the first of a range; may be empty
  std::string sentence;
};

// A check of a result. Names are "lines", "header", "entries", "order", "ranges", "coverage", "counts" and a few
// others.
struct VerifyCheck {
  enum class Verdict { good, failed, note, not_done };
  std::string_view name;
  std::string looked_at;
  Verdict verdict = Verdict::good;
  std::string remark;
};

struct VerifyFailure {
  std::string_view check;
  Objection objection;
};

struct Verification {
  std::vector<VerifyCheck> checks;
  std::vector<VerifyFailure> failures; // empty if nothing is wrong
};

// Checks a result without trusting it: every entry by MPFR and by Arb, every range by its proof, the counts of each
// binade by chance. Searches nothing again and uses no device. Throws UsageError if the file is no result.
[[nodiscard]] TMD_API Verification verify_result(const std::string& file);

struct MergeOptions {
  bool other_version = false; // accepts results of different programs
  bool allow_gaps = false;    // accepts parts that do not make up the whole
  // Files to write, as a search writes them.
  std::optional<std::string> wc;
  std::optional<std::string> json;
  bool by_argument = false; // the order in `wc`
};

// Merges results of parts of one job, as JSON Lines or journals. Parts may overlap. Throws UsageError if they do not
// belong together and for gaps, SoundnessError if two parts have found different cases at the same arguments.
[[nodiscard]] TMD_API Result merge_results(const std::vector<std::string>& files, const MergeOptions& options = {},
                                           const RemarkHandler& on_remark = {});

} // namespace tmd
