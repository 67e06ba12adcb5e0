// tmd search: a range to confirmed hard-to-round cases.
#include "search.hpp"

#include "commands.hpp"
#include "interrupt.hpp"
#include "open_devices.hpp"
#include "standard_streams.hpp"

#include "engine/registry.hpp"
#include "opencl/compute.hpp"
#include "opencl/device.hpp"
#include "report/progress.hpp"
#include "report/report.hpp"
#include "result/json_lines.hpp"
#include "search/audit.hpp"
#include "search/device_worker.hpp"
#include "search/expectation.hpp"
#include "search/search.hpp"
#include "support/atomic_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

// Who interrupts a search waits for the prompt.
constexpr std::size_t cases_of_interrupted = 100;
// Some gigabytes of memory.
constexpr int usual_most_cases = 10'000'000;

cxxopts::Options make_options() {
  cxxopts::Options options("tmd search", "Finds every hard-to-round case of FUNCTION on [X, Y), or on all arguments.");
  options.custom_help("FUNCTION [--from X] [--to Y] [OPTION ...]");
  add_search_options(options, DeviceCount::several);
  add_engine_options(options);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("host-threads", "threads that make polynomials (default: for a GPU all cores, else 1)", text(), "T");
  add("wc", "write the cases in CORE-MATH's format", text(), "FILE");
  add("json", "write everything as JSON Lines", text(), "FILE");
  add("audit",
      "share of the arguments that another test searches again, 0 to 1 (default: what takes 1 % of the time of a "
      "search "
      "of a minute or more)",
      text(), "SHARE");
  add("no-symmetry", "search x < 0 of odd and even functions, too, where --from is left out");
  add("most-cases", "refuse searches with more cases to be expected (default: 10000000)", text(), "N");
  add("dry-run", "say what would be searched, and end");
  add("progress", "say on stderr every so many seconds how far it is: lines:SECONDS or json:SECONDS", text(), "FORM:S");
  add("ledger", "print every term of the error ledger for every piece");
  add("quiet", "print the cases only");
  add("h,help", "this text");
  options.add_options("internal")("test-all-kernels", ""); // how `tmd doctor` starts it; in no help text
  return options;
}

void print_help(const cxxopts::Options& options) {
  fmt::print(
      "{}\n`tmd functions` lists the functions. FUNCTION may also be an expression of them in x, with + - * / ^ ( ) "
      "pi e:\n'log(1+exp(x))'\n\ntunables (`tmd devices --tunables` prints the values of each device here):\n{}"
      "\nexamples:\n"
      "  tmd search exp --from 1 --to 0x1.008p+0 --bits 44 --wc exp.wc\n"
      "  tmd search log10 --format binary32 --wc log10.wc\n"
      "  tmd search sin --from 0.5 --to 0x1.0001p-1 --rounding nearest --device cpu --ledger\n"
      "  tmd search 'exp(x)/x' --from 1 --to 0x1.001p+0 --bits 40\n"
      "  tmd search log --format binary16 --from 0x1p-14 --to 65536 --bits 8 --json log.jsonl\n",
      options.help({""}), tunable_list());
}

// What a dry run tells.
std::string survey_table(const Job& job, const Survey& survey) {
  const auto row = [](std::string_view name, uint128 arguments, std::string_view what) {
    return fmt::format("  {:<12}{:>26} {}\n", name, to_string(arguments), what);
  };
  return fmt::format("{}\n", job.identity()) + row("arguments", job.size(), "") +
         row("proven", survey.none, "in ranges without a case") +
         row("", survey.all_cases, "in ranges of which every one is a case") +
         (survey.left_out > 0 ? row("left out", survey.left_out, "where values change too fast: PARTIAL") : "") +
         row("to search", survey.rest, fmt::format("with about {:.0f} cases", survey.cases));
}

