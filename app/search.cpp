// tmd search: a range to confirmed hard-to-round cases.
#include "commands.hpp"
#include "options.hpp"

#include "opencl/device.hpp"
#include "output/atomic_file.hpp"
#include "output/progress.hpp"
#include "output/report.hpp"
#include "search/search.hpp"

#include <atomic>
#include <charconv>
#include <csignal>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::app {

namespace {

constexpr int most_bits = 120; // beyond, no bound of the ledger could be met

std::atomic<bool> stop_requested = false;

// The first SIGINT asks the search to stop, the second ends the program at once.
extern "C" void request_stop(int) {
  stop_requested = true;
  std::signal(SIGINT, SIG_DFL);
}

std::string function_list() {
  std::string text;
  for (const Function& function : functions())
    text += fmt::format("  {:<8}{:<20}{}\n", function.name, function.description, function.domain.text);
  return text;
}

std::string tunable_list() {
  const Tunables defaults;
  std::string text;
  for (const Tunable& tunable : tunable_table)
    text += fmt::format("  {:<24}{}, default {}: {}\n", tunable.name,
                        tunable.names.empty() ? fmt::format("{} … {}", tunable.least, tunable.greatest)
                                              : fmt::format("{}", fmt::join(tunable.names, ", ")),
                        to_string(tunable, defaults.*tunable.value), tunable.description);
  return text;
}

cxxopts::Options make_options() {
  cxxopts::Options options("tmd search", "Finds every hard-to-round case of FUNCTION on [X, Y).");
  options.custom_help("FUNCTION --from X --to Y [OPTION ...]");
  const auto text = [] { return cxxopts::value<std::string>(); };
  options.add_options()                                                                                     //
      ("from", "first argument: C hex float, or a decimal exact in the format", text(), "X")                //
      ("to", "end of the range, not itself searched", text(), "Y")                                          //
      ("format", "binary16, bfloat16, binary32, binary64, binary80, or p2 … p64", text()->default_value("binary64"),
       "NAME")                                                                                              //
      ("argument-precision", "bits of the arguments (default: the format's)", text(), "Q")                  //
      ("rounding", "breakpoints: all, directed (representable numbers), nearest (midpoints)",
       text()->default_value("all"), "GRID")                                                                //
      ("bits", "find distances below 2^-K breakpoint spacings (default: precision - 9)", text(), "K")       //
      ("algorithm", fmt::format("{}", fmt::join(algorithm_names, ", ")), text()->default_value("auto"), "NAME") //
      ("deployment", "three kernels, one a phase, or one", text()->default_value("three"), "NAME")          //
      ("compaction", "auto, atomic, scan", text()->default_value("auto"), "NAME")                           //
      ("polynomials", "auto, host", text()->default_value("auto"), "NAME")                                  //
      ("domain-bits", "log2 of the arguments in a domain (default: chosen)", text(), "n")                   //
      ("device", "index, gpu, cpu, accelerator, or a part of a name", text()->default_value(""), "SEL")     //
      ("set", "set a tunable, NAME=VALUE; may be repeated", cxxopts::value<std::vector<std::string>>(), "NAME=VALUE") //
      ("host-threads", "threads that make polynomials (default: for a GPU all cores, else 1)", text(), "T") //
      ("wc", "write the cases in CORE-MATH's format", text(), "FILE")                                       //
      ("json", "write everything as JSON Lines", text(), "FILE")                                            //
      ("ledger", "print every term of the error ledger for every piece")                                    //
      ("quiet", "print the cases only")                                                                     //
      ("h,help", "this text")                                                                               //
      ("function", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"function"});
  return options;
}

void print_help(const cxxopts::Options& options) {
  std::string text = options.help();
  // The positional argument stands in the usage line already.
  if (const auto at = text.find("      --function"); at != std::string::npos)
    text.erase(at, text.find('\n', at) - at + 1);
  fmt::print("{}\nfunctions:\n{}\ntunables:\n{}\nexamples:\n"
             "  tmd search exp --from 1 --to 0x1.008p+0 --bits 44 --wc exp.wc\n"
             "  tmd search sin --from 0.5 --to 0x1.0001p-1 --rounding nearest --device cpu --ledger\n"
             "  tmd search log --format binary16 --from 0x1p-14 --to 65504 --bits 8 --json log.jsonl\n",
             text, function_list(), tunable_list());
}

int parse_integer(const std::string& text, const std::string& option, int least, int greatest) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value < least || value > greatest)
    throw UsageError(fmt::format("{} must be an integer from {} to {}, not '{}'", option, least, greatest, text));
  return value;
}

