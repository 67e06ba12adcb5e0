#include "report/plot.hpp"

#include "report/plot_axis.hpp"
#include "result/run_description.hpp"
#include "result/wc.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr std::string_view blue = "#2060a0";
constexpr std::string_view orange = "#c05020";
constexpr std::string_view green = "#408040";
constexpr std::string_view black = "#202020";

std::string_view colour_of(Breakpoint breakpoint) { return breakpoint == Breakpoint::midpoint ? orange : blue; }

// Pixels.
constexpr int width = 1000;
constexpr int left_margin = 85;
constexpr int right_margin = 70; // half the name of the last argument
constexpr int heading_height = 78;
constexpr int title_height = 34; // of a panel, with its key
constexpr int foot_height = 62;  // of a panel: numbers and name of its axis
constexpr double plot_width = width - left_margin - right_margin;

constexpr double half_a_pixel = 0.5 / plot_width;

std::string plural(uint128 count, std::string_view what) {
  return fmt::format("{} {}{}", to_string(count), what, count == 1 ? "" : "s");
}

// "1.10·10^{12}"; whole numbers that are short as they are.
std::string short_number(double value) {
  constexpr double longest = 1e6;
  if (value < longest)
    return fmt::format("{:.0f}", value);
  const double exponent = std::floor(std::log10(value));
  return fmt::format("{:.2f}·10^{{{:.0f}}}", value / std::pow(10, exponent), exponent);
}

std::string panel_title(std::string_view title) {
  return fmt::format("set label 3 {} at graph 0,1 offset 0,0.9 left font ',14'\n", gnuplot_quoted(title));
}

// A named table of the script.
std::string data_block(std::string_view name, const std::string& rows) {
  return fmt::format("${} << END\n{}END\n", name, rows);
}

// What one `plot` command draws.
class Curves {
public:
  // Draws a table, if it has rows. The title is enhanced text; `name` instead is a name as it stands.
  void add(std::string_view table, const std::string& rows, std::string_view style, std::string_view title,
           std::string_view name = "") {
    if (rows.empty())
      return;
    data_ += data_block(table, rows);
    draw(fmt::format("${}", table), style, name.empty() ? title : name, name.empty() ? "" : " noenhanced");
  }
  // An entry of the key alone.
  void add_key(std::string_view style, std::string_view title) { draw("NaN", style, title, ""); }
  [[nodiscard]] std::string script() const {
    return data_ + (curves_.empty() ? "plot NaN notitle" : "plot " + curves_) + "\n";
  }

private:
  void draw(std::string_view what, std::string_view style, std::string_view title, std::string_view more) {
    curves_ += fmt::format("{}{} {} {}{}", curves_.empty() ? "" : ", ", what, style,
                           title.empty() ? "notitle" : "title " + gnuplot_quoted(title), title.empty() ? "" : more);
  }

  std::string data_;
  std::string curves_;
};

// What all panels are drawn from.
class SearchFigure {
public:
  SearchFigure(const Job& job, const SearchResult& result, std::span<const SearchedPart> parts)
      : job_(&job), result_(&result), parts_(parts), axis_(job), bits_(bits_by_case(result)),
        tested_(static_cast<double>(result.arguments() - result.arguments_of_regimes(true) -
                                    result.arguments_of_regimes(false))) {
    // Where f is almost x, few cases have a thousand bits: the axis ends some bits beyond what chance gives.
    constexpr double beyond_chance = 10;
    const double chance = tested_ > 0 ? std::log2(2 * tested_) : 0;
    const double hardest = bits_.empty() ? 0 : bits_.front();
    const double most = std::max<double>(job.bits, chance) + beyond_chance;
    is_cut_ = hardest > most;
    last_bit_ = std::ceil(std::max({is_cut_ ? most : hardest, chance, job.bits + 1.0}) + 0.5);
  }

