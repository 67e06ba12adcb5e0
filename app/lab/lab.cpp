// Options and steps that the measurements of tmd-lab share.
#include "app/lab/lab.hpp"

#include "opencl/device.hpp"

#include <utility>

#include <fmt/format.h>

namespace tmd::app {

cxxopts::Options lab_options(const std::string& what, const std::string& description,
                             const std::map<std::string, std::string>& method) {
  cxxopts::Options options("tmd-lab " + what, description);
  options.custom_help("FUNCTION --from X --to Y [OPTION ...]");
  add_job_options(options);
  for (const auto& [name, help] : method)
    add_option(options, name, help);
  add_device_options(options);
  return options;
}

std::optional<cxxopts::ParseResult> parse_measurement(cxxopts::Options& options, const std::string& what,
                                                      const Arguments& arguments) {
  auto add = options.add_options();
  add("json", "write the figures as JSON Lines", cxxopts::value<std::string>(), "FILE");
  add("h,help", "this text");
  auto parsed = parse(options, what, arguments);
  if (parsed.count("help") == 0)
    return parsed;
  fmt::print("{}", options.help({""}));
  return std::nullopt;
}

run::DeviceChoice device_to_measure(const SearchSpec& spec) {
  run::DeviceChoice choice = run::choose_device(spec, print_remark);
  choice.device = opencl::with_shared_context(std::move(choice.device));
  return choice;
}

void add_repeats(cxxopts::Options& options) {
  options.add_options()("repeats", "runs of which the median counts", cxxopts::value<std::string>()->default_value("5"),
                        "R");
}

int repeats_of(const cxxopts::ParseResult& parsed) {
  return request::parse_integer(parsed["repeats"].as<std::string>(), "--repeats", 1, 1000);
}

} // namespace tmd::app
