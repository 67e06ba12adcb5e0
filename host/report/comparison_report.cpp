// A comparison as a table for people, one row for each combination, and as JSON Lines with the same figures.
#include "report/comparison_report.hpp"

#include "opencl/cpu_mode.hpp"
#include "result/record.hpp"
#include "result/records.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::report {

namespace {

using State = ComparisonCell::State;

// Three digits, or more if the integer part has more.
std::string digits(double value) {
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:#.3g}", value);
}

// The CPU mode of the stage that did most of the work, if known.
std::string in_effect(const ComparisonCell& cell) {
  const result::RecordedSearch& run = cell.median();
  std::string mode;
  double most = -1;
  for (const engine::Stage& one : run.summary->stages)
    if (const auto found = run.modes_in_effect.find(std::string(one.name));
        found != run.modes_in_effect.end() && one.seconds > most) {
      mode = found->second;
      most = one.seconds;
    }
  return opencl::known_mode(mode);
}

// The stages in which some cell has spent time, with zero counts.
engine::Stages used_stages(const Comparison& comparison) {
  engine::Stages used;
  for (const ComparisonCell& cell : comparison.cells)
    if (cell.state == State::done)
      engine::add(used, cell.median().summary->stages);
  std::erase_if(used, [](const engine::Stage& one) { return one.seconds == 0; });
  return used;
}

// The heading of a stage's column, whose width is that of the column.
std::string heading(const engine::Stage& stage) {
  std::string title(stage.title.substr(stage.title.find_first_not_of(' ')));
  return fmt::format("{:>{}}", title, std::max<std::size_t>(9, title.size() + 2));
}

std::string row(const Comparison& comparison, const ComparisonCell& cell, const engine::Stages& columns) {
  const bool best = comparison.fastest(cell.device) == &cell;
  std::string text =
      fmt::format("{} {:<14}{:<8}{:<7}", best ? '*' : ' ', cell.algorithm, cell.cpu_mode, cell.deployment);
  if (cell.state == State::waiting)
    return text + " not run\n";
  if (cell.state != State::done)
    return text + fmt::format(" {}: {}\n", cell.state == State::failed ? "failed" : "WRONG", cell.failure);
  const result::RecordedSearch& run = cell.median();
  for (const engine::Stage& column : columns) { // blank if there was nothing to do
    const double seconds = engine::stage(run.summary->stages, column.name).seconds;
    text += fmt::format("{:>{}}", seconds == 0 ? "" : digits(seconds), heading(column).size());
  }
  for (const double seconds : {cell.device_seconds(), run.summary->idle.seconds(), run.summary->seconds})
    text += fmt::format("{:>9}", digits(seconds));
  const auto gain = comparison.gain(cell);
  const auto nmdm = comparison.nmdm_of(cell);
  text += fmt::format("{:>12.2e}{:>8}{:>7}{:>8}", Comparison::rate(cell), digits(comparison.ratio(cell)),
                      gain ? digits(*gain) : "", nmdm ? fmt::format("{:.1f} %", 100 * *nmdm) : "");
  text += fmt::format("  {}", in_effect(cell));
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

result::Json or_null(const std::optional<double>& value) {
  return value ? result::Json(*value) : result::Json(nullptr);
}

result::Json cell_record(const Comparison& comparison, const ComparisonCell& cell) {
  result::Json record = result::plain_record(
      "cell", {{"device", comparison.devices.at(cell.device).index},
               {"algorithm", cell.algorithm},
               {"cpu_mode", {{"asked", cell.cpu_mode}, {"in_effect", nullptr}}},
               {"deployment", cell.deployment},
               {"state", std::array{"waiting", "done", "failed", "differing"}.at(static_cast<unsigned>(cell.state))},
               {"failure", cell.failure.empty() ? result::Json(nullptr) : result::Json(cell.failure)}});
  if (cell.state != State::done)
    return record;
  const result::RecordedSearch& run = cell.median();
  if (!run.modes_in_effect.empty())
    record["cpu_mode"]["in_effect"] = run.modes_in_effect;
  record["seconds"] = {
      {"device", cell.device_seconds()}, {"planning", run.summary->planning_seconds}, {"wall", run.summary->seconds}};
  for (const engine::Stage& one : run.summary->stages)
    record["seconds"][std::string(one.name)] = one.seconds;
  result::write_idle(record, run.summary->idle);
  record["device_seconds_of_runs"] = result::Json::array();
  for (const result::RecordedSearch& other : cell.runs)
    record["device_seconds_of_runs"].push_back(engine::seconds_of(other.summary->stages));
  record["cases"] = run.entries.hard;
  record["arguments_per_second"] = Comparison::rate(cell);
  record["ratio"] = comparison.ratio(cell);
  record["gain"] = or_null(comparison.gain(cell));
  record["best"] = comparison.fastest(cell.device) == &cell;
  record["nmdm"] = or_null(comparison.nmdm_of(cell));
  return record;
}

} // namespace

std::string comparison_table(const Comparison& comparison) {
  const bool with_modes = std::any_of(comparison.cells.begin(), comparison.cells.end(), [](const ComparisonCell& cell) {
    return cell.state == State::done && !in_effect(cell).empty();
  });
  const engine::Stages columns = used_stages(comparison);
  std::string text = fmt::format("  {:<14}{:<8}{:<7}", "algorithm", "mode", "kernels");
  for (const engine::Stage& column : columns)
    text += heading(column);
  text += fmt::format("{:>9}{:>9}{:>9}{:>12}{:>8}{:>7}{:>8}{}\n", "device", "idle", "wall", "arguments/s", "ratio",
                      "gain", "NMDM", with_modes ? "  mode in effect" : "");
  for (std::size_t device = 0; device < comparison.devices.size(); ++device) {
    const ComparedDevice& description = comparison.devices[device];
    text += fmt::format("device {}: {} ({}), {}, SIMD width {}\n", description.index, description.name,
                        description.platform, description.device_class, description.simd_width);
    for (const ComparisonCell& cell : comparison.cells)
      if (cell.device == device)
        text += row(comparison, cell, columns);
  }
  text +=
      "Seconds of the device by stage and together, those in which it was idle, and of the whole search. ratio: the\n"
      "slowest row's device time to this one's. gain: Lefèvre's to this one's. NMDM (normalized mean deviation to the\n"
      "maximum): the share of the time that SIMD groups lose by waiting for their longest. * best of its device\n";
  const ComparisonCell* fastest = comparison.fastest();
  if (fastest != nullptr)
    text += fmt::format("{} in {}; fastest: {}\n", support::counted(fastest->median().entries.hard, "case"),
                        comparison.count(State::done) == comparison.cells.size()
                            ? "every row, the same"
                            : fmt::format("{} of {} rows", comparison.count(State::done), comparison.cells.size()),
                        comparison.describe(*fastest));
  return text;
}

std::string comparison_records(const Comparison& comparison, double seconds) {
  result::Json head =
      result::first_record("comparison", result::running_program(comparison.kernels), {{"job", comparison.job}});
  head["devices"] = result::Json::array();
  for (const ComparedDevice& device : comparison.devices)
    head["devices"].push_back({{"index", device.index},
                               {"name", device.name},
                               {"class", device.device_class},
                               {"platform", device.platform},
                               {"driver", device.driver},
                               {"simd_width", device.simd_width}});
  head["nmdm"] = result::Json::object();
  for (const auto& [algorithm, by_width] : comparison.nmdm)
    for (const auto& [width, value] : by_width)
      head["nmdm"][algorithm][std::to_string(width)] = value;
  std::string text = result::record_line(head);
  for (const ComparisonCell& cell : comparison.cells)
    text += result::record_line(cell_record(comparison, cell));
  const ComparisonCell* fastest = comparison.fastest();
  result::Json summary = result::plain_record(
      "summary",
      {{"cells", comparison.cells.size()},
       {"done", comparison.count(State::done)},
       {"failed", comparison.count(State::failed)},
       {"differing", comparison.count(State::differing)},
       {"cases", fastest != nullptr ? result::Json(fastest->median().entries.hard) : result::Json(nullptr)},
       {"fastest", fastest != nullptr ? result::Json(fastest - comparison.cells.data()) : result::Json(nullptr)},
       {"seconds", seconds}});
  return text + result::record_line(summary);
}

} // namespace tmd::report
