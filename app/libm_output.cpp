#include "libm_output.hpp"

#include "options.hpp"
#include "standard_streams.hpp"

#include <string>

namespace tmd::app {

void add_output_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("histogram", "also print how many results are misrounded, by their errors and by their bits");
  add("wc", "list the arguments at which it fails in FILE, with what was returned and expected", text(), "FILE");
  add("report", "write a page with pictures to FILE: .html or .md", text(), "FILE");
  add("json", "write a record per fault to FILE (JSON Lines)", text(), "FILE");
}

LibmOutput libm_output(const cxxopts::ParseResult& parsed) {
  LibmOutput output{open_file(parsed, "json"), open_file(parsed, "wc"), LibmPage::asked(parsed),
                    parsed.count("histogram") != 0};
  if (output.json && output.wc && output.json->same_target(*output.wc))
    throw UsageError("--json and --wc name the same file");
  print_no_tables_beside({&output.json, &output.wc});
  return output;
}

} // namespace tmd::app
