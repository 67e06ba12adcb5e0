// What a math library did at many arguments, compared with the correctly rounded values.
#pragma once

#include "library/flags.hpp"
#include "library/library_calls.hpp"
#include "library/misrounded_counts.hpp"
#include "library/promise.hpp"
#include "tmd/format.hpp"
#include "verify/rounded_value.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tmd::library {

// A call that did not return the correctly rounded value, or had a side effect.
struct LibraryFault {
  std::string x;
  Direction direction = Direction::nearest;
  LibraryAnswer answer;
  std::string expected;
  double error = 0; // of the returned value, in ulps: positive if that is too large
};

// The counts of all calls in one direction.
struct LibraryTally {
  std::uint64_t calls = 0;
  std::uint64_t misrounded = 0;
  std::uint64_t undecided = 0;         // calls whose correctly rounded value is unknown
  std::uint64_t lost = 0;              // crashes and hangs
  std::optional<double> largest_error; // in ulps, with its sign; in directed roundings only misrounded values count
  std::string at;
};

// A promise of the library, the number of arguments that break it in some direction, and the least of these.
struct TestedPromise {
  std::string text;
  std::uint64_t broken = 0;
  std::string first;
};

// Which of two functions is right where their results differ. At an exact zero both may be right, with different signs.
enum class WhoIsRight { neither, library, other, both, unknown };
inline constexpr std::size_t who_may_be_right = 5;

struct Difference {
  std::string x;
  Direction direction = Direction::nearest;
  std::string result;
  std::string other;
  std::string expected; // empty if unknown
  WhoIsRight who = WhoIsRight::unknown;
};

// The differences in one direction.
struct DifferenceTally {
  std::uint64_t compared = 0;
  std::uint64_t lost = 0; // calls that one of the two did not return from
  std::array<std::uint64_t, who_may_be_right> differ{};
};

struct Differences {
  std::array<DifferenceTally, directions.size()> tallies;
  std::vector<Difference> some; // a choice of them, those at which neither is right first
};

struct LibraryFindings {
  std::array<LibraryTally, directions.size()> tallies;
  std::vector<LibraryFault> faults; // lost calls first, then side effects, then misrounded results by error
  std::uint64_t more_faults = 0;    // number of faults that are not listed
  std::vector<LibraryFault> listed; // misrounded results chosen at random, without their errors
  MisroundedCounts misrounded;
  std::optional<TestedPromise> promise;
  std::optional<Differences> differences; // from another function
  std::optional<FlagFindings> flags;      // present if flags were checked

  [[nodiscard]] const LibraryTally& in(Direction direction) const {
    return tallies.at(static_cast<std::size_t>(direction));
  }
};

// The judgement of a result.
struct JudgedResult {
  bool is_right = false; // false also if the value is unknown
  double error = 0;      // as error_in_ulps() computes it, but 0 for a right result beyond the largest number
};
[[nodiscard]] JudgedResult judge_result(const std::string& text, Direction direction, const verify::RoundedValue& value,
                                        const Format& format);

// Judges and counts the result of a call. Returns nothing if it is the correctly rounded value, or if that is unknown.
[[nodiscard]] std::optional<LibraryFault> judge_result(const std::string& x, Direction direction,
                                                       const std::string& text, const verify::RoundedValue& value,
                                                       const Format& format, LibraryTally& tally);

// Sorts faults in the order of LibraryFindings::faults.
void sort_faults(std::vector<LibraryFault>& faults);

// Judges answers by the values at the arguments; each argument has a call in every direction.
[[nodiscard]] LibraryFindings judge_library(const LibraryCalls& calls, const LibraryAnswers& answers,
                                            const Format& format, const std::optional<Promise>& promise);

} // namespace tmd::library
