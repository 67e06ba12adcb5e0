// tmd libm: a math library put to the test at a list of arguments.
#include "commands.hpp"
#include "libm_target.hpp"
#include "options.hpp"
#include "search_child.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "function/expression.hpp"
#include "library/all_arguments.hpp"
#include "library/library_calls.hpp"
#include "report/library_report.hpp"
#include "result/case_list.hpp"
#include "result/record.hpp"
#include "result/wc.hpp"
#include "support/terminal_line.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

// How hard the cases of a search are where nobody says: so that there are some hundreds.
constexpr int fewest_bits = 3;
constexpr int expected_case_bits = 9; // log2 of 2·N·2^−K

std::optional<RankInterval> range_of(const SearchSpec& spec, const ArgumentSet& set) {
  if (spec.from.has_value() != spec.to.has_value())
    throw UsageError("--from and --to belong together");
  if (!spec.from)
    return std::nullopt;
  const RankInterval range{set.parse(*spec.from, "--from"), set.parse(*spec.to, "--to")};
  if (range.first >= range.last)
    throw UsageError("the range is empty: --from is not below --to");
  return range;
}

// The search that takes the place of a list.
void set_search(const SearchSpec& spec, Job& job) {
  job.values = Values::format;
  const auto given = range_of(spec, job.arguments());
  const RankInterval range = given ? *given : usual_range(job);
  job.first = range.first;
  job.last = range.last;
  check_domain(job);
  job.bits = spec.bits.value_or(std::max(fewest_bits, bit_length(job.size()) - expected_case_bits));
}

// Calls it for all arguments, or all of a range.
AllFindings find_all(const AllArguments& all, const MakeCalledFunction& open) {
  TerminalLine line;
  return call_for_all(all, std::max(std::thread::hardware_concurrency(), 1U), open,
                      [&](std::uint64_t done, std::uint64_t of) {
                        if (line.due())
                          line.show(fmt::format("{:.1f} % of {} arguments",
                                                100.0 * static_cast<double>(done) / static_cast<double>(of), of));
                      });
}

} // namespace

cxxopts::Options libm_options() {
  cxxopts::Options options(
      "tmd libm",
      "Calls a function of a math library at listed arguments, or at hard cases, and checks how its results are "
      "rounded.");
  options.custom_help("FUNCTION [LIST] --library FILE|--command COMMAND [OPTION ...]")
      .positional_help("")
      .set_width(120);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add_target_options(options);
  add("all", "call it for all arguments of a format of up to 32 bits, or all of a range");
  add_option(options, "format", "binary16, binary32, binary64, binary80 (default: the list's, else binary64)");
  add_option(options, "from",
             "without LIST: begin of a range, to search for hard cases (default: near 1) or for --all");
  add_option(options, "to", "end of that range");
  add_option(options, "bits", "K of that search (default: what gives some hundred cases)");
  add_option(options, "device", "of that search, as for tmd search; may be repeated");
  add("json", "write a record per fault to FILE (JSON Lines)", text(), "FILE");
  add("h,help", "this text");
  options.add_options("internal")("serve", ""); // how it starts the process that calls the library
  options.add_options("positional")("words", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"words"});
  return options;
}

int libm(const Arguments& arguments) {
  cxxopts::Options options = libm_options();
  const auto parsed = parse(options, "libm", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help({""}));
    return 0;
  }
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  if (given("serve")) {
    serve_libm(parsed);
    return 0;
  }
  const std::vector<std::string> words = values_of(parsed, "words");
  if (words.empty())
    throw UsageError("no function given; `tmd functions` lists them");
  if (words.size() > 2)
    throw UsageError(fmt::format("unexpected argument '{}': one list at a time", words[2]));
  const bool has_list = words.size() == 2;
  const bool takes_all = given("all");
  for (const char* option : {"from", "to", "bits", "device", "all"})
    if (given(option) && has_list)
      throw UsageError(fmt::format("--{} has no effect with LIST", option));
  for (const char* option : {"bits", "device"})
    if (given(option) && takes_all)
      throw UsageError(fmt::format("--{} has no effect with --all", option));
  SearchSpec spec = spec_of(parsed);
  const auto function = function_of(words[0]);
  Job job;
  job.function = function.get();
  std::optional<AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  CaseList list;
  if (has_list) {
    list = read_case_list(words[1]);
    Agreement(spec, function->name, given_options(parsed)).adopt(list.claims, list.name);
  }
  job.format = find_format(spec.format);
  job.argument_precision = job.format.precision;
  const LibmTarget target = libm_target(parsed, *job.function, job.format);
  Json head = first_record("library", running_program(), {{"function", job.function->name}});
  head.update(target.keys);
  head.update({{"format", job.format.name}, {"list", has_list ? Json(words[1]) : Json(nullptr)}, {"search", nullptr}});
  if (takes_all) {
    const auto range = range_of(spec, job.arguments());
    const AllFindings findings = find_all({job.function, job.format, range}, target.open);
    if (json)
      json->commit(all_records(head, findings));
    fmt::print("{}, all arguments{}\n{}{}", target.text,
               range ? fmt::format(" from {} on, before {}", *spec.from, *spec.to) : "", library_table(findings),
               all_verdict(findings));
    return findings.not_called + findings.undecided == 0 ? 0 : static_cast<int>(Status::partial);
  }
  if (!has_list) {
    set_search(spec, job);
    list = search_in_child(job, spec.devices, "hard cases");
    head["search"] = job.identity();
  }
  const LibraryCalls calls = library_calls(list, job);
  for (const std::string& note : library_notes(calls, job))
    fmt::print(stderr, "tmd: note: {}\n", note);
  const auto called = target.open();
  const LibraryFindings findings = judge_library(calls, call_library(*called, calls.calls, job.format), job.format);
  if (json)
    json->commit(library_records(head, findings));
  fmt::print("{}{}\n{}", target.text, has_list ? "" : ", at the cases of " + describe(job), library_table(findings));
  return 0;
}

} // namespace tmd::app
