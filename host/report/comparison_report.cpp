#include "report/comparison_report.hpp"

#include "opencl/cpu_mode.hpp"
#include "result/schema.hpp"
#include "support/gnuplot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd {

namespace {

using Json = nlohmann::ordered_json;
using State = ComparisonCell::State;

// Three digits, or more where they are before the point.
std::string digits(double value) {
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:#.3g}", value);
}

// CPU mode of the stage that did most of the work, where it is known.
std::string in_effect(const ComparisonCell& cell) {
  const RecordedSearch& run = cell.median();
  std::string mode;
  double most = -1;
  for (const Stage& one : run.stages)
    if (const auto found = run.modes_in_effect.find(std::string(one.name));
        found != run.modes_in_effect.end() && one.seconds > most) {
      mode = found->second;
      most = one.seconds;
    }
  return opencl::known_mode(mode);
}

// The stages in which some cell has spent time, with nothing counted.
Stages used_stages(const Comparison& comparison) {
  Stages used;
  for (const ComparisonCell& cell : comparison.cells)
    if (cell.state == State::done)
      add(used, cell.median().stages);
  std::erase_if(used, [](const Stage& one) { return one.seconds == 0; });
  return used;
}

// A stage's column: as wide as its title.
std::string heading(const Stage& stage) {
  std::string title(stage.title.substr(stage.title.find_first_not_of(' ')));
  return fmt::format("{:>{}}", title, std::max<std::size_t>(9, title.size() + 2));
}

std::string row(const Comparison& comparison, const ComparisonCell& cell, const Stages& columns, bool with_watts) {
  const bool best = comparison.fastest(cell.device) == &cell;
  std::string text =
      fmt::format("{} {:<14}{:<8}{:<7}", best ? '*' : ' ', cell.algorithm, cell.cpu_mode, cell.deployment);
  if (cell.state == State::waiting)
    return text + " not run\n";
  if (cell.state != State::done)
    return text + fmt::format(" {}: {}\n", cell.state == State::failed ? "failed" : "WRONG", cell.failure);
  const RecordedSearch& run = cell.median();
  for (const Stage& column : columns) { // blank where there was nothing of the kind to do
    const double seconds = stage(run.stages, column.name).seconds;
    text += fmt::format("{:>{}}", seconds == 0 ? "" : digits(seconds), heading(column).size());
  }
  for (const double seconds : {cell.device_seconds(), run.seconds})
    text += fmt::format("{:>9}", digits(seconds));
  const auto gain = comparison.gain(cell);
  const auto nmdm = comparison.nmdm_of(cell);
  text += fmt::format("{:>12.2e}{:>8}{:>7}{:>8}", Comparison::rate(cell), digits(comparison.ratio(cell)),
                      gain ? digits(*gain) : "", nmdm ? fmt::format("{:.1f} %", 100 * *nmdm) : "");
  if (with_watts) {
    const auto per_joule = comparison.arguments_per_joule(cell);
    text += fmt::format("{:>12}", per_joule ? fmt::format("{:.2e}", *per_joule) : "");
  }
  text += fmt::format("  {}", in_effect(cell));
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json cell_record(const Comparison& comparison, const ComparisonCell& cell) {
  Json record{{"type", "cell"},
              {"device", comparison.devices.at(cell.device).index},
              {"algorithm", cell.algorithm},
              {"cpu_mode", {{"asked", cell.cpu_mode}, {"in_effect", nullptr}}},
              {"deployment", cell.deployment},
              {"state", std::array{"waiting", "done", "failed", "differing"}.at(static_cast<unsigned>(cell.state))},
              {"failure", cell.failure.empty() ? Json(nullptr) : Json(cell.failure)}};
  if (cell.state != State::done)
    return record;
  const RecordedSearch& run = cell.median();
  if (!run.modes_in_effect.empty())
    record["cpu_mode"]["in_effect"] = run.modes_in_effect;
  record["seconds"] = {{"device", cell.device_seconds()}, {"planning", run.planning_seconds}, {"wall", run.seconds}};
  for (const Stage& one : run.stages)
    record["seconds"][std::string(one.name)] = one.seconds;
  record["device_seconds_of_runs"] = Json::array();
  for (const RecordedSearch& other : cell.runs)
    record["device_seconds_of_runs"].push_back(seconds_of(other.stages));
  record["cases"] = run.cases;
  record["arguments_per_second"] = Comparison::rate(cell);
  record["ratio"] = comparison.ratio(cell);
  record["gain"] = or_null(comparison.gain(cell));
  record["best"] = comparison.fastest(cell.device) == &cell;
  record["nmdm"] = or_null(comparison.nmdm_of(cell));
  record["arguments_per_joule"] = or_null(comparison.arguments_per_joule(cell));
  return record;
}

// Lines of at most `width` letters, broken at blanks where there are some; what does not fit into three ends in "...".
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  constexpr std::size_t most_lines = 3;
  std::vector<std::string> lines;
  while (!text.empty()) {
    if (text.size() <= width) {
      lines.emplace_back(text);
      break;
    }
    if (lines.size() + 1 == most_lines) {
      lines.push_back(std::string(text.substr(0, width - 3)) + "...");
      break;
    }
    std::size_t end = text.rfind(' ', width);
    if (end == std::string_view::npos || end == 0)
      end = width;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.find_first_not_of(' ', end), text.size()));
  }
  return lines;
}

