// tmd verify: a result of tmd search, of which nothing is believed.
#include "commands.hpp"
#include "open_devices.hpp"
#include "options.hpp"
#include "search.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "engine/registry.hpp"
#include "engine/wide/plan.hpp"
#include "opencl/cpu_mode.hpp"
#include "opencl/kernel_files.hpp"
#include "result/result_check.hpp"
#include "result/result_file.hpp"
#include "result/schema.hpp"
#include "search/audit.hpp"
#include "search/binade_counts.hpp"
#include "support/compressed_file.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_failures = 100;   // failures; the JSON Lines have all
constexpr std::size_t samples_of_range = 64; // of a regime
constexpr int usual_seconds = 10;            // of searching again
constexpr double least_p = 1e-6;             // corrected; below, the counts are no chance

// A row of the table.
struct Check {
  enum class Verdict { good, failed, note, not_done };
  std::string_view name;
  std::string looked_at;
  Verdict verdict = Verdict::good;
  std::string remark;
};

std::string_view word_of(Check::Verdict verdict) {
  switch (verdict) {
  case Check::Verdict::failed:
    return "FAILED";
  case Check::Verdict::note:
    return "note";
  case Check::Verdict::not_done:
    return "not done";
  case Check::Verdict::good:
    break;
  }
  return "ok";
}

struct Failure {
  std::string_view check;
  Objection objection;
};

// All that is found.
struct Report {
  std::vector<Check> checks;
  std::vector<Failure> failures;
  std::string device_failure; // why nothing could be searched
  Status device_status = Status::done;

  void add(std::string_view name, std::string looked_at, const std::vector<Objection>& objections,
           std::string remark = {}) {
    for (const Objection& one : objections)
      failures.push_back({name, one});
    const auto verdict = !objections.empty() ? Check::Verdict::failed
                         : remark.empty()    ? Check::Verdict::good
                                             : Check::Verdict::note;
    checks.push_back({name, std::move(looked_at), verdict, std::move(remark)});
  }
  void leave_out(std::string_view name, std::string why) {
    checks.push_back({name, "-", Check::Verdict::not_done, std::move(why)});
  }
};

CommandedSearch parse_command(const std::vector<std::string>& arguments) {
  const SearchOptions options = check_search(arguments);
  return {{options.function, options.job}, options.from, options.to, options.symmetry};
}

ResultFile read_result(const std::string& name) {
  const TextSource text = text_of(name);
  return looks_like_journal(text) ? result_of(parse_journal(text, name), parse_command)
                                  : parse_result(text, name, parse_command);
}

void check_origin(Report& report, const ResultFile& file) {
  std::string remark;
  const auto note = [&](const std::string& sentence) { remark += (remark.empty() ? "" : "; ") + sentence; };
  if (file.version != TMD_VERSION)
    note(fmt::format("made by version {}, this is {}", file.version, TMD_VERSION));
  if (file.kernels != opencl::own_kernel_digest())
    note("the kernels were not those of this program");
  if (file.foreign_kernels)
    note("they were foreign to the program that used them");
  report.add("origin", fmt::format("version {}, kernels {}", file.version, file.kernels), {}, remark);
}

void check_file(Report& report, const ResultFile& file) {
  std::vector<Objection> lines;
  for (const LineMistake& one : file.mistakes)
    lines.push_back({one.line, "", one.sentence});
  report.add("lines",
             fmt::format("{} entries, {} ranges", file.found.size(), file.regimes.size() + file.left_out.size()),
             lines);
  report.add("header", "the job, by its parts and by the command", check_header(file));
  check_origin(report, file);
}

