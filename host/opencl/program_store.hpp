// Programs that have been built on this machine, in a folder of the user's cache: the binaries of drivers that keep
// none themselves, and of the others which programs they have, so that nothing is started to build what is there.
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

// By several threads and processes at once.
class ProgramStore {
public:
  struct Entry {
    std::string log;    // of the build; of a program that the driver has, where that is
    std::string binary; // empty: the driver has it
  };

  // Of a device's programs, in folder() or nowhere.
  explicit ProgramStore(const DeviceDescription& device, std::optional<std::filesystem::path> in = folder());

  // $TMD_PROGRAM_CACHE, of which "off" means none; else `programs` in the user's cache.
  [[nodiscard]] static std::optional<std::filesystem::path> folder();

  // Why nothing can be kept in folder(), or nothing.
  [[nodiscard]] static std::string problem();

  // Of the device's name, its platform's and its driver's versions, the variables that compilers read, the compiler's
  // options and the whole source.
  [[nodiscard]] std::string key(std::string_view options, std::string_view source) const;
  // Nothing where there is none, or it is damaged.
  [[nodiscard]] std::optional<Entry> find(const std::string& key) const;
  // Keeps an entry; where there are too many, the oldest go.
  void keep(const std::string& key, const Entry& entry) const;
  // Whether binaries belong into entries: PoCL, NVIDIA's driver and Mesa have caches themselves.
  [[nodiscard]] bool keeps_binaries() const { return keeps_binaries_; }

private:
  void remove_oldest() const;

  std::optional<std::filesystem::path> folder_;
  std::string device_; // what keys have in common
  std::string platform_;
  bool keeps_binaries_;
};

} // namespace tmd::opencl
