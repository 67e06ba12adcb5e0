// tmd tune: measures which settings suit a device best, and writes a profile.
#include "commands.hpp"
#include "interrupt.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"
#include "tune_child.hpp"

#include "engine/registry.hpp"
#include "opencl/kernel_files.hpp"
#include "run/device_choice.hpp"
#include "support/atomic_file.hpp"
#include "support/installed_files.hpp"
#include "support/terminal_line.hpp"
#include "support/text.hpp"
#include "tune/journal.hpp"
#include "tune/report.hpp"
#include "tune/searches.hpp"
#include "tune/space.hpp"
#include "tune/tuner.hpp"

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

// Without a place for the journal, tells the user that this run cannot be continued, and returns null.
std::unique_ptr<tune::Journal> open_journal(const TuningDescription& tuning, bool fresh) {
  const auto folder = support::tuning_journal_folder();
  if (folder)
    return std::make_unique<tune::Journal>(*folder, file_name_of(tuning), subject_of(tuning), tuning.default_values,
                                           fresh);
  fmt::print(stderr, "tmd: neither XDG_CACHE_HOME nor HOME is set: an interrupted tuning cannot be continued\n");
  return nullptr;
}

fs::path profile_path(const cxxopts::ParseResult& parsed, const TuningDescription& tuning) {
  if (parsed.count("output") != 0)
    return file_name(parsed, "output");
  const auto folder = support::user_profile_folder();
  if (!folder)
    throw UsageError("neither XDG_CONFIG_HOME nor HOME is set: name the profile's file with --output");
  std::error_code ignored;
  fs::create_directories(*folder, ignored); // errors show when the file is opened
  return *folder / (file_name_of(tuning) + ".toml");
}

// Shows the progress of a tuning on stderr: a line that is rewritten on a terminal, else a line for each trial.
class TuningProgressLine {
public:
  explicit TuningProgressLine(double budget) : budget_(budget) {}

  void show(const TuningProgress& now) {
    const auto left = static_cast<int>(std::max(budget_ - now.seconds, 0.0));
    std::string what = "confirming against the default";
    if (now.trial != nullptr)
      what = fmt::format("{}: {}: {}", to_string(now.trial->part), to_string(now.trial->settings),
                         now.trial->state == tune::State::ok
                             ? fmt::format("{:.3f} of the default's time", now.trial->ratios.at(now.trial->part))
                             : std::string(word_of(now.trial->state)));
    if (line_.active())
      line_.show(fmt::format("{:3.0f} %  {} tried  ETA {}:{:02}  {}", 100 * std::min(now.seconds / budget_, 1.0),
                             now.trials, left / 60, left % 60, what));
    else
      fmt::print(stderr, "{:7.1f} s  {:>3} tried  {}\n", now.seconds, now.trials, what);
  }

private:
  double budget_;
  support::TerminalLine line_;
};

struct ChosenDevice {
  opencl::DeviceDescription device;
  CpuMode cpu_mode;
  opencl::KernelUse kernels;
};

// Like choose_device(), but without a profile, because tuning starts from the default.
ChosenDevice choose_untuned(const SearchSpec& spec) {
  const CpuMode mode = request::cpu_mode_of(spec);
  const std::vector<std::string>& selectors = spec.devices;
  opencl::KernelUse kernels = opencl::use_kernels(spec.foreign_kernels);
  opencl::apply_cpu_mode(mode);
  return {opencl::select_device(opencl::list_devices(), selectors.empty() ? std::string() : selectors.back()), mode,
          std::move(kernels)};
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
  add("seed", "seed of the order in which settings are tried", text()->default_value("1"), "S");
  add("fresh", "forget what earlier runs tried");
  add("output", "write the profile to FILE (default: the user's folder of profiles)", text(), "FILE");
  add("match", "names of the devices that the profile is for, with * and ? (default: this one's)", text(), "PATTERN");
  add("json", "write all that was tried as JSON Lines", text(), "FILE");
  add("h,help", "this text");
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
    tuning_options.budget = request::parse_integer(text("budget"), "--budget", 1, longest);
  tuning_options.seed =
      static_cast<std::uint64_t>(request::parse_integer(text("seed"), "--seed", 0, std::numeric_limits<int>::max()));
  const SearchSpec spec = spec_of(parsed); // before anything takes time
  (void)request::cpu_mode_of(spec);
  if (parsed.count("output") != 0)
    (void)file_name(parsed, "output");
  std::optional<support::AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});

  const ChosenDevice choice = choose_untuned(spec);
  const opencl::DeviceDescription& device = choice.device;
  const std::string pattern = parsed.count("match") != 0 ? text("match") : "";
  if (!device::fits(pattern, device.name))
    throw UsageError(fmt::format("the pattern '{}' of --match does not fit this device, '{}'", pattern, device.name));
  const device::ProfileChoice base = run::installed_profiles(print_remark).class_default(device, choice.cpu_mode);
  TuningDescription tuning{TMD_VERSION,
                           choice.kernels,
                           device,
                           choice.cpu_mode,
                           "",
                           base.file.empty() ? base.why
                                             : fmt::format("class default {}", base.file.filename().string()),
                           values_of(base.tunables),
                           search_space(device, choice.cpu_mode, true)};
  TuningSearches searches([&](const SearchSpec& spec, double patience) { return tuning_child(tuning, spec, patience); },
                          quick);
  tuning.job = searches.text();
  tuning_options.default_values = tuning.default_values;
  const fs::path path = profile_path(parsed, tuning);
  const support::AtomicFile profile(path); // opened before the run
  const std::unique_ptr<tune::Journal> journal = open_journal(tuning, parsed.count("fresh") != 0);

  fmt::print("tuning device {}: {} ({}), driver {}, CPU mode {}\non {}\nfrom the {}\n", device.index, device.name,
             device.platform, device.driver_version, to_string(choice.cpu_mode), tuning.job, tuning.against);
  flush_output();
  catch_interrupts();
  TuningResult result;
  {
    TuningProgressLine progress(tuning_options.budget);
    tuning_options.progress = [&](const TuningProgress& now) { progress.show(now); };
    result = tmd::tune::tune(
        tuning_options, tuning.space,
        [&](tune::Work work, const Settings& settings, double patience) {
          return searches.run(work, settings, patience);
        },
        journal.get());
  }
  if (!result.interrupted) { // files first: a failure of standard output must not lose them
    profile.commit(device::to_toml(profile_of(tuning, result, pattern, device::today()), engine::engine_tuning()));
    if (json)
      json->commit(json_lines(tuning, result));
  }
  fmt::print("\n{}", trial_table(result));
  if (result.interrupted) {
    fmt::print(stderr, "tmd: interrupted: {} tried; no profile was written{}\n",
               support::counted(result.trials.size(), "configuration"),
               journal ? "; the same command continues from here" : "");
    interrupt_is_reported();
    return static_cast<int>(Status::interrupted);
  }
  fmt::print("\n{}profile written to {}\n", gain_table(tuning, result), path.string());
  flush_output();
  return static_cast<int>(Status::done);
}

} // namespace tmd::app
