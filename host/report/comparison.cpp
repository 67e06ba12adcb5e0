// A cell collects the runs of one combination. A run that found other cases than the first run of the comparison marks
// its cell as different, and the first difference is named; times are compared by the median run of each cell.
#include "report/comparison.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view lefevre = "lefevre";

// Calls use(record, its text) for every line that is a record; drivers may have printed other lines.
template <typename Use> void each_record(std::string_view lines, const Use& use) {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    if (const Json record = Json::parse(line, nullptr, false); record.is_object() && record.contains("type"))
      use(record, line);
  }
}

std::vector<result::FoundEntry> by_argument(const result::RecordedSearch& run) {
  std::vector<result::FoundEntry> entries = run.found;
  std::stable_sort(entries.begin(), entries.end(), [](const result::FoundEntry& left, const result::FoundEntry& right) {
    return compare(left.x, right.x) < 0;
  });
  return entries;
}

// Compares all but the line numbers.
bool say_the_same(const result::FoundEntry& left, const result::FoundEntry& right) {
  return left.x == right.x && left.kind == right.kind && left.bits == right.bits && left.breakpoint == right.breakpoint;
}

// Describes what one run has found and the other has not.
std::string difference(const result::RecordedSearch& wanted, const result::RecordedSearch& found) {
  const std::string text = fmt::format("{} entries instead of {}", found.found.size(), wanted.found.size());
  const std::vector<result::FoundEntry> all_wanted = by_argument(wanted);
  const std::vector<result::FoundEntry> all_found = by_argument(found);
  const auto [missing, extra] =
      std::mismatch(all_wanted.begin(), all_wanted.end(), all_found.begin(), all_found.end(), say_the_same);
  if (missing == all_wanted.end() && extra == all_found.end())
    return text + "; they are in another order, or their ranges differ";
  const bool is_missing =
      extra == all_found.end() || (missing != all_wanted.end() && compare(missing->x, extra->x) <= 0);
  return text +
         fmt::format("; {} is {}", to_hex((is_missing ? missing : extra)->x), is_missing ? "missing" : "too much");
}

bool have_found_the_same(const result::RecordedSearch& one, const result::RecordedSearch& other) {
  const auto same_range = [](const result::RegimeEntry& left, const result::RegimeEntry& right) {
    return left.range.ranks == right.range.ranks && left.range.regime == right.range.regime;
  };
  return std::equal(one.found.begin(), one.found.end(), other.found.begin(), other.found.end(), say_the_same) &&
         std::equal(one.regimes.begin(), one.regimes.end(), other.regimes.begin(), other.regimes.end(), same_range);
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

const result::RecordedSearch& ComparisonCell::median() const {
  std::vector<const result::RecordedSearch*> sorted;
  for (const result::RecordedSearch& run : runs)
    sorted.push_back(&run);
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end(),
                   [](const result::RecordedSearch* a, const result::RecordedSearch* b) {
                     return engine::seconds_of(a->summary->stages) < engine::seconds_of(b->summary->stages);
                   });
  return **middle;
}

void Comparison::add(std::size_t cell, result::RecordedSearch run) {
  ComparisonCell& target = cells.at(cell);
  const auto first =
      std::find_if(cells.begin(), cells.end(), [](const ComparisonCell& other) { return !other.runs.empty(); });
  const auto have_same_size = [&] { return first->runs.front().summary->arguments == run.summary->arguments; };
  if (first == cells.end() || (have_found_the_same(first->runs.front(), run) && have_same_size())) {
    target.state = ComparisonCell::State::done;
    target.runs.push_back(std::move(run));
    return;
  }
  const result::RecordedSearch& reference = first->runs.front();
  target.state = ComparisonCell::State::differing;
  target.failure =
      fmt::format("it found other cases than {}: {}", describe(*first),
                  have_found_the_same(reference, run) ? "of another number of arguments" : difference(reference, run));
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
  if (of_test == nmdm.end() || cell.cpu_mode == "scalar") // one by one: no work-item waits for another
    return std::nullopt;
  const auto found = of_test->second.find(devices.at(cell.device).simd_width);
  return found == of_test->second.end() ? std::nullopt : std::optional(found->second);
}

double Comparison::rate(const ComparisonCell& cell) {
  return static_cast<double>(cell.median().summary->arguments) / std::max(cell.device_seconds(), 1e-9);
}

std::string Comparison::describe(const ComparisonCell& cell) const {
  return fmt::format("device {}, {}, CPU mode {}, deployment {}", devices.at(cell.device).index, cell.algorithm,
                     cell.cpu_mode, cell.deployment);
}

} // namespace tmd::report
