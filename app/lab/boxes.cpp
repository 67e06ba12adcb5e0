// tmd-lab boxes: boxes of pairs of pow in binary32, on tiles from all over its range.
#include "app/lab/lab.hpp"
#include "app/lab/production.hpp"
#include "app/standard_streams.hpp"
#include "result/record.hpp"
#include "support/atomic_file.hpp"
#include "support/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

// Where a tile begins; t is y·ln x.
struct BoxTile {
  std::string_view name;
  int x_exponent;
  int y_exponent;
  bool is_negative;
  double x; // from 1 to 2
  double y;
};
constexpr std::array<BoxTile, 6> box_tiles{{{"t = 36, y = 83", 0, 6, false, 1.55, 1.3},
                                            {"t = 50, y = 2.4", 30, 1, false, 1.3, 1.2},
                                            {"t = 1.7, y = 3.2", 0, 1, false, 1.7, 1.6},
                                            {"t = -45, y = 0.65", -100, -1, false, 1.2, 1.3},
                                            {"t = -29, y = -12", 3, 3, true, 1.4, 1.5},
                                            {"t = 0.026", 1, -6, false, 1.5, 1.5}}};

cxxopts::Options box_options_asked() {
  cxxopts::Options options("tmd-lab boxes",
                           "Times boxes of pairs of pow in binary32, on tiles from all over its range.");
  options.custom_help("[OPTION ...]").set_width(120);
  add_device_options(options);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("lambda3", "how large boxes are", text()->default_value("64"), "N");
  add("bits", "K: cases are nearer than 2^-K spacings to a breakpoint", text()->default_value("44"), "K");
  add("boxes", "boxes a tile, at least (default: 2^26 on a GPU, 2^18 on a CPU)", text(), "COUNT");
  add_repeats(options);
  add("json", "write the figures as JSON Lines", text(), "FILE");
  add("h,help", "this text");
  return options;
}

double boxes_in(const std::vector<engine::boxes::PowerStrip>& strips) {
  double sum = 0;
  for (const engine::boxes::PowerStrip& strip : strips)
    sum += static_cast<double>(strip.rows()) * strip.kernel.boxes;
  return sum;
}

struct Load {
  std::vector<engine::boxes::PowerStrip> strips;
  double pairs = 0; // pairs of each copy, in all strips together
};

// Makes the strips of a rectangle that is an eighth of a binade wide along x and as high as it takes, and as many
// copies of them as give that many boxes.
Load load_of(const BoxTile& tile, const engine::boxes::PowerPlanner& planner, double boxes) {
  Load result;
  engine::boxes::PowerRectangle r{tile.x_exponent - 23, tile.y_exponent - 23, tile.is_negative};
  r.x_first = static_cast<std::uint32_t>(std::ldexp(tile.x, 23));
  r.x_end = r.x_first + (1 << 20);
  r.y_first = static_cast<std::uint32_t>(std::ldexp(tile.y, 23));
  for (std::uint32_t side = 256; side <= 1 << 18; side *= 2) {
    r.y_end = r.y_first + side;
    result.strips.clear();
    result.pairs = static_cast<double>(r.pairs());
    for (engine::boxes::PowerTile& part : planner.plan(r))
      std::move(part.strips.begin(), part.strips.end(), std::back_inserter(result.strips));
    if (boxes_in(result.strips) >= boxes)
      break;
  }
  const std::vector<engine::boxes::PowerStrip> once = result.strips;
  const double pairs = result.pairs;
  while (boxes_in(result.strips) < boxes &&
         result.strips.size() + once.size() <= engine::boxes::BoxSearch::most_strips) {
    result.strips.insert(result.strips.end(), once.begin(), once.end());
    result.pairs += pairs;
  }
  return result;
}

} // namespace

int run_boxes(const Arguments& arguments) {
  cxxopts::Options options = box_options_asked();
  const auto parsed = parse(options, "boxes", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help({""}));
    return 0;
  }
  const auto text = [&](const char* name) { return parsed[name].as<std::string>(); };
  engine::boxes::BoxOptions shape;
  shape.lambda3 = request::parse_integer(text("lambda3"), "--lambda3", 4, 1024);
  const int bits = request::parse_integer(text("bits"), "--bits", 3, 60);
  const int repeats = repeats_of(parsed);
  auto json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  const run::DeviceChoice choice = device_to_measure(spec_of(parsed));
  const int boxes = parsed.count("boxes") != 0 ? request::parse_integer(text("boxes"), "--boxes", 1, 1 << 30)
                                               : 1 << (choice.device.is_gpu ? 26 : 18);
  const engine::boxes::PowerPlanner planner({Rounding::all, 24, -126, 127}, bits, shape);
  engine::boxes::BoxSearch search(std::make_shared<engine::Launcher>(choice.device, 1 << 22),
                                  choice.tunables[device::shared_tunable("launch-milliseconds")]);
  fmt::print("boxes of pow on {} ({}), lambda3 {}, K = {}\n"
             "  {:<20}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>10}\n",
             choice.device.name, choice.device.platform, shape.lambda3, bits, "tile", "boxes", "pairs/box", "ns/box",
             "pairs/ps", "hits/box", "refused", "filter");
  flush_output();
  std::string lines;
  for (const BoxTile& tile : box_tiles) {
    const Load load = load_of(tile, planner, boxes);
    std::vector<double> walks;
    std::vector<double> filters;
    for (int run = 0; run <= repeats; ++run) { // the first run compiles the kernels
      search.reset_stages();
      (void)search.search(load.strips);
      if (run == 0)
        continue;
      walks.push_back(search.stages()[0].seconds);
      filters.push_back(search.stages()[1].seconds);
    }
    const engine::Stages stages = search.stages();
    const auto walked = static_cast<double>(stages[0].tested);
    const double seconds = support::median(walks) + support::median(filters);
    const double hits = static_cast<double>(stages[0].kept) / walked;
    const double refused = static_cast<double>(stages[2].tested) / walked;
    fmt::print("  {:<20}{:>12.4g}{:>12.4g}{:>12.4f}{:>12.3f}{:>12.4f}{:>12.2e}{:>8.1f} %\n", tile.name, walked,
               load.pairs / walked, seconds / walked * 1e9, load.pairs / seconds * 1e-12, hits, refused,
               100 * support::median(filters) / seconds);
    flush_output();
    lines += result::record_line(result::first_record("boxes", result::running_program(choice.kernels),
                                                      {{"device", choice.device.name},
                                                       {"tile", tile.name},
                                                       {"lambda3", shape.lambda3},
                                                       {"bits", bits},
                                                       {"boxes", stages[0].tested},
                                                       {"pairs_per_box", load.pairs / walked},
                                                       {"seconds_per_box", seconds / walked},
                                                       {"pairs_per_second", load.pairs / seconds},
                                                       {"hits_per_box", hits},
                                                       {"refused_share", refused},
                                                       {"share_of_filter", support::median(filters) / seconds}}));
  }
  if (json)
    json->commit(lines);
  return 0;
}

} // namespace tmd::app
