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
#include "request/numbers.hpp"
#include "request/spec_json.hpp"
#include "result/wc.hpp"
#include "support/python.hpp"
#include "support/terminal_line.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace tmd::app {

namespace {

using State = ComparisonCell::State;

// The job of the seeds, exp on [1, 1 + 2^-13), for who names none.
SearchSpec standard_spec() {
  SearchSpec spec;
  spec.functions = {"exp"};
  spec.from = "1";
  spec.to = "0x1.0008p+0";
  spec.argument_precision = 54;
  spec.rounding = Rounding::directed;
  spec.bits = 33;
  return spec;
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

// What all searches have in common.
SearchSpec spec_of_all(const cxxopts::ParseResult& parsed) {
  SearchSpec spec = spec_of(parsed);
  if (spec.functions.empty()) {
    for (const OptionGroup group : {OptionGroup::range, OptionGroup::format, OptionGroup::job, OptionGroup::method})
      for (const SearchOption& option : options_in(group))
        if (option.name != "algorithm" && parsed.count(option.name) != 0)
          throw UsageError(fmt::format("--{} needs a FUNCTION that it belongs to", option.name));
    const SearchSpec given = std::exchange(spec, standard_spec());
    spec.tunables = given.tunables;
    spec.foreign_kernels = given.foreign_kernels;
  }
  spec.json.reset(); // the comparison's own file
  return spec;
}

// The job in words. Throws UsageError for what `tmd search` would not take.
std::string describe_job(SearchSpec spec) {
  spec.devices.clear(); // of which several are no one search's
  const SearchRequest asked = resolve(spec, BoundsUse::required);
  RunDescription run;
  run.from = asked.from;
  run.to = asked.to;
  return describe(asked.job, run);
}

double parse_positive(const std::string& text, const std::string& option) {
  const auto value = number_of<double>(text);
  if (!value || !(*value > 0) || !std::isfinite(*value))
    throw UsageError(fmt::format("{} must be a positive number, not '{}'", option, text));
  return *value;
}

std::vector<opencl::DeviceDescription> devices_to_compare(const std::vector<std::string>& selectors) {
  const std::vector<opencl::DeviceDescription> present = opencl::list_devices();
  std::vector<opencl::DeviceDescription> chosen;
  const auto choose = [&](const opencl::DeviceDescription& device) {
    if (std::none_of(chosen.begin(), chosen.end(), [&](const auto& other) { return other.index == device.index; }))
      chosen.push_back(device);
  };
  for (const std::string& selector : selectors)
    choose(opencl::select_device(present, selector));
  if (selectors.empty())
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
                                  device.simd_width()});
    for (const std::string& mode : device.is_gpu ? std::vector<std::string>{"auto"} : wishes.cpu_modes)
      for (const std::string& deployment : wishes.deployments)
        for (const std::string& algorithm : wishes.algorithms)
          comparison.cells.push_back({comparison.devices.size() - 1, algorithm, mode, deployment, {}, {}, {}});
  }
  return comparison;
}

