// The drivers that the OpenCL loader finds: if there is no device, why, and what can be done.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::opencl {

// A file that names a driver for the loader.
struct DriverFile {
  std::filesystem::path file;
  std::string library; // the library that the file names
  std::string problem; // why the library cannot be loaded; empty if it can
};

// The place where the loader looks for such files: a folder, or one file.
[[nodiscard]] std::filesystem::path driver_place();

// The files that the loader finds there, sorted by name. Loads each library.
[[nodiscard]] std::vector<DriverFile> driver_files();

struct PlatformDescription {
  std::string name;
  std::string version;
  std::size_t devices = 0;
};

[[nodiscard]] std::vector<PlatformDescription> list_platforms();

// Recognizes PoCL by the name of its platform.
[[nodiscard]] bool is_pocl(std::string_view platform);
// Recognizes Oclgrind, which does not support OpenCL calls in a second thread.
[[nodiscard]] bool is_oclgrind(std::string_view platform);

// The path of the loader's library; "" if the system does not tell.
[[nodiscard]] std::string loader_file();

// A sentence for the case that there is no device.
[[nodiscard]] std::string why_no_device();

// Whether a platform without devices is an old one beside another that has some: then nothing is to be done.
[[nodiscard]] bool is_superseded(const PlatformDescription& platform, std::span<const PlatformDescription> among);

// A sentence that says what to do about a platform without devices.
[[nodiscard]] std::string why_without_devices(const PlatformDescription& platform);
// A sentence that says what to do about a driver that cannot be loaded.
[[nodiscard]] std::string why_not_loaded(const DriverFile& driver);

} // namespace tmd::opencl
