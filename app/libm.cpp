// tmd libm: tests a math library at samples of all degrees of hardness, at all arguments, or at those of a list.
#include "commands.hpp"
#include "libm_functions.hpp"
#include "libm_run.hpp"
#include "options.hpp"
#include "search_options.hpp"

#include "function/expression.hpp"
#include "function/pairs.hpp"
#include "result/case_list.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

// The arguments at which the library is called.
enum class Mode { list, cases, all, scan };

struct ModeOption {
  const char* name;
  std::initializer_list<Mode> modes; // the modes in which it has an effect
};
const std::array<ModeOption, 9> mode_options{{{"from", {Mode::cases, Mode::all, Mode::scan}},
                                              {"to", {Mode::cases, Mode::all, Mode::scan}},
                                              {"bits", {Mode::cases}},
                                              {"device", {Mode::cases}},
                                              {"all", {Mode::all}},
                                              {"scan", {Mode::scan}},
                                              {"seconds", {Mode::scan}},
                                              {"calls", {Mode::scan}},
                                              {"seed", {Mode::scan}}}};

Mode mode_of(const cxxopts::ParseResult& parsed, bool has_list) {
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  const Mode mode = has_list        ? Mode::list
                    : given("all")  ? Mode::all
                    : given("scan") ? Mode::scan
                    : given("bits") ? Mode::cases
                                    : Mode::scan;
  const char* const why = mode == Mode::list    ? "with LIST"
                          : mode == Mode::all   ? "with --all"
                          : mode == Mode::cases ? "with --bits"
                          : given("scan")       ? "with --scan"
                                                : "without --bits";
  for (const ModeOption& option : mode_options)
    if (given(option.name) && !(option.name == std::string_view("device") && given("built-in")) &&
        std::find(option.modes.begin(), option.modes.end(), mode) == option.modes.end())
      throw UsageError(fmt::format("--{} has no effect {}", option.name, why));
  return mode;
}

// Tests a function of two variables at the pairs of a list.
int libm_pairs(const cxxopts::ParseResult& parsed, const function::PairFunction& function,
               const std::vector<std::string>& words) {
  if (function.takes_integer)
    throw UsageError(fmt::format("{} takes an integer, with which tmd calls no library", function.name));
  if (words.size() != 2)
    throw UsageError(fmt::format("{0} is called at the pairs of a list: tmd libm {0} LIST; tmd search {0} makes one",
                                 function.name));
  (void)mode_of(parsed, true);
  if (parsed.count("histogram") != 0)
    throw UsageError("--histogram has no effect with a function of two variables");
  SearchSpec spec = spec_of(parsed);
  const result::CaseList list = result::read_case_list(words[1]);
  result::Agreement(spec, function.name, given_options(parsed)).adopt(list.claims, list.name);
  LibmRun run;
  run.promise = promise_of(parsed);
  run.output = libm_output(parsed);
  const Format format = find_format(spec.format);
  run.begin(function.name, format, libm_target(parsed, function, format));
  run.head["list"] = words[1];
  return run.pairs(list, function);
}

} // namespace

cxxopts::Options libm_options() {
  cxxopts::Options options(
      "tmd libm",
      "Calls a function of a math library and checks how its results are rounded: at samples of every degree "
      "of hardness in every binade, at all arguments, at hard cases, or at those of a list.");
  options.custom_help("FUNCTION [LIST] --library FILE|--command COMMAND|--built-in [OPTION ...]")
      .positional_help("")
      .set_width(120);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add_target_options(options);
  add("scan", "call it at samples of every degree of hardness in every binade (default without LIST)");
  add("seconds", "how long that takes (default: 10)", text(), "SECONDS");
  add("calls", "instead of seconds: about how many calls are made", text(), "N");
  add("seed", "seed of the samples, 0 to 2147483647 (default: another one each time)", text(), "N");
  add("all-functions",
      "instead of FUNCTION: call every function of C that the library has; continues after those in --json FILE");
  add("all", "call it for all arguments of a format of up to 32 bits, or all of a range");
  add_option(options, "format", "binary16, binary32, binary64, binary80 (default: the list's, else binary64)");
  add_option(options, "from", "without LIST: begin of a range (default: all arguments; with --bits, near 1)");
  add_option(options, "to", "end of that range");
  add_option(options, "bits", "search for hard cases of K bits, and call it at these");
  add_option(options, "device", "of that search, as for tmd search, may be repeated; or of --built-in");
  add("promise", "exit status 4 unless results are `correct`, or have at most that error in ulps", text(), "PROMISE");
  add_output_options(options);
  add("h,help", "this text");
  // The options by which it starts the process that calls the library.
  options.add_options("internal")("serve", "")("operands", "", text(), "2");
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
  if (given("all-functions"))
    return libm_all_functions(parsed, mode_of(parsed, false) == Mode::all);
  if (words.empty())
    throw UsageError("no function given; `tmd functions` lists them");
  if (words.size() > 2)
    throw UsageError(fmt::format("unexpected argument '{}': one list at a time", words[2]));
  if (const function::PairFunction* pair = function::find_pair_function(words[0]))
    return libm_pairs(parsed, *pair, words);
  const bool has_list = words.size() == 2;
  const Mode mode = mode_of(parsed, has_list);
  SearchSpec spec = spec_of(parsed);
  const auto function = function::function_of(words[0]);
  LibmRun run;
  run.promise = promise_of(parsed);
  run.output = libm_output(parsed);
  result::CaseList list;
  if (has_list) {
    list = result::read_case_list(words[1]);
    result::Agreement(spec, function->name, given_options(parsed)).adopt(list.claims, list.name);
  }
  const Format format = find_format(spec.format);
  run.begin(*function, format, libm_target(parsed, *function, format));
  run.range = range_asked(spec, run.job.arguments());
  if (has_list)
    run.head["list"] = words[1];
  run.against = libm_other_target(parsed, *function, format);
  if (run.against)
    run.head["against"] = run.against->keys;
  const std::string range = run.range ? fmt::format(" from {} on, before {}", *spec.from, *spec.to) : "";
  switch (mode) {
  case Mode::list:
    return run.list(list);
  case Mode::all:
    run.where = ", all arguments" + range;
    return run.all();
  case Mode::cases:
    return run.cases(*spec.bits, spec.devices);
  case Mode::scan:
    break;
  }
  const library::ScanRequest request = scan_request(parsed);
  run.head["seed"] = request.seed;
  run.where = fmt::format(", samples{}, seed {}", range, request.seed);
  return run.scan(request);
}

} // namespace tmd::app