// Runs the cells of a comparison.
class Runner {
public:
  Runner(Comparison& comparison, SearchSpec spec, double timeout)
      : comparison_(comparison), spec_(std::move(spec)), timeout_(timeout) {}

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
    const std::filesystem::path laboratory = std::filesystem::read_symlink(this_program).parent_path() / "tmd-lab";
    for (const ComparisonCell& cell : comparison_.cells) {
      if (cell.state != State::done || comparison_.nmdm.contains(cell.algorithm) ||
          std::find(test_names.begin(), test_names.end(), cell.algorithm) == test_names.end() || interrupted())
        continue;
      status_.show(fmt::format("counting the rounds of {}", cell.algorithm));
      ComparisonCell where = *fastest;
      where.algorithm = cell.algorithm;
      const ChildEnd end = run_child({"divergence", "--spec", to_json(spec_for(where)).dump(), "--json", child_records},
                                     timeout_, interrupted, laboratory.string());
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
  [[nodiscard]] SearchSpec spec_for(const ComparisonCell& cell) const {
    SearchSpec spec = spec_;
    spec.devices = {std::to_string(comparison_.devices[cell.device].index)};
    for (const auto& [option, value] :
         {std::pair("cpu-mode", cell.cpu_mode), {"algorithm", cell.algorithm}, {"deployment", cell.deployment}})
      set_option(spec, find_option(option), value);
    return spec;
  }

  void run_cell(std::size_t index) {
    ComparisonCell& cell = comparison_.cells[index];
    const ChildEnd end = run_search({spec_for(cell)}, timeout_, interrupted);
    if (end.kind == ChildEnd::Kind::interrupted || interrupted())
      return; // the child may have heard of it first
    std::string failure;
    if (end.done()) {
      try {
        comparison_.add(index, read_complete_search(recognize(source_of(end.records), "the records")));
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
  SearchSpec spec_;
  double timeout_;
  bool unsound_ = false;
  TerminalLine status_;
};

} // namespace

cxxopts::Options compare_options() {
  cxxopts::Options options(
      "tmd compare", "Runs one search by every combination of devices, algorithms, CPU modes and deployments, each "
                     "in a process of\nits own, and compares their times. All must find the same cases.");
  options.custom_help("[FUNCTION --from X --to Y] [OPTION ...]");
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add_options_of(options, {OptionGroup::range, OptionGroup::format});
  for (const char* option : {"rounding", "bits", "domain-bits"})
    add_option(options, option);
  add_option(options, "device", "a device; may be repeated (default: all that can be used)");
  add_option(options, "algorithm", "an algorithm; may be repeated (default: regular, lefevre and wide)");
  add_option(options, "cpu-mode", "auto, scalar, vector; may be repeated (default: scalar and vector); GPUs have none");
  add_option(options, "deployment",
             "three kernels, or one; may be repeated (default: three); the wide test has its own");
  add_option(options, "set");
  add_option(options, "foreign-kernels");
  add("runs", "runs of each combination, of which the median counts (default: 1)", text(), "R");
  add("timeout", "seconds after which a run is given up (default: 3600)", text(), "SECONDS");
  add("json", "write the figures as JSON Lines", text(), "FILE");
  add("plot", "draw the times (SVG)", text(), "FILE");
  add("h,help", "this text");
  options.add_options("positional")("function", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"function"});
  options.positional_help("").set_width(120);
  return options;
}

int compare(const Arguments& arguments) {
  cxxopts::Options options = compare_options();
  const auto parsed = parse(options, "compare", arguments);
  if (parsed.count("help") != 0) {
    print_compare_help(options);
    return 0;
  }
  const auto start = std::chrono::steady_clock::now();
  const SearchSpec spec = spec_of_all(parsed);
  const std::string words = describe_job(spec);
  const Wishes wishes{
      names_of(parsed, "algorithm", "algorithm", algorithm_names(), {"regular", "lefevre", "wide"}),
      names_of(parsed, "cpu-mode", "CPU mode", cpu_mode_names, {"scalar", "vector"}),
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
  std::optional<PythonModule> python;
  if (plot)
    python.emplace("comparison");

  const opencl::KernelUse kernels = opencl::use_kernels(spec.foreign_kernels);
  const auto devices = devices_to_compare(spec_of(parsed).devices);
  Comparison comparison = make_comparison(devices, wishes);
  comparison.job = words;
  comparison.kernels = kernels;

  fmt::print("{}\n{} combinations, {} run{} of each\n", comparison.job, comparison.cells.size(), runs,
             runs == 1 ? "" : "s");
  flush_output();
  catch_interrupts();
  bool unsound = false;
  {
    Runner runner(comparison, spec, timeout);
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
  const std::string records = comparison_records(comparison, seconds);
  write(json, [&] { return std::string(records); });
  write(plot, [&] {
    std::string figure;
    python->run(
        {"-"}, [&](std::string_view piece) { figure += piece; }, records);
    return figure;
  });
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
