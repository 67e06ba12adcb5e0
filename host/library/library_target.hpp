// Which function of a shared library is called, in all the ways that `tmd libm` offers, and how a process is started
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
  std::size_t lanes = 1;    // of a function of vectors
  std::size_t operands = 1; // 2: of a function of two variables
  bool flags = false;       // whether these are looked at
  bool nearest_only = false;
  std::chrono::seconds patience{};
};

// Bytes of a number in the type that C has for it.
[[nodiscard]] std::size_t size_of(const Format& format);

// What makes `tmd` such a process; further options may follow.
[[nodiscard]] std::vector<std::string> served(const std::string& symbol, Returned returned, const Format& format,
                                              const std::vector<std::string>& more);

// program: `tmd`.
[[nodiscard]] MakeCalledFunction open_library(const LibraryTarget& target, const std::string& program);

} // namespace tmd::library