CheckedEntries check_values(Report& report, const ResultFile& file) {
  CheckedEntries entries = check_entries(file, std::max(1U, std::thread::hardware_concurrency()));
  const std::string_view what = file.kind != ResultFile::Kind::list ? "kind, breakpoint, bits" : "kind";
  report.add("entries", fmt::format("{} of {} arguments, by MPFR and by Arb", what, entries.entries),
             entries.objections,
             entries.open_by_arb == 0 ? "" : fmt::format("Arb cannot decide {} of them", entries.open_by_arb));
  report.add("order", fmt::format("{} entries", file.found.size()), check_order(file, entries.cases));
  const CheckedRanges ranges = check_regimes(file, samples_of_range);
  report.add("ranges", fmt::format("{} proven again, MPFR at {} arguments", ranges.ranges, ranges.samples),
             ranges.objections);
  std::string remark;
  if (!file.left_out.empty())
    remark = fmt::format("partial: {} ranges were not searched", file.left_out.size());
  report.add("coverage", fmt::format("{} arguments, counts of all kinds", to_string(file.job().size())),
             check_counts(file), remark);
  return entries;
}

std::string name_of(const BinadeCount& count) {
  return fmt::format("{} {}cases from {} on, where {:.1f} were to be expected", count.cases,
                     count.breakpoint ? fmt::format("{} ", to_string(*count.breakpoint)) : "",
                     to_hex(count.arguments.argument(0)), count.expected);
}

CountVerdict check_binades(Report& report, const ResultFile& file, const std::vector<Case>& cases) {
  const EachArgument exact = [&](const auto& use) {
    for (const FoundEntry& one : file.found)
      if (one.kind == Case::Kind::exact)
        use(one.x);
  };
  const bool are_exact_known = file.lists_exact() || (file.stated && file.stated->exact == 0);
  const Coverage searched = file.in_ranges.complement_in(file.job().range());
  CountVerdict verdict = count_binades(file.job(), searched, cases, exact, are_exact_known);
  if (verdict.counts.empty()) {
    report.leave_out("counts", "no binade is a fair sample of enough cases");
    return verdict;
  }
  std::vector<Objection> objections;
  const auto tests = static_cast<double>(verdict.counts.size());
  for (const BinadeCount& one : verdict.counts)
    if (one.p * tests < least_p)
      objections.push_back({0, to_hex(one.arguments.argument(0)), fmt::format("{}: p = {:.1e}", name_of(one), one.p)});
  report.add("counts",
             fmt::format("{} counts of cases, smallest p = {:.2g}, {:.2g} corrected (Bonferroni)",
                         verdict.counts.size(), verdict.counts.front().p, verdict.corrected_p()),
             objections);
  return verdict;
}

// How it is searched again.
struct Again {
  AuditSize size;
  SearchOptions options;
  bool chooses_device = true;
  bool chooses_algorithm = true;
};

// A device that the search has not used, where there is one.
void choose_other_device(SearchOptions& options, const ResultFile& file) {
  opencl::apply_cpu_mode(options.cpu_mode);
  std::vector<std::string> left_out;
  for (const opencl::DeviceDescription& device : opencl::all_devices(opencl::list_devices(), left_out))
    if (std::find(file.devices.begin(), file.devices.end(), device.name) == file.devices.end()) {
      options.devices = {std::to_string(device.index)};
      return;
    }
}

// Where nobody says what has searched, it was the wide test or a domain test, by what was asked for.
std::string_view other_algorithm(const ResultFile& file, const SearchResult& result) {
  if (!file.methods.empty())
    return auditing_algorithm(result);
  const bool asked_for_domains =
      file.command.find("--algorithm") != std::string::npos && file.command.find("wide") == std::string::npos;
  return asked_for_domains ? wide_methods[0] : "regular";
}

