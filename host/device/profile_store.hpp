// Which profile a device gets: the user's and the shipped ones, from the most to the least specific.
#pragma once

#include "device/profile.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tmd::device {

// The tunables and costs of a device, and where they come from.
struct ProfileChoice {
  Tunables tunables;
  Costs costs;
  std::string why = "built-in default"; // one line
  std::filesystem::path file;           // empty: built in
  std::optional<ProfileOrigin> tuned;
};

class ProfileStore {
public:
  using Warn = std::function<void(const std::string& sentence)>;

  // Reads the *.toml files of the folders, of which the first is the user's; folders that do not exist are empty. What
  // is wrong with a file is told in a sentence, and the file left out.
  ProfileStore(const std::vector<std::filesystem::path>& folders, const Tuning& tuning, const Warn& warn);

  // The profile of the device with this driver; else of the device; else of its class; else the built-in default. In
  // each step the user's folder comes first, then the mode's own profile, the device's full name, the longer patterns
  // and the file's name. A profile for another CPU mode than the one asked for does not count.
  [[nodiscard]] ProfileChoice choose(const opencl::DeviceDescription& device, CpuMode mode) const;

  // That of a file, which need not lie in a folder of profiles. Throws UsageError for what is none, or for other
  // devices.
  [[nodiscard]] ProfileChoice choose_file(const std::filesystem::path& file, const opencl::DeviceDescription& device,
                                          CpuMode mode) const;

  // The same without the profiles that name devices: what a device gets as long as it has not been tuned.
  [[nodiscard]] ProfileChoice class_default(const opencl::DeviceDescription& device, CpuMode mode) const;

private:
  struct Entry {
    std::filesystem::path file;
    std::size_t folder;
    Profile profile;
  };
  [[nodiscard]] ProfileChoice best_of(const opencl::DeviceDescription& device, CpuMode mode, bool classes_only) const;
  // best: null for the built-in default.
  [[nodiscard]] ProfileChoice choice_of(const Entry* best, const opencl::DeviceDescription& device, CpuMode mode) const;

  Tuning tuning_;
  std::vector<Entry> entries_;
};

} // namespace tmd::device
