// The function of a shared library to be called, in all the ways that `tmd libm` offers, and the start of the process
// that calls it.
#pragma once

#include "library/called_function.hpp"
#include "library/returned.hpp"
#include "tmd/format.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace tmd::library {

struct LibraryTarget {
  std::string library;
  std::string symbol;
  Format format;
  Returned returned = Returned::value;
  std::size_t lanes = 1;    // lanes of a vector function, else 1
  std::size_t operands = 1; // 2 for a function of two variables
  bool flags = false;       // whether flags are checked
  bool nearest_only = false;
  std::chrono::seconds patience{};
};

// Bytes of a number in C's type for the format.
[[nodiscard]] std::size_t size_of(const Format& format);

// The command-line arguments that make `tmd` such a process; further options may follow.
[[nodiscard]] std::vector<std::string> served(const std::string& symbol, Returned returned, const Format& format,
                                              const std::vector<std::string>& more);

// program: the path of `tmd`.
[[nodiscard]] MakeCalledFunction open_library(const LibraryTarget& target, const std::string& program);

} // namespace tmd::library
