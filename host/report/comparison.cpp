#include "report/comparison.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view lefevre = "lefevre";

// Calls use(record, its text) for every line that is a record: drivers may have printed others.
template <typename Use> void each_record(std::string_view lines, const Use& use) {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    if (const Json record = Json::parse(line, nullptr, false); record.is_object() && record.contains("type"))
      use(record, line);
  }
}

std::string argument_of(const std::string& record) { return Json::parse(record).value("x", "?"); }

// What one run has and the other has not, in words.
std::string difference(const std::vector<std::string>& wanted, const std::vector<std::string>& found) {
  const std::set<std::string> all_wanted(wanted.begin(), wanted.end());
  const std::set<std::string> all_found(found.begin(), found.end());
  std::string text = fmt::format("{} records instead of {}", found.size(), wanted.size());
  for (const std::string& record : wanted)
    if (!all_found.contains(record))
      return text + fmt::format("; {} is missing", argument_of(record));
  for (const std::string& record : found)
    if (!all_wanted.contains(record))
      return text + fmt::format("; {} is too much", argument_of(record));
  return text + "; they are in another order";
}

} // namespace

std::map<unsigned, double> read_divergence_record(std::string_view lines) {
  std::map<unsigned, double> result;
  try {
    each_record(lines, [&](const Json& record, std::string_view) {
      if (record.at("type") == "divergence")
        for (const auto& [width, value] : record.at("nmdm").items())
          result[static_cast<unsigned>(std::stoul(width))] = value;
    });
  } catch (const std::exception&) {
    result.clear();
  }
  if (result.empty())
    throw DeviceError("its record is not complete");
  return result;
}

const RecordedSearch& ComparisonCell::median() const {
  std::vector<const RecordedSearch*> sorted;
  for (const RecordedSearch& run : runs)
    sorted.push_back(&run);
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end(), [](const RecordedSearch* a, const RecordedSearch* b) {
    return seconds_of(a->stages) < seconds_of(b->stages);
  });
  return **middle;
}

void Comparison::add(std::size_t cell, RecordedSearch run) {
  ComparisonCell& target = cells.at(cell);
  const auto first =
      std::find_if(cells.begin(), cells.end(), [](const ComparisonCell& other) { return !other.runs.empty(); });
  if (first == cells.end() ||
      (first->runs.front().found == run.found && first->runs.front().arguments == run.arguments)) {
    target.state = ComparisonCell::State::done;
    target.runs.push_back(std::move(run));
    return;
  }
  const RecordedSearch& reference = first->runs.front();
  target.state = ComparisonCell::State::differing;
  target.failure = fmt::format("it found other cases than {}: {}", describe(*first),
                               reference.found == run.found ? "of another number of arguments"
                                                            : difference(reference.found, run.found));
  target.runs.clear();
}

std::size_t Comparison::count(ComparisonCell::State state) const {
  return static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [&](const ComparisonCell& cell) { return cell.state == state; }));
}

const ComparisonCell* Comparison::fastest(std::optional<std::size_t> device) const {
  const ComparisonCell* best = nullptr;
  for (const ComparisonCell& cell : cells)
    if (cell.state == ComparisonCell::State::done && (!device || cell.device == *device) &&
        (best == nullptr || cell.device_seconds() < best->device_seconds()))
      best = &cell;
  return best;
}

double Comparison::ratio(const ComparisonCell& cell) const {
  double slowest = 0;
  for (const ComparisonCell& other : cells)
    if (other.state == ComparisonCell::State::done)
      slowest = std::max(slowest, other.device_seconds());
  return slowest / std::max(cell.device_seconds(), 1e-9);
}

std::optional<double> Comparison::gain(const ComparisonCell& cell) const {
  const ComparisonCell* base = nullptr;
  for (const ComparisonCell& other : cells)
    if (other.state == ComparisonCell::State::done && other.device == cell.device && other.cpu_mode == cell.cpu_mode &&
        other.deployment == cell.deployment && other.algorithm.rfind(lefevre, 0) == 0 &&
        (base == nullptr || other.algorithm == lefevre))
      base = &other;
  if (base == nullptr || base == &cell)
    return std::nullopt;
  return base->device_seconds() / std::max(cell.device_seconds(), 1e-9);
}

std::optional<double> Comparison::nmdm_of(const ComparisonCell& cell) const {
  const auto of_test = nmdm.find(cell.algorithm);
  if (of_test == nmdm.end() || cell.cpu_mode == "scalar") // one by one, nobody waits
    return std::nullopt;
  const auto found = of_test->second.find(devices.at(cell.device).simd_width);
  return found == of_test->second.end() ? std::nullopt : std::optional(found->second);
}

double Comparison::rate(const ComparisonCell& cell) {
  return cell.median().arguments / std::max(cell.device_seconds(), 1e-9);
}

std::string Comparison::describe(const ComparisonCell& cell) const {
  return fmt::format("device {}, {}, CPU mode {}, deployment {}", devices.at(cell.device).index, cell.algorithm,
                     cell.cpu_mode, cell.deployment);
}

} // namespace tmd
