// Tests function after function as `tmd libm FUNCTION` does, and appends the records to the file of --json. Functions
// that have a summary there are not tested again, so the run can be interrupted at any time.
#include "libm_functions.hpp"

#include "libm_records.hpp"
#include "libm_run.hpp"
#include "options.hpp"
#include "standard_streams.hpp"

#include "function/expression.hpp"
#include "report/library_report.hpp"
#include "report/scan_report.hpp"
#include "result/record.hpp"
#include "tmd/error.hpp"
#include "tmd/function.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

void refuse_without_effect(const cxxopts::ParseResult& parsed) {
  constexpr std::array<std::string_view, 18> with_effect{
      "nearest", "flags", "lanes", "built-in", "device", "build-options", "report",  "all-functions", "library",
      "format",  "all",   "scan",  "seconds",  "calls",  "seed",          "promise", "timeout",       "json"};
  if (parsed.count("words") != 0)
    throw UsageError("--all-functions takes neither FUNCTION nor LIST");
  for (const std::string& option : given_options(parsed))
    if (std::find(with_effect.begin(), with_effect.end(), option) == with_effect.end())
      throw UsageError(fmt::format("--{} has no effect with --all-functions", option));
}

constexpr const char* row = "{:<10} {:>12} {:>11} {:>22} {:>11} {:>22} {:>6}{}\n";

// The sum over directions of a summary: misrounded and lost results, and the largest error.
struct Sum {
  std::uint64_t misrounded = 0;
  std::uint64_t lost = 0;
  std::optional<double> error;

  void add(const result::Json& direction) {
    misrounded += direction.at("misrounded").get<std::uint64_t>();
    lost += direction.at("lost").get<std::uint64_t>();
    const result::Json& largest =
        direction.at("largest_error"); // null: no error, or an infinite one, which has a place
    if (largest.is_number())
      error = std::max(error.value_or(0), std::fabs(largest.get<double>()));
    else if (!direction.at("x").get_ref<const std::string&>().empty())
      error = std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] std::string error_words() const { return error ? report::error_text(*error) + " ulp" : "none"; }
};

// promise: whether one was requested.
void print_row(const std::string& symbol, const result::Json& summary, bool promise_asked) {
  Sum nearest;
  Sum directed;
  for (const result::Json& direction : summary.at("directions"))
    (direction.at("rounding") == "nearest" ? nearest : directed).add(direction);
  std::string promise;
  if (promise_asked)
    promise = fmt::format("  {} {}", summary["promise"].at("text").get<std::string>(),
                          summary["promise"].at("broken") == 0 ? "kept" : "broken");
  fmt::print(fmt::runtime(row), symbol, summary.at("arguments").get<std::uint64_t>(), nearest.misrounded,
             nearest.error_words(), directed.misrounded, directed.error_words(), nearest.lost + directed.lost, promise);
  flush_output();
}

int status_of(const result::Json& summary, bool promise_asked) {
  if (promise_asked && summary["promise"].at("broken") != 0)
    return static_cast<int>(Status::unsound);
  const bool is_partial = summary.contains("not_called") && (summary["not_called"] != 0 || summary["undecided"] != 0);
  return is_partial ? static_cast<int>(Status::partial) : 0;
}

// The reason why the function cannot be called: the library lacks it, or cannot be loaded.
std::optional<UsageError> refusal_of(const LibmTarget& target) {
  try {
    (void)target.open()->call(1, library::CalledFunction::any_number);
  } catch (const UsageError& refusal) {
    return refusal;
  }
  return std::nullopt;
}

std::string test(LibmRun& run, const cxxopts::ParseResult& parsed, bool at_all_arguments) {
  if (at_all_arguments)
    return report::all_records(run.head, run.call_for_all(), run.job.format);
  const library::ScanRequest request = scan_request(parsed);
  run.head["seed"] = request.seed;
  return report::scan_records(run.head, run.take_samples(request), run.job.format);
}

} // namespace

int libm_all_functions(const cxxopts::ParseResult& parsed, bool at_all_arguments) {
  refuse_without_effect(parsed);
  const Format format = find_format(parsed.count("format") != 0 ? values_of(parsed, "format").back() : "binary64");
  const auto promise = promise_of(parsed);
  const auto page = LibmPage::asked(parsed);
  std::optional<LibmRecords> done;
  std::string tested;
  std::vector<std::string> absent;
  std::optional<UsageError> refusal;
  int status = 0;
  bool has_rows = false;
  for (const FunctionInfo& info : list_functions()) {
    const auto function = function::function_of(info.name);
    if (!function->is_in_c)
      continue;
    LibmRun run;
    run.promise = promise;
    run.begin(*function, format, libm_target(parsed, *function, format));
    const std::string symbol = run.head.at("symbol");
    if (!done)
      done.emplace(parsed, run.head, at_all_arguments);
    std::string records = done->find(symbol, run.promise);
    if (records.empty()) {
      refusal = refusal_of(run.target);
      if (refusal) {
        absent.push_back(symbol);
        continue;
      }
      records = test(run, parsed, at_all_arguments);
      done->add(symbol, records);
    }
    if (!has_rows)
      fmt::print(fmt::runtime(row), "function", "arguments", "to nearest", "largest error", "directed", "largest error",
                 "lost", "");
    has_rows = true;
    tested += records;
    print_row(symbol, summary_of(records), run.promise.has_value());
    status = std::max(status, status_of(summary_of(records), run.promise.has_value()));
  }
  if (!has_rows && refusal)
    throw *std::move(refusal);
  if (!absent.empty())
    fmt::print("absent: {}\n", fmt::join(absent, ", "));
  if (page)
    page->write(tested);
  return status;
}

} // namespace tmd::app