// As a shell takes it; control characters, which would break the line in a file's comment, become `?`.
std::string as_shell_word(const std::string& argument) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_=./:,@%^";
  if (!argument.empty() && argument.find_first_not_of(plain) == std::string::npos)
    return argument;
  std::string text = "'";
  for (const char c : argument)
    text += c == '\'' ? "'\\''" : std::string(1, static_cast<unsigned char>(c) < ' ' || c == 127 ? '?' : c);
  return text + "'";
}

std::string command_line(const Arguments& arguments) {
  std::string command = "tmd search";
  for (const std::string& argument : arguments)
    command += " " + as_shell_word(argument);
  return command;
}

// Where the search is in the midst of a step. Parts of a stretch may be among them that do not count until it is whole.
std::string interrupted_at(const Progress& now) {
  return fmt::format(
      "tmd: interrupted in the midst of a step: {} of {} arguments had been searched, {} cases found; no "
      "file was written\n",
      to_string(now.done), to_string(now.total), now.cases);
}

// The files were read once to look at them, and once by each device.
void require_kernels(const std::string& built, const opencl::KernelUse& used) {
  if (built != used.digest)
    throw DeviceError(fmt::format("the kernels have changed while the search began: it was to use {}, and has used {}",
                                  used.digest, built));
}

// Searches some of a finished search again: the share asked for, or where none was, what costs little. All that is
// asked of the devices is another algorithm.
std::optional<AuditReport> audit_of(const SearchOptions& asked, const std::vector<DeviceChoice>& choices,
                                    std::optional<int> threads, const SearchResult& result,
                                    std::optional<double> share) {
  constexpr double long_search = 60; // seconds
  constexpr double share_of_time = 0.01;
  const bool is_long = result.seconds >= long_search;
  if (share.value_or(is_long ? 1 : 0) == 0)
    return std::nullopt;
  SearchOptions again = asked;
  again.choices.algorithm = auditing_algorithm(result);
  again.choices.domain_bits.reset();
  again.choices.split_bits.reset();
  const OpenDevices open = open_devices(again, choices, threads);
  return audit(asked.job, result, open.workers, again.choices.algorithm,
               {share.value_or(0), share_of_time * result.seconds}, std::random_device()(), interrupted);
}

// All of it but the files.
struct Request {
  SearchOptions options;
  std::optional<int> threads;
  std::optional<double> audited;
};

Request parse_request(const cxxopts::ParseResult& parsed) {
  const auto text = [&](const char* name) { return parsed[name].as<std::string>(); };
  Request request{parse_search_options(parsed, BoundsUse::optional), {}, {}};
  if (parsed.count("host-threads") != 0)
    request.threads = parse_integer(text("host-threads"), "--host-threads", 1, 1024);
  if (parsed.count("audit") != 0)
    request.audited = parse_share(text("audit"), "--audit");
  return request;
}

} // namespace

SearchOptions check_search(const Arguments& arguments) {
  cxxopts::Options options = make_options();
  return parse_request(parse(options, "search", arguments)).options;
}