std::optional<AuditReport> check_by_search(Report& report, const ResultFile& file, const std::vector<Case>& cases,
                                           Again again) {
  constexpr std::string_view name = "searched again";
  SearchOptions& options = again.options;
  try {
    const SearchResult result = to_search_result(file);
    options.job = file.job();
    options.function = file.owned.function;
    if (again.chooses_algorithm)
      options.choices.algorithm = other_algorithm(file, result);
    if (again.chooses_device)
      choose_other_device(options, file);
    const std::vector<DeviceChoice> choices = choose_devices(options);
    const OpenDevices open = open_devices(options, choices);
    const AuditComparison compared = search_again(options.job, result, open.workers, options.choices.algorithm,
                                                  again.size, std::random_device()(), {});
    std::vector<Objection> objections;
    for (const Case& one : compared.missing)
      if (file.lists_exact() || one.kind != Case::Kind::exact)
        objections.push_back(
            {0, to_hex(one.x),
             one.kind == Case::Kind::hard
                 ? fmt::format("a case of {:.4f} bits, {}, has no entry", one.bits, to_string(one.breakpoint))
                 : fmt::format("it is {} and has no entry", to_string(one.kind))});
    for (const Case& one : compared.superfluous)
      // What is no case has been told of already.
      if (std::any_of(cases.begin(), cases.end(), [&](const Case& other) { return other.x == one.x; }))
        objections.push_back({0, to_hex(one.x), "it is a case that this search has not found"});
    std::string used = open.uses.front().device.name;
    report.add(name,
               fmt::format("{} arguments by the {} test on {}, {} cases", to_string(compared.report.arguments),
                           options.choices.algorithm, used, compared.report.cases),
               objections);
    return compared.report;
  } catch (const FaultError& error) {
    report.device_failure = error.what();
    report.device_status = error.status();
  } catch (const DeviceError& error) {
    report.device_failure = error.what();
    report.device_status = error.status();
  }
  report.leave_out(name, report.device_failure);
  return std::nullopt;
}

Status status_of(const Report& report, const ResultFile& file) {
  if (!report.failures.empty())
    return Status::unsound;
  if (report.device_status != Status::done)
    return report.device_status;
  return file.left_out.empty() ? Status::done : Status::partial;
}

std::string records(const Report& report, const ResultFile& file, const std::string& name, const CountVerdict& counts,
                    const std::optional<AuditReport>& again) {
  std::string lines =
      Json{{"type", "verification"},       {"schema", record_schema}, {"version", TMD_VERSION}, {"file", name},
           {"job", file.job().identity()}, {"made_by", file.version}, {"kernels", file.kernels}}
          .dump() +
      "\n";
  for (const Check& check : report.checks)
    lines += Json{{"type", "check"},
                  {"name", check.name},
                  {"looked_at", check.looked_at},
                  {"verdict", word_of(check.verdict)},
                  {"remark", check.remark}}
                 .dump() +
             "\n";
  for (const auto& [check, objection] : report.failures)
    lines += Json{{"type", "failure"},
                  {"check", check},
                  {"line", objection.line == 0 ? Json(nullptr) : Json(objection.line)},
                  {"x", objection.x.empty() ? Json(nullptr) : Json(objection.x)},
                  {"message", objection.sentence}}
                 .dump() +
             "\n";
  for (const BinadeCount& one : counts.counts)
    lines += Json{{"type", "count"},
                  {"first", to_hex(one.arguments.argument(0))},
                  {"last", to_hex(one.arguments.argument(one.arguments.count - 1))},
                  {"breakpoint", one.breakpoint ? Json(to_string(*one.breakpoint)) : Json(nullptr)},
                  {"cases", one.cases},
                  {"expected", four_decimals(one.expected)},
                  {"p", one.p}}
                 .dump() +
             "\n";
  Json summary{{"type", "summary"},
               {"failures", report.failures.size()},
               {"partial", !file.left_out.empty()},
               {"counts", counts.counts.size()},
               {"smallest_p", counts.counts.empty() ? Json(nullptr) : Json(counts.counts.front().p)},
               {"corrected_p", counts.counts.empty() ? Json(nullptr) : Json(counts.corrected_p())},
               {"again", nullptr}};
  if (again)
    summary["again"] = {{"algorithm", again->algorithm},
                        {"arguments", to_json(again->arguments)},
                        {"cases", again->cases},
                        {"seconds", again->seconds}};
  return lines + summary.dump() + "\n";
}

