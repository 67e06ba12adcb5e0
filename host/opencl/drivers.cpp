// Reads the files that name drivers for the OpenCL loader, and tries to load each library, to say why there is no
// device.
#include "opencl/drivers.hpp"

#include "opencl/handles.hpp"
#include "opencl/pocl_cache.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

#include <dlfcn.h>

#include <fmt/format.h>

namespace tmd::opencl {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".icd";

// The reason why a library cannot be loaded; empty if it can.
std::string load_problem(const std::string& library) {
  if (library.empty())
    return "the file is empty or cannot be read";
  if (::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) // stays open: the loader has it open, too
    return {};
  const char* said = ::dlerror();
  return said == nullptr ? "the system does not say why" : said;
}

DriverFile read_driver(const fs::path& file) {
  DriverFile driver{file, {}, {}};
  std::ifstream stream(file);
  std::string line;
  if (std::getline(stream, line))
    driver.library = support::trimmed(line);
  driver.problem = load_problem(driver.library);
  return driver;
}

} // namespace

bool is_pocl(std::string_view platform) {
  return platform.find("Portable Computing Language") != std::string_view::npos;
}

namespace {

bool is_rusticl(std::string_view platform) { return platform == "rusticl"; }

// Clover is Mesa's implementation before Rusticl. Both are installed, but Clover serves no device.
bool is_clover(std::string_view platform) { return platform == "Clover"; }

} // namespace

bool is_oclgrind(std::string_view platform) { return platform.find("Oclgrind") != std::string_view::npos; }

fs::path driver_place() {
  for (const char* name : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
      return value;
  return "/etc/OpenCL/vendors";
}

std::vector<DriverFile> driver_files() {
  const fs::path place = driver_place();
  std::error_code error;
  std::vector<DriverFile> drivers;
  if (place.extension() == suffix)
    return {read_driver(place)};
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(place, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == suffix)
      files.push_back(entry->path());
  std::sort(files.begin(), files.end());
  drivers.reserve(files.size());
  for (const fs::path& file : files)
    drivers.push_back(read_driver(file));
  return drivers;
}

std::vector<PlatformDescription> list_platforms() {
  const auto handles = device_handles();
  std::vector<PlatformDescription> platforms;
  for (const cl::Platform& platform : platform_handles()) {
    const auto devices =
        std::count_if(handles.begin(), handles.end(), [&](const auto& one) { return one.first() == platform(); });
    try {
      platforms.push_back({platform.getInfo<CL_PLATFORM_NAME>(), platform.getInfo<CL_PLATFORM_VERSION>(),
                           static_cast<std::size_t>(devices)});
    } catch (const cl::Error& error) {
      fail(error, "querying an OpenCL platform");
    }
  }
  return platforms;
}

std::string loader_file() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&clGetPlatformIDs), &info) == 0 || info.dli_fname == nullptr)
    return {};
  std::error_code error;
  const fs::path file = fs::canonical(info.dli_fname, error);
  return error ? info.dli_fname : file.string();
}

std::string why_without_devices(const PlatformDescription& platform) {
  const std::string& cache = prepare_pocl_cache().problem;
  if (is_pocl(platform.name) && !cache.empty())
    return fmt::format("the OpenCL platform '{}' offers no device: {}", platform.name, cache);
  if (is_rusticl(platform.name)) {
    const char* enabled = std::getenv("RUSTICL_ENABLE");
    return fmt::format("the OpenCL platform 'rusticl' offers no device: it uses only devices whose driver "
                       "RUSTICL_ENABLE names, which is {}; set it to radeonsi for AMD's GPUs, iris for Intel's, or "
                       "llvmpipe for the CPU",
                       enabled == nullptr || *enabled == '\0' ? "not set" : fmt::format("'{}'", enabled));
  }
  return fmt::format("the OpenCL platform '{}' offers no device: check that its hardware is there and this user may "
                     "use it{}",
                     platform.name, is_pocl(platform.name) ? ", and what POCL_DEVICES says" : "");
}

bool is_superseded(const PlatformDescription& platform, std::span<const PlatformDescription> among) {
  return is_clover(platform.name) && platform.devices == 0 &&
         std::any_of(among.begin(), among.end(), [](const PlatformDescription& other) { return other.devices > 0; });
}

std::string why_not_loaded(const DriverFile& driver) {
  return fmt::format("the OpenCL driver of '{}' cannot be loaded ({}): install it again, or remove that file",
                     driver.file.string(), driver.problem);
}

std::string why_no_device() {
  const auto platforms = list_platforms();
  const auto other = std::find_if(platforms.begin(), platforms.end(),
                                  [](const PlatformDescription& platform) { return !is_clover(platform.name); });
  if (!platforms.empty())
    return why_without_devices(other != platforms.end() ? *other : platforms.front());
  const auto drivers = driver_files();
  const auto broken =
      std::find_if(drivers.begin(), drivers.end(), [](const DriverFile& driver) { return !driver.problem.empty(); });
  if (broken != drivers.end())
    return why_not_loaded(*broken);
  if (!drivers.empty())
    return fmt::format("the OpenCL driver '{}' of '{}' offers no platform: install it again, or another driver",
                       drivers.front().library, drivers.front().file.string());
  return "no OpenCL device found: install a driver, or PoCL for the CPU (package pocl-opencl-icd)";
}

} // namespace tmd::opencl