  [[nodiscard]] std::string heading(int height) const;
  [[nodiscard]] std::string cases() const;
  [[nodiscard]] std::string range() const;
  [[nodiscard]] std::string time() const;
  [[nodiscard]] std::string rate() const;

private:
  struct Load { // of a device in a slice of the range
    double seconds = 0;
    double arguments = 0;
  };
  struct Device {
    std::string name;
    std::vector<Load> loads; // a slice each
  };

  static std::vector<double> bits_by_case(const SearchResult& result) {
    std::vector<double> bits;
    bits.reserve(result.cases.size());
    for (const Case& one : result.cases)
      bits.push_back(one.bits);
    std::sort(bits.begin(), bits.end(), std::greater<>());
    return bits;
  }

  [[nodiscard]] double expected(double bits) const { return 2 * tested_ * std::exp2(-bits); }
  [[nodiscard]] std::string argument_axis() const;
  [[nodiscard]] std::string points() const;
  [[nodiscard]] std::string marks(const Cases& cases) const;
  [[nodiscard]] std::string boxes(std::vector<RankInterval> ranges) const;
  [[nodiscard]] std::vector<RankInterval> regimes(bool of_cases) const;
  [[nodiscard]] std::vector<Device> loads(const std::vector<RankInterval>& slices) const;

  const Job* job_;
  const SearchResult* result_;
  std::span<const SearchedPart> parts_;
  ArgumentAxis axis_;
  std::vector<double> bits_; // of the cases, hardest first
  double tested_;            // arguments of which chance decides whether they are cases
  bool is_cut_ = false;      // there are cases beyond last_bit_
  double last_bit_ = 0;
};

std::string cut(std::string text, std::size_t most) {
  if (text.size() > most)
    text = text.substr(0, most - 3) + "...";
  return text;
}

std::string SearchFigure::heading(int height) const {
  constexpr std::size_t most_letters = 100; // of the first line
  RunDescription run;
  run.from = to_hex(job_->arguments().at(job_->first));
  run.to = to_hex(job_->arguments().at(job_->last));
  const std::string described = describe(*job_, run);
  const std::size_t range_end = described.find("), ") + 1;
  const auto percent = [&](uint128 part) { // a part is not said to be all
    return fmt::format("{:.2f} %",
                       std::floor(1e4 * static_cast<double>(part) / static_cast<double>(job_->size())) / 100);
  };
  const uint128 covered = result_->arguments();
  std::string counts = fmt::format("{}, {}; {}, {} covered", plural(result_->cases.size(), "hard-to-round case"),
                                   plural(result_->exact.size(), "exact case"), plural(job_->size(), "argument"),
                                   covered == job_->size() ? "all" : percent(covered));
  if (const uint128 all = result_->arguments_of_regimes(true); all > 0)
    counts += fmt::format(", {} in ranges of cases", percent(all));
  if (!result_->undecided.empty())
    counts += fmt::format("; {} undecided", result_->undecided.size());
  const auto line = [&](int tag, const std::string& text, int y, std::string_view more) {
    return fmt::format("set label {} {} at screen {:.5f},{:.5f} left noenhanced {}\n", tag, gnuplot_quoted(text),
                       static_cast<double>(left_margin) / width, 1 - static_cast<double>(y) / height, more);
  };
  return line(1, cut(described.substr(0, range_end), most_letters), 18, "font ',16'") +
         line(2, described.substr(range_end + 2), 40, "") + line(4, counts, 56, "");
}

