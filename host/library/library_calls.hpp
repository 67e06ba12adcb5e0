// The calls of a math library that a list of arguments asks for, and what they should return.
#pragma once

#include "function/pairs.hpp"
#include "job/job.hpp"
#include "library/called_function.hpp"
#include "result/case_list.hpp"
#include "tmd/integer.hpp"
#include "verify/rounded_value.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tmd::library {

struct LibraryCall {
  Argument x;
  Direction direction = Direction::nearest;
  std::optional<Argument> second = std::nullopt; // of a function of two variables

  [[nodiscard]] std::string text() const; // "0x1p+0", "0x1p+0,0x1.8p+1"
};

struct LibraryCalls {
  std::vector<LibraryCall> calls;           // each argument in every direction
  std::vector<verify::RoundedValue> values; // of each argument
  std::vector<std::size_t> no_numbers;      // lines of entries that are no numbers of the format
  std::vector<std::size_t> poles;           // lines of arguments at which f has no value, though not outside its domain
};

// Outside its domain a function should return what is not a number. Throws UsageError where there is nothing to call.
[[nodiscard]] LibraryCalls library_calls(const result::CaseList& list, const job::Job& job);

// The same of a function of two variables, and a list of pairs. Those with a zero, an infinity or what is not a number,
// of which C23 prescribes the value, count as no numbers.
[[nodiscard]] LibraryCalls library_calls(const result::CaseList& list, const function::PairFunction& function,
                                         const Format& format);

// Numbers around 1 that most functions have values at: whole binades for short formats, else 2^40. Throws UsageError
// where the job's function has none.
[[nodiscard]] job::RankInterval usual_range(const job::Job& job);

struct LibraryAnswers {
  std::vector<LibraryAnswer> answers;                         // one for each call
  std::vector<uint128> results;                               // the same as codes (coded_results.hpp)
  std::vector<std::uint8_t> flags;                            // after each call (flags.hpp), if they are looked at
  std::vector<std::pair<std::size_t, LibraryAnswer>> besides; // what else calls did, by their index
};

// What a block of calls gave: whose arguments are `count` from the one of that index on, and calls that were lost.
using UseOfBlock =
    std::function<void(const CalledFunction&, std::size_t first, std::size_t count, const std::vector<LostCall>& lost)>;

// Makes the calls, each argument's one behind the other; none in directions that the function does not round in. Throws
// UsageError where the library cannot be loaded.
[[nodiscard]] LibraryAnswers call_library(CalledFunction& function, const LibraryCalls& calls, const Format& format,
                                          const UseOfBlock& use = {});

// Sentences about what is not called.
[[nodiscard]] std::vector<std::string> library_notes(const LibraryCalls& calls, const std::string& function,
                                                     const Format& format);

} // namespace tmd::library