void print(const Report& report) {
  fmt::print("{:<15} {:<9} {}\n", "check", "verdict", "what was looked at");
  for (const Check& check : report.checks)
    fmt::print("{:<15} {:<9} {}\n", check.name, word_of(check.verdict),
               check.remark.empty()                        ? check.looked_at
               : check.verdict == Check::Verdict::not_done ? check.remark
                                                           : fmt::format("{}: {}", check.looked_at, check.remark));
  for (std::size_t i = 0; i < std::min(report.failures.size(), most_failures); ++i) {
    const auto& [check, objection] = report.failures[i];
    fmt::print("{}{}{}: {}\n", check, objection.line == 0 ? "" : fmt::format(", line {}", objection.line),
               objection.x.empty() ? "" : fmt::format(", {}", objection.x), objection.sentence);
  }
  if (report.failures.size() > most_failures)
    fmt::print("and {} more\n", report.failures.size() - most_failures);
}

Again parse_again(const cxxopts::ParseResult& parsed) {
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  const auto text = [&](const char* name) { return parsed[name].as<std::string>(); };
  if (given("share") + given("seconds") + given("no-search") > 1)
    throw UsageError("--share, --seconds and --no-search exclude each other");
  Again again;
  again.options = parse_device_options(parsed);
  again.chooses_device = !given("device");
  if (given("algorithm")) {
    again.options.choices.algorithm = text("algorithm");
    (void)engines_for(again.options.choices.algorithm);
    again.chooses_algorithm = false;
  }
  if (given("share"))
    again.size.share = parse_share(text("share"), "--share");
  else if (!given("no-search"))
    again.size.seconds = given("seconds") ? parse_integer(text("seconds"), "--seconds", 1, 1'000'000) : usual_seconds;
  return again;
}

} // namespace

int verify(const Arguments& arguments) {
  cxxopts::Options options("tmd verify", "Checks a result of tmd search, and believes nothing in it.");
  options.custom_help("RESULT [OPTION ...]").positional_help("").set_width(120);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("share", "share of the arguments that is searched again, 0 to 1", text(), "SHARE");
  add("seconds", "search again for about so long (default: 10)", text(), "SECONDS");
  add("no-search", "search nothing again: no device is used");
  add("algorithm", "search again by this test (default: another than the search's)", text(), "NAME");
  add_device_options(options, DeviceCount::several);
  add("json", "write a record per check, failure and count to FILE (JSON Lines)", text(), "FILE");
  add("h,help", "this text");
  options.add_options("positional")("words", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"words"});
  const auto parsed = parse(options, "verify", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help({""}));
    return 0;
  }
  const std::vector<std::string> words = values_of(parsed, "words");
  if (words.empty())
    throw UsageError("no result given: `tmd search --json FILE` writes one");
  if (words.size() > 1)
    throw UsageError(fmt::format("unexpected argument '{}': one result at a time", words[1]));
  const Again again = parse_again(parsed);
  std::optional<AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  const ResultFile file = read_result(words[0]);

  Report report;
  check_file(report, file);
  const CheckedEntries entries = check_values(report, file);
  const CountVerdict counts = check_binades(report, file, entries.cases);
  std::optional<AuditReport> searched;
  if (again.size.share > 0 || again.size.seconds > 0)
    searched = check_by_search(report, file, entries.cases, again);
  else
    report.leave_out("searched again", "not asked for");

  if (json)
    json->commit(records(report, file, words[0], counts, searched));
  fmt::print("{}\n", file.job().identity());
  print(report);
  const Status status = status_of(report, file);
  fmt::print("{}\n", !report.failures.empty() ? fmt::format("{} failures", report.failures.size())
                     : file.left_out.empty()  ? "nothing wrong"
                                              : "nothing wrong in what was searched");
  if (!report.device_failure.empty())
    fmt::print(stderr, "tmd: it could not be searched again: {}\n", report.device_failure);
  return static_cast<int>(status);
}

} // namespace tmd::app
