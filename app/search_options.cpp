#include "search_options.hpp"
#include "engine/domains/tunables.hpp"

#include "engine/domains/plan.hpp"
#include "engine/registry.hpp"
#include "engine/wide/plan.hpp"
#include "function/expression.hpp"
#include "function/formula.hpp"
#include "job/scaling.hpp"
#include "search/device_worker.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::app {

namespace {

constexpr std::string_view every_device = "all";
constexpr std::array<std::string_view, 2> check_names{"sample", "all"};

// What --set was given.
std::vector<std::pair<std::string, std::string>> settings_of(const cxxopts::ParseResult& parsed) {
  std::vector<std::pair<std::string, std::string>> result;
  Tunables scratch; // throws for a bad name or value
  if (parsed.count("set") != 0)
    for (const std::string& setting : parsed["set"].as<std::vector<std::string>>()) {
      const auto equals = setting.find('=');
      if (equals == std::string::npos)
        throw UsageError(fmt::format("--set takes NAME=VALUE, not '{}'", setting));
      result.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
      engine_tuning().set(scratch, result.back().first, result.back().second);
    }
  return result;
}

// What --device was given, each time; one empty selector when it was not.
std::vector<std::string> selectors(const cxxopts::ParseResult& parsed) {
  std::vector<std::string> result = device_selectors(parsed);
  if (result.empty())
    result.emplace_back();
  if (result.size() > 1 && std::find(result.begin(), result.end(), every_device) != result.end())
    throw UsageError("--device all names every device: give no other beside it");
  return result;
}

// As many cases to expect in a binade for every format and every precision of the arguments: some hundreds.
int default_bits(const Job& job) {
  constexpr int below_precision = 9;
  constexpr int fewest = 3;
  return std::max(std::max(job.format.precision, job.argument_precision) - below_precision, fewest);
}

// The domain of an expression is not known: a bound outside it is told from others by its value.
void check_bound(const Job& job, ArgumentSet::Rank rank) {
  constexpr long any_precision = 100;
  const Argument x = job.arguments().at(rank);
  if (job.function->value(to_mpfr(x), any_precision).is_undefined())
    throw UsageError(fmt::format("{} has no value at {}: choose another range", job.function->name, to_hex(x)));
}

// What was given, with the range that this leaves: of a whole function, or of half a one.
void parse_range(const cxxopts::ParseResult& parsed, BoundsUse bounds, SearchOptions& options) {
  const auto text = [&](const char* name) { return parsed[name].as<std::string>(); };
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  for (const char* bound : {"from", "to"})
    if (!given(bound) && bounds == BoundsUse::required)
      throw UsageError(fmt::format("--{} is missing", bound));
  Job& job = options.job;
  const ArgumentSet arguments = job.arguments();
  const RankInterval domain = ranks_in_domain(job.function->domain, arguments);
  job.first = given("from") ? arguments.parse(text("from"), "--from") : domain.first;
  job.last = given("to") ? arguments.parse(text("to"), "--to") : domain.last;
  options.is_whole = !given("from") || !given("to");
  if (!given("from") && !given("no-symmetry") && job.function->symmetry != Symmetry::none && job.last > 0 &&
      job.first < 0) {
    job.first = 0;
    options.symmetry = job.function->symmetry;
  }
  job.values = given("values") ? parse_values(text("values")) : options.is_whole ? Values::format : Values::unbounded;
  if (!given("from") && !given("to") && !given("no-symmetry"))
    if (const Coverage decisive = decisive_ranks(job); !decisive.empty())
      search_only(job, decisive);
  options.from = given("from") ? text("from") : to_hex(arguments.at(job.first));
  options.to = given("to") ? text("to") : to_hex(arguments.at(job.last));
  if (job.first == arguments.end())
    throw UsageError(
        fmt::format("--from: {} is beyond the largest number of {}; it may be --to", options.from, job.format.name));
  if (job.first >= job.last)
    throw UsageError(fmt::format("the range is empty: --from {} is not below --to {}", options.from, options.to));
  check_domain(job);
  const bool is_expression = !is_function_name(job.function->name);
  if (is_expression && given("from"))
    check_bound(job, job.first);
  if (is_expression && given("to"))
    check_bound(job, job.last - 1);
}

Job parse_job(const cxxopts::ParseResult& parsed, std::shared_ptr<const Function>& function) {
  const auto text = [&](const char* name) { return parsed[name].as<std::string>(); };
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  if (!given("function"))
    throw UsageError("no function given; `tmd functions` lists them");
  const std::vector<std::string> names = values_of(parsed, "function");
  if (names.size() > 1)
    throw UsageError(fmt::format("unexpected argument '{}': one function at a time", names[1]));
  function = function_of(names.front());
  Job job = parse_format(parsed);
  job.function = function.get();
  job.rounding = parse_rounding(text("rounding"));
  job.bits = given("bits") ? parse_integer(text("bits"), "--bits", 1, most_bits) : default_bits(job);
  return job;
}

Choices parse_choices(const cxxopts::ParseResult& parsed) {
  const auto text = [&](const char* name) { return parsed[name].as<std::string>(); };
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  Choices choices;
  if (given("domain-bits"))
    choices.domain_bits = parse_integer(text("domain-bits"), "--domain-bits", fewest_domain_bits,
                                        std::max(most_domain_bits, most_group_bits));
  choices.algorithm = text("algorithm");
  (void)find_name("algorithm", choices.algorithm, algorithm_names());
  if (given("polynomials"))
    choices.polynomials =
        static_cast<Polynomials>(find_name("way to make polynomials", text("polynomials"), polynomials_names));
  if (given("check-polynomials"))
    choices.check_all_polynomials = find_name("check", text("check-polynomials"), check_names) == 1;
  choices.test_all_kernels = given("test-all-kernels");
  if (given("deployment"))
    choices.deployment = static_cast<Deployment>(find_name("deployment", text("deployment"), deployment_names));
  if (given("compaction"))
    choices.compaction = static_cast<Compaction>(find_name("compaction", text("compaction"), compaction_names));
  return choices;
}

void parse_devices(const cxxopts::ParseResult& parsed, SearchOptions& options) {
  options.tunables = settings_of(parsed);
  options.cpu_mode = asked_cpu_mode(parsed);
  options.devices = selectors(parsed);
  options.foreign_kernels = parsed.count("foreign-kernels") != 0;
}

} // namespace

