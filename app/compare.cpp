// tmd compare: one search by devices × algorithms × CPU modes × deployments, each in a process of its own.
#include "commands.hpp"
#include "compare_built_ins.hpp"
#include "compare_runs.hpp"
#include "interrupt.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "engine/registry.hpp"
#include "opencl/device.hpp"
#include "report/comparison_plan.hpp"
#include "report/comparison_report.hpp"
#include "report/report.hpp"
#include "request/numbers.hpp"
#include "support/python.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace tmd::app {

namespace {

void print_compare_help(const cxxopts::Options& options) {
  fmt::print("{}\nWithout FUNCTION: exp on [1, 1 + 2^-13), 2^40 arguments of 54 bits, --rounding directed --bits 33.\n"
             "A failed combination is shown with the reason, and the others continue; the exit status is then 3.\n"
             "Other cases than the first combination's: exit status 4.\n\nexamples:\n"
             "  tmd compare\n"
             "  tmd compare --device gpu --device cpu --runs 3 --json comparison.jsonl --plot comparison.svg\n"
             "  tmd compare --built-ins --device gpu --all --json built-ins.jsonl\n"
             "  tmd compare sin --from 0.5 --to 0x1.0001p-1 --algorithm regular --cpu-mode vector --deployment three "
             "--deployment one\n",
             options.help({""}));
}

// All values of an option, each once, checked against the known names.
std::vector<std::string> names_of(const cxxopts::ParseResult& parsed, std::string_view option, std::string_view what,
                                  std::span<const std::string_view> known, std::vector<std::string> defaults) {
  std::vector<std::string> result;
  for (std::string& name : values_of(parsed, option)) {
    (void)device::find_name(what, name, known);
    if (std::find(result.begin(), result.end(), name) == result.end())
      result.push_back(std::move(name));
  }
  return result.empty() ? std::move(defaults) : result;
}

// The options that all searches share.
SearchSpec spec_of_all(const cxxopts::ParseResult& parsed) {
  SearchSpec spec = spec_of(parsed);
  if (spec.functions.empty()) {
    for (const request::OptionGroup group : {request::OptionGroup::range, request::OptionGroup::format,
                                             request::OptionGroup::job, request::OptionGroup::method})
      for (const request::SearchOption& option : request::options_in(group))
        if (option.name != "algorithm" && parsed.count(option.name) != 0)
          throw UsageError(fmt::format("--{} needs a FUNCTION", option.name));
    const SearchSpec given = std::exchange(spec, report::standard_comparison());
    spec.tunables = given.tunables;
    spec.foreign_kernels = given.foreign_kernels;
  }
  spec.json.reset(); // the comparison has its own file
  return spec;
}

// The job in words. Throws UsageError for options that `tmd search` would refuse.
std::string describe_job(SearchSpec spec) {
  spec.devices.clear(); // several devices belong to no single search
  return result::describe(request::resolve(spec, request::BoundsUse::required));
}

// Writes the files; a failure of one does not lose the others. Returns the first failure.
std::exception_ptr write_comparison(const std::string& records, const std::optional<support::AtomicFile>& json,
                                    const std::optional<support::AtomicFile>& plot,
                                    const std::optional<support::PythonModule>& python, const std::string& format) {
  std::exception_ptr failure;
  const auto write = [&](const std::optional<support::AtomicFile>& file, const std::function<std::string()>& content) {
    try {
      if (file)
        file->commit(content());
    } catch (const UsageError&) {
      if (!failure)
        failure = std::current_exception();
    }
  };
  write(json, [&] { return std::string(records); });
  write(plot, [&] {
    std::string figure;
    python->run(
        {"--format", format, "-"}, [&](std::string_view piece) { figure += piece; }, records);
    return figure;
  });
  return failure;
}

} // namespace

cxxopts::Options compare_options() {
  cxxopts::Options options(
      "tmd compare", "Runs one search by every combination of devices, algorithms, CPU modes and deployments, each "
                     "in a process of\nits own, and compares their times. All must find the same cases.");
  options.custom_help("[FUNCTION --from X --to Y] [OPTION ...]");
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add_options_of(options, {request::OptionGroup::range, request::OptionGroup::format});
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
  add_built_in_options(options);
  add("json", "write the figures as JSON Lines", text(), "FILE");
  add("plot", "draw the times: .svg, .png or .pdf", text(), "FILE");
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
  if (parsed.count("built-ins") != 0)
    return compare_built_ins(parsed);
  refuse_built_in_options(parsed);
  const auto start = std::chrono::steady_clock::now();
  const SearchSpec spec = spec_of_all(parsed);
  const std::string words = describe_job(spec);
  const report::ComparedWays ways{
      names_of(parsed, "algorithm", "algorithm", engine::algorithm_names(), {"regular", "lefevre", "wide"}),
      names_of(parsed, "cpu-mode", "CPU mode", cpu_mode_names, {"scalar", "vector"}),
      names_of(parsed, "deployment", "deployment", deployment_names, {std::string(to_string(Deployment::three))})};
  const auto text = [&](const char* name, const char* otherwise) {
    return parsed.count(name) != 0 ? parsed[name].as<std::string>() : std::string(otherwise);
  };
  const int runs = request::parse_integer(text("runs", "1"), "--runs", 1, 1000);
  const double timeout = request::parse_positive(text("timeout", "3600"), "--timeout");
  const std::string format = parsed.count("plot") != 0 ? support::figure_format(file_name(parsed, "plot")) : "";
  const auto json = open_file(parsed, "json");
  const auto plot = open_file(parsed, "plot");
  if (json && plot && json->same_target(*plot))
    throw UsageError(fmt::format("--json and --plot name the same file, '{}'", text("json", "")));
  print_no_tables_beside({&json, &plot});
  std::optional<support::PythonModule> python;
  if (plot)
    python.emplace("comparison");

  report::Comparison comparison = report::make_comparison(report::devices_to_compare(spec_of(parsed).devices), ways);
  comparison.job = words;
  comparison.kernels = opencl::use_kernels(spec.foreign_kernels);

  fmt::print("{}\n{}, {} of each\n", comparison.job, support::counted(comparison.cells.size(), "combination"),
             support::counted(static_cast<std::size_t>(runs), "run"));
  flush_output();
  catch_interrupts();
  ComparisonRuns all(comparison, spec, timeout);
  all.run(runs);
  all.measure_divergence();
  if (interrupted()) {
    fmt::print("{}", report::comparison_table(comparison));
    flush_output();
    fmt::print(stderr, "tmd: interrupted: {} of {} combinations were run{}\n",
               comparison.cells.size() - comparison.count(report::ComparisonCell::State::waiting),
               comparison.cells.size(), json || plot ? "; no file was written" : "");
    interrupt_is_reported();
    return static_cast<int>(Status::interrupted);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  // Writes files first: a failure of standard output must not lose them.
  const std::exception_ptr failure =
      write_comparison(report::comparison_records(comparison, seconds), json, plot, python, format);
  fmt::print("{}", report::comparison_table(comparison));
  flush_output();
  if (failure)
    std::rethrow_exception(failure);
  all.require_success();
  return static_cast<int>(Status::done);
}

} // namespace tmd::app