// How many cases have at least k bits: after each case one less.
std::string SearchFigure::cases() const {
  constexpr double least = 0.5; // of the axis: a single case stands above its foot
  constexpr int samples = 200;
  constexpr double deviations = 2;
  const double first = job_->bits;
  std::string band;
  for (int i = 0; i <= samples && tested_ > 0; ++i) {
    const double bits = first + (last_bit_ - first) * i / samples;
    const double mean = expected(bits);
    const double reach = deviations * std::sqrt(mean);
    band += fmt::format("{:.6g} {:.6g} {:.6g} {:.6g}\n", bits, mean, std::max(mean - reach, least),
                        std::max(mean + reach, least));
  }
  std::string steps;
  if (!bits_.empty())
    steps = fmt::format("{:.6g} {}\n", first, bits_.size());
  double drawn = first;
  for (std::size_t count = bits_.size(); count > 0; --count) {
    const double bits = std::min(bits_[count - 1], last_bit_);
    if (bits - drawn < half_a_pixel * (last_bit_ - first) && count > 1)
      continue;
    steps += fmt::format("{:.6g} {}\n", bits, count);
    drawn = bits;
  }
  if (!is_cut_ && !bits_.empty())
    steps += fmt::format("{:.6g} {}\n", bits_.front(), least);
  const double most = std::max({expected(first), static_cast<double>(bits_.size()), 1.0});
  std::string text =
      fmt::format("{}set key at graph 0.99,0.97 right top vertical Left reverse samplen 2.5\n"
                  "set xlabel 'k, bits: −log₂ of the distance from the breakpoint, in breakpoint spacings'\n"
                  "set ylabel 'cases (logarithmic)'\n"
                  "set xrange [{}:{}]\nset yrange [{}:{:.6g}]\nset logscale y\nset format y '10^{{%T}}'\n",
                  panel_title("Cases with at least k bits"), first, last_bit_, least, 3 * most);
  if (most < 1e4) // all of them can be read
    text += "set format y '%g'\n";
  Curves curves;
  curves.add("band", band, "using 1:3:4 with filledcurves fillstyle solid 1 noborder linecolor rgb '#e0e0e0'",
             "±2σ (Poisson)");
  if (tested_ > 0)
    curves.add("chance", band, "using 1:2 with lines linewidth 1.5 dashtype 2 linecolor rgb '#707070'",
               fmt::format("by chance: 2·N·2^{{−k}}, N = {} arguments", short_number(tested_)));
  curves.add("cases", steps, fmt::format("using 1:2 with fsteps linewidth 2 linecolor rgb '{}'", blue), "cases");
  return text + curves.script() +
         "unset logscale y\nset key at graph 1,1 right bottom horizontal maxcols 4 Left reverse samplen 1.5\n";
}

// The axis that `range`, `time` and `rate` have in common.
std::string SearchFigure::argument_axis() const {
  std::string ticks;
  for (const auto& [position, label] : axis_.ticks())
    ticks += fmt::format("{}{} {:.6f}", ticks.empty() ? "" : ", ", gnuplot_quoted(label), position);
  return fmt::format("set xrange [0:1]\nset xtics ({})\nset xlabel 'argument x{}'\n", ticks,
                     axis_.binades() >= 3 ? " (all binades are equally wide: each has as many arguments)" : "");
}

// Bits against position with colours; those that would be drawn upon each other only once. The hardest come last, on
// top of others.
std::string SearchFigure::points() const {
  constexpr double columns = 1200;
  constexpr double rows = 400;
  constexpr std::size_t few = 5000;
  const ArgumentSet arguments = job_->arguments();
  std::set<std::tuple<int, int, Breakpoint>> drawn;
  std::vector<std::string> lines;
  for (const Case& one : result_->cases) {
    const double x = axis_.position(arguments.rank(one.x));
    const double y = std::min(one.bits, last_bit_);
    const double height = (y - job_->bits) / (last_bit_ - job_->bits);
    if (result_->cases.size() > few &&
        !drawn.emplace(static_cast<int>(x * columns), static_cast<int>(height * rows), one.breakpoint).second)
      continue;
    lines.push_back(fmt::format("{:.6f} {:.4f} 0x{}\n", x, y, colour_of(one.breakpoint).substr(1)));
  }
  std::reverse(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines)
    text += line;
  return text;
}

