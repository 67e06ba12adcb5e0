#include "report/report.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd {

namespace {

using Json = nlohmann::ordered_json;

// JSON numbers are doubles to many readers: beyond 2^53 an integer is written as a string.
Json integer(uint128 value) {
  constexpr uint128 most = uint128(1) << 53;
  return value <= most ? Json(static_cast<std::uint64_t>(value)) : Json(to_string(value));
}

double four_decimals(double value) { return std::round(value * 1e4) / 1e4; }

Json phase(const PhaseCount& count) {
  return {{"domains", count.tested}, {"survivors", count.survivors}, {"seconds", count.seconds}};
}

// The wide test: groups and their candidates, refused parts and theirs, runs of what is refused again, and what the
// check of the candidates left.
Json wide_record(const PhaseCounts& counts) {
  const auto one = [](std::string_view what, const PhaseCount& count) -> Json {
    return {{std::string(what), count.tested}, {"survivors", count.survivors}, {"seconds", count.seconds}};
  };
  return {{"test", one("groups", counts.wide_groups)},
          {"refused", one("parts", counts.wide_parts)},
          {"refused_again", one("runs", counts.wide_sweep)},
          {"check", one("candidates", counts.wide_check)}};
}

std::string range(const Piece& piece) {
  return fmt::format("[{}, {}]", to_hex(piece.argument(0)), to_hex(piece.argument(piece.count - 1)));
}

std::string expected_costs(const PredictedCosts& costs) {
  const auto one = [](std::string_view name, double cost) {
    return std::isfinite(cost) ? fmt::format("{} {:.2e}", name, cost) : fmt::format("{} -", name);
  };
  return fmt::format("{}, {}, {}, {}", one("wide", costs.wide), one("regular", costs.regular),
                     one("lefevre", costs.lefevre), one("exhaustive", costs.exhaustive));
}

Json expected_costs_record(const PredictedCosts& costs) {
  const auto one = [](double cost) { return std::isfinite(cost) ? Json(cost) : Json(nullptr); };
  return {{"wide", one(costs.wide)},
          {"regular", one(costs.regular)},
          {"lefevre", one(costs.lefevre)},
          {"exhaustive", one(costs.exhaustive)}};
}

Json bits_or_null(int bits) { return bits != 0 ? Json(bits) : Json(nullptr); }

Json ledger_record(const PieceReport& report) {
  Json record{{"first", to_hex(report.piece.argument(0))},
              {"last", to_hex(report.piece.argument(report.piece.count - 1))},
              {"output_binade", report.piece.value_exponent},
              {"intervals", integer(report.intervals)},
              {"methods", report.methods},
              {"expected_costs", expected_costs_record(report.costs)},
              {"degree", report.degree},
              {"words", report.words},
              {"group_bits", bits_or_null(report.most_group_bits)},
              {"domain_bits", bits_or_null(report.most_domain_bits)},
              {"split_bits", bits_or_null(report.most_domain_bits == 0 ? 0 : report.split_bits)}};
  for (const Ledger::Term& term : Ledger::terms)
    record[std::string(term.name)] = (report.ledger.*term.value).value();
  record["wide"] = report.ledger.wide().value();
  record["wide_check"] = report.ledger.wide_check().value();
  record["phase1"] = report.ledger.phase1().value();
  record["phase2"] = report.ledger.phase2().value();
  record["phase3"] = report.ledger.phase3().value();
  return record;
}

Json cpu_modes_record(const std::optional<CpuModes>& modes) {
  if (!modes)
    return nullptr;
  Json in_effect;
  for (const CpuModes::Row& row : modes->rows)
    in_effect[std::string(row.part)] = row.in_effect.empty() ? Json(nullptr) : Json(row.in_effect);
  return {{"asked", to_string(modes->asked)}, {"in_effect", in_effect}};
}

Json device_record(const opencl::DeviceDescription& device) {
  return {{"name", device.name},
          {"class", to_string(device.device_class())},
          {"platform", device.platform},
          {"driver", device.driver_version}};
}

Json tunables_record(const Tunables& tunables) {
  Json record;
  for (const Tunable& tunable : tunable_table)
    record[std::string(tunable.name)] =
        tunable.names.empty() ? Json(tunables.*tunable.value) : Json(to_string(tunable, tunables.*tunable.value));
  return record;
}

double share(const DeviceReport& report, const SearchResult& result) {
  return static_cast<double>(report.arguments) / std::max(static_cast<double>(result.arguments), 1.0);
}

// One of several devices, and what it did.
Json device_record(const DeviceUse& use, const DeviceReport& report, const SearchResult& result) {
  Json record{{"device", device_record(use.device)},
              {"index", use.device.index},
              {"profile", use.profile},
              {"polynomials", use.polynomials},
              {"tunables", tunables_record(use.tunables)},
              {"arguments", integer(report.arguments)},
              {"share", four_decimals(share(report, result))},
              {"wide", wide_record(report.phases)},
              {"phase1", phase(report.phases.phase1)},
              {"phase2", phase(report.phases.phase2)},
              {"phase3", phase(report.phases.phase3)},
              {"polynomials_on_device",
               {{"domains", report.phases.polynomials.tested}, {"seconds", report.phases.polynomials.seconds}}},
              {"seconds", report.phases.seconds()}};
  if (!report.failure.empty())
    record["failure"] = report.failure;
  return record;
}

constexpr std::size_t few_exact = 20; // exact cases in the table for people; some functions have very many

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string sizes(int fewest_bits, int most_bits) {
  return fewest_bits == most_bits ? fmt::format("2^{}", most_bits)
                                  : fmt::format("2^{} down to 2^{}", most_bits, fewest_bits);
}

std::string seconds(double value) { return fmt::format("{:.3f} s", value); }

} // namespace

