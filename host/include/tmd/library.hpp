// Tests a function of a math library: calls it at given arguments and judges how each result is rounded.
#pragma once

#include "tmd/api.hpp"
#include "tmd/argument.hpp"
#include "tmd/direction.hpp"
#include "tmd/error.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace tmd {

// A function of a math library, and how to call it.
struct LibmSpec {
  std::string function;            // the exact function: a name of the catalogue, or an expression in x
  std::string library;             // as the dynamic linker finds it: "libm.so.6", "./libm.so"
  std::string symbol;              // empty: C's name of the function in the format's type, such as "expf"
  std::string format = "binary64"; // or binary16, binary32, binary80, if the compiler has a type for it
  bool nearest_only = false;       // call it only with rounding to nearest
  std::chrono::seconds patience = std::chrono::seconds(5); // after this time a call counts as a hang
};

// The result of a call.
struct LibmResult {
  enum class Verdict {
    correct,    // correctly rounded; includes NaN where f is not defined
    misrounded, // another number
    undecided,  // no theorem and no precision decides
    failed      // the call did not return
  };

  Argument x;
  Direction direction = Direction::nearest;
  Verdict verdict = Verdict::correct;
  std::string returned; // a C hex float, "inf", "-inf" or "nan"; a sentence if the call failed
  std::string expected; // the same; empty if undecided
  // The returned value minus f(x), in ulps of the format at f(x), rounded away from 0; infinite if one of them is NaN,
  // 0 if the call failed.
  double error = 0;
  std::string besides; // a sentence about a side effect, such as a changed rounding direction
};

// Calls the function at numbers of the format, written like the bounds of JobSpec, in each direction. The library may
// crash or hang: the program `tmd`, which is installed with this library, makes the calls in a process that is
// restarted after a failure. Throws UsageError if that program is missing, if the library or symbol cannot be loaded,
// for a text that is no number of the format, and at a pole of f.
[[nodiscard]] TMD_API std::vector<LibmResult> call_libm(const LibmSpec& spec,
                                                        const std::vector<std::string>& arguments);

} // namespace tmd
