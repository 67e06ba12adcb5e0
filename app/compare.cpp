// tmd compare: one search by devices × algorithms × CPU modes × deployments, each in a process of its own.
#include "commands.hpp"
#include "interrupt.hpp"
#include "run_child.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "engine/domains/tunables.hpp"
#include "engine/registry.hpp"
#include "opencl/device.hpp"
#include "report/comparison_report.hpp"
#include "result/wc.hpp"
#include "support/gnuplot.hpp"
#include "support/terminal_line.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <exception>
#include <functional>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace tmd::app {

namespace {

using State = ComparisonCell::State;

// The job of the seeds, exp on [1, 1 + 2^-13), for who names none.
const Arguments standard_job{
    "exp", "--from=1", "--to=0x1.0008p+0", "--argument-precision=54", "--rounding=directed", "--bits=33"};
constexpr std::array<std::string_view, 7> job_option_names{"from",     "to",   "format",     "argument-precision",
                                                           "rounding", "bits", "domain-bits"};

cxxopts::Options compare_options() {
  cxxopts::Options options(
      "tmd compare", "Runs one search by every combination of devices, algorithms, CPU modes and deployments, each "
                     "in a process of\nits own, and compares their times. All must find the same cases.");
  options.custom_help("[FUNCTION --from X --to Y] [OPTION ...]");
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("from", "first argument; this and what follows as in `tmd search`", text(), "X");
  add("to", "end of the range, not itself searched", text(), "Y");
  add("format", "the format (default: binary64)", text(), "NAME");
  add("argument-precision", "bits of the arguments (default: the format's)", text(), "Q");
  add("rounding", "breakpoints: all, directed, nearest (default: all)", text(), "GRID");
  add("bits", "find distances below 2^-K breakpoint spacings (default: as in `tmd search`)", text(), "K");
  add("domain-bits", "log2 of the arguments in a domain, or in a group of the wide test (default: chosen)", text(),
      "n");
  add("device", "a device; may be repeated (default: all that can be used)", text(), "SEL");
  add("algorithm", "an algorithm; may be repeated (default: regular, lefevre and wide)", text(), "NAME");
  add("cpu-mode", "auto, scalar, vector; may be repeated (default: scalar and vector); GPUs have none", text(), "MODE");
  add("deployment", "three kernels, or one; may be repeated (default: three); the wide test has its own", text(),
      "NAME");
  add("set", "set a tunable, NAME=VALUE; may be repeated", text(), "NAME=VALUE");
  add_kernel_option(options);
  add("runs", "runs of each combination, of which the median counts (default: 1)", text(), "R");
  add("timeout", "seconds after which a run is given up (default: 3600)", text(), "SECONDS");
  add("watts", "what a device draws, for the arguments per joule; may be repeated", text(), "SEL=W");
  add("json", "write the figures as JSON Lines", text(), "FILE");
  add("plot", "draw the times with gnuplot (SVG)", text(), "FILE");
  add("h,help", "this text");
  options.add_options("positional")("function", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"function"});
  options.positional_help("").set_width(120);
  return options;
}

void print_compare_help(const cxxopts::Options& options) {
  fmt::print(
      "{}\nWithout FUNCTION: exp on [1, 1 + 2^-13), 2^40 arguments of 54 bits, --rounding directed --bits 33.\n"
      "A combination that fails is shown with its own sentence and the others go on; the exit status is then 3.\n"
      "Other cases than the first combination's: exit status 4.\n\nexamples:\n"
      "  tmd compare\n"
      "  tmd compare --device gpu --device cpu --runs 3 --json comparison.jsonl --plot comparison.svg\n"
      "  tmd compare sin --from 0.5 --to 0x1.0001p-1 --algorithm regular --cpu-mode vector --deployment three "
      "--deployment one\n",
      options.help({""}));
}

