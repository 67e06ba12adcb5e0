// What searches have found, as data, and the files that have it: read, verified and merged.
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

// Consecutive arguments of which every one is a case: f(x) lies next to the breakpoint slope·x + offset.
struct CaseRange {
  Argument from;
  Argument to; // the end, not in it
  uint128 arguments = 0;
  std::string slope; // both exact, as C hex floats
  std::string offset;
};

struct Result {
  JobDescription job;
  std::vector<Case> cases;       // hard ones, the hardest first
  std::vector<Case> exact;       // by argument
  uint128 unlisted_exact = 0;    // beyond those: too many to be listed, or of ranges that have nothing else
  std::vector<Case> undecided;   // by argument: neither proven to be cases nor not to be
  std::vector<CaseRange> ranges; // whose cases are in none of the lists
  uint128 arguments = 0;         // that were covered
  double seconds = 0;            // 0 where it is not known
  std::vector<std::string> devices;

  // Arguments of the job that were not searched: left out, missing between parts, or not yet reached.
  [[nodiscard]] uint128 missing() const { return job.arguments - arguments; }
};

// Reads what a search has left: JSON Lines, a .wc list of this program, a journal or a published list, packed with xz
// or gzip or not. A .wc list does not tell bits and breakpoints: the bits are infinite then. Throws UsageError for what
// cannot be read or is something else, and for the first line that is wrong.
[[nodiscard]] TMD_API Result read_result(const std::string& file);

// What a check has found wrong.
struct Objection {
  std::size_t line = 0; // of the file; 0: none
  std::string x;        // the argument, or the first of a range; empty: none
  std::string sentence;
};

// A check of a result. Its name is one of few: "lines", "header", "entries", "order", "ranges", "coverage", "counts", …
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
  std::vector<VerifyFailure> failures; // empty: nothing is wrong
};

// Checks a result and believes nothing in it: every entry by MPFR and again by Arb, every range by its proof, the
// counts of each binade by chance. Searches nothing again, and uses no device. Throws UsageError for what is no result.
[[nodiscard]] TMD_API Verification verify_result(const std::string& file);

struct MergeOptions {
  bool other_version = false; // takes what different programs have found
  bool allow_gaps = false;    // takes parts that do not make up the whole
  // Files that are written, as a search writes them.
  std::optional<std::string> wc;
  std::optional<std::string> json;
  bool by_argument = false; // the order in `wc`
};

// Puts searches of parts of one job together: JSON Lines or journals. They may overlap. Throws UsageError for what does
// not belong together, and for gaps; SoundnessError where two parts have found different cases at the same arguments.
[[nodiscard]] TMD_API Result merge_results(const std::vector<std::string>& files, const MergeOptions& options = {},
                                           const Tell& tell = {});

} // namespace tmd