SearchJob make_job(const cxxopts::ParseResult& parsed) {
  const auto text = [&](const char* name) { return parsed[name].as<std::string>(); };
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  SearchJob job;
  if (!given("function"))
    throw UsageError("no function given; `tmd search --help` lists them");
  const auto names = parsed["function"].as<std::vector<std::string>>();
  if (names.size() > 1)
    throw UsageError(fmt::format("unexpected argument '{}'", names[1]));
  job.function = &find_function(names.front());
  job.format = find_format(text("format"));
  job.argument_precision = given("argument-precision")
                               ? parse_integer(text("argument-precision"), "--argument-precision", 2, max_precision + 1)
                               : job.format.precision;
  job.rounding = parse_rounding(text("rounding"));
  job.plan.bits = given("bits") ? parse_integer(text("bits"), "--bits", 1, most_bits)
                                : std::max(job.format.precision - 9, 3);
  if (given("domain-bits"))
    job.plan.domain_bits = parse_integer(text("domain-bits"), "--domain-bits", fewest_domain_bits, most_domain_bits);
  set_algorithm(job.plan, text("algorithm"));
  constexpr std::array<std::string_view, 2> polynomials{"auto", "host"};
  (void)find_name("way to make polynomials", text("polynomials"), polynomials);

  for (const char* bound : {"from", "to"})
    if (!given(bound))
      throw UsageError(fmt::format("--{} is missing", bound));
  const ArgumentSet arguments = job.arguments();
  job.first = arguments.parse(text("from"), "--from");
  job.last = arguments.parse(text("to"), "--to");
  if (job.first >= job.last)
    throw UsageError(fmt::format("the range is empty: --from {} is not below --to {}", text("from"), text("to")));
  check_domain(job);
  return job;
}

Tunables make_tunables(const cxxopts::ParseResult& parsed) {
  Tunables tunables;
  if (parsed.count("set") != 0)
    for (const std::string& setting : parsed["set"].as<std::vector<std::string>>()) {
      const auto equals = setting.find('=');
      if (equals == std::string::npos)
        throw UsageError(fmt::format("--set takes NAME=VALUE, not '{}'", setting));
      set_tunable(tunables, setting.substr(0, equals), std::string_view(setting).substr(equals + 1));
    }
  return tunables;
}

std::string command_line(const Arguments& arguments) {
  std::string command = "tmd search";
  for (const std::string& argument : arguments)
    command += " " + argument;
  return command;
}

} // namespace

int search(const Arguments& arguments) {
  cxxopts::Options options = make_options();
  const auto parsed = parse(options, "search", arguments);
  if (parsed.count("help") != 0) {
    print_help(options);
    return 0;
  }
  const auto text = [&](const char* name) { return parsed[name].as<std::string>(); };
  SearchJob job = make_job(parsed);
  const Tunables tunables = make_tunables(parsed);
  const auto deployment = static_cast<Deployment>(find_name("deployment", text("deployment"), deployment_names));
  const auto compaction = static_cast<Compaction>(find_name("compaction", text("compaction"), compaction_names));
  const bool quiet = parsed.count("quiet") != 0;
  // Both files are opened before the run: it may be long.
  std::optional<AtomicFile> wc;
  std::optional<AtomicFile> json;
  if (parsed.count("wc") != 0)
    wc.emplace(text("wc"));
  if (parsed.count("json") != 0)
    json.emplace(text("json"));

  const auto devices = opencl::list_devices();
  const opencl::DeviceDescription& device = opencl::select_device(devices, text("device"));
  DeviceSearch device_search(device, tunables, deployment, compaction);
  adapt_plan(job.plan, device_search);
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const unsigned threads =
      parsed.count("host-threads") != 0
          ? static_cast<unsigned>(parse_integer(text("host-threads"), "--host-threads", 1, 1024))
          : (device.is_cpu ? 1 : cores);

  const RunDescription run{TMD_VERSION, command_line(arguments), text("from"),        text("to"),
                           text("algorithm"), "built-in default", "host",             text("deployment"),
                           text("compaction"), device,            tunables};
  if (!quiet)
    fmt::print("{}\non device {}: {} ({})\n", describe(job, run), device.index, device.name, device.platform);
  std::fflush(stdout);

  std::signal(SIGINT, request_stop);
  SearchResult result;
  {
    ProgressLine progress(!quiet);
    result = run_search(job, device_search, threads,
                        {[&](const Progress& now) { progress.show(now); }, [] { return stop_requested.load(); }});
  }
  fmt::print("{}", case_table(result));
  if (parsed.count("ledger") != 0)
    fmt::print("{}", ledger_table(result));
  if (!quiet)
    fmt::print("{}", summary_table(job, result));
  if (result.interrupted) {
    fmt::print(stderr, "tmd: interrupted: {} of {} arguments were covered, {} cases found in them{}\n",
               to_string(result.arguments), to_string(job.size()), result.cases.size(),
               wc || json ? "; no file was written" : "");
    return static_cast<int>(Status::interrupted);
  }
  if (wc)
    wc->commit(wc_file(job, run, result));
  if (json)
    json->commit(json_lines(job, run, result));
  return static_cast<int>(Status::done);
}

} // namespace tmd::app