// Cases that have no bits, at the upper edge.
std::string SearchFigure::marks(const Cases& cases) const {
  const ArgumentSet arguments = job_->arguments();
  std::string text;
  double drawn = -1;
  for (const Case& one : cases) { // by argument
    const double x = axis_.position(arguments.rank(one.x));
    if (x - drawn < half_a_pixel)
      continue;
    text += fmt::format("{:.6f} {:.4f}\n", x, last_bit_ - 0.015 * (last_bit_ - job_->bits));
    drawn = x;
  }
  return text;
}

std::vector<RankInterval> SearchFigure::regimes(bool of_cases) const {
  std::vector<RankInterval> ranges;
  for (const RegimeRange& range : result_->regimes)
    if (range.regime.rule.has_value() == of_cases)
      ranges.push_back(range.ranks);
  return ranges;
}

// As high as the panel, and as wide as can be seen at least.
std::string SearchFigure::boxes(std::vector<RankInterval> ranges) const {
  std::sort(ranges.begin(), ranges.end(),
            [](const RankInterval& left, const RankInterval& right) { return left.first < right.first; });
  std::vector<std::pair<double, double>> boxes;
  for (const RankInterval& range : ranges) {
    const double begin = axis_.position(range.first);
    const double end = std::max(axis_.position(range.last), begin + half_a_pixel);
    if (!boxes.empty() && begin - boxes.back().second < half_a_pixel)
      boxes.back().second = std::max(boxes.back().second, end);
    else
      boxes.emplace_back(begin, end);
  }
  std::string text;
  for (const auto& [begin, end] : boxes)
    text += fmt::format("{:.6f} {} {:.6f} {:.6f} {} {}\n", begin, last_bit_, begin, end, job_->bits, last_bit_);
  return text;
}

std::string SearchFigure::range() const {
  const std::size_t count = result_->cases.size();
  const double size = count <= 30 ? 1.0 : count <= 300 ? 0.7 : count <= 3000 ? 0.45 : count <= 30000 ? 0.25 : 0.15;
  std::vector<RankInterval> missing;
  for (const auto& [first, last] : result_->covered.complement_in(job_->range()).intervals())
    missing.push_back({first, last});
  std::string text = fmt::format("{}"
                                 "set ylabel 'k, bits{}'\nset yrange [{}:{}]\nset format y '%g'\n{}",
                                 panel_title("Cases over the range"),
                                 is_cut_ ? fmt::format(" (at the edge: {:.0f} and more)", last_bit_) : "", job_->bits,
                                 last_bit_, argument_axis());
  Curves curves;
  const auto box = [](std::string_view style) {
    return fmt::format("using 1:2:3:4:5:6 with boxxyerror fillstyle {}", style);
  };
  curves.add("all", boxes(regimes(true)), box("solid 1 noborder linecolor rgb '#ffe0b0'"), "all are cases");
  curves.add("none", boxes(regimes(false)), box("solid 1 noborder linecolor rgb '#e8e8e8'"), "none is a case");
  curves.add("missing", boxes(missing), box("pattern 4 noborder linecolor rgb '#a0a0a0'"), "not searched");
  curves.add("found", points(),
             fmt::format("using 1:2:3 with points pointtype 7 pointsize {} linecolor rgb variable", size), "");
  for (const Breakpoint kind : {Breakpoint::representable, Breakpoint::midpoint})
    if (std::any_of(result_->cases.begin(), Cases::end(), [&](const Case& one) { return one.breakpoint == kind; }))
      curves.add_key(fmt::format("with points pointtype 7 pointsize 0.7 linecolor rgb '{}'", colour_of(kind)),
                     to_string(kind));
  curves.add("exact", marks(result_->exact),
             fmt::format("with points pointtype 9 pointsize 0.6 linecolor rgb '{}'", green), "exact (∞ bits)");
  curves.add("undecided", marks(result_->undecided),
             fmt::format("with points pointtype 2 pointsize 0.9 linecolor rgb '{}'", black), "undecided");
  if (result_->cases.empty())
    text += "set label 5 'no case with bits' at graph 0.5,0.5 center textcolor rgb '#707070'\n";
  return text + curves.script() + "unset label 5\n";
}