std::string describe(const SearchJob& job, const RunDescription& run) {
  return fmt::format("{} on [{}, {}), {} with arguments of {} bits, breakpoints: {}, K = {}", job.function->name,
                     run.from, run.to, job.format.name, job.argument_precision, to_string(job.rounding), job.plan.bits);
}

std::string describe_devices(const RunDescription& run) {
  std::string text;
  for (const DeviceUse& use : run.devices)
    text += fmt::format("on device {}: {} ({})\n", use.device.index, use.device.name, use.device.platform);
  return text;
}

std::string case_table(const SearchResult& result) {
  std::string text;
  std::size_t width = 1;
  for (const Case& found : result.cases)
    width = std::max(width, to_hex(found.x).size());
  if (!result.cases.empty())
    text += fmt::format("{:>9}  {:<{}}  breakpoint\n", "bits", "x", width);
  for (const Case& found : result.cases)
    text += fmt::format("{:9.4f}  {:<{}}  {}\n", found.bits, to_hex(found.x), width, to_string(found.breakpoint));
  if (!result.exact.empty() && result.exact.size() <= few_exact) {
    for (const Case& found : result.exact)
      text += fmt::format("{:>9}  {:<{}}  {}\n", "exact", to_hex(found.x), width, to_string(found.breakpoint));
  }
  return text;
}

std::string summary_table(const SearchJob& job, const SearchResult& result) {
  std::string text = fmt::format(
      "{}, {}{}; {} of {} arguments covered in {:.2f} s\n", plural(result.cases.size(), "hard-to-round case"),
      plural(result.exact.size(), "exact case"), result.exact.size() > few_exact ? " (listed with --json only)" : "",
      to_string(result.arguments), to_string(job.size()), result.seconds);
  const auto row = [&](std::string_view name, std::string_view unit, const PhaseCount& count) {
    text += fmt::format("  {:<12}{:>14} {:<12}{:>12} kept  {:>10}\n", name, count.tested, unit, count.survivors,
                        seconds(count.seconds));
  };
  text += fmt::format("  {:<12}{:>45}{:>10}\n", "polynomials", "", seconds(result.polynomial_seconds));
  const PhaseCounts& phases = result.phases;
  const bool wide = phases.wide_groups.tested != 0;
  const bool domains = !wide || phases.phase1.tested + phases.phase3.tested != 0;
  if (phases.polynomials.tested != 0)
    text += fmt::format("  {:<12}{:>14} {:<25}{:>10}\n", "  on device", phases.polynomials.tested,
                        !wide     ? "domains"
                        : domains ? "domains, sub-intervals"
                                  : "sub-intervals",
                        seconds(phases.polynomials.seconds));
  if (wide) {
    row("wide test", "groups", phases.wide_groups);
    if (phases.wide_parts.tested != 0)
      row("  refused", "parts", phases.wide_parts);
    if (phases.wide_sweep.tested != 0)
      row("  again", "runs", phases.wide_sweep);
    row("  check", "candidates", phases.wide_check);
  }
  if (domains) {
    row("phase 1", "domains", phases.phase1);
    row("phase 2", "sub-domains", phases.phase2);
    row("phase 3", "sub-domains", phases.phase3);
  }
  text += fmt::format("  {:<12}{:>14} candidates and {} other argument{}\n", "MPFR", result.candidates,
                      to_string(result.direct), result.direct == 1 ? "" : "s");
  return text;
}