constexpr double letter_width = 7; // pixels

// Where the bars of a figure stand; the unit is a bar.
struct Layout {
  static constexpr double gap = 0.8; // between groups; devices stand twice as far apart
  struct Group {                     // of one device, CPU mode and deployment: a bar an algorithm
    std::size_t device;
    std::string label;
    double begin;
  };
  std::vector<std::string> algorithms;
  std::vector<Group> groups;
  std::vector<std::size_t> group_of; // each cell
  double end = 0;

  [[nodiscard]] double middle(double first_group, double last_group) const {
    return 0.5 * (first_group + last_group + static_cast<double>(algorithms.size()) - 1);
  }
  [[nodiscard]] double position(const Comparison& comparison, const ComparisonCell& cell) const {
    const auto algorithm = std::find(algorithms.begin(), algorithms.end(), cell.algorithm) - algorithms.begin();
    return groups[group_of[static_cast<std::size_t>(&cell - comparison.cells.data())]].begin +
           static_cast<double>(algorithm);
  }
};

Layout lay_out(const Comparison& comparison) {
  Layout layout;
  std::set<std::string> deployments;
  for (const ComparisonCell& cell : comparison.cells) {
    deployments.insert(cell.deployment);
    if (std::find(layout.algorithms.begin(), layout.algorithms.end(), cell.algorithm) == layout.algorithms.end())
      layout.algorithms.push_back(cell.algorithm);
  }
  // As in the seed, Lefèvre's bars stand left of the others.
  std::stable_partition(layout.algorithms.begin(), layout.algorithms.end(),
                        [](const std::string& name) { return name.rfind("lefevre", 0) == 0; });
  for (const ComparisonCell& cell : comparison.cells) {
    const std::string label =
        deployments.size() > 1 ? fmt::format("{}, {}", cell.cpu_mode, cell.deployment) : cell.cpu_mode;
    auto& groups = layout.groups;
    auto found = std::find_if(groups.begin(), groups.end(), [&](const Layout::Group& group) {
      return group.device == cell.device && group.label == label;
    });
    if (found == groups.end()) {
      const double begin =
          groups.empty() ? 0 : layout.end + (groups.back().device == cell.device ? Layout::gap : 2 * Layout::gap);
      found = groups.insert(groups.end(), {cell.device, label, begin});
      layout.end = begin + static_cast<double>(layout.algorithms.size());
    }
    layout.group_of.push_back(static_cast<std::size_t>(found - groups.begin()));
  }
  return layout;
}

// A data block an algorithm, and what draws it.
std::string bars(const Comparison& comparison, const Layout& layout) {
  constexpr std::array<std::string_view, 6> colours{"#c05020", "#2060a0", "#70a040", "#806090", "#c0a020", "#606060"};
  std::string data;
  std::string curves;
  for (std::size_t i = 0; i < layout.algorithms.size(); ++i) {
    std::string rows;
    for (const ComparisonCell& cell : comparison.cells)
      if (cell.state == State::done && cell.algorithm == layout.algorithms[i])
        rows += fmt::format("{:.2f} {:.9g}\n", layout.position(comparison, cell), cell.device_seconds());
    if (rows.empty())
      continue;
    data += fmt::format("$bars{} << END\n{}END\n", i, rows);
    curves += fmt::format("{}$bars{} using 1:2:(0.9) with boxes fillstyle solid 0.85 linecolor rgb '{}' title {} "
                          "noenhanced",
                          curves.empty() ? "plot " : ", ", i, colours.at(i % colours.size()),
                          gnuplot_quoted(layout.algorithms[i]));
  }
  return data + (curves.empty() ? "plot NaN notitle" : curves) + "\n";
}

