#include "doctor_engines.hpp"

#include "run_child.hpp"

#include "engine/registry.hpp"
#include "opencl/cpu_mode.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

using opencl::DeviceDescription;

// Tries an engine in a process of its own, so that a crashing driver ends only that process. The engine builds its
// kernels and tests itself before it searches.
ChildEnd try_engine(const DeviceDescription& device, const engine::EngineKind& engine, bool foreign_kernels) {
  constexpr double patience = 300; // seconds: some compilers need many
  SearchSpec spec;
  spec.functions = {std::string(engine.trial.function)};
  spec.from = engine.trial.from;
  spec.to = engine.trial.to;
  spec.format = engine.trial.format;
  spec.bits = engine.trial.K;
  spec.choices.algorithm = engine.algorithms.front();
  spec.choices.test_all_kernels = true;
  spec.devices = {std::to_string(device.index)};
  spec.foreign_kernels = foreign_kernels;
  return run_search({spec}, patience);
}

// Prints the CPU modes of the kernels in a search's records; returns whether one is unknown.
bool show_cpu_modes(std::string_view engine, const std::string& records) {
  const auto record = nlohmann::ordered_json::parse(records.substr(0, records.find('\n')), nullptr, false);
  if (!record.is_object() || !record.contains("cpu_mode") || !record["cpu_mode"].is_object())
    return false;
  std::string text = fmt::format("{}: {} asked", engine, record["cpu_mode"].value("asked", "auto"));
  bool unknown = false;
  for (const auto& [stage, mode] : record["cpu_mode"]["in_effect"].items()) {
    const std::string known = mode.is_string() ? opencl::known_mode(mode.get<std::string>()) : "";
    if (!known.empty())
      text += fmt::format("; {} {}", stage, known);
    unknown = unknown || (mode.is_string() && known.empty());
  }
  tell(true, "  CPU mode", text);
  return unknown;
}

// The reason why a search's records do not count as a search by the engine; empty if they do.
std::string why_not_by(const engine::EngineKind& engine, const std::string& records) {
  const auto record = nlohmann::ordered_json::parse(records.substr(0, records.find('\n')), nullptr, false);
  std::size_t parts = 0;
  if (record.is_object() && record.contains("ledger"))
    for (const auto& part : record["ledger"])
      for (const auto& [method, intervals] : part["methods"].items()) {
        if (std::find(engine.algorithms.begin(), engine.algorithms.end(), method) == engine.algorithms.end())
          return fmt::format("the search that is to try it was made by {}", method);
        ++parts;
      }
  return parts > 0 ? "" : "the search that is to try it was made without it";
}

// Reports on an engine's kernels and its answers; returns false if something is wrong.
bool check_engine(const engine::EngineKind& engine, const ChildEnd& end) {
  const std::string what = end.done() ? why_not_by(engine, end.records) : end.sentence();
  const bool built = what.rfind("building kernel", 0) != 0;
  tell(built, "  build", built ? fmt::format("the kernels of {}", engine.name) : what);
  if (built)
    tell(what.empty(), "  self-test",
         what.empty() ? fmt::format("{} finds what it must", engine.name) : fmt::format("{}: {}", engine.name, what));
  if (end.done() && end.errors.find("tmd: warning: ") != std::string::npos)
    tell(true, "  note", fmt::format("{}: {}", engine.name, end.sentence()));
  return what.empty();
}

// Checks pairs of pow, which no engine of the registry searches.
bool check_boxes(const DeviceDescription& device, bool foreign_kernels) {
  constexpr double patience = 300; // seconds
  if (!device.has_fp64()) {
    tell(true, "  note", "no FP64: pow, powr and compoundn are not searched here");
    return true;
  }
  std::vector<std::string> arguments{"search", "pow",     "--format", "binary16",     "--bits",
                                     "16",     "--shard", "1/400",    "--no-journal", "--quiet"};
  arguments.insert(arguments.end(), {"--device", std::to_string(device.index)});
  if (foreign_kernels)
    arguments.emplace_back("--foreign-kernels");
  const ChildEnd end = run_child(arguments, patience);
  tell(end.done(), "  self-test",
       end.done() ? "boxes of pairs finds what it must" : "boxes of pairs: " + end.sentence());
  return end.done();
}

} // namespace

void tell(bool ok, std::string_view what, std::string_view text) {
  fmt::print("{:<7}{:<15}{}\n", ok ? "ok" : "to do", what, text);
  std::fflush(stdout); // the next line may take seconds
}

bool check_engines(const DeviceDescription& device, bool foreign_kernels) {
  bool well = true;
  bool unknown = false;
  for (const engine::EngineKind* engine : engine::engines()) {
    const ChildEnd end = try_engine(device, *engine, foreign_kernels);
    const bool good = check_engine(*engine, end);
    well = well && good;
    if (good && show_cpu_modes(engine->name, end.records))
      unknown = true;
  }
  well = check_boxes(device, foreign_kernels) && well;
  if (unknown)
    tell(true, "  CPU mode", fmt::format("of other kernels unknown: {}", opencl::why_mode_is_unknown(device)));
  return well;
}

} // namespace tmd::app