// Every value that an option was given, once each, checked against what is known.
std::vector<std::string> names_of(const cxxopts::ParseResult& parsed, std::string_view option, std::string_view what,
                                  std::span<const std::string_view> known, std::vector<std::string> defaults) {
  std::vector<std::string> result;
  for (std::string& name : values_of(parsed, option)) {
    (void)find_name(what, name, known);
    if (std::find(result.begin(), result.end(), name) == result.end())
      result.push_back(std::move(name));
  }
  return result.empty() ? std::move(defaults) : result;
}

// What `tmd search` is to be told of the job.
Arguments job_arguments(const cxxopts::ParseResult& parsed) {
  Arguments arguments = values_of(parsed, "function");
  for (const std::string_view name : job_option_names) {
    if (parsed.count(std::string(name)) == 0)
      continue;
    if (arguments.empty())
      throw UsageError(fmt::format("--{} needs a FUNCTION that it belongs to", name));
    arguments.push_back(fmt::format("--{}={}", name, parsed[std::string(name)].as<std::string>()));
  }
  return arguments.empty() ? standard_job : arguments;
}

// The job in words. Throws UsageError for what `tmd search` would not take.
std::string describe_job(const Arguments& arguments, const Arguments& settings) {
  cxxopts::Options options("tmd compare");
  add_search_options(options);
  Arguments all = arguments;
  all.insert(all.end(), settings.begin(), settings.end());
  const SearchOptions asked = parse_search_options(parse(options, "compare", all));
  RunDescription run;
  run.from = asked.from;
  run.to = asked.to;
  return describe(asked.job, run);
}

double parse_positive(const std::string& text, const std::string& option) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || !(value > 0) || !std::isfinite(value))
    throw UsageError(fmt::format("{} must be a positive number, not '{}'", option, text));
  return value;
}

std::vector<opencl::DeviceDescription> devices_to_compare(const cxxopts::ParseResult& parsed) {
  const std::vector<opencl::DeviceDescription> present = opencl::list_devices();
  std::vector<opencl::DeviceDescription> chosen;
  const auto choose = [&](const opencl::DeviceDescription& device) {
    if (std::none_of(chosen.begin(), chosen.end(), [&](const auto& other) { return other.index == device.index; }))
      chosen.push_back(device);
  };
  for (const std::string& selector : device_selectors(parsed))
    choose(opencl::select_device(present, selector));
  if (parsed.count("device") == 0)
    for (const opencl::DeviceDescription& device : present)
      if (device.why_unusable().empty())
        choose(device);
  if (chosen.empty()) // its sentence says why
    choose(opencl::select_device(present, ""));
  return chosen;
}

// What is combined with the devices.
struct Wishes {
  std::vector<std::string> algorithms;
  std::vector<std::string> cpu_modes;
  std::vector<std::string> deployments;
};

// Every combination, none of which has been run.
Comparison make_comparison(const std::vector<opencl::DeviceDescription>& devices, const Wishes& wishes) {
  Comparison comparison;
  for (const opencl::DeviceDescription& device : devices) {
    comparison.devices.push_back({device.index, device.name, device.platform,
                                  std::string(to_string(device.device_class())), device.driver_version,
                                  device.simd_width(), std::nullopt});
    for (const std::string& mode : device.is_gpu ? std::vector<std::string>{"auto"} : wishes.cpu_modes)
      for (const std::string& deployment : wishes.deployments)
        for (const std::string& algorithm : wishes.algorithms)
          comparison.cells.push_back({comparison.devices.size() - 1, algorithm, mode, deployment, {}, {}, {}});
  }
  return comparison;
}

void set_watts(Comparison& comparison, const std::vector<opencl::DeviceDescription>& devices,
               const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const auto equals = setting.rfind('=');
    if (equals == std::string::npos)
      throw UsageError(fmt::format("--watts takes DEVICE=W, not '{}'", setting));
    const double watts = parse_positive(setting.substr(equals + 1), "the watts of --watts");
    const std::size_t index = opencl::select_device(opencl::list_devices(), setting.substr(0, equals)).index;
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [&](const opencl::DeviceDescription& device) { return device.index == index; });
    if (found == devices.end())
      throw UsageError(fmt::format("--watts names device {}, which is not compared", index));
    comparison.devices[static_cast<std::size_t>(found - devices.begin())].watts = watts;
  }
}

