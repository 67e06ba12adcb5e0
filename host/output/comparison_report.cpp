#include "output/comparison_report.hpp"

#include "output/gnuplot.hpp"

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

std::string in_effect(const ComparisonCell& cell) {
  const auto& modes = cell.median().modes_in_effect;
  const auto first = modes.find("phase1");
  return first == modes.end() ? std::string() : first->second;
}

std::string row(const Comparison& comparison, const ComparisonCell& cell, bool with_watts) {
  const bool best = comparison.fastest(cell.device) == &cell;
  std::string text =
      fmt::format("{} {:<14}{:<8}{:<7}", best ? '*' : ' ', cell.algorithm, cell.cpu_mode, cell.deployment);
  if (cell.state == State::waiting)
    return text + " not run\n";
  if (cell.state != State::done)
    return text + fmt::format(" {}: {}\n", cell.state == State::failed ? "failed" : "WRONG", cell.failure);
  const MeasuredSearch& run = cell.median();
  text += fmt::format("{:>9}", run.polynomials == 0 ? "host" : digits(run.polynomials));
  for (const double seconds : {run.phase1, run.phase2, run.phase3, run.device_seconds(), run.wall})
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
  const MeasuredSearch& run = cell.median();
  if (!run.modes_in_effect.empty())
    record["cpu_mode"]["in_effect"] = run.modes_in_effect;
  record["seconds"] = {{"polynomials", run.polynomials}, {"phase1", run.phase1},           {"phase2", run.phase2},
                       {"phase3", run.phase3},           {"device", run.device_seconds()}, {"wall", run.wall}};
  record["device_seconds_of_runs"] = Json::array();
  for (const MeasuredSearch& other : cell.runs)
    record["device_seconds_of_runs"].push_back(other.device_seconds());
  record["cases"] = run.case_count;
  record["arguments_per_second"] = Comparison::rate(cell);
  record["ratio"] = comparison.ratio(cell);
  record["gain"] = or_null(comparison.gain(cell));
  record["best"] = comparison.fastest(cell.device) == &cell;
  record["nmdm"] = or_null(comparison.nmdm_of(cell));
  record["arguments_per_joule"] = or_null(comparison.arguments_per_joule(cell));
  return record;
}

// In gnuplot's single quotes.
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' ? "''" : std::string(1, static_cast<unsigned char>(c) < ' ' ? ' ' : c);
  return result + "'";
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

} // namespace

std::string comparison_table(const Comparison& comparison) {
  const bool with_watts = std::any_of(comparison.devices.begin(), comparison.devices.end(),
                                      [](const ComparedDevice& device) { return device.watts.has_value(); });
  std::string text =
      fmt::format("  {:<14}{:<8}{:<7}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>12}{:>8}{:>7}{:>8}{}  {}\n", comparison.job,
                  "algorithm", "mode", "kernels", "polynom.", "phase 1", "phase 2", "phase 3", "device", "wall",
                  "arguments/s", "ratio", "gain", "NMDM", with_watts ? " arguments/J" : "", "mode in effect");
  for (std::size_t device = 0; device < comparison.devices.size(); ++device) {
    const ComparedDevice& description = comparison.devices[device];
    text += fmt::format("device {}: {} ({}), {}, SIMD width {}{}\n", description.index, description.name,
                        description.platform, description.device_class, description.simd_width,
                        description.watts ? fmt::format(", {:g} W", *description.watts) : "");
    for (const ComparisonCell& cell : comparison.cells)
      if (cell.device == device)
        text += row(comparison, cell, with_watts);
  }
  text +=
      "Seconds of the device by phase and together, and of the whole search. ratio: the slowest row's device time to\n"
      "this one's. gain: Lefèvre's to this one's. NMDM: what SIMD groups lose by waiting. * best of its device\n";
  const ComparisonCell* fastest = comparison.fastest();
  if (fastest != nullptr)
    text += fmt::format("{} case{} in {}; fastest: {}\n", fastest->median().case_count,
                        fastest->median().case_count == 1 ? "" : "s",
                        comparison.count(State::done) == comparison.cells.size()
                            ? "every row, the same"
                            : fmt::format("{} of {} rows", comparison.count(State::done), comparison.cells.size()),
                        comparison.describe(*fastest));
  return text;
}

std::string comparison_records(const Comparison& comparison, const std::string& version, double seconds) {
  Json head{{"type", "comparison"}, {"version", version}, {"job", comparison.job}};
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
               {"cases", fastest != nullptr ? Json(fastest->median().case_count) : Json(nullptr)},
               {"fastest", fastest != nullptr ? Json(fastest - comparison.cells.data()) : Json(nullptr)},
               {"seconds", seconds}};
  return text + summary.dump() + "\n";
}

