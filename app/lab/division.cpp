// tmd-lab division: 64-bit integer division, scalar and in vectors, and FP64 division emulated in integers.
#include "app/lab/lab.hpp"
#include "app/lab/production.hpp"
#include "app/standard_streams.hpp"
#include "result/record.hpp"
#include "support/atomic_file.hpp"

#include "app/lab/fp64_division.hpp"
#include "app/lab/integer_arithmetic.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

constexpr std::array<int, 4> vector_widths{1, 4, 8, 16};
constexpr double patience = 0.5; // seconds that each figure may take

cxxopts::Options division_options() {
  cxxopts::Options options(
      "tmd-lab division",
      "Times 64-bit integer division by every strategy of the existence tests, scalar and in explicit vectors, over "
      "two\n"
      "arrays of 1024; then FP64 division, built in and emulated in integers, and checks the emulation bit for bit.");
  options.custom_help("[OPTION ...]").set_width(120);
  add_device_options(options);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("repeats", "repetitions over the arrays; times of fewer are scaled up", text()->default_value("1000000"), "R");
  add("division", "of the strategies this one only", text(), "NAME");
  add("operands", "operands for which the emulated division is checked", text()->default_value("100000000"), "COUNT");
  add("seed", "of the operands, an integer", text()->default_value("1"), "S");
  add("json", "write the figures as JSON Lines", text(), "FILE");
  add("h,help", "this text");
  return options;
}

struct Settings {
  int repetitions = 0;
  std::optional<engine::domains::Division> division;
  int operands = 0;
  std::uint64_t seed = 0;
};

Settings make_settings(const cxxopts::ParseResult& parsed) {
  constexpr int most = 2'000'000'000;
  const auto text = [&](const char* name) { return parsed[name].as<std::string>(); };
  Settings settings;
  settings.repetitions = request::parse_integer(text("repeats"), "--repeats", 1, most);
  if (parsed.count("division") != 0)
    settings.division = static_cast<engine::domains::Division>(
        1 + device::find_name("division", text("division"), engine::domains::division_names));
  settings.operands = request::parse_integer(text("operands"), "--operands", 1, most);
  settings.seed = static_cast<std::uint64_t>(request::parse_integer(text("seed"), "--seed", 0, most));
  return settings;
}

result::Json make_record(std::string_view type, const run::DeviceChoice& choice) {
  return result::first_record(type, result::running_program(choice.kernels),
                              {{"device", choice.device.name},
                               {"platform", choice.device.platform},
                               {"driver", choice.device.driver_version},
                               {"cpu_mode", to_string(choice.cpu_mode)}});
}

// Rows of seconds with a column for each vector width, and their JSON records.
class IntegerTable {
public:
  IntegerTable(const run::DeviceChoice& choice, const Settings& settings)
      : choice_(choice), settings_(settings),
        arithmetic_(choice.device, static_cast<std::size_t>(
                                       choice.tunables[engine::domains::domain_tunable("phase1.work-group-size")])) {}

  std::string print() {
    fmt::print("64-bit integers: seconds for {} repetitions over two arrays of {}, scaled up where fewer were run\n",
               settings_.repetitions, ArrayOperands::size);
    fmt::print("  {:<28}{:>12}", "", "scalar");
    for (std::size_t i = 1; i < vector_widths.size(); ++i)
      fmt::print("{:>15}", fmt::format("vectors of {}", vector_widths[i]));
    fmt::print("{:>9}\n", "speed-up");
    heading(OperandKind::continued_fraction);
    for (const ArrayOperation operation : {ArrayOperation::addition, ArrayOperation::multiplication})
      row({operation}, OperandKind::continued_fraction);
    divisions(OperandKind::continued_fraction);
    heading(OperandKind::any_length);
    divisions(OperandKind::any_length);
    fmt::print("  published: 10^6 repetitions on a Xeon Phi 5110P (Avenel et al. 2016, table 5.2)\n"
               "  {:<28}{:>12}{:>45}{:>9}\n"
               "  {:<28}{:>12}{:>45}{:>9}\n"
               "  additions and multiplications: 7.2x to 7.7x faster in vectors than scalar\n",
               "C, vectors by SVML", "97.9", "36.7", "2.7x", "OpenCL, compiler's vectors", "94.2", "39.9", "2.4x");
    return lines_;
  }

private:
  static void heading(OperandKind kind) {
    fmt::print("  {}\n", kind == OperandKind::continued_fraction
                             ? "operands of full length, quotients of continued fractions"
                             : "operands of any length, quotients below 2^20");
  }

  void divisions(OperandKind kind) {
    for (std::size_t i = 0; i < engine::domains::division_names.size(); ++i) {
      const auto division = static_cast<engine::domains::Division>(i + 1);
      if (settings_.division && division != *settings_.division)
        continue;
      if (engine::domains::length_bits(division) < 64 && !choice_.device.has_fp64())
        continue;
      row({ArrayOperation::division, division,
           static_cast<int>(choice_.tunables[engine::domains::domain_tunable("phase1.logms")])},
          kind);
    }
  }