int search(const Arguments& arguments) {
  cxxopts::Options options = make_options();
  const auto parsed = parse(options, "search", arguments);
  if (parsed.count("help") != 0) {
    print_help(options);
    return 0;
  }
  const auto text = [&](const char* name) { return parsed[name].as<std::string>(); };
  const auto [asked, threads, audited] = parse_request(parsed); // before anything takes time
  const Job& job = asked.job;
  const bool quiet = parsed.count("quiet") != 0;
  std::optional<ProgressReports> reports;
  if (parsed.count("progress") != 0)
    reports = parse_progress(text("progress"));
  const int most_cases = parsed.count("most-cases") != 0
                             ? parse_integer(text("most-cases"), "--most-cases", 1, std::numeric_limits<int>::max())
                             : usual_most_cases;
  // Both files are tried before the run: it may be long.
  std::optional<AtomicFile> wc = open_file(parsed, "wc");
  std::optional<AtomicFile> json = open_file(parsed, "json");
  if (wc && json && wc->same_target(*json))
    throw UsageError(fmt::format("--wc and --json name the same file, '{}'", text("wc")));
  print_no_tables_beside({&wc, &json});

  const bool is_dry = parsed.count("dry-run") != 0;
  if (is_dry || expected_cases(job) > most_cases) { // a survey takes time, and can only find fewer
    const Survey before = survey(job, asked.is_whole, {});
    if (is_dry) {
      fmt::print("{}", survey_table(job, before));
      return 0;
    }
    if (before.cases > most_cases)
      throw UsageError(fmt::format("about {:.2g} cases are to be expected, more than {}: take a larger --bits, or "
                                   "allow them with --most-cases",
                                   before.cases, most_cases));
  }

  const std::vector<DeviceChoice> choices = choose_devices(asked);
  const OpenDevices open = open_devices(asked, choices, threads);
  RunDescription run{TMD_VERSION,
                     command_line(arguments),
                     asked.from,
                     asked.to,
                     asked.choices.algorithm,
                     std::string(to_string(asked.choices.deployment)),
                     std::string(to_string(asked.choices.compaction)),
                     choices.front().kernels,
                     open.uses,
                     std::nullopt,
                     asked.symmetry};
  if (!quiet)
    fmt::print("{}\n{}", describe(job, run), describe_devices(run));
  flush_output();

  keep_for_interrupt(interrupted_at({0, job.size(), 0, 0, open.workers.size()}));
  catch_interrupts();
  SearchResult result;
  {
    ProgressLine progress(!quiet, job.size(), reports);
    SearchHooks hooks;
    hooks.progress = [&](const Progress& now) {
      progress.show(now);
      keep_for_interrupt(interrupted_at(now));
    };
    hooks.interrupted = interrupted;
    hooks.leaves_out = asked.is_whole;
    hooks.lost = [&](std::size_t index, const std::string& sentence) {
      progress.clear();
      print_lost(run.devices[index].device, sentence);
    };
    result = run_search(job, open.workers, hooks, claims_of(job, asked.choices, engines()));
  }
  for (std::size_t i = 0; i < run.devices.size(); ++i) {
    const Launcher& launcher = *open.devices[i]->launcher();
    run.devices[i].cpu_modes = cpu_modes(asked.cpu_mode, launcher);
    require_kernels(launcher.compute().kernel_digest().value_or(run.kernels.digest), run.kernels);
  }
  if (!result.interrupted)
    run.audit = audit_of(asked, choices, threads, result, audited);
  for (const Unexpected& one : unexpected_counts(job, result))
    fmt::print(stderr,
               "tmd: warning: {} cases among the {} arguments from {} on, where {:.0f} ± {:.0f} were to be expected\n",
               one.cases, to_string(one.field.arguments.count), to_hex(one.field.arguments.argument(0)), one.expected,
               std::sqrt(one.expected));
  if (!result.interrupted)
    keep_for_interrupt("tmd: interrupted: the search was done, but not all that it found was written or printed\n");
  // Files first: they are what the search was run for, and nothing that happens to standard output may lose them.
  if (!result.interrupted && wc)
    wc->commit(wc_file(job, run, result));
  if (!result.interrupted && json)
    json->commit(json_lines(job, run, result));
  if (result.interrupted) {
    fmt::print(stderr, "tmd: interrupted: {} of {} arguments were covered, {} cases found in them{}\n",
               to_string(result.arguments()), to_string(job.size()), result.cases.size(),
               wc || json ? "; no file was written" : "");
    interrupt_is_told();
  }
  fmt::print("{}", result.interrupted ? case_table(result, cases_of_interrupted) : case_table(result));
  fmt::print("{}", range_table(job, result));
  if (parsed.count("ledger") != 0)
    fmt::print("{}", ledger_table(result));
  if (!quiet) {
    fmt::print("{}{}{}{}", summary_table(job, result), audit_table(job, run), device_table(run, result),
               method_table(result));
    for (const DeviceUse& use : run.devices)
      fmt::print("{}", cpu_mode_table(use.cpu_modes));
  }
  flush_output();
  return static_cast<int>(result.interrupted    ? Status::interrupted
                          : result.is_partial() ? Status::partial
                                                : Status::done);
}

} // namespace tmd::app
