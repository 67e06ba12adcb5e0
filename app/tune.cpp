// tmd tune: what suits a device best, measured, into a profile.
#include "commands.hpp"
#include "engine/registry.hpp"
#include "interrupt.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "device/profile_store.hpp"
#include "opencl/kernel_files.hpp"
#include "support/atomic_file.hpp"
#include "support/installed_files.hpp"
#include "support/terminal_line.hpp"
#include "support/text.hpp"
#include "tune/journal.hpp"
#include "tune/measure.hpp"
#include "tune/report.hpp"
#include "tune/space.hpp"
#include "tune/tune_costs.hpp"
#include "tune/tuner.hpp"
#include "tune/worker.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/format.h>

namespace tmd::app {

namespace {

namespace fs = std::filesystem;
using namespace tune;

constexpr int least_budget_for_costs = 10; // seconds; with less there is only time for trials
constexpr double most_seconds_for_costs = 15;

// As a file name.
std::string name_of(const TuningDescription& tuning) {
  std::string name = file_name_of(fmt::format("{} {}", tuning.device.platform, tuning.device.name));
  if (tuning.device.is_cpu && tuning.cpu_mode != opencl::CpuMode::automatic)
    name += fmt::format("-{}", opencl::to_string(tuning.cpu_mode));
  return name;
}

// Everything that makes trials comparable.
std::string subject_of(const TuningDescription& tuning) {
  const opencl::DeviceDescription& device = tuning.device;
  return fmt::format("{}, {}, driver {}, {} units, {} MHz; CPU mode {}; {}; tmd {}, kernels {}; default {}",
                     device.name, device.platform, device.driver_version, device.compute_units, device.clock_mhz,
                     opencl::to_string(tuning.cpu_mode), tuning.job, tuning.version, tuning.kernels.digest,
                     digest(to_json(tuning.base).dump()));
}

// Nothing, with a word to the user, where there is no place for it: then this run cannot be continued.
std::unique_ptr<tune::Journal> open_journal(const TuningDescription& tuning, bool fresh) {
  const auto folder = tuning_journal_folder();
  if (folder)
    return std::make_unique<tune::Journal>(*folder, name_of(tuning), subject_of(tuning), fresh);
  fmt::print(stderr, "tmd: neither XDG_CACHE_HOME nor HOME is set: an interrupted tuning cannot be continued\n");
  return nullptr;
}

fs::path profile_path(const cxxopts::ParseResult& parsed, const TuningDescription& tuning) {
  if (parsed.count("output") != 0)
    return file_name(parsed, "output");
  const auto folder = user_profile_folder();
  if (!folder)
    throw UsageError("neither XDG_CONFIG_HOME nor HOME is set: name the profile's file with --output");
  std::error_code ignored;
  fs::create_directories(*folder, ignored); // what is wrong shows when the file is tried
  return *folder / (name_of(tuning) + ".toml");
}

// How far a tuning is: a line that is rewritten, on a terminal; else a line a trial. On stderr.
class TuningProgressLine {
public:
  explicit TuningProgressLine(const Tunables& base) : base_(base) {}

  // What follows the trials.
  void show(const std::string& what) {
    if (line_.active())
      line_.show(what);
    else
      fmt::print(stderr, "{}\n", what);
  }

