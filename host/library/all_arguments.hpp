// Calls a function of a math library for all arguments of a short format, in every direction and on all cores. The
// result is a proof that each result is correctly rounded, or a list of what is wrong.
#pragma once

#include "job/stretch.hpp"
#include "library/called_function.hpp"
#include "library/library_findings.hpp"
#include "library/promise.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tmd::library {

struct AllArguments {
  const function::Function* function = nullptr;
  Format format;
  // Only the numbers of these ranks; if empty, every argument of the format: both zeros, infinities and NaN, too.
  std::optional<job::RankInterval> ranks;
  std::optional<Promise> promise;
  bool flags = false;          // whether exception flags and errno are checked
  MakeCalledFunction other;    // the function to compare with, if any
  std::size_t most_listed = 0; // limit for the misrounded results that findings list in each direction
};

struct AllFindings : LibraryFindings {
  std::uint64_t arguments = 0;        // called ones
  std::uint64_t not_called = 0;       // arguments left out after too many lost calls
  std::uint64_t no_value = 0;         // arguments where the right result is unknown: poles, infinities
  std::vector<std::string> no_values; // some of these
  std::uint64_t undecided = 0;        // arguments whose correctly rounded values are not known
  std::uint64_t by_mpfr = 0;          // arguments that MPFR decided

  [[nodiscard]] bool is_right() const;
};

// called: makes a function for each of the threads that call and judge. report: gets the number of arguments done now
// and then, from one thread at a time. Throws UsageError for a format of more than 32 bits, and what calls throw.
[[nodiscard]] AllFindings call_for_all(const AllArguments& all, unsigned threads, const MakeCalledFunction& called,
                                       const std::function<void(std::uint64_t done, std::uint64_t of)>& report);

} // namespace tmd::library
