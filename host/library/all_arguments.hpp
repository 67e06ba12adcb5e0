// A function of a math library called for all arguments of a short format in every direction, on all cores: what comes
// out is a proof that each result is correctly rounded, or what is wrong.
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
  // Numbers of these ranks; without, every argument that the format has: both zeros, infinities and what is no number.
  std::optional<job::RankInterval> ranks;
  std::optional<Promise> promise;
  bool flags = false;          // whether these are looked at
  MakeCalledFunction other;    // that it is compared with, if any
  std::size_t most_listed = 0; // misrounded results of each direction that findings are to list
};

struct AllFindings : LibraryFindings {
  std::uint64_t arguments = 0;        // that were called
  std::uint64_t not_called = 0;       // because too many calls were lost
  std::uint64_t no_value = 0;         // arguments at which it is not known what is right: poles, infinities
  std::vector<std::string> no_values; // some of these
  std::uint64_t undecided = 0;        // arguments whose correctly rounded values are not known
  std::uint64_t by_mpfr = 0;          // arguments that MPFR decided

  [[nodiscard]] bool is_right() const;
};

// called: one for each of the threads that call and judge. told: how many arguments are done, now and then, by one
// thread at a time. Throws UsageError for a format of more than 32 bits, and what calls throw.
[[nodiscard]] AllFindings call_for_all(const AllArguments& all, unsigned threads, const MakeCalledFunction& called,
                                       const std::function<void(std::uint64_t done, std::uint64_t of)>& told);

} // namespace tmd::library