std::string device_table(const RunDescription& run, const SearchResult& result) {
  std::string text;
  for (std::size_t i = 0; i < run.devices.size() && run.devices.size() > 1; ++i) {
    const DeviceReport& report = result.devices[i];
    text += fmt::format("  {:<12}{:>17} arguments  {:>7.2f} %{:>8}{:>11}{}\n",
                        fmt::format("device {}", run.devices[i].device.index), to_string(report.arguments),
                        100 * share(report, result), "", seconds(report.phases.seconds()),
                        report.failure.empty() ? "" : ", then lost");
  }
  return text;
}

std::string method_table(const SearchResult& result) {
  constexpr std::size_t most_pieces = 8;
  std::string text;
  std::map<std::string, std::uint64_t> totals;
  for (const PieceReport& report : result.pieces)
    for (const auto& [method, intervals] : report.methods)
      totals[method] += intervals;
  for (const auto& [method, intervals] : totals)
    text += fmt::format("{}{} on {} interval{}", text.empty() ? "  algorithm   " : ", ", method, intervals,
                        intervals == 1 ? "" : "s");
  if (text.empty())
    return text;
  text += "\n";
  if (result.pieces.size() > most_pieces)
    return text;
  for (const PieceReport& report : result.pieces) {
    if (report.methods.empty())
      continue;
    std::string methods; // where there are several, and the piece is not all there is
    for (const auto& [method, intervals] : report.methods)
      if (report.methods.size() > 1)
        methods += fmt::format("{} on {}, ", method, intervals);
    text += fmt::format("              {}: {}expected per argument{}, in regular tests: {}\n", range(report.piece),
                        methods, methods.empty() ? "" : " of the first interval", expected_costs(report.costs));
  }
  return text;
}

std::string cpu_mode_table(const std::optional<CpuModes>& modes) {
  if (!modes || (modes->asked == opencl::CpuMode::automatic &&
                 std::none_of(modes->rows.begin(), modes->rows.end(),
                              [](const CpuModes::Row& row) { return opencl::is_known(row.in_effect); })))
    return {};
  std::string text = fmt::format("  CPU mode    {} asked", to_string(modes->asked));
  std::vector<std::string_view> told;
  for (const CpuModes::Row& row : modes->rows) { // parts with the same answer stand together
    if (row.in_effect.empty() || std::find(told.begin(), told.end(), row.in_effect) != told.end())
      continue;
    told.push_back(row.in_effect);
    std::string_view separator = "; ";
    for (const CpuModes::Row& same : modes->rows)
      if (same.in_effect == row.in_effect) {
        text += fmt::format("{}{}", separator, same.part);
        separator = ", ";
      }
    text += fmt::format(" {}", row.in_effect);
  }
  return text + "\n";
}

