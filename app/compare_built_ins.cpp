// Tests each function of each device by `tmd libm --built-in` in a process of its own, so that a driver that crashes or
// hangs costs only a cell of the table.
#include "compare_built_ins.hpp"

#include "interrupt.hpp"
#include "libm_records.hpp"
#include "libm_run.hpp"
#include "options.hpp"
#include "run_child.hpp"
#include "standard_streams.hpp"

#include "library/opencl_bounds.hpp"
#include "opencl/device.hpp"
#include "report/built_ins_report.hpp"
#include "report/comparison_plan.hpp"
#include "support/terminal_line.hpp"
#include "tmd/function.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

struct Asked {
  Format format;
  std::vector<std::string> symbols;
  std::vector<opencl::DeviceDescription> devices;
  std::string build_options;
  bool at_all_arguments = false;
  library::ScanRequest samples;
  double timeout = 0; // seconds
};

// The named functions, or all of the format: native_ functions exist for float only.
std::vector<std::string> symbols_of(const cxxopts::ParseResult& parsed, const Format& format) {
  std::vector<std::string> symbols = values_of(parsed, "function");
  for (const std::string& symbol : symbols)
    if (!library::is_built_in(symbol))
      throw UsageError(fmt::format("OpenCL C has no function '{}'", symbol));
  if (!symbols.empty())
    return symbols;
  for (const std::string prefix : {"", "native_"})
    for (const FunctionInfo& info : list_functions())
      if (library::is_built_in(prefix + info.name) && (prefix.empty() || format.name == "binary32"))
        symbols.push_back(prefix + info.name);
  return symbols;
}

// The requested devices that support the format. Throws UsageError if there is none.
std::vector<opencl::DeviceDescription> devices_of(const cxxopts::ParseResult& parsed, const Format& format) {
  auto devices = report::devices_to_compare(values_of(parsed, "device"));
  std::erase_if(devices, [&](const opencl::DeviceDescription& device) {
    return !(format.name == "binary32" || (format.name == "binary64" && device.has_fp64()) ||
             (format.name == "binary16" && device.has_extension("cl_khr_fp16")));
  });
  if (devices.empty())
    throw UsageError(fmt::format("no device computes with numbers of {}", format.name));
  return devices;
}

Asked asked_of(const cxxopts::ParseResult& parsed) {
  constexpr std::array<std::string_view, 10> with_effect{"built-ins", "all",    "seconds", "seed",    "build-options",
                                                         "device",    "format", "json",    "timeout", "function"};
  for (const std::string& option : given_options(parsed))
    if (std::find(with_effect.begin(), with_effect.end(), option) == with_effect.end())
      throw UsageError(fmt::format("--{} has no effect with --built-ins", option));
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  const auto value = [&](const char* name) { return parsed[name].as<std::string>(); };
  Asked asked;
  asked.format = find_format(given("format") ? values_of(parsed, "format").back() : "binary32");
  asked.at_all_arguments = given("all");
  if (asked.at_all_arguments && (given("seconds") || given("seed")))
    throw UsageError("--seconds and --seed have no effect with --all");
  asked.samples = scan_request(parsed);
  asked.build_options = given("build-options") ? value("build-options") : "";
  asked.timeout = given("timeout") ? request::parse_positive(value("timeout"), "--timeout") : 3600;
  asked.symbols = symbols_of(parsed, asked.format);
  asked.devices = devices_of(parsed, asked.format);
  return asked;
}

Arguments arguments_of(const Asked& asked, const std::string& symbol, std::size_t device) {
  const auto prefix = symbol.find('_'); // native_exp computes exp
  Arguments arguments{
      "libm",     symbol.substr(prefix + 1), "--built-in", "--symbol",   symbol, "--format", asked.format.name,
      "--device", std::to_string(device),    "--json",     child_records};
  if (asked.at_all_arguments)
    arguments.emplace_back("--all");
  else
    arguments.insert(arguments.end(), {"--seconds", fmt::format("{}", asked.samples.seconds), "--seed",
                                       std::to_string(asked.samples.seed)});
  if (!asked.build_options.empty())
    arguments.push_back("--build-options=" + asked.build_options);
  return arguments;
}

result::Json run(const Asked& asked, const std::string& symbol, std::size_t device) {
  const ChildEnd end = run_child(arguments_of(asked, symbol, device), asked.timeout, interrupted);
  const bool is_broken = end.kind == ChildEnd::Kind::exited && end.number == static_cast<int>(Status::unsound);
  if ((end.has_ended() || is_broken) && !end.records.empty())
    return report::built_in_record(device, symbol, summary_of(end.records));
  return report::built_in_failure(device, symbol, end.sentence());
}

} // namespace

void add_built_in_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("built-ins", "instead of searches: how much OpenCL's functions err on each --device; FUNCTION may be several");
  add("all", "with --built-ins: call them for all arguments, of a format of up to 32 bits");
  add("seconds", "with --built-ins: how long samples of each are taken (default: 10)", text(), "SECONDS");
  add("seed", "with --built-ins: seed of the samples (default: another one each time)", text(), "N");
  add("build-options", "with --built-ins: for OpenCL's compiler", text(), "OPTIONS");
}

void refuse_built_in_options(const cxxopts::ParseResult& parsed) {
  for (const char* option : {"all", "seconds", "seed", "build-options"})
    if (parsed.count(option) != 0)
      throw UsageError(fmt::format("--{} has no effect without --built-ins", option));
}

int compare_built_ins(const cxxopts::ParseResult& parsed) {
  const Asked asked = asked_of(parsed);
  const auto json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  const result::Json seed = asked.at_all_arguments ? result::Json() : result::Json(asked.samples.seed);
  std::string records =
      result::record_line(report::built_ins_head(asked.devices, asked.format, asked.build_options, seed));
  fmt::print("OpenCL's functions, {}, {}\n{}", asked.format.name,
             asked.at_all_arguments ? "all arguments"
                                    : fmt::format("samples, {:g} s each, seed {}", asked.samples.seconds, seed.dump()),
             report::built_ins_heading(asked.devices));
  flush_output();
  catch_interrupts();
  std::size_t called = 0;
  std::size_t broken = 0;
  std::size_t failed = 0;
  support::TerminalLine line;
  for (const std::string& symbol : asked.symbols) {
    std::vector<result::Json> row;
    for (const opencl::DeviceDescription& device : asked.devices) {
      line.show(fmt::format("{} of device {}", symbol, device.index));
      row.push_back(run(asked, symbol, device.index));
      line.clear();
      if (interrupted()) {
        fmt::print(stderr, "tmd: interrupted: {} of {} functions were called{}\n", called, asked.symbols.size(),
                   json ? "; no file was written" : "");
        interrupt_is_reported();
        return static_cast<int>(Status::interrupted);
      }
      broken += row.back().at("state") == "broken" ? 1 : 0;
      failed += row.back().at("state") == "failed" ? 1 : 0;
      records += result::record_line(row.back());
    }
    fmt::print("{}", report::built_ins_row(symbol, row));
    flush_output();
    ++called;
  }
  records += result::record_line(
      result::plain_record("summary", {{"functions", asked.symbols.size()}, {"broken", broken}, {"failed", failed}}));
  if (json)
    json->commit(records);
  return static_cast<int>(broken != 0 ? Status::unsound : failed != 0 ? Status::device : Status::done);
}

} // namespace tmd::app