std::vector<std::string> device_selectors(const cxxopts::ParseResult& parsed) {
  std::vector<std::string> selectors = values_of(parsed, "device");
  for (const std::string& selector : selectors)
    if (selector.find_first_not_of(" \t\n") == std::string::npos)
      throw UsageError(fmt::format("--device names no device: '{}'; `tmd devices` lists those there are", selector));
  return selectors;
}

opencl::CpuMode asked_cpu_mode(const cxxopts::ParseResult& parsed) {
  const char* environment = std::getenv("TMD_CPU_MODE");
  if (parsed.count("cpu-mode") != 0)
    return static_cast<opencl::CpuMode>(
        find_name("CPU mode", parsed["cpu-mode"].as<std::string>(), opencl::cpu_mode_names));
  if (environment == nullptr || *environment == '\0')
    return opencl::CpuMode::automatic;
  return static_cast<opencl::CpuMode>(find_name("CPU mode in TMD_CPU_MODE", environment, opencl::cpu_mode_names));
}

std::string tunable_list() {
  std::string text;
  for (const Tunable& tunable : engine_tuning().tunables())
    text += fmt::format("  {:<{}}  {}: {}\n", tunable.name, tunable_width(),
                        tunable.names.empty() ? fmt::format("{} … {}", tunable.least, tunable.greatest)
                                              : fmt::format("{}", fmt::join(tunable.names, ", ")),
                        tunable.description);
  return text;
}

std::size_t tunable_width() {
  std::size_t width = 0;
  for (const Tunable& tunable : engine_tuning().tunables())
    width = std::max(width, tunable.name.size());
  return width;
}

void add_device_options(cxxopts::Options& options, DeviceCount count) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("device",
      fmt::format("index, gpu, cpu, accelerator, part of a name (default: a GPU, else the first){}",
                  count == DeviceCount::several ? ";\nmay be repeated, or all" : ""),
      text(), "SEL");
  add("cpu-mode", "SIMD on CPUs: auto, scalar, vector (default: TMD_CPU_MODE, else auto)", text(), "MODE");
  add("set", "set a tunable, NAME=VALUE; may be repeated", cxxopts::value<std::vector<std::string>>(), "NAME=VALUE");
  add_kernel_option(options);
}

void add_format_options(cxxopts::Options& options) {
  auto add = options.add_options();
  add("format", "binary16, bfloat16, binary32, binary64, binary80, or p2 … p64",
      cxxopts::value<std::string>()->default_value("binary64"), "NAME");
  add("argument-precision", "bits of the arguments (default: the format's)", cxxopts::value<std::string>(), "Q");
}

Job parse_format(const cxxopts::ParseResult& parsed) {
  Job job;
  job.format = find_format(parsed["format"].as<std::string>());
  job.argument_precision =
      parsed.count("argument-precision") != 0
          ? parse_integer(parsed["argument-precision"].as<std::string>(), "--argument-precision", 2, max_precision + 1)
          : job.format.precision;
  return job;
}

void add_kernel_option(cxxopts::Options& options) {
  options.add_options()("foreign-kernels", "use kernels that are not those that this program was built with");
}

