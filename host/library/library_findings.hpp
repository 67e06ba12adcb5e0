// What a math library did at many arguments, against the correctly rounded values.
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

// A call that did not give the correctly rounded value, or did something besides.
struct LibraryFault {
  std::string x;
  Direction direction = Direction::nearest;
  LibraryAnswer answer;
  std::string expected;
  double error = 0; // of what was returned, in ulps: positive where that is too large
};

// Of all calls in one direction.
struct LibraryTally {
  std::uint64_t calls = 0;
  std::uint64_t misrounded = 0;
  std::uint64_t undecided = 0;         // the correctly rounded value is not known
  std::uint64_t lost = 0;              // crashes and hangs
  std::optional<double> largest_error; // in ulps, by its size; of directed roundings only of misrounded values
  std::string at;
};

// What the library promises, and how many arguments break it in some direction; the least of these.
struct TestedPromise {
  std::string text;
  std::uint64_t broken = 0;
  std::string first;
};

// Which of two functions is right where their results differ. Both are at an exact zero of two signs.
enum class WhoIsRight { neither, library, other, both, unknown };
inline constexpr std::size_t who_may_be_right = 5;

struct Difference {
  std::string x;
  Direction direction = Direction::nearest;
  std::string result;
  std::string other;
  std::string expected; // empty where it is not known
  WhoIsRight who = WhoIsRight::unknown;
};

// Of one direction.
struct DifferenceTally {
  std::uint64_t compared = 0;
  std::uint64_t lost = 0; // calls of which one or the other did not return
  std::array<std::uint64_t, who_may_be_right> differ{};
};

struct Differences {
  std::array<DifferenceTally, directions.size()> tallies;
  std::vector<Difference> some; // those at which neither is right first
};

struct LibraryFindings {
  std::array<LibraryTally, directions.size()> tallies;
  std::vector<LibraryFault> faults; // lost ones first, then what calls did besides, then by error
  std::uint64_t more_faults = 0;    // that are only counted
  std::vector<LibraryFault> listed; // further ones, without their errors: misrounded results chosen at random
  MisroundedCounts misrounded;
  std::optional<TestedPromise> promise;
  std::optional<Differences> differences; // from another function
  std::optional<FlagFindings> flags;      // if they were looked at

  [[nodiscard]] const LibraryTally& in(Direction direction) const {
    return tallies.at(static_cast<std::size_t>(direction));
  }
};

// A result, judged.
struct JudgedResult {
  bool is_right = false; // false too where the value is not known
  double error = 0;      // as error_in_ulps() has it, but 0 of a right result beyond the largest number
};
[[nodiscard]] JudgedResult judge_result(const std::string& text, Direction direction, const verify::RoundedValue& value,
                                        const Format& format);

// A call that returned this, judged and counted: nothing where that is the correctly rounded value, or the value is not
// known.
[[nodiscard]] std::optional<LibraryFault> judge_result(const std::string& x, Direction direction,
                                                       const std::string& text, const verify::RoundedValue& value,
                                                       const Format& format, LibraryTally& tally);

// Brings faults into their order.
void sort_faults(std::vector<LibraryFault>& faults);

// The calls, their answers, and the value at each argument, of which there is a call in every direction.
[[nodiscard]] LibraryFindings judge_library(const LibraryCalls& calls, const LibraryAnswers& answers,
                                            const Format& format, const std::optional<Promise>& promise);

} // namespace tmd::library
