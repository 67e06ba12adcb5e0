// The progress of a search by boxes: pairs by their lines, and the remaining time by the estimated cost.
#include "search_powers.hpp"

#include "report/progress.hpp"
#include "result/journal.hpp"
#include "result/reader.hpp"
#include "result/records.hpp"
#include "support/text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tmd::app {

PowerStatus power_status(const std::string& journal) {
  const result::ResultText text = result::open_result(journal);
  const pairs::PowerJournalContents contents = pairs::parse_power_journal(text.text, text.name);
  const pairs::PairJob& job = contents.header.job;
  const pairs::PowerLines lines(job);
  const job::Coverage& wanted = contents.header.wanted;
  const double done = pairs::estimate_of(lines, contents.done, job).cost();
  const double left = pairs::estimate_of(lines, contents.done.complement_in(wanted), job).cost();
  const bool is_complete = contents.done == wanted;
  const std::string state = is_complete ? "complete" : result::is_being_written(journal) ? "running" : "interrupted";
  double seconds = 0;
  for (const auto& run : contents.runs)
    seconds += run.seconds;
  const double rate = contents.runs.empty() || contents.runs.back().seconds <= 0
                          ? 0
                          : contents.runs.back().cost / contents.runs.back().seconds;
  const bool is_known = !is_complete && rate > 0; // whether the remaining time is known
  const double share = is_complete ? 1 : done / std::max(done + left, 1.0);
  const uint128 pairs = lines.pairs(contents.done);
  const uint128 all = lines.pairs(wanted);
  PowerStatus status;
  status.table =
      fmt::format("{}\n  state      {}\n  pairs      {} of {}; {:.2f} % of the work\n  found      {}, {} exact\n"
                  "  time       {} in {}\n",
                  pairs::describe(job), state, to_string(pairs), to_string(all), 100 * share,
                  support::counted(contents.cases.size(), "case"), to_string(contents.work.found.exact()),
                  report::duration(seconds), support::counted(contents.runs.size(), "run"));
  if (rate > 0)
    status.table += fmt::format("  rate       {:.2e} boxes/s in the last run\n", rate);
  if (is_known)
    status.table += fmt::format("  left       {}\n", report::duration(left / rate));
  for (const result::JournalDevice& device : contents.devices)
    status.table += fmt::format("  device     {} ({}): {} pairs, {}{}\n", device.name, device.platform,
                                to_string(device.arguments), support::counted(device.cases, "case"),
                                device.revoked ? "; it was FAULTY, and what it had done does not count" : "");
  status.record = result::record_line(
      result::first_record("pair_status", contents.header.program,
                           {{"command", contents.header.command},
                            {"state", state},
                            {"pairs", result::to_json(pairs)},
                            {"of", result::to_json(all)},
                            {"share", share},
                            {"cases", contents.cases.size()},
                            {"exact", result::to_json(contents.work.found.exact())},
                            {"seconds", seconds},
                            {"boxes_per_second", rate > 0 ? result::Json(rate) : result::Json(nullptr)},
                            {"seconds_left", is_known ? result::Json(left / rate) : result::Json(nullptr)}}));
  return status;
}

} // namespace tmd::app
