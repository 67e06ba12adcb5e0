// From a range to pieces: the arguments on which one scaled function serves.
#pragma once

#include "error.hpp"
#include "polynomial/scaled_function.hpp"

#include <functional>
#include <vector>

namespace tmd {

// Together every argument of a range, each once.
struct Pieces {
  std::vector<Piece> pieces;
  // Arguments whose value could not be placed in one output binade by enclosures (an exact power of two, zero, …), or
  // that stand alone: to be tested one by one.
  std::vector<Argument> singles;

  // Arguments in all.
  [[nodiscard]] uint128 count() const;
};

// Splits the arguments of rank first … last − 1 by bisection on enclosures of f, so that it serves any function,
// monotone or not. Throws UsageError where the output binade changes more than some million times, or where values lie
// beyond 2^±most_value_exponent.
// `interrupted` is asked now and then; Interrupted is thrown when it says so.
[[nodiscard]] Pieces find_pieces(const Function& function, const ArgumentSet& arguments, ArgumentSet::Rank first,
                                 ArgumentSet::Rank last, const std::function<bool()>& interrupted = {});

} // namespace tmd
