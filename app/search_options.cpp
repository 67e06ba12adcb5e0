#include "search_options.hpp"

#include "engine/registry.hpp"
#include "request/each_function.hpp"
#include "request/spec_json.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

void add_options_of(cxxopts::Options& options, std::initializer_list<request::OptionGroup> groups, DeviceCount count) {
  for (const request::OptionGroup group : groups)
    for (request::SearchOption& option : request::options_in(group)) {
      if (option.name == "device" && count == DeviceCount::one)
        option.help.resize(option.help.find(';'));
      add_option(options, option);
    }
}

void add_option(cxxopts::Options& options, std::string_view name, std::string_view help) {
  request::OptionText option = static_cast<const request::OptionText&>(request::find_option(name)); // its text in help
  if (!help.empty())
    option.help = help;
  add_option(options, option);
}

void add_device_options(cxxopts::Options& options, DeviceCount count) {
  add_options_of(options, {request::OptionGroup::device, request::OptionGroup::kernels}, count);
}

void add_job_options(cxxopts::Options& options) {
  add_options_of(options, {request::OptionGroup::range, request::OptionGroup::format, request::OptionGroup::job});
  options.add_options("internal")(spec_option, "", cxxopts::value<std::string>());
  // The positional argument is in the usage line, so it gets a group that no help text shows.
  options.add_options("positional")("function", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"function"});
  options.positional_help("").set_width(120);
}

void add_search_options(cxxopts::Options& options, DeviceCount count) {
  add_job_options(options);
  add_options_of(options, {request::OptionGroup::method});
  add_device_options(options, count);
}

SearchSpec spec_of(const cxxopts::ParseResult& parsed) {
  SearchSpec spec;
  if (parsed.count(spec_option) != 0)
    spec = request::parse_spec(parsed[spec_option].as<std::string>());
  if (const std::vector<std::string> names = values_of(parsed, "function"); names.size() > 1)
    throw UsageError(fmt::format("unexpected argument '{}': one function at a time", names[1]));
  for (const request::SearchOption& option : request::option_table())
    for (const std::string& text : values_of(parsed, option.name))
      request::set_option(spec, option, text);
  return spec;
}

std::vector<SearchSpec> specs_of(const cxxopts::ParseResult& parsed) {
  if (parsed.count(spec_option) == 0 || !parsed[spec_option].as<std::string>().starts_with('['))
    return request::one_for_each_function(spec_of(parsed));
  std::vector<SearchSpec> specs;
  for (const request::Json& record : request::Json::parse(parsed[spec_option].as<std::string>()))
    specs.push_back(request::spec_of_json(record));
  return specs;
}

request::SearchRequest parse_search_options(const cxxopts::ParseResult& parsed, request::BoundsUse bounds) {
  return request::resolve(spec_of(parsed), bounds);
}

std::string tunable_list() {
  std::string text;
  for (const device::Tunable& tunable : engine::engine_tuning().tunables())
    text += fmt::format("  {:<{}}  {}: {}\n", tunable.name, tunable_width(),
                        tunable.names.empty() ? fmt::format("{} … {}", tunable.least, tunable.greatest)
                                              : fmt::format("{}", fmt::join(tunable.names, ", ")),
                        tunable.description);
  return text;
}

std::size_t tunable_width() {
  std::size_t width = 0;
  for (const device::Tunable& tunable : engine::engine_tuning().tunables())
    width = std::max(width, tunable.name.size());
  return width;
}

std::optional<job::RankInterval> range_asked(const SearchSpec& spec, const format::ArgumentSet& set) {
  if (spec.from.has_value() != spec.to.has_value())
    throw UsageError("--from and --to belong together");
  if (!spec.from)
    return std::nullopt;
  const job::RankInterval range{set.parse(*spec.from, "--from"), set.parse(*spec.to, "--to")};
  if (range.first >= range.last)
    throw UsageError("the range is empty: --from is not below --to");
  return range;
}

} // namespace tmd::app
