// Programs that have been built on this machine, in a folder of the user's cache: binaries, if the driver keeps none
// itself; otherwise only a note that the driver has the program, so that no process is started to build it again.
//
// An entry is used only if its checksum is right. Its key is a hash of everything that the program depends on. A folder
// that cannot be used costs time and nothing else.
#pragma once

#include "opencl/device.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tmd::opencl {

// May be used by several threads and processes at once.
class ProgramStore {
public:
  struct Entry {
    std::string log;    // log of the build; if the driver has the program, the place of its cache
    std::string binary; // empty: the driver has it
  };

  // The store of a device's programs, in folder() or nowhere.
  explicit ProgramStore(const DeviceDescription& device, std::optional<std::filesystem::path> in = folder());

  // $TMD_PROGRAM_CACHE, where "off" means none; else `programs` in the user's cache.
  [[nodiscard]] static std::optional<std::filesystem::path> folder();

  // A sentence that says why nothing can be kept in folder(), or nothing.
  [[nodiscard]] static std::string problem();

  // A hash of the device's name, its platform's and its driver's versions, the variables that compilers read, the
  // compiler's options and the whole source.
  [[nodiscard]] std::string key(std::string_view options, std::string_view source) const;
  // Nothing if there is no such entry, or it is damaged.
  [[nodiscard]] std::optional<Entry> find(const std::string& key) const;
  // Keeps an entry; if there are too many, the oldest are removed.
  void keep(const std::string& key, const Entry& entry) const;
  // Whether entries contain binaries: PoCL, NVIDIA's driver and Mesa have caches themselves.
  [[nodiscard]] bool keeps_binaries() const { return keeps_binaries_; }

private:
  void remove_oldest() const;

  std::optional<std::filesystem::path> folder_;
  std::string device_; // the part that all keys have in common
  std::string platform_;
  bool keeps_binaries_;
};

} // namespace tmd::opencl