// Gains above the bars; why one is missing.
std::string bar_labels(const Comparison& comparison, const Layout& layout) {
  std::string labels;
  for (const ComparisonCell& cell : comparison.cells) {
    const double at = layout.position(comparison, cell);
    if (cell.state != State::done)
      labels += fmt::format("set label {} at {:.2f},graph 0.03 left rotate by 90 textcolor rgb '#a00000'\n",
                            gnuplot_quoted(cell.state == State::waiting ? "not run" : "failed"), at);
    else if (const auto gain = comparison.gain(cell))
      labels +=
          fmt::format("set label {} at {:.2f},{:.9g} center offset 0,0.6\n",
                      gnuplot_quoted(fmt::format("{:.{}f}x", *gain, *gain < 10 ? 1 : 0)), at, cell.device_seconds());
  }
  return labels;
}

// Modes under the groups, devices under their modes, in the room that there is.
std::string names(const Comparison& comparison, const Layout& layout, double pixels_per_bar) {
  std::string ticks;
  std::string labels;
  std::size_t most_lines = 1;
  for (auto group = layout.groups.begin(); group != layout.groups.end();) {
    const double first = group->begin;
    double last = first;
    const std::size_t device = group->device;
    for (; group != layout.groups.end() && group->device == device; ++group) {
      last = group->begin;
      ticks += fmt::format("{}{} {:.2f}", ticks.empty() ? "" : ", ", gnuplot_quoted(group->label),
                           layout.middle(last, last));
    }
    const ComparedDevice& description = comparison.devices[device];
    const double room = last - first + static_cast<double>(layout.algorithms.size()) + Layout::gap;
    const auto lines =
        wrapped(fmt::format("{}: {} ({})", description.index, description.name, description.platform),
                static_cast<std::size_t>(std::max(8.0, std::floor(room * pixels_per_bar / letter_width))));
    most_lines = std::max(most_lines, lines.size());
    for (std::size_t line = 0; line < lines.size(); ++line)
      labels +=
          fmt::format("set label {} at {:.2f},graph 0 center offset 0,{:.1f} noenhanced\n", gnuplot_quoted(lines[line]),
                      layout.middle(first, last), -2.4 - 1.1 * static_cast<double>(line));
  }
  return fmt::format("set xtics ({}) scale 0 noenhanced\nset bmargin {:.1f}\n{}", ticks,
                     3.0 + 1.1 * static_cast<double>(most_lines), labels);
}

// Bars of devices that are worlds apart are seen on a logarithmic scale only.
std::string scale(const Comparison& comparison) {
  constexpr double far_apart = 30;
  double least = 0;
  double most = 0;
  for (const ComparisonCell& cell : comparison.cells) {
    if (cell.state != State::done)
      continue;
    const double seconds = cell.device_seconds();
    least = least == 0 ? seconds : std::min(least, seconds);
    most = std::max(most, seconds);
  }
  if (least > 0 && most > far_apart * least)
    return fmt::format("set ylabel 'device time, seconds (logarithmic)'\nset logscale y\nset yrange [{:.3g}:{:.3g}]\n",
                       std::pow(10, std::floor(std::log10(0.5 * least))), 3 * most);
  return fmt::format("set ylabel 'device time, seconds'\nset yrange [0:{:.3g}]\n", most > 0 ? 1.15 * most : 1.0);
}

} // namespace

