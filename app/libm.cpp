// tmd libm: a math library put to the test at a list of arguments.
#include "commands.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "search_child.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "function/expression.hpp"
#include "library/c_type.hpp"
#include "library/library_calls.hpp"
#include "library/library_worker.hpp"
#include "report/library_report.hpp"
#include "result/case_list.hpp"
#include "result/record.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

// Descriptors of the process that calls the library.
constexpr int channel = 3;
constexpr int memory = 4;

// How many arguments a search is of where nobody says, and how hard their cases are: some hundreds within a second.
constexpr int most_range_bits = 40; // log2 of the arguments
constexpr int fewest_bits = 3;
constexpr int expected_case_bits = 9; // log2 of 2·N·2^−K

// Numbers around 1 that most functions have values at: whole binades for short formats.
RankInterval usual_range(const Job& job) {
  const ArgumentSet set = job.arguments();
  const int binade_bits = job.argument_precision - 1;
  const RankInterval domain = ranks_in_domain(job.function->domain, set);
  const auto size = int128(1) << std::min(binade_bits, most_range_bits);
  const bool is_whole = binade_bits <= most_range_bits;
  for (const char* start : {is_whole ? "1" : "1.25", is_whole ? "0.5" : "0.625", is_whole ? "2" : "2.5"})
    if (const ArgumentSet::Rank first = set.parse(start, "--from");
        first >= domain.first && first + size <= domain.last)
      return {first, first + size};
  throw UsageError(fmt::format("{} has no values around 1: choose a range with --from and --to, or give a list",
                               job.function->name));
}

// The search that takes the place of a list.
void set_search(const SearchSpec& spec, Job& job) {
  if (spec.from.has_value() != spec.to.has_value())
    throw UsageError("--from and --to belong together");
  job.values = Values::format;
  const ArgumentSet set = job.arguments();
  const RankInterval range =
      spec.from ? RankInterval{set.parse(*spec.from, "--from"), set.parse(*spec.to, "--to")} : usual_range(job);
  job.first = range.first;
  job.last = range.last;
  if (job.first >= job.last)
    throw UsageError("the range is empty: --from is not below --to");
  check_domain(job);
  job.bits = spec.bits.value_or(std::max(fewest_bits, bit_length(job.size()) - expected_case_bits));
}

} // namespace

cxxopts::Options libm_options() {
  cxxopts::Options options(
      "tmd libm",
      "Calls a function of a math library at listed arguments, or at hard cases, and checks how its results are "
      "rounded.");
  options.custom_help("FUNCTION [LIST] --library FILE [OPTION ...]").positional_help("").set_width(120);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("library", "the library, as the dynamic linker finds it: libm.so.6, ./libm.so", text(), "FILE");
  add("symbol", "its function (default: C's name of FUNCTION in the type of the format)", text(), "NAME");
  add_option(options, "format", "binary16, binary32, binary64, binary80 (default: the list's, else binary64)");
  add_option(options, "from", "without LIST: search for hard cases from there on (default: near 1)");
  add_option(options, "to", "end of that range");
  add_option(options, "bits", "K of that search (default: what gives some hundred cases)");
  add_option(options, "device", "of that search, as for tmd search; may be repeated");
  add("timeout", "seconds after which a call counts as a hang (default: 5)", text(), "SECONDS");
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
  const auto value = [&](const char* name) { return parsed[name].as<std::string>(); };
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  if (given("serve")) {
    leave_crashes(); // the library's is what is to be seen
    serve_library(value("library"), value("symbol"), find_format(value("format")), Descriptor(channel),
                  Descriptor(memory));
    return 0;
  }
  const std::vector<std::string> words = values_of(parsed, "words");
  if (words.empty())
    throw UsageError("no function given; `tmd functions` lists them");
  if (words.size() > 2)
    throw UsageError(fmt::format("unexpected argument '{}': one list at a time", words[2]));
  if (!given("library"))
    throw UsageError("--library is missing");
  const bool searches = words.size() == 1;
  for (const char* option : {"from", "to", "bits", "device"})
    if (given(option) && !searches)
      throw UsageError(fmt::format("--{} has no effect with LIST", option));
  SearchSpec spec = spec_of(parsed);
  const auto function = function_of(words[0]);
  Job job;
  job.function = function.get();
  const int seconds = given("timeout") ? parse_integer(value("timeout"), "--timeout", 1, 3600) : 5;
  std::optional<AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  CaseList list;
  if (!searches) {
    list = read_case_list(words[1]);
    Agreement(spec, function->name, given_options(parsed)).adopt(list.claims, list.name);
  }
  job.format = find_format(spec.format);
  job.argument_precision = job.format.precision;
  const std::string symbol = given("symbol") ? value("symbol") : c_name(*job.function, job.format);
  if (searches) {
    set_search(spec, job);
    list = search_in_child(job, spec.devices, "hard cases");
  }

  const LibraryCalls calls = library_calls(list, job);
  for (const std::string& note : library_notes(calls, job))
    fmt::print(stderr, "tmd: note: {}\n", note);
  LibraryProcess process(
      this_program, {"libm", "--serve", "--library", value("library"), "--symbol", symbol, "--format", job.format.name},
      with_c_type(job.format, [](auto zero) { return sizeof zero; }), std::chrono::seconds(seconds));
  const LibraryFindings findings = judge_library(calls, call_library(process, calls.calls, job.format), job.format);
  if (json)
    json->commit(library_records(first_record("library", running_program(),
                                              {{"function", job.function->name},
                                               {"library", value("library")},
                                               {"symbol", symbol},
                                               {"format", job.format.name},
                                               {"list", searches ? Json(nullptr) : Json(words[1])},
                                               {"search", searches ? Json(job.identity()) : Json(nullptr)}}),
                                 findings));
  fmt::print("{} of {}, {}{}\n", symbol, value("library"), job.format.name,
             searches ? fmt::format(", at the cases of {}", job.identity()) : "");
  fmt::print("{}", library_table(findings));
  return 0;
}

} // namespace tmd::app
