// The calls of a math library for a list of arguments, and the right results.
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

// Outside its domain the right result is NaN. Throws UsageError if there is nothing to call.
[[nodiscard]] LibraryCalls library_calls(const result::CaseList& list, const job::Job& job);

// The same for a function of two variables and a list of pairs. Pairs whose value C23 prescribes, with a zero, an
// infinity or NaN, count as no numbers.
[[nodiscard]] LibraryCalls library_calls(const result::CaseList& list, const function::PairFunction& function,
                                         const Format& format);

// Numbers around 1 at which most functions have values: whole binades for short formats, else 2^40 numbers. Throws
// UsageError if the job's function has no value there.
[[nodiscard]] job::RankInterval usual_range(const job::Job& job);

struct LibraryAnswers {
  std::vector<LibraryAnswer> answers;                         // one for each call
  std::vector<uint128> results;                               // as codes (coded_results.hpp)
  std::vector<std::uint8_t> flags;                            // after each call, if they are checked (flags.hpp)
  std::vector<std::pair<std::size_t, LibraryAnswer>> besides; // side effects of calls, with the index of the call
};

// Gets each block after its calls: the index of its first argument, the number of its arguments, and the lost calls.
using UseOfBlock =
    std::function<void(const CalledFunction&, std::size_t first, std::size_t count, const std::vector<LostCall>& lost)>;

// Makes the calls, direction by direction for each argument, but none in directions that the function does not round
// in. Throws UsageError if the library cannot be loaded.
[[nodiscard]] LibraryAnswers call_library(CalledFunction& function, const LibraryCalls& calls, const Format& format,
                                          const UseOfBlock& use = {});

// Sentences about arguments that are not called.
[[nodiscard]] std::vector<std::string> library_notes(const LibraryCalls& calls, const std::string& function,
                                                     const Format& format);

} // namespace tmd::library
