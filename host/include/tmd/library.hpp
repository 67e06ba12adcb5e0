// A math library put to the test: one of its functions, called at given arguments, and how each result is rounded.
#pragma once

#include "tmd/api.hpp"
#include "tmd/argument.hpp"
#include "tmd/direction.hpp"
#include "tmd/error.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace tmd {

// A function of a math library, and how it is to be called.
struct LibmSpec {
  std::string function;            // whose values are right: a name of the catalogue, or an expression in x
  std::string library;             // as the dynamic linker finds it: "libm.so.6", "./libm.so"
  std::string symbol;              // empty: C's name of the function in the type of the format, "expf"
  std::string format = "binary64"; // or binary16, binary32, binary80, where the compiler has a type of it
  bool nearest_only = false;       // calls it only while results are rounded to nearest
  std::chrono::seconds patience = std::chrono::seconds(5); // after which a call counts as a hang
};

// What a call gave.
struct LibmResult {
  enum class Verdict {
    correct,    // correctly rounded; also what is not a number where f is not defined
    misrounded, // another number
    undecided,  // no theorem and no precision says what is right
    failed      // it did not return
  };

  Argument x;
  Direction direction = Direction::nearest;
  Verdict verdict = Verdict::correct;
  std::string returned; // a C hex float, "inf", "-inf" or "nan"; where it failed, a sentence
  std::string expected; // likewise; empty where undecided
  // What was returned less f(x), in ulps of the format at f(x), rounded away from 0; infinite where one of them is not
  // a number, 0 where the call failed.
  double error = 0;
  std::string besides; // what else the call did, such as to change the rounding direction: a sentence
};

// Calls the function at numbers of the format, written as JobSpec has bounds, in each direction, argument by argument.
// The library may crash or hang: the calls are made by the program `tmd`, which is installed with this library, in a
// process that is started again behind what ended it. Throws UsageError where that program is not there, for a library
// or symbol that cannot be loaded, for what is no number of the format, and where f has a pole.
[[nodiscard]] TMD_API std::vector<LibmResult> call_libm(const LibmSpec& spec,
                                                        const std::vector<std::string>& arguments);

} // namespace tmd
