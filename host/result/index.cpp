#include "result/index.hpp"

#include "result/record.hpp"
#include "result/records.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tmd::result {

namespace {

// Escapes bars, which end a column in Markdown's tables.
std::string in_table(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|')
      result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string hardest_text(const RecordedSearch& result) {
  std::string text;
  for (const auto& [kind, one] : result.entries.hardest)
    text += fmt::format("{}`{}` {:.4f} ({})", text.empty() ? "" : "<br>", to_hex(one.x), *one.bits, kind);
  return text;
}

std::string result_columns(const IndexEntry& entry) {
  if (!entry.result)
    return fmt::format("{} | | | | | | | | |",
                       entry.failure.empty() ? "not done" : "failed: " + in_table(entry.failure));
  const RecordedSearch& result = *entry.result;
  const Summary& summary = *result.summary;
  const std::string regimes = result.regimes.empty() ? ""
                                                     : fmt::format("{}: {} all cases, {} none", result.regimes.size(),
                                                                   tmd::to_string(*summary.cases_in_ranges),
                                                                   tmd::to_string(*summary.none_in_ranges));
  const std::string left_out = summary.partial ? "PARTIAL: " + tmd::to_string(result.arguments_left_out()) : "";
  return fmt::format("{} | {:.1f} | {} | {} | {} | {} | {} | {:.2f} | {} |", result.entries.hard, expected_cases(entry),
                     hardest_text(result), tmd::to_string(summary.exact), result.entries.undecided, regimes, left_out,
                     summary.seconds, in_table(fmt::format("{}", fmt::join(result.devices, ", "))));
}

std::string values_text(const IndexEntry& entry) {
  return fmt::format("{}{}", to_string(entry.job.values),
                     entry.symmetry == Symmetry::none ? "" : fmt::format(", {}", to_string(entry.symmetry)));
}

} // namespace

double expected_cases(const IndexEntry& entry) {
  return job::expected_cases(entry.job, entry.result ? entry.result->summary->searched() : entry.job.size());
}

std::string index_page(const std::vector<IndexEntry>& entries) {
  std::string text = "| search | function | range | format | breakpoints | values | K | cases | expected | hardest, in "
                     "bits | exact | undecided | ranges of arguments | left out | seconds | device |\n"
                     "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const IndexEntry& entry : entries) {
    const job::Job& job = entry.job;
    const format::ArgumentSet arguments = job.arguments();
    text += fmt::format("| {} | `{}` | [{}, {}) | {}, arguments of {} bits | {} | {} | {} | {}\n", entry.name,
                        in_table(job.function->name), to_hex(arguments.at(job.first)), to_hex(arguments.at(job.last)),
                        job.format.name, job.argument_precision, to_string(job.rounding), values_text(entry), job.K,
                        result_columns(entry));
  }
  return text;
}

std::string index_json(const std::vector<IndexEntry>& entries) {
  Json searches = Json::array();
  for (const IndexEntry& entry : entries) {
    const job::Job& job = entry.job;
    const format::ArgumentSet arguments = job.arguments();
    Json record{{"name", entry.name},
                {"job", job.identity()},
                {"function", job.function->name},
                {"from", to_hex(arguments.at(job.first))},
                {"to", to_hex(arguments.at(job.last))},
                {"values", to_string(job.values)},
                {"symmetry", entry.symmetry == Symmetry::none ? Json(nullptr) : Json(to_string(entry.symmetry))},
                {"bits", job.K},
                {"expected", expected_cases(entry)},
                {"done", entry.result.has_value()}};
    if (entry.result) {
      const RecordedSearch& result = *entry.result;
      const Summary& summary = *result.summary;
      record["cases"] = result.entries.hard;
      record["exact"] = to_json(summary.exact);
      record["undecided"] = result.entries.undecided;
      record["regimes"] = result.regimes.size();
      record["cases_in_ranges"] = to_json(*summary.cases_in_ranges);
      record["none_in_ranges"] = to_json(*summary.none_in_ranges);
      record["partial"] = summary.partial;
      record["left_out"] = to_json(result.arguments_left_out());
      record["hardest"] = Json::object();
      for (const auto& [kind, one] : result.entries.hardest)
        record["hardest"][kind] = {{"x", to_hex(one.x)}, {"bits", *one.bits}};
      record["seconds"] = summary.seconds;
      record["device"] = fmt::format("{}", fmt::join(result.devices, ", "));
    } else if (!entry.failure.empty()) {
      record["failure"] = entry.failure;
    }
    searches.push_back(std::move(record));
  }
  return first_record("index", running_program(), {{"searches", std::move(searches)}})
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

} // namespace tmd::result
