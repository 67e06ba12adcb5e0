// tmd-lab dispatch: how many devices one rank 0 keeps at work.
#include "app/lab/lab.hpp"

#include "app/standard_streams.hpp"

#include "app/lab/simulation.hpp"
#include "function/catalogue.hpp"
#include "result/record.hpp"
#include "result/records.hpp"
#include "support/atomic_file.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>
#include <unistd.h>

namespace tmd::app {

namespace {

// A search whose time is known, on one H200 (doc/performance.md).
struct Workload {
  std::string_view name;
  std::string_view function;
  std::string_view from;
  std::string_view to;
  double windows; // phase windows that an engine claims; 0: the range is cut into pieces
  double rate;    // arguments per second
};

constexpr std::array<Workload, 2> workloads{{{"log", "log", "0x1p-1074", "0x1p+1024", 0, 6.4e16},
                                             {"sin", "sin", "0x1p+1022", "0x1p+1023", 0x1.4p+34, 1.45e15}}};
constexpr double spread = 100; // ratio of the greatest rate to the least, where none are given

cxxopts::Options dispatch_options() {
  cxxopts::Options options("tmd-lab dispatch", "Searches by very many devices that are only rates, on a clock of their "
                                               "own: what one rank 0\nhands out, reads and writes is real.");
  options.custom_help("[OPTION ...]").set_width(120);
  const auto text = [](const char* value) { return cxxopts::value<std::string>()->default_value(value); };
  auto add = options.add_options();
  add("ranks", "how many devices, 1 to 100000; several numbers with commas between", text("1,10,100,1000,10000"), "N");
  add("workload", "log: all of binary64; sin: a binade near 2^1023, one field", text("log"), "NAME");
  add("repeat", "search that so many times, one after the other", text("1"), "TIMES");
  add("bits", "K of the search: each more halves the number of cases", text("44"), "K");
  add("rates",
      "of the devices, in arguments a second: one, or LEAST:GREATEST, spread evenly by their logarithm\n"
      "(default: a hundredth of an H200's, to an H200's)",
      cxxopts::value<std::string>(), "RATES");
  add("jitter", "parts take up to this share of their time longer or shorter", text("0.1"), "SHARE");
  add("overhead", "what a part costs its device beside, in milliseconds", text("1"), "MS");
  add("latency", "of a message, in microseconds", text("100"), "US");
  add("losses", "so many devices are lost on the way", text("0"), "N");
  add("json", "write the figures as JSON Lines", cxxopts::value<std::string>(), "FILE");
  add("h,help", "this text");
  return options;
}

double parse_number(std::string_view text, const char* option, double least, double greatest) {
  const auto value = request::number_of<double>(text);
  if (!value || !(*value >= least && *value <= greatest))
    throw UsageError(fmt::format("{} takes a number from {} to {}, not '{}'", option, least, greatest, text));
  return *value;
}

std::vector<std::size_t> parse_ranks(std::string_view text) {
  constexpr double most = 100'000;
  std::vector<std::size_t> result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const double number = parse_number(text.substr(begin, end - begin), "--ranks", 1, most);
    if (number != std::floor(number))
      throw UsageError(fmt::format("--ranks takes whole numbers, not '{}'", text));
    result.push_back(static_cast<std::size_t>(number));
    begin = end + 1;
  }
  return result;
}

std::pair<double, double> parse_rates(const cxxopts::ParseResult& parsed, const Workload& workload) {
  constexpr double least = 1;
  constexpr double greatest = 1e30;
  if (parsed.count("rates") == 0)
    return {workload.rate / spread, workload.rate};
  const std::string text = parsed["rates"].as<std::string>();
  const auto colon = text.find(':');
  const double low = parse_number(std::string_view(text).substr(0, colon), "--rates", least, greatest);
  return {low, colon == std::string::npos
                   ? low
                   : parse_number(std::string_view(text).substr(colon + 1), "--rates", low, greatest)};
}

// The fastest rate is always among them. Devices with neighbouring numbers have different rates.
std::vector<double> rates_of(std::size_t count, std::pair<double, double> range) {
  std::vector<double> rates;
  const auto steps = static_cast<double>(std::max<std::size_t>(count - 1, 1));
  constexpr std::size_t stride = 7919; // a prime
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = count % stride == 0 ? i : i * stride % count;
    rates.push_back(range.second * std::pow(range.first / range.second, static_cast<double>(place) / steps));
  }
  return rates;
}

