// Looks for profiles in the user's folder, then in the shipped one, and ranks those that fit a device.
#include "device/profile_store.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

namespace tmd::device {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_file = 64 << 10; // bytes

// The steps of the look-up, the most specific first.
enum class Step { driver, device, device_class, none };

Step step_of(const ProfileMatch& match, const opencl::DeviceDescription& device, CpuMode mode) {
  const bool serves = (!match.device_class || *match.device_class == device.device_class()) &&
                      fits(match.platform, device.platform) && fits(match.vendor, device.vendor) &&
                      fits(match.device, device.name) && (!device.is_cpu || match.cpu_mode.value_or(mode) == mode);
  if (!serves)
    return Step::none;
  if (match.platform.empty() && match.vendor.empty() && match.device.empty())
    return Step::device_class;
  return !match.driver.empty() && fits(match.driver, device.driver_version) ? Step::driver : Step::device;
}

bool is_pattern(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

std::size_t literal_characters(const ProfileMatch& match) {
  std::size_t count = 0;
  for (const std::string* pattern : {&match.platform, &match.vendor, &match.device})
    count += static_cast<std::size_t>(
        std::count_if(pattern->begin(), pattern->end(), [](char c) { return c != '*' && c != '?'; }));
  return count;
}

std::string reason(Step step, const ProfileMatch& match, const opencl::DeviceDescription& device) {
  if (step == Step::device_class)
    return fmt::format("class {}", opencl::to_string(device.device_class()));
  const std::string whom = match.device.empty() || is_pattern(match.device) ? "devices like this" : "this device";
  if (step == Step::driver)
    return fmt::format("{}, driver {}", whom, device.driver_version);
  return match.driver.empty()
             ? fmt::format("{}, any driver", whom)
             : fmt::format("{}, tuned with driver {}, not {}", whom, match.driver, device.driver_version);
}

std::string read_file(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (error)
    throw UsageError(fmt::format("it cannot be read: {}", error.message()));
  if (!fs::is_regular_file(status))
    throw UsageError("it is no file");
  if (fs::file_size(file, error) > largest_file || error)
    throw UsageError(fmt::format("it is larger than {} KiB", largest_file >> 10));
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream)
    throw UsageError(fmt::format("it cannot be read: {}", std::strerror(errno)));
  return text;
}

// The *.toml files of a folder, by name.
std::vector<fs::path> profile_files(const fs::path& folder, const ProfileStore::Warn& warn) {
  std::vector<fs::path> files;
  std::error_code error;
  if (!fs::exists(folder, error) && !error)
    return files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".toml")
      files.push_back(at->path());
  if (error)
    warn(fmt::format("the folder of profiles '{}' cannot be read: {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace

ProfileStore::ProfileStore(const std::vector<fs::path>& folders, const Tuning& tuning, const Warn& warn)
    : tuning_(tuning) {
  for (std::size_t folder = 0; folder < folders.size(); ++folder)
    for (const fs::path& file : profile_files(folders[folder], warn)) {
      try {
        entries_.push_back({file, folder, parse_profile(read_file(file), tuning)});
      } catch (const UsageError& error) {
        warn(fmt::format("profile '{}' is not used: {}", file.string(), error.what()));
      }
    }
}

ProfileChoice ProfileStore::choose(const opencl::DeviceDescription& device, CpuMode mode) const {
  return best_of(device, mode, false);
}

ProfileChoice ProfileStore::choose_file(const fs::path& file, const opencl::DeviceDescription& device,
                                        CpuMode mode) const {
  try {
    const Entry entry{file, 0, parse_profile(read_file(file), tuning_)};
    if (step_of(entry.profile.match, device, mode) == Step::none)
      throw UsageError(
          fmt::format("it is not for {} ({}) in CPU mode {}", device.name, device.platform, to_string(mode)));
    return choice_of(&entry, device, mode);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--profile: '{}' cannot be used: {}", file.string(), error.what()));
  }
}

ProfileChoice ProfileStore::class_default(const opencl::DeviceDescription& device, CpuMode mode) const {
  return best_of(device, mode, true);
}

ProfileChoice ProfileStore::best_of(const opencl::DeviceDescription& device, CpuMode mode, bool classes_only) const {
  const Entry* best = nullptr;
  const auto rank = [&](const Entry& entry) {
    const ProfileMatch& match = entry.profile.match;
    return std::tuple(step_of(match, device, mode), entry.folder, !match.cpu_mode,
                      match.device.empty() || is_pattern(match.device),
                      -static_cast<std::ptrdiff_t>(literal_characters(match)), entry.file.filename());
  };
  for (const Entry& entry : entries_) {
    const Step step = step_of(entry.profile.match, device, mode);
    if (step == Step::none || (classes_only && step != Step::device_class))
      continue;
    if (best == nullptr || rank(entry) < rank(*best))
      best = &entry;
  }
  return choice_of(best, device, mode);
}

ProfileChoice ProfileStore::choice_of(const Entry* best, const opencl::DeviceDescription& device, CpuMode mode) const {
  ProfileChoice choice;
  choice.tunables = tuning_.default_tunables(device, mode);
  choice.costs = tuning_.default_costs(device, choice.tunables);
  if (best == nullptr)
    return choice;
  apply(best->profile, choice.tunables, tuning_);
  choice.tunables = tuning_.limited_to(device, choice.tunables); // the class's may exceed this device's limits
  choice.costs = tuning_.default_costs(device, choice.tunables);
  apply(best->profile, choice.costs, tuning_);
  choice.tuned = best->profile.tuned;
  choice.file = best->file;
  choice.why = fmt::format("{}: {}{}", best->file.filename().string(),
                           reason(step_of(best->profile.match, device, mode), best->profile.match, device),
                           choice.tuned ? "" : ", untuned");
  return choice;
}

} // namespace tmd::device