void add_search_options(cxxopts::Options& options, DeviceCount count) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("from", "first argument: C hex float, decimal, or such as 2^100 or 1+2^-13, exact in the format", text(), "X");
  add("to", "end of the range, not itself searched; may be the power of two above the largest number", text(), "Y");
  add_format_options(options);
  add("rounding", "breakpoints: all, directed (representable numbers), nearest (midpoints)",
      text()->default_value("all"), "GRID");
  add("values",
      "values as the format has them, subnormal ones included, or with unbounded exponents\n"
      "(default: unbounded, but format where --from or --to is left out)",
      text(), "KIND");
  add("bits",
      "find distances below 2^-K breakpoint spacings (default: bits of the format or of the\narguments, the larger, "
      "less 9, and at least 3)",
      text(), "K");
  add("algorithm", fmt::format("{}", fmt::join(algorithm_names(), ", ")), text()->default_value("auto"), "NAME");
  add("domain-bits", "log2 of the arguments in a domain, or in a group of the wide test (default: chosen)", text(),
      "n");
  add_device_options(options, count);
  // The positional argument stands in the usage line: in a group of its own, which no help text shows.
  options.add_options("positional")("function", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"function"});
  options.positional_help("").set_width(120);
}

void add_engine_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("deployment", "three kernels, one a phase, or one; the wide test has its own (default: three)", text(), "NAME");
  add("compaction", "auto, atomic, scan (default: auto)", text(), "NAME");
  add("polynomials", "coefficients made by: auto, host, hybrid (the device) (default: auto)", text(), "NAME");
  add("check-polynomials", "compare a device's coefficients with the host's: sample, all (default: sample)", text(),
      "WHICH");
}

SearchOptions parse_device_options(const cxxopts::ParseResult& parsed) {
  SearchOptions options;
  parse_devices(parsed, options);
  return options;
}

SearchOptions parse_search_options(const cxxopts::ParseResult& parsed, BoundsUse bounds) {
  SearchOptions options;
  options.job = parse_job(parsed, options.function);
  parse_range(parsed, bounds, options);
  options.choices = parse_choices(parsed);
  parse_devices(parsed, options);
  return options;
}

std::vector<DeviceChoice> choose_devices(const SearchOptions& options) {
  const opencl::KernelUse kernels = opencl::use_kernels(options.foreign_kernels);
  opencl::apply_cpu_mode(options.cpu_mode);
  const auto present = opencl::list_devices();
  const ProfileStore profiles = ProfileStore::installed(engine_tuning());
  std::vector<DeviceChoice> choices;
  const auto choose = [&](const opencl::DeviceDescription& device) {
    DeviceChoice& choice = choices.emplace_back();
    choice.cpu_mode = options.cpu_mode;
    choice.device = device;
    choice.kernels = kernels;
    const ProfileChoice profile = profiles.choose(device, options.cpu_mode);
    choice.tunables = profile.tunables;
    if (!comes_in_vectors(options.choices.algorithm))
      choice.tunables = without_vectors(choice.tunables);
    for (const auto& [name, value] : options.tunables)
      engine_tuning().set(choice.tunables, name, value);
    engine_tuning().require_possible(device, choice.tunables);
    const bool as_measured = choice.tunables[domain_tunable("phase1.vector-width")] ==
                             profile.tunables[domain_tunable("phase1.vector-width")];
    choice.costs = as_measured ? profile.costs : engine_tuning().default_costs(device, choice.tunables);
    choice.profile = profile.why;
  };
  if (options.devices.front() == every_device) {
    std::vector<std::string> left_out;
    for (const opencl::DeviceDescription& device : opencl::all_devices(present, left_out))
      choose(device);
    for (const std::string& sentence : left_out)
      fmt::print(stderr, "tmd: note: {}\n", sentence);
    return choices;
  }
  for (const std::string& selector : options.devices) {
    const opencl::DeviceDescription& device = opencl::select_device(present, selector);
    for (const DeviceChoice& other : choices)
      if (other.device.index == device.index)
        throw UsageError(fmt::format("--device names device {} ({}) twice", device.index, device.name));
    choose(device);
  }
  return choices;
}

DeviceChoice choose_device(const SearchOptions& options) {
  if (options.devices.size() > 1 || options.devices.front() == every_device)
    throw UsageError("this command uses one device: give --device once, and not as 'all'");
  return choose_devices(options).front();
}

SearchOptions again_by(const AuditWay& way, SearchOptions options) {
  options.choices.algorithm = way.algorithm;
  options.tunables.insert(options.tunables.end(), way.tunables.begin(), way.tunables.end());
  return options;
}

EngineSettings engine_settings(const SearchOptions& options, const DeviceChoice& choice, unsigned host_threads) {
  EngineSettings settings{options.choices, choice.tunables, choice.costs, host_threads};
  settings.choices.polynomials = choose_polynomials(options.choices.polynomials, choice.device, options.job.size());
  settings.choices.on_gpu = choice.device.is_gpu;
  settings.choices.is_short = is_short(options.job.size());
  // Engines of several queues of a device say the same.
  settings.warn = [is_told = std::make_shared<std::once_flag>()](const std::string& sentence) {
    std::call_once(*is_told, [&] { fmt::print(stderr, "tmd: warning: {}\n", sentence); });
  };
  return settings;
}

} // namespace tmd::app
