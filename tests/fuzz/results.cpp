// Results of every form: JSON Lines, .wc lists, published pages, journals with their checksums.
#include "host/result/recorded_search.hpp"
#include "reader.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_with(data, size, [](std::string_view text) {
    (void)tmd::result::read_search(tmd::result::recognize(tmd::support::source_of(text), "input"));
  });
}
