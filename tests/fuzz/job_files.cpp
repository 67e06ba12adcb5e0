// Job files in TOML.
#include "host/request/job_file.hpp"
#include "reader.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_with(data, size, [](std::string_view text) { (void)tmd::request::parse_job_file(text); });
}
