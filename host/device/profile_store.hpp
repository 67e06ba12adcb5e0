// The profile for a device: from the user's and the shipped ones, the most specific.
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
  std::string why = "built-in default"; // a line that says why it was chosen
  std::filesystem::path file;           // empty: built in
  std::optional<ProfileOrigin> tuned;
};

class ProfileStore {
public:
  using Warn = std::function<void(const std::string& sentence)>;

  // Reads the *.toml files of the folders, the user's first; folders that do not exist are empty. A file with an error
  // is reported in a sentence and left out.
  ProfileStore(const std::vector<std::filesystem::path>& folders, const Tuning& tuning, const Warn& warn);

  // The profile for the device with this driver; else for the device; else for its class; else the built-in default. In
  // each step the user's folder comes first, then profiles for this mode, for the device's full name, with longer
  // patterns, and by the file's name. A profile for another CPU mode than the requested one does not count.
  [[nodiscard]] ProfileChoice choose(const opencl::DeviceDescription& device, CpuMode mode) const;

  // The profile in a file, which need not lie in a folder of profiles. Throws UsageError if it is no profile, or is for
  // other devices.
  [[nodiscard]] ProfileChoice choose_file(const std::filesystem::path& file, const opencl::DeviceDescription& device,
                                          CpuMode mode) const;

  // The choice without the profiles that name devices: for a device that has not been tuned.
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