Figure comparison_figure(const Comparison& comparison) {
  constexpr int bar_width = 46; // pixels
  constexpr int letter_width = 7;
  constexpr double gap = 0.8; // between groups, in bars
  std::vector<std::string> algorithms;
  std::set<std::string> deployments;
  for (const ComparisonCell& cell : comparison.cells) {
    deployments.insert(cell.deployment);
    if (std::find(algorithms.begin(), algorithms.end(), cell.algorithm) == algorithms.end())
      algorithms.push_back(cell.algorithm);
  }
  // As in the seed, Lefèvre's bars stand left of the others.
  std::stable_partition(algorithms.begin(), algorithms.end(),
                        [](const std::string& name) { return name.rfind("lefevre", 0) == 0; });

  std::vector<std::string> bars(algorithms.size()); // data, by algorithm
  std::string labels;
  std::string ticks;
  double least = 0;
  double most = 0;
  double x = 0; // of the group's first bar
  double axis_end = 0;
  std::size_t label_lines = 1;
  struct Heading {
    std::string text;
    double begin;
    double end;
  };
  std::vector<Heading> headings;
  for (std::size_t device = 0; device < comparison.devices.size(); ++device) {
    const ComparedDevice& description = comparison.devices[device];
    const double device_begin = x;
    std::vector<std::pair<std::string, std::string>> groups; // mode, deployment
    for (const ComparisonCell& cell : comparison.cells)
      if (cell.device == device &&
          std::find(groups.begin(), groups.end(), std::pair(cell.cpu_mode, cell.deployment)) == groups.end())
        groups.emplace_back(cell.cpu_mode, cell.deployment);
    for (const auto& [mode, deployment] : groups) {
      for (const ComparisonCell& cell : comparison.cells) {
        if (cell.device != device || cell.cpu_mode != mode || cell.deployment != deployment)
          continue;
        const auto algorithm = static_cast<std::size_t>(
            std::find(algorithms.begin(), algorithms.end(), cell.algorithm) - algorithms.begin());
        const double at = x + static_cast<double>(algorithm);
        if (cell.state != State::done) {
          labels += fmt::format("set label {} at {:.2f},graph 0.03 left rotate by 90 textcolor rgb '#a00000'\n",
                                in_quotes(cell.state == State::waiting ? "not run" : "failed"), at);
          continue;
        }
        const double seconds = cell.median().device_seconds();
        bars[algorithm] += fmt::format("{:.2f} {:.9g}\n", at, seconds);
        least = least == 0 ? seconds : std::min(least, seconds);
        most = std::max(most, seconds);
        if (const auto gain = comparison.gain(cell))
          labels += fmt::format("set label {} at {:.2f},{:.9g} center offset 0,0.6\n",
                                in_quotes(fmt::format("{:.{}f}x", *gain, *gain < 10 ? 1 : 0)), at, seconds);
      }
      const double middle = x + 0.5 * static_cast<double>(algorithms.size() - 1);
      ticks += fmt::format("{}{} {:.2f}", ticks.empty() ? "" : ", ",
                           in_quotes(deployments.size() > 1 ? fmt::format("{}, {}", mode, deployment) : mode), middle);
      axis_end = x + static_cast<double>(algorithms.size());
      x = axis_end + gap;
    }
    headings.push_back({fmt::format("{}: {} ({})", description.index, description.name, description.platform),
                        device_begin, axis_end});
    x += gap; // devices stand further apart
  }
  // Where bars are few, they get broader, so that the devices' names find room.
  constexpr int margins = 130;
  const double bars_across = axis_end + 1;
  const int width = std::max(800, margins + static_cast<int>(bars_across * bar_width));
  const double pixels_per_bar = (width - margins) / bars_across;
  std::string names;
  for (const Heading& heading : headings) {
    const double room = (heading.end - heading.begin + gap) * pixels_per_bar;
    const auto lines = wrapped(heading.text, static_cast<std::size_t>(std::max(8.0, std::floor(room / letter_width))));
    label_lines = std::max(label_lines, lines.size());
    for (std::size_t line = 0; line < lines.size(); ++line)
      names += fmt::format("set label {} at {:.2f},graph 0 center offset 0,{:.1f} noenhanced\n", in_quotes(lines[line]),
                           0.5 * (heading.begin + heading.end) - 0.5, -2.4 - 1.1 * static_cast<double>(line));
  }

  std::string data;
  std::string curves;
  constexpr std::array<std::string_view, 6> colours{"#c05020", "#2060a0", "#70a040", "#806090", "#c0a020", "#606060"};
  for (std::size_t i = 0; i < algorithms.size(); ++i) {
    if (bars[i].empty())
      continue;
    data += fmt::format("$bars{} << END\n{}END\n", i, bars[i]);
    curves += fmt::format("{}$bars{} using 1:2:(0.9) with boxes fillstyle solid 0.85 linecolor rgb '{}' title {} "
                          "noenhanced",
                          curves.empty() ? "plot " : ", ", i, colours.at(i % colours.size()), in_quotes(algorithms[i]));
  }
  if (curves.empty())
    curves = "plot NaN notitle";
  // Bars of devices that are worlds apart are seen on a logarithmic scale only.
  constexpr double far_apart = 30;
  const bool logarithmic = least > 0 && most > far_apart * least;
  const std::string scale = logarithmic ? fmt::format("set logscale y\nset yrange [{:.3g}:{:.3g}]\n",
                                                      std::pow(10, std::floor(std::log10(least))), 3 * most)
                                        : fmt::format("set yrange [0:{:.3g}]\n", most > 0 ? 1.15 * most : 1.0);
  return {fmt::format("{}set title {} noenhanced\nset ylabel 'device time, seconds{}'\n{}"
                      "set xrange [{:.2f}:{:.2f}]\nset xtics ({}) scale 0 noenhanced\nset bmargin {:.1f}\n"
                      "set key top right horizontal outside\nset grid ytics\n{}{}{}\n",
                      data, in_quotes(comparison.job), logarithmic ? " (logarithmic)" : "", scale, -1.0, axis_end,
                      ticks, 3.0 + 1.1 * static_cast<double>(label_lines), labels, names, curves),
          width};
}

std::string comparison_plot(const Comparison& comparison) {
  const Figure figure = comparison_figure(comparison);
  return gnuplot_svg(figure.script, figure.width);
}

} // namespace tmd
