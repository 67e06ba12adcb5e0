// Names of functions, and expressions.
#include "host/function/expression.hpp"
#include "reader.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_with(data, size, [](std::string_view text) { (void)tmd::function::function_of(text); });
}