// Runs the cells of a comparison.
class Runner {
public:
  Runner(Comparison& comparison, Arguments job, Arguments settings, double timeout)
      : comparison_(comparison), job_(std::move(job)), settings_(std::move(settings)), timeout_(timeout) {}

  void run(int runs) {
    // The cells take turns, so that a machine that slows down slows all.
    for (int turn = 0; turn < runs; ++turn)
      for (std::size_t i = 0; i < comparison_.cells.size() && !interrupted(); ++i) {
        const ComparisonCell& cell = comparison_.cells[i];
        if (cell.state == State::failed || cell.state == State::differing)
          continue;
        status_.show(fmt::format("run {} of {}: {}", static_cast<std::size_t>(turn) * comparison_.cells.size() + i + 1,
                                 static_cast<std::size_t>(runs) * comparison_.cells.size(),
                                 comparison_.describe(cell)));
        run_cell(i);
      }
  }

  // Rounds of the tests do not depend on the device: the fastest counts them.
  void measure_divergence() {
    const ComparisonCell* fastest = comparison_.fastest();
    if (fastest == nullptr)
      return;
    for (const ComparisonCell& cell : comparison_.cells) {
      if (cell.state != State::done || comparison_.nmdm.contains(cell.algorithm) ||
          std::find(test_names.begin(), test_names.end(), cell.algorithm) == test_names.end() || interrupted())
        continue;
      status_.show(fmt::format("counting the rounds of {}", cell.algorithm));
      ComparisonCell where = *fastest;
      where.algorithm = cell.algorithm;
      Arguments arguments = cell_arguments(where);
      arguments.insert(arguments.begin(), {"bench", "divergence"});
      const ChildEnd end = run_child(arguments, timeout_, interrupted);
      auto& nmdm = comparison_.nmdm[cell.algorithm];
      std::string failure;
      try {
        failure = end.done() ? "" : end.sentence();
        if (end.done())
          nmdm = read_divergence_record(end.records);
      } catch (const DeviceError& error) {
        failure = error.what();
      }
      if (!failure.empty() && !interrupted()) {
        status_.clear();
        fmt::print(stderr, "tmd: note: the NMDM of {} is not known: {}\n", cell.algorithm, failure);
      }
    }
  }

  [[nodiscard]] bool unsound() const { return unsound_; }

private:
  [[nodiscard]] Arguments cell_arguments(const ComparisonCell& cell) const {
    Arguments arguments = job_;
    arguments.insert(arguments.end(), settings_.begin(), settings_.end());
    for (const auto& [option, value] : {std::pair("device", std::to_string(comparison_.devices[cell.device].index)),
                                        std::pair("cpu-mode", cell.cpu_mode), std::pair("algorithm", cell.algorithm),
                                        std::pair("json", std::string(child_records))})
      arguments.push_back(fmt::format("--{}={}", option, value));
    return arguments;
  }

  void run_cell(std::size_t index) {
    ComparisonCell& cell = comparison_.cells[index];
    Arguments arguments = cell_arguments(cell);
    arguments.insert(arguments.begin(), "search");
    arguments.insert(arguments.end(), {"--quiet", "--deployment=" + cell.deployment});
    const ChildEnd end = run_child(arguments, timeout_, interrupted);
    if (end.kind == ChildEnd::Kind::interrupted || interrupted())
      return; // the child may have heard of it first
    std::string failure;
    if (end.done()) {
      try {
        comparison_.add(index, read_json_lines(source_of(end.records)));
        return;
      } catch (const DeviceError& error) {
        failure = error.what();
      }
    } else {
      failure = end.kind == ChildEnd::Kind::timed_out ? fmt::format("it took more than {:g} s (--timeout)", timeout_)
                                                      : end.sentence();
      unsound_ = unsound_ || (end.kind == ChildEnd::Kind::exited && end.number == static_cast<int>(Status::unsound));
    }
    cell.state = State::failed;
    cell.failure = failure;
  }

  Comparison& comparison_;
  Arguments job_;
  Arguments settings_;
  double timeout_;
  bool unsound_ = false;
  TerminalLine status_;
};

} // namespace