  void show(const TuningProgress& now) {
    const auto left = static_cast<int>(std::max(now.budget - now.seconds, 0.0));
    std::string what = "confirming against the default";
    if (now.trial != nullptr) {
      const std::string setting = difference(now.trial->tunables, base_);
      what = fmt::format("{}: {}: {}", to_string(now.trial->part), setting.empty() ? "default" : setting,
                         now.trial->state == tune::State::ok
                             ? fmt::format("{:.3f} of the default's time", now.trial->ratios[now.trial->part])
                             : std::string(to_string(now.trial->state)));
    }
    if (line_.active())
      line_.show(fmt::format("{:3.0f} %  {} tried  ETA {}:{:02}  {}", 100 * std::min(now.seconds / now.budget, 1.0),
                             now.trials, left / 60, left % 60, what));
    else
      fmt::print(stderr, "{:7.1f} s  {:>3} tried  {}\n", now.seconds, now.trials, what);
  }

private:
  Tunables base_;
  TerminalLine line_;
};

struct ChosenDevice {
  opencl::DeviceDescription device;
  opencl::CpuMode cpu_mode;
  opencl::KernelUse kernels;
};

// As choose_device(), without a profile: tuning begins at the default.
ChosenDevice choose_untuned(const cxxopts::ParseResult& parsed) {
  const SearchSpec spec = spec_of(parsed);
  const opencl::CpuMode mode = cpu_mode_of(spec);
  const std::vector<std::string>& selectors = spec.devices;
  opencl::KernelUse kernels = opencl::use_kernels(spec.foreign_kernels);
  opencl::apply_cpu_mode(mode);
  return {opencl::select_device(opencl::list_devices(), selectors.empty() ? std::string() : selectors.back()), mode,
          std::move(kernels)};
}

// Has the planner's costs measured, where the budget, in seconds, leaves time for them.
CostTuning measured_costs(const opencl::DeviceDescription& device, const TuningResult& result, const Tunables& base,
                          double budget, const Ask& ask) {
  const Costs before = engine_tuning().default_costs(device, result.tuned);
  if (budget >= least_budget_for_costs)
    return tune_costs(base, result.tuned, before, ask);
  CostTuning costs;
  costs.before = before;
  costs.note = fmt::format("none in less than {} seconds", least_budget_for_costs);
  return costs;
}

// Answers requests; the first says what the default is.
int work(const cxxopts::ParseResult& parsed) {
  const ChosenDevice choice = choose_untuned(parsed);
  std::optional<Bench> bench;
  serve([&](const Message& request, const Announce& announce) {
    if (!bench) {
      Tunables base;
      if (!request.is_object() || !request.contains("base") || !from_json(request["base"], base))
        throw UsageError("a worker was given a request that it does not understand");
      bench.emplace(choice.device, tuning_job(parsed.count("quick") != 0), base);
    }
    return respond(*bench, request, announce);
  });
  return static_cast<int>(Status::done);
}

} // namespace

cxxopts::Options tune_options() {
  cxxopts::Options options("tmd tune", "Finds the tunables that suit a device best, and writes them into a profile.");
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add_option(options, "device", "index, gpu, cpu, accelerator, or a part of a name (default: a GPU, else the first)");
  add_option(options, "cpu-mode");
  add_option(options, "foreign-kernels");
  add("quick", "a 16th of the job");
  add("budget", "seconds that it may take, about, after the default has been measured (default: 300, with --quick 60)",
      text(), "SECONDS");
  add("seed", "of the random orders and restarts", text()->default_value("1"), "S");
  add("fresh", "forget what earlier runs tried");
  add("output", "write the profile to FILE (default: the user's folder of profiles)", text(), "FILE");
  add("match", "names of devices that the profile serves, with * and ? (default: this one's)", text(), "PATTERN");
  add("json", "write all that was tried as JSON Lines", text(), "FILE");
  add("h,help", "this text");
  options.add_options("internal")("worker", ""); // how this program starts itself; in no help text
  options.set_width(120);
  return options;
}

int tune(const Arguments& arguments) {
  cxxopts::Options options = tune_options();
  const auto parsed = parse(options, "tune", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help({""}));
    return 0;
  }
  constexpr int longest = 1000000; // seconds
  const bool quick = parsed.count("quick") != 0;
  const auto text = [&](const char* name) { return parsed[name].as<std::string>(); };
  TuningOptions tuning_options;
  tuning_options.budget = quick ? 60 : 300;
  if (parsed.count("budget") != 0)
    tuning_options.budget = parse_integer(text("budget"), "--budget", 1, longest);
  tuning_options.descent.seed =
      static_cast<std::uint64_t>(parse_integer(text("seed"), "--seed", 0, std::numeric_limits<int>::max()));
  (void)cpu_mode_of(spec_of(parsed)); // before anything takes time
  if (parsed.count("output") != 0)
    (void)file_name(parsed, "output");
  if (parsed.count("worker") != 0)
    return work(parsed);
  std::optional<AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});

  const ChosenDevice choice = choose_untuned(parsed);
  const opencl::DeviceDescription& device = choice.device;
  const std::string pattern = parsed.count("match") != 0 ? text("match") : "";
  if (!fits(pattern, device.name))
    throw UsageError(fmt::format("the pattern '{}' of --match does not fit this device, '{}'", pattern, device.name));
  const ProfileChoice base = ProfileStore::installed(engine_tuning()).class_default(device, choice.cpu_mode);
  const TuningDescription tuning{TMD_VERSION,
                                 choice.kernels,
                                 device,
                                 choice.cpu_mode,
                                 tuning_job(quick).text,
                                 base.file.empty() ? base.why
                                                   : fmt::format("class default {}", base.file.filename().string()),
                                 base.tunables,
                                 search_space(device, choice.cpu_mode, true)};
  tuning_options.base = base.tunables;
  const fs::path path = profile_path(parsed, tuning);
  const AtomicFile profile(path); // tried before the run
  const std::unique_ptr<tune::Journal> journal = open_journal(tuning, parsed.count("fresh") != 0);

  fmt::print("tuning device {}: {} ({}), driver {}, CPU mode {}\non {}\nfrom the {}\n", device.index, device.name,
             device.platform, device.driver_version, opencl::to_string(choice.cpu_mode), tuning.job, tuning.against);
  flush_output();
  std::vector<std::string> command{this_program,
                                   "tune",
                                   "--worker",
                                   "--device",
                                   std::to_string(device.index),
                                   "--cpu-mode",
                                   std::string(opencl::to_string(choice.cpu_mode))};
  if (quick)
    command.emplace_back("--quick");
  if (tuning.kernels.foreign)
    command.emplace_back("--foreign-kernels");
  tune::Worker worker(command);
  catch_interrupts();
  TuningResult result;
  {
    TuningProgressLine progress(tuning.base);
    const Ask ask = [&](const Message& request) { return worker.ask(request, interrupted); };
    const double budget = tuning_options.budget;
    if (budget >= least_budget_for_costs)
      tuning_options.budget -= std::min(budget / 4, most_seconds_for_costs);
    result = tmd::tune::tune(tuning_options, tuning.space, ask, journal.get(),
                             {[&](const TuningProgress& now) { progress.show(now); }, interrupted});
    if (!result.interrupted)
      try {
        progress.show("measuring the planner's costs");
        result.costs = measured_costs(device, result, tuning.base, budget, ask);
      } catch (const Interrupted&) {
        result.interrupted = true;
      }
  }
  if (!result.interrupted) { // files first: nothing that happens to standard output may lose them
    profile.commit(to_toml(profile_of(tuning, result, pattern, today()), engine_tuning()));
    if (json)
      json->commit(json_lines(tuning, result));
  }
  fmt::print("\n{}", trial_table(tuning, result));
  if (result.interrupted) {
    fmt::print(stderr, "tmd: interrupted: {} configurations were tried; no profile was written{}\n",
               result.trials.size(), journal ? ", and the same command goes on from here" : "");
    interrupt_is_told();
    return static_cast<int>(Status::interrupted);
  }
  fmt::print("\n{}profile written to {}\n", gain_table(tuning, result), path.string());
  flush_output();
  return static_cast<int>(Status::done);
}

} // namespace tmd::app