  void row(ArrayKernel kernel, OperandKind kind) {
    const bool divides = kernel.operation == ArrayOperation::division;
    const std::string_view operation = array_operation_names[static_cast<unsigned>(kernel.operation) - 1];
    const int bits = engine::domains::length_bits(kernel.division);
    fmt::print("    {:<26}", !divides ? std::string(operation)
                             : kernel.division == engine::domains::Division::hybrid
                                 ? fmt::format("hybrid, LOGMS {}", kernel.logms)
                             : bits < 64 ? fmt::format("{}, {} bits", engine::domains::to_string(kernel.division), bits)
                                         : std::string(engine::domains::to_string(kernel.division)));
    const ArrayOperands operands = make_operands(kind, bits, settings_.seed);
    double scalar = 0;
    double best_vector = 0;
    for (const int width : vector_widths) {
      kernel.vector_width = width;
      const Measurement measured =
          arithmetic_.time(kernel, operands, static_cast<std::uint64_t>(settings_.repetitions), patience);
      const double seconds = measured.seconds * settings_.repetitions / static_cast<double>(measured.rounds);
      (width == 1 ? scalar : best_vector) = width == 1 || best_vector == 0 ? seconds : std::min(best_vector, seconds);
      fmt::print("{:>{}.4g}", seconds, width == 1 ? 12 : 15);
      flush_output();
      result::Json record = make_record("integer-arithmetic", choice_);
      record["operation"] = operation;
      if (divides)
        record["division"] = engine::domains::to_string(kernel.division);
      if (divides && kernel.division == engine::domains::Division::hybrid)
        record["logms"] = kernel.logms;
      record["operands"] = operand_kind_names[static_cast<unsigned>(kind)];
      record["bits"] = bits;
      record["vector_width"] = width;
      record["repetitions"] = settings_.repetitions;
      record["repetitions_run"] = measured.rounds;
      record["seconds"] = seconds;
      lines_ += result::record_line(record);
    }
    fmt::print("{:>9}\n", fmt::format("{:.1f}x", scalar / best_vector));
  }

  const run::DeviceChoice& choice_;
  const Settings& settings_;
  IntegerArithmetic arithmetic_;
  std::string lines_;
};

std::string fp64_table(const run::DeviceChoice& choice, const Settings& settings) {
  Fp64Divider divider(choice.device, static_cast<std::size_t>(
                                         choice.tunables[engine::domains::domain_tunable("phase1.work-group-size")]));
  std::string lines;
  fmt::print("FP64 division, divisions/s\n");
  double built_in = 0;
  for (const Fp64Division division : {Fp64Division::built_in, Fp64Division::newton, Fp64Division::halley}) {
    const bool emulated = division != Fp64Division::built_in;
    if (!emulated && !divider.has_built_in()) {
      fmt::print("  {:<28}{:>12}\n", "built-in", "none");
      continue;
    }
    const double rate = divider.throughput(division, patience);
    result::Json record = make_record("fp64-division", choice);
    record["method"] = to_string(division);
    record["divisions_per_second"] = rate;
    fmt::print("  {:<28}{:>12.3e}", emulated ? fmt::format("emulated, {}", to_string(division)) : "built-in", rate);
    if (!emulated)
      built_in = rate;
    else if (built_in != 0) {
      record["ratio"] = rate / built_in;
      fmt::print("{:>12}", fmt::format("{:.3f}x", rate / built_in));
    }
    flush_output();
    if (emulated) {
      const double seconds = divider.check(division, static_cast<std::uint64_t>(settings.operands), settings.seed);
      const std::string_view against = divider.has_built_in() ? "built-in" : "host";
      record["operands"] = settings.operands;
      record["seed"] = settings.seed;
      record["compared_with"] = against;
      record["mismatches"] = 0; // check() throws if there are any
      fmt::print("   {} operands checked, 0 differ from the {} quotients, {:.1f} s", settings.operands,
                 divider.has_built_in() ? "built-in" : "host's", seconds);
    }
    fmt::print("\n");
    lines += result::record_line(record);
  }
  return lines;
}

} // namespace

int run_division(const Arguments& arguments) {
  cxxopts::Options options = division_options();
  const auto parsed = parse(options, "division", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help({""}));
    return 0;
  }
  const Settings settings = make_settings(parsed);
  auto json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  const run::DeviceChoice choice = device_to_measure(spec_of(parsed));
  fmt::print("division on {} ({}), CPU mode {}\n", choice.device.name, choice.device.platform,
             to_string(choice.cpu_mode));
  flush_output();
  std::string lines = IntegerTable(choice, settings).print();
  lines += fp64_table(choice, settings);
  if (json)
    json->commit(lines);
  return 0;
}

} // namespace tmd::app
