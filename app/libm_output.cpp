#include "libm_output.hpp"

#include "options.hpp"
#include "standard_streams.hpp"

#include <string>

namespace tmd::app {

void add_output_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("histogram", "also print how many results are misrounded, by their errors and by their bits");
  add("json", "write a record per fault to FILE (JSON Lines)", text(), "FILE");
}

LibmOutput libm_output(const cxxopts::ParseResult& parsed) {
  LibmOutput output{open_file(parsed, "json"), parsed.count("histogram") != 0};
  print_no_tables_beside({&output.json});
  return output;
}

} // namespace tmd::app