// A part's seconds, shared out among the slices by its arguments there.
std::vector<SearchFigure::Device> SearchFigure::loads(const std::vector<RankInterval>& slices) const {
  std::vector<Device> devices;
  for (const SearchedPart& part : parts_) {
    auto device =
        std::find_if(devices.begin(), devices.end(), [&](const Device& one) { return one.name == part.device; });
    if (device == devices.end())
      device = devices.insert(devices.end(), {part.device, std::vector<Load>(slices.size())});
    const auto size = static_cast<double>(part.ranks.last - part.ranks.first);
    auto slice = std::partition_point(slices.begin(), slices.end(),
                                      [&](const RankInterval& one) { return one.last <= part.ranks.first; });
    for (; slice != slices.end() && slice->first < part.ranks.last; ++slice) {
      const auto here =
          static_cast<double>(std::min(slice->last, part.ranks.last) - std::max(slice->first, part.ranks.first));
      Load& load = device->loads[static_cast<std::size_t>(slice - slices.begin())];
      load.arguments += here;
      load.seconds += part.seconds * here / size;
    }
  }
  std::sort(devices.begin(), devices.end(),
            [](const Device& left, const Device& right) { return left.name < right.name; });
  return devices;
}

constexpr std::array<std::string_view, 8> device_colours{"#2060a0", "#c05020", "#70a040", "#806090",
                                                         "#c0a020", "#409090", "#a04060", "#606060"};

// In the key, which has two lines of four; nothing beyond.
std::string device_title(std::string_view name, std::size_t index, std::size_t devices) {
  constexpr std::size_t most = device_colours.size();
  constexpr std::size_t letters = 100; // of a line
  if (devices > most && index + 1 >= most)
    return index + 1 == most ? "others" : "";
  return cut(std::string(name), std::max<std::size_t>(letters / devices, letters / 4 - 9));
}

// What a slice is called.
std::string slice_name(const ArgumentAxis& axis, std::size_t slices) {
  const int binades = axis.slice_binades();
  return binades == 1   ? "a binade"
         : binades == 0 ? fmt::format("1/{} of the range", slices)
                        : fmt::format("{} binades", binades);
}

std::string SearchFigure::time() const {
  const std::vector<RankInterval> slices = axis_.slices();
  const std::vector<Device> devices = loads(slices);
  std::vector<double> below(slices.size()); // seconds of the devices before
  Curves curves;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    std::string rows;
    for (std::size_t slice = 0; slice < slices.size(); ++slice) {
      const double seconds = devices[i].loads[slice].seconds;
      if (seconds == 0)
        continue;
      const double begin = axis_.position(slices[slice].first);
      const double end = axis_.position(slices[slice].last);
      rows += fmt::format("{:.6f} {:.6g} {:.6f} {:.6f} {:.6g} {:.6g}\n", begin, below[slice], begin, end, below[slice],
                          below[slice] + seconds);
      below[slice] += seconds;
    }
    curves.add(fmt::format("time{}", i), rows,
               fmt::format("using 1:2:3:4:5:6 with boxxyerror linecolor rgb '{}' fillstyle solid 0.8 border",
                           device_colours.at(i % device_colours.size())),
               "", device_title(devices[i].name, i, devices.size()));
  }
  const double most = below.empty() ? 0 : *std::max_element(below.begin(), below.end());
  const double all = std::accumulate(below.begin(), below.end(), 0.0);
  return fmt::format(
      "{}set ylabel 'seconds in {}'\nset yrange [0:{:.6g}]\nset format y '%g'\n{}{}",
      panel_title(fmt::format("Time: {} s{}", all < 100 ? fmt::format("{:.3g}", all) : fmt::format("{:.0f}", all),
                              devices.size() > 1 ? ", all devices" : "")),
      slice_name(axis_, slices.size()), most > 0 ? 1.1 * most : 1.0, argument_axis(), curves.script());
}