cluster::Simulation simulation_of(const Workload& workload, int times, int bits) {
  cluster::Simulation result;
  job::Job& job = result.job;
  job.function = &function::find_function(std::string(workload.function));
  job.format = find_format("binary64");
  job.K = bits;
  job.first = job.arguments().parse(std::string(workload.from), "from");
  job.last = job.arguments().parse(std::string(workload.to), "to");
  for (int time = 0; time < times; ++time)
    for (const job::Stretch& stretch : job::stretches(job.arguments(), job.first, job.last)) {
      engine::Field field = engine::Field::of({stretch, job::OutputBinade{}});
      if (workload.windows > 0)
        field.kind = engine::Claim{.engine = "phase", .extent = static_cast<uint128>(workload.windows)};
      result.fields.push_back(field);
    }
  return result;
}

// A temporary folder, removed with everything in it.
class Scratch {
public:
  Scratch() {
    std::error_code error;
    folder_ = (std::filesystem::temp_directory_path(error) / "tmd-XXXXXX").string();
    if (error || ::mkdtemp(folder_.data()) == nullptr)
      throw UsageError("cannot make a folder for temporary files; TMPDIR says where");
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
  }
  [[nodiscard]] std::filesystem::path file(const char* name) const { return std::filesystem::path(folder_) / name; }

private:
  std::string folder_;
};

} // namespace

int run_dispatch(const Arguments& arguments) {
  cxxopts::Options options = dispatch_options();
  const auto parsed = parse(options, "dispatch", arguments);
  if (parsed.count("help") != 0) {
    fmt::print(
        "{}\nefficiency: the time in which the devices would do it if none ever waited, of the time that it takes; "
        "idle: the share\nof their time in which they do nothing, on the average; end-game: from when the first "
        "gets nothing more to the end;\nrank 0: its processor's share of the time, and parts that it could hand "
        "out, read and write down in a second.\n",
        options.help({""}));
    return 0;
  }
  const auto number = [&](const char* name, double least, double greatest) {
    return parse_number(parsed[name].as<std::string>(), fmt::format("--{}", name).c_str(), least, greatest);
  };
  constexpr std::array<std::string_view, workloads.size()> names{workloads[0].name, workloads[1].name};
  const Workload& workload = workloads.at(device::find_name("workload", parsed["workload"].as<std::string>(), names));
  const std::vector<std::size_t> counts = parse_ranks(parsed["ranks"].as<std::string>());
  const auto range = parse_rates(parsed, workload);
  cluster::Simulation simulation =
      simulation_of(workload, request::parse_integer(parsed["repeat"].as<std::string>(), "--repeat", 1, 100'000),
                    request::parse_integer(parsed["bits"].as<std::string>(), "--bits", 1, most_bits));
  simulation.jitter = number("jitter", 0, 0.99);
  simulation.overhead = 1e-3 * number("overhead", 0, 1e6);
  simulation.latency = 1e-6 * number("latency", 0, 1e6);
  simulation.losses =
      static_cast<std::size_t>(request::parse_integer(parsed["losses"].as<std::string>(), "--losses", 0, 100'000));
  const auto json = open_file(parsed, "json");
  print_no_tables_beside({&json});

  const Scratch scratch;
  simulation.journal = scratch.file("journal");
  std::string records;
  fmt::print("{:>8}{:>12}{:>12}{:>9}{:>12}{:>10}{:>10}{:>12}\n", "devices", "seconds", "efficiency", "idle", "end-game",
             "parts", "rank 0", "parts/s");
  for (const std::size_t count : counts) {
    simulation.rates = rates_of(count, range);
    const cluster::SimulatedSearch one = cluster::simulate(simulation);
    const double capacity = static_cast<double>(one.parts) / one.busy;
    fmt::print("{:>8}{:>12.2f}{:>12.4f}{:>7.2f} %{:>10.3f} s{:>10}{:>8.1f} %{:>12.0f}\n", count, one.seconds,
               one.efficiency(), 100 * one.idle, one.end_game, one.parts, 100 * one.busy / one.seconds, capacity);
    flush_output();
    records += result::record_line(result::first_record("dispatch", result::running_program(),
                                                        {{"workload", workload.name},
                                                         {"bits", simulation.job.K},
                                                         {"devices", count},
                                                         {"seconds", one.seconds},
                                                         {"ideal_seconds", one.ideal},
                                                         {"efficiency", one.efficiency()},
                                                         {"idle", one.idle},
                                                         {"end_game_seconds", one.end_game},
                                                         {"parts", one.parts},
                                                         {"messages", one.messages},
                                                         {"records", one.records},
                                                         {"rank_0_seconds", one.busy}}));
  }
  if (json)
    json->commit(records);
  return 0;
}

} // namespace tmd::app