int compare(const Arguments& arguments) {
  cxxopts::Options options = compare_options();
  const auto parsed = parse(options, "compare", arguments);
  if (parsed.count("help") != 0) {
    print_compare_help(options);
    return 0;
  }
  const auto start = std::chrono::steady_clock::now();
  const Arguments job = job_arguments(parsed);
  Arguments settings;
  for (const std::string& setting : values_of(parsed, "set"))
    settings.push_back("--set=" + setting);
  const bool foreign_kernels = parsed.count("foreign-kernels") != 0;
  if (foreign_kernels)
    settings.emplace_back("--foreign-kernels");
  const std::string words = describe_job(job, settings);
  const Wishes wishes{
      names_of(parsed, "algorithm", "algorithm", algorithm_names(), {"regular", "lefevre", "wide"}),
      names_of(parsed, "cpu-mode", "CPU mode", opencl::cpu_mode_names, {"scalar", "vector"}),
      names_of(parsed, "deployment", "deployment", deployment_names, {std::string(to_string(Deployment::three))})};
  const auto text = [&](const char* name, const char* otherwise) {
    return parsed.count(name) != 0 ? parsed[name].as<std::string>() : std::string(otherwise);
  };
  const int runs = parse_integer(text("runs", "1"), "--runs", 1, 1000);
  const double timeout = parse_positive(text("timeout", "3600"), "--timeout");
  const auto json = open_file(parsed, "json");
  const auto plot = open_file(parsed, "plot");
  if (json && plot && json->same_target(*plot))
    throw UsageError(fmt::format("--json and --plot name the same file, '{}'", text("json", "")));
  print_no_tables_beside({&json, &plot});
  if (plot)
    require_gnuplot();

  const opencl::KernelUse kernels = opencl::use_kernels(foreign_kernels);
  const auto devices = devices_to_compare(parsed);
  Comparison comparison = make_comparison(devices, wishes);
  comparison.job = words;
  comparison.kernels = kernels;
  set_watts(comparison, devices, values_of(parsed, "watts"));

  fmt::print("{}\n{} combinations, {} run{} of each\n", comparison.job, comparison.cells.size(), runs,
             runs == 1 ? "" : "s");
  flush_output();
  catch_interrupts();
  bool unsound = false;
  {
    Runner runner(comparison, job, settings, timeout);
    runner.run(runs);
    runner.measure_divergence();
    unsound = runner.unsound();
  }
  if (interrupted()) {
    fmt::print("{}", comparison_table(comparison));
    flush_output();
    fmt::print(stderr, "tmd: interrupted: {} of {} combinations were run{}\n",
               comparison.cells.size() - comparison.count(State::waiting), comparison.cells.size(),
               json || plot ? "; no file was written" : "");
    interrupt_is_told();
    return static_cast<int>(Status::interrupted);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  // Files first, and what goes wrong with one costs neither the other nor the table.
  std::exception_ptr failure;
  const auto write = [&](const std::optional<AtomicFile>& file, const std::function<std::string()>& content) {
    try {
      if (file)
        file->commit(content());
    } catch (const UsageError&) {
      if (!failure)
        failure = std::current_exception();
    }
  };
  write(json, [&] { return comparison_records(comparison, TMD_VERSION, seconds); });
  write(plot, [&] { return comparison_plot(comparison); });
  fmt::print("{}", comparison_table(comparison));
  flush_output();
  if (failure)
    std::rethrow_exception(failure);
  const std::size_t differing = comparison.count(State::differing);
  const std::size_t failed = comparison.count(State::failed);
  if (unsound || differing > 0)
    throw SoundnessError(differing > 0
                             ? fmt::format("{} of {} combinations found other cases than the first: trust none",
                                           differing, comparison.cells.size())
                             : "a soundness check failed in one of the combinations: trust none");
  if (failed > 0)
    throw DeviceError(fmt::format("{} of {} combinations failed; the table says how", failed, comparison.cells.size()));
  return static_cast<int>(Status::done);
}

} // namespace tmd::app