// Each device's, in the colours of its time.
std::string SearchFigure::rate() const {
  constexpr double far_apart = 5; // beyond that on a logarithmic scale
  const std::vector<RankInterval> slices = axis_.slices();
  const std::vector<Device> devices = loads(slices);
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const Device& device : devices)
    for (const Load& load : device.loads)
      if (load.seconds > 0) {
        least = std::min(least, load.arguments / load.seconds);
        most = std::max(most, load.arguments / load.seconds);
      }
  const bool logarithmic = most > far_apart * least;
  const double power = logarithmic || most == 0 ? 0 : std::floor(std::log10(most));
  Curves curves;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    std::string rows;
    for (std::size_t slice = 0; slice < slices.size(); ++slice) {
      const Load& load = devices[i].loads[slice];
      const double begin = axis_.position(slices[slice].first);
      if (load.seconds > 0)
        rows += fmt::format("{:.6f} {:.6g} {:.6f} 0\n", begin, load.arguments / load.seconds / std::pow(10, power),
                            axis_.position(slices[slice].last) - begin);
    }
    curves.add(fmt::format("rate{}", i), rows,
               fmt::format("using 1:2:3:4 with vectors nohead linewidth 3 linecolor rgb '{}'",
                           device_colours.at(i % device_colours.size())),
               "");
  }
  std::string scale;
  if (logarithmic)
    scale = fmt::format("set ylabel 'arguments/s (logarithmic)'\nset format y '10^{{%T}}'\nset logscale y\n"
                        "set yrange [{:.6g}:{:.6g}]\n",
                        std::pow(10, std::floor(std::log10(least))), std::pow(10, std::ceil(std::log10(1.2 * most))));
  else
    scale = fmt::format("set ylabel '10^{{{:.0f}}} arguments/s'\nset format y '%g'\nset yrange [0:{:.6g}]\n", power,
                        most > 0 ? 1.2 * most / std::pow(10, power) : 1.0);
  return fmt::format("{}{}{}{}unset logscale y\n", panel_title(devices.size() > 1 ? "Rate of each device" : "Rate"),
                     scale, argument_axis(), curves.script());
}

// A panel and the height of what it draws.
struct DrawnPanel {
  std::string script;
  int height;
};

} // namespace

Plot plot_of(const Job& job, const SearchResult& result, std::span<const SearchedPart> parts,
             std::span<const Panel> panels) {
  const SearchFigure figure(job, result, parts);
  std::vector<DrawnPanel> drawn;
  for (const Panel panel : panels) {
    if (panel == Panel::cases)
      drawn.push_back({figure.cases(), 330});
    if (panel == Panel::range)
      drawn.push_back({figure.range(), 360});
    if (panel == Panel::time) {
      drawn.push_back({figure.time(), 180});
      drawn.push_back({figure.rate(), 180});
    }
  }
  int height = heading_height;
  for (const DrawnPanel& part : drawn)
    height += title_height + part.height + foot_height;
  const auto screen = [&](int y) { return 1 - static_cast<double>(y) / height; };
  std::string script = fmt::format("set encoding utf8\nset multiplot\n"
                                   "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n"
                                   "set key at graph 1,1 right bottom horizontal maxcols 4 Left reverse samplen 1.5\n"
                                   "set grid back linetype 1 linewidth 0.6 linecolor rgb '#e4e4e4'\nset tics nomirror\n"
                                   "set border 3\n{}",
                                   static_cast<double>(left_margin) / width,
                                   1 - static_cast<double>(right_margin) / width, figure.heading(height));
  int top = heading_height;
  for (const DrawnPanel& part : drawn) {
    top += title_height;
    script += fmt::format("set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\nset xtics autofreq\n{}"
                          "unset label 1\nunset label 2\nunset label 4\n",
                          screen(top), screen(top + part.height), part.script);
    top += part.height + foot_height;
  }
  return {script + "unset multiplot\n", {.width = width, .height = height}};
}

} // namespace tmd