std::string comparison_table(const Comparison& comparison) {
  const bool with_watts = std::any_of(comparison.devices.begin(), comparison.devices.end(),
                                      [](const ComparedDevice& device) { return device.watts.has_value(); });
  const bool with_modes = std::any_of(comparison.cells.begin(), comparison.cells.end(), [](const ComparisonCell& cell) {
    return cell.state == State::done && !in_effect(cell).empty();
  });
  const Stages columns = used_stages(comparison);
  std::string text = fmt::format("  {:<14}{:<8}{:<7}", "algorithm", "mode", "kernels");
  for (const Stage& column : columns)
    text += heading(column);
  text += fmt::format("{:>9}{:>9}{:>12}{:>8}{:>7}{:>8}{}{}\n", "device", "wall", "arguments/s", "ratio", "gain", "NMDM",
                      with_watts ? " arguments/J" : "", with_modes ? "  mode in effect" : "");
  for (std::size_t device = 0; device < comparison.devices.size(); ++device) {
    const ComparedDevice& description = comparison.devices[device];
    text += fmt::format("device {}: {} ({}), {}, SIMD width {}{}\n", description.index, description.name,
                        description.platform, description.device_class, description.simd_width,
                        description.watts ? fmt::format(", {:g} W", *description.watts) : "");
    for (const ComparisonCell& cell : comparison.cells)
      if (cell.device == device)
        text += row(comparison, cell, columns, with_watts);
  }
  text +=
      "Seconds of the device by stage and together, and of the whole search. ratio: the slowest row's device time to\n"
      "this one's. gain: Lefèvre's to this one's. NMDM (normalized mean deviation to the maximum): the share of the "
      "time\n"
      "that SIMD groups lose by waiting for their longest. * best of its device\n";
  const ComparisonCell* fastest = comparison.fastest();
  if (fastest != nullptr)
    text +=
        fmt::format("{} case{} in {}; fastest: {}\n", fastest->median().cases, fastest->median().cases == 1 ? "" : "s",
                    comparison.count(State::done) == comparison.cells.size()
                        ? "every row, the same"
                        : fmt::format("{} of {} rows", comparison.count(State::done), comparison.cells.size()),
                    comparison.describe(*fastest));
  return text;
}

std::string comparison_records(const Comparison& comparison, const std::string& version, double seconds) {
  Json head{{"type", "comparison"},
            {"schema", record_schema},
            {"version", version},
            {"kernels", comparison.kernels.digest},
            {"foreign_kernels", comparison.kernels.foreign},
            {"job", comparison.job}};
  head["devices"] = Json::array();
  for (const ComparedDevice& device : comparison.devices)
    head["devices"].push_back({{"index", device.index},
                               {"name", device.name},
                               {"class", device.device_class},
                               {"platform", device.platform},
                               {"driver", device.driver},
                               {"simd_width", device.simd_width},
                               {"watts", or_null(device.watts)}});
  head["nmdm"] = Json::object();
  for (const auto& [algorithm, by_width] : comparison.nmdm)
    for (const auto& [width, value] : by_width)
      head["nmdm"][algorithm][std::to_string(width)] = value;
  std::string text = head.dump() + "\n";
  for (const ComparisonCell& cell : comparison.cells)
    text += cell_record(comparison, cell).dump() + "\n";
  const ComparisonCell* fastest = comparison.fastest();
  Json summary{{"type", "summary"},
               {"cells", comparison.cells.size()},
               {"done", comparison.count(State::done)},
               {"failed", comparison.count(State::failed)},
               {"differing", comparison.count(State::differing)},
               {"cases", fastest != nullptr ? Json(fastest->median().cases) : Json(nullptr)},
               {"fastest", fastest != nullptr ? Json(fastest - comparison.cells.data()) : Json(nullptr)},
               {"seconds", seconds}};
  return text + summary.dump() + "\n";
}

Figure comparison_figure(const Comparison& comparison) {
  constexpr int least_width = 800; // pixels
  constexpr int margins = 130;
  const Layout layout = lay_out(comparison);
  double bar_width = 46; // at least; more where the groups' labels need it
  for (const Layout::Group& group : layout.groups)
    bar_width = std::max(bar_width, letter_width * static_cast<double>(group.label.size() + 2) /
                                        (static_cast<double>(layout.algorithms.size()) + Layout::gap));
  const double across = layout.end + 1;
  const int width = std::max(least_width, margins + static_cast<int>(across * bar_width));
  return {fmt::format("set title {} noenhanced\nset xrange [-1:{:.2f}]\n"
                      "set key top right horizontal outside\nset grid ytics\n{}{}{}{}",
                      gnuplot_quoted(comparison.job), layout.end, scale(comparison), bar_labels(comparison, layout),
                      names(comparison, layout, (width - margins) / across), bars(comparison, layout)),
          width};
}

std::string comparison_plot(const Comparison& comparison) {
  const Figure figure = comparison_figure(comparison);
  return gnuplot_svg(figure.script, figure.width);
}

} // namespace tmd
