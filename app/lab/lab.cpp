// What the measurements of tmd-lab have in common.
#include "app/lab/lab.hpp"

#include "opencl/device.hpp"

#include <utility>

namespace tmd::app {

cxxopts::Options lab_options(const std::string& what, const std::string& description) {
  cxxopts::Options options("tmd-lab " + what, description);
  options.custom_help("FUNCTION --from X --to Y [OPTION ...]");
  add_search_options(options);
  auto add = options.add_options();
  add("json", "write the figures as JSON Lines", cxxopts::value<std::string>(), "FILE");
  add("h,help", "this text");
  return options;
}

DeviceChoice device_to_measure(const SearchSpec& spec) {
  DeviceChoice choice = choose_device(spec, print_remark);
  choice.device = opencl::with_shared_context(std::move(choice.device));
  return choice;
}

void add_repeats(cxxopts::Options& options) {
  options.add_options()("repeats", "runs of which the median counts", cxxopts::value<std::string>()->default_value("5"),
                        "R");
}

int repeats_of(const cxxopts::ParseResult& parsed) {
  return parse_integer(parsed["repeats"].as<std::string>(), "--repeats", 1, 1000);
}

} // namespace tmd::app
