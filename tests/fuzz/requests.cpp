// Requests as journals and results hold them, in JSON: options and their values, functions, numbers, ranges and parts.
#include "host/request/resolve.hpp"
#include "host/request/spec_json.hpp"
#include "reader.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_with(data, size,
                   [](std::string_view text) { (void)tmd::request::resolve(tmd::request::parse_spec(text)); });
}
