// What the OpenCL loader finds: why there is no device, where there is none, and what can be done.
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
  std::string library; // that it names
  std::string problem; // why the library cannot be loaded; empty: it can
};

// Where the loader looks for such files: a folder, or one file.
[[nodiscard]] std::filesystem::path driver_place();

// Those that it finds there, sorted by name. Loads each library.
[[nodiscard]] std::vector<DriverFile> driver_files();

struct PlatformDescription {
  std::string name;
  std::string version;
  std::size_t devices = 0;
};

[[nodiscard]] std::vector<PlatformDescription> list_platforms();

// By the name of a platform.
[[nodiscard]] bool is_pocl(std::string_view platform);
// Oclgrind stands no OpenCL in a second thread.
[[nodiscard]] bool is_oclgrind(std::string_view platform);

// The library that is the loader, as a path; "" where the system does not tell.
[[nodiscard]] std::string loader_file();

// A sentence for the case that there is no device.
[[nodiscard]] std::string why_no_device();

// Whether nothing is to be done about a platform without devices, since it is an old one beside another that has some.
[[nodiscard]] bool is_superseded(const PlatformDescription& platform, std::span<const PlatformDescription> among);

// What to do about a platform without devices.
[[nodiscard]] std::string why_without_devices(const PlatformDescription& platform);
// What to do about a driver that cannot be loaded.
[[nodiscard]] std::string why_not_loaded(const DriverFile& driver);

} // namespace tmd::opencl
