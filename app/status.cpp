// tmd status: shows the progress of a search by its journal.
#include "commands.hpp"
#include "options.hpp"
#include "search_powers.hpp"
#include "standard_streams.hpp"

#include "report/progress.hpp"
#include "result/journal.hpp"
#include "result/reader.hpp"
#include "result/record.hpp"
#include "result/recorded_search.hpp"
#include "result/records.hpp"
#include "result/wc.hpp"
#include "support/text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tmd::app {

namespace {

struct SearchStatus {
  std::string state; // `complete`, `running`, `interrupted`
  result::EntryCounts found;
  uint128 partial = 0; // arguments in the finished parts of incomplete claims
  double share = 0;
  double rate = 0;                    // arguments searched a second in the last run
  std::optional<double> seconds_left; // empty if the search has ended or nothing is known
};

SearchStatus status_of(const result::JournalContents& contents, const result::EntryCounts& found, bool is_running) {
  SearchStatus status;
  status.found = found;
  status.found.exact += contents.result.exact.unlisted();
  const auto all = static_cast<double>(contents.job().size());
  status.partial = contents.result.partial_arguments();
  const auto left =
      all - static_cast<double>(contents.result.arguments() + contents.result.left_out.size() + status.partial);
  status.state = contents.is_complete() ? "complete" : is_running ? "running" : "interrupted";
  status.share = (all - left) / all;
  if (!contents.runs.empty() && contents.runs.back().seconds > 0) {
    // The first run starts with all ranges that are known at once.
    const uint128 known = contents.runs.size() > 1 ? uint128(0)
                                                   : contents.result.arguments_of_regimes(true) +
                                                         contents.result.arguments_of_regimes(false);
    const uint128 done = contents.runs.back().arguments;
    status.rate = static_cast<double>(done - std::min(done, known)) / contents.runs.back().seconds;
  }
  if (!contents.is_complete() && status.rate > 0)
    status.seconds_left = left / status.rate;
  return status;
}

std::string table(const result::JournalContents& contents, const SearchStatus& status) {
  const result::SearchResult& result = contents.result;
  const result::EntryCounts& found = status.found;
  const auto row = [](std::string_view name, const std::string& text) {
    return fmt::format("  {:<10} {}\n", name, text);
  };
  std::string text = fmt::format("{}\n", result::describe(contents.job()));
  text += row("state", status.state);
  text += row(
      "arguments",
      fmt::format("{} of {} covered{} ({:.2f} %){}", to_string(result.arguments()), to_string(contents.job().size()),
                  status.partial > 0 ? fmt::format(", {} more in unfinished binades", to_string(status.partial)) : "",
                  100 * status.share, result.is_partial() ? ", some left out: PARTIAL" : ""));
  text += row("found", fmt::format("{}, {} exact{}", support::counted(found.hard, "case"), found.exact,
                                   found.undecided == 0 ? "" : fmt::format(", {} UNDECIDED", found.undecided)));
  text += row("time",
              fmt::format("{} in {}{}", report::duration(result.seconds), support::counted(contents.runs.size(), "run"),
                          contents.runs.empty() ? "" : ", the last from " + contents.runs.back().begun));
  if (status.rate > 0)
    text += row("rate", fmt::format("{:.2e} arguments/s in the last run", status.rate));
  if (status.seconds_left)
    text += row("left", report::duration(*status.seconds_left));
  for (const result::JournalDevice& device : contents.devices)
    text += row("device", fmt::format("{} ({}){}: {} arguments, {}{}", device.name, device.platform,
                                      device.host.empty() ? "" : " of " + device.host, to_string(device.arguments),
                                      support::counted(device.cases, "case"),
                                      device.revoked ? "; it was FAULTY, and what it had done does not count" : ""));
  return text;
}

std::string record(const result::JournalContents& contents, const SearchStatus& status) {
  const result::SearchResult& result = contents.result;
  result::Json record = result::first_record(
      "status", contents.header.program,
      {{"job", contents.job().identity()},
       {"command", contents.header.command},
       {"state", status.state},
       {"arguments", result::to_json(result.arguments())},
       {"begun", result::to_json(status.partial)},
       {"of", result::to_json(contents.job().size())},
       {"left_out", result::to_json(result.left_out.size())},
       {"cases", status.found.hard},
       {"exact", result::to_json(uint128(status.found.exact))},
       {"undecided", status.found.undecided},
       {"seconds", result.seconds},
       {"arguments_per_second", status.rate > 0 ? result::Json(status.rate) : result::Json(nullptr)},
       {"seconds_left", status.seconds_left ? result::Json(*status.seconds_left) : result::Json(nullptr)},
       {"runs", result::Json::array()},
       {"devices", result::Json::array()}});
  for (const result::JournalRun& run : contents.runs)
    record["runs"].push_back(
        {{"begun", run.begun}, {"arguments", result::to_json(run.arguments)}, {"seconds", run.seconds}});
  for (const result::JournalDevice& device : contents.devices) {
    record["devices"].push_back({{"name", device.name},
                                 {"class", device.class_name},
                                 {"platform", device.platform},
                                 {"driver", device.driver},
                                 {"index", device.index},
                                 {"arguments", result::to_json(device.arguments)},
                                 {"cases", device.cases},
                                 {"seconds", device.seconds},
                                 {"faulty", device.revoked}});
    if (!device.host.empty())
      record["devices"].back()["host"] = device.host;
  }
  return result::record_line(record);
}

} // namespace

cxxopts::Options status_options() {
  cxxopts::Options options("tmd status", "Shows the progress of a search, also while it runs.");
  options.custom_help("JOURNAL [OPTION ...]");
  auto add = options.add_options();
  add("json", "write it as a JSON record", cxxopts::value<std::string>(), "FILE");
  add("h,help", "this text");
  options.add_options("positional")("journal", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"journal"});
  options.positional_help("").set_width(120);
  return options;
}

int status(const Arguments& arguments) {
  cxxopts::Options options = status_options();
  const auto parsed = parse(options, "status", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help({""}));
    return 0;
  }
  const std::vector<std::string> names = values_of(parsed, "journal");
  if (names.empty())
    throw UsageError("no journal given");
  if (names.size() > 1)
    throw UsageError(fmt::format("unexpected argument '{}': one journal at a time", names[1]));
  const std::optional<support::AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  if (result::open_result(names.front()).kind == result::FileKind::pair_journal) {
    const PowerStatus status = power_status(names.front());
    if (json)
      json->commit(status.record);
    fmt::print("{}", status.table);
    return static_cast<int>(Status::done);
  }
  result::EntryCounts found; // not kept, because there may be millions
  const result::JournalContents contents =
      result::read_journal(names.front(), [&](const Case& one) { found.add(one.kind); });
  const SearchStatus status = status_of(contents, found, result::is_being_written(names.front()));
  if (json)
    json->commit(record(contents, status));
  fmt::print("{}", table(contents, status));
  return static_cast<int>(Status::done);
}

} // namespace tmd::app