std::string ledger_table(const SearchResult& result) {
  std::string text;
  for (const PieceReport& report : result.pieces) {
    text += fmt::format("piece {}, |f| in [2^{}, 2^{}): ", range(report.piece), report.piece.value_exponent,
                        report.piece.value_exponent + 1);
    if (!report.has_polynomial()) {
      text += "every argument in MPFR alone\n";
      continue;
    }
    const bool wide = report.most_group_bits != 0;
    const bool domains = report.most_domain_bits != 0;
    text += fmt::format("{} interval{}, degree {}, {} words", to_string(report.intervals),
                        report.intervals == 1 ? "" : "s", report.degree, report.words);
    if (wide)
      text += fmt::format(", groups of {}", sizes(report.fewest_group_bits, report.most_group_bits));
    if (domains)
      text += fmt::format(", N = {}, kappa = {}", sizes(report.fewest_domain_bits, report.most_domain_bits),
                          1 << report.split_bits);
    text += "\n";
    const auto line = [&](std::string_view name, const Bound& bound) {
      text +=
          bound.is_zero() ? fmt::format("  {:<14} 0\n", name) : fmt::format("  {:<14} 2^{:.2f}\n", name, bound.log2());
    };
    for (const Ledger::Term& term : Ledger::terms)
      if ((wide && term.of_groups) || (domains && term.of_domains))
        line(term.name, report.ledger.*term.value);
    if (wide) {
      line("= wide test", report.ledger.wide());
      line("= wide check", report.ledger.wide_check());
      text += fmt::format("  in float: lines 2^{:.0f} of a group's rise, roots {:g} arguments\n",
                          std::log2(wide_line_rounding), wide_root_rounding * std::exp2(report.most_group_bits - 1));
    }
    if (domains) {
      line("= phase 1", report.ledger.phase1());
      line("= phase 2", report.ledger.phase2());
      line("= phase 3", report.ledger.phase3());
    }
  }
  return text;
}

std::string wc_file(const SearchJob& job, const RunDescription& run, const SearchResult& result) {
  std::string text = fmt::format("# Hard-to-round cases of {}.\n"
                                 "# Complete: every argument closer than 2^-{} spacings to a breakpoint is listed.\n"
                                 "# {} arguments covered; {} cases, {} exact cases not listed.\n"
                                 "# Made by tmd {} with: {}\n",
                                 describe(job, run), job.plan.bits, to_string(result.arguments), result.cases.size(),
                                 result.exact.size(), run.version, run.command);
  for (const Case& found : result.cases)
    text += to_hex(found.x) + "\n";
  return text;
}

std::string json_lines(const SearchJob& job, const RunDescription& run, const SearchResult& result) {
  Json search{{"type", "search"},
              {"version", run.version},
              {"command", run.command},
              {"function", job.function->name},
              {"format", job.format.name},
              {"precision", job.format.precision},
              {"argument_precision", job.argument_precision},
              {"from", to_hex(job.arguments().at(job.first))},
              {"to", to_hex(job.arguments().at(job.last))},
              {"rounding", to_string(job.rounding)},
              {"bits", job.plan.bits},
              {"algorithm", run.algorithm},
              {"deployment", run.deployment},
              {"compaction", run.compaction}};
  if (run.devices.size() == 1) {
    const DeviceUse& use = run.devices.front();
    search["polynomials"] = use.polynomials;
    search["device"] = device_record(use.device);
    search["cpu_mode"] = cpu_modes_record(use.cpu_modes);
    search["profile"] = use.profile;
    search["tunables"] = tunables_record(use.tunables);
  } else {
    for (std::size_t i = 0; i < run.devices.size(); ++i)
      search["devices"].push_back(device_record(run.devices[i], result.devices[i], result));
  }
  search["ledger"] = Json::array();
  for (const PieceReport& report : result.pieces)
    if (report.has_polynomial())
      search["ledger"].push_back(ledger_record(report));

  std::string text = search.dump() + "\n";
  for (const Case& found : result.cases)
    text += Json{{"type", "case"},
                 {"x", to_hex(found.x)},
                 {"bits", four_decimals(found.bits)},
                 {"breakpoint", to_string(found.breakpoint)}}
                .dump() +
            "\n";
  for (const Case& found : result.exact)
    text += Json{{"type", "exact"}, {"x", to_hex(found.x)}, {"breakpoint", to_string(found.breakpoint)}}.dump() + "\n";
  const Json summary{{"type", "summary"},
                     {"arguments", integer(result.arguments)},
                     {"cases", result.cases.size()},
                     {"exact", result.exact.size()},
                     {"candidates", result.candidates},
                     {"direct", integer(result.direct)},
                     {"wide", wide_record(result.phases)},
                     {"phase1", phase(result.phases.phase1)},
                     {"phase2", phase(result.phases.phase2)},
                     {"phase3", phase(result.phases.phase3)},
                     {"polynomials", {{"seconds", result.polynomial_seconds + result.phases.polynomials.seconds}}},
                     {"polynomials_on_device",
                      {{"domains", result.phases.polynomials.tested}, {"seconds", result.phases.polynomials.seconds}}},
                     {"seconds", result.seconds}};
  return text + summary.dump() + "\n";
}

} // namespace tmd
