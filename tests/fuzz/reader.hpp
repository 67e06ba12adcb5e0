// Code that the fuzzers of readers share: a text goes to a reader, which reads it or refuses it with one of the
// project's errors. Anything else, a sanitizer's finding, or more time and memory than tests/fuzz/run allows, is a
// fault.
#pragma once

#include "tmd/error.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

template <typename Read> int read_with(const std::uint8_t* data, std::size_t size, const Read& read) {
  try {
    read(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const tmd::Error&) { // the text was refused
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
