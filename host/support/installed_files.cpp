#include "support/installed_files.hpp"

#include "tmd/error.hpp"

#include <array>
#include <cstdlib>
#include <sstream>
#include <string>
#include <system_error>

#include <dlfcn.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tmd::support {

namespace {

namespace fs = std::filesystem;

// Nothing if it is not set, or empty.
std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0')
    return std::nullopt;
  return value;
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// The folder of the program or shared library that contains this function, with links followed.
struct OwnFolder {
  bool is_library;
  fs::path path;
};

OwnFolder own_folder() {
  Dl_info info{};
  std::error_code ignored;
  if (::dladdr(reinterpret_cast<void*>(&own_folder), &info) != 0 && info.dli_fname != nullptr &&
      fs::path(info.dli_fname).filename().string().find(".so") != std::string::npos)
    return {true, fs::canonical(info.dli_fname, ignored).parent_path()};
  return {false, fs::read_symlink("/proc/self/exe", ignored).parent_path()};
}

// The folder share/tmd of this build tree or installation.
fs::path shared_files() {
  const auto [is_library, here] = own_folder();
  constexpr std::array<const char*, 2> data{TMD_DATA_FROM_PROGRAMS, TMD_DATA_FROM_LIBRARY}; // often the same
  return (here / data.at(is_library ? 1 : 0)).lexically_normal();
}

// $VARIABLE/tmd, else ~/otherwise/tmd. A relative path is ignored, for the program may run anywhere.
std::optional<fs::path> user_folder(const char* name, const char* otherwise) {
  if (const auto folder = variable(name); folder && folder->front() == '/')
    return fs::path(*folder) / "tmd";
  if (const auto home = variable("HOME"); home && home->front() == '/')
    return fs::path(*home) / otherwise / "tmd";
  return std::nullopt;
}

} // namespace

fs::path kernel_folder() {
  if (const auto path = variable("TMD_KERNEL_PATH")) {
    if (!is_folder(*path))
      throw DeviceError(fmt::format("TMD_KERNEL_PATH names '{}', which is not a folder", *path));
    return *path;
  }
  fs::path folder = shared_files() / "cl_kernels";
  if (!is_folder(folder))
    throw DeviceError(
        fmt::format("the OpenCL kernels are not in '{}'; name their folder in TMD_KERNEL_PATH", folder.string()));
  return folder;
}

std::optional<fs::path> own_program() {
  const auto [is_library, here] = own_folder();
  const fs::path program = (here / (is_library ? TMD_PROGRAMS_FROM_LIBRARY : ".") / "tmd").lexically_normal();
  std::error_code ignored;
  return fs::is_regular_file(program, ignored) ? std::optional(program) : std::nullopt;
}

fs::path shipped_profile_folder() {
  if (const auto path = variable("TMD_CONFIG_PATH")) {
    if (!is_folder(*path))
      throw UsageError(fmt::format("TMD_CONFIG_PATH names '{}', which is not a folder", *path));
    return fs::path(*path) / "devices";
  }
  return shared_files() / "configs" / "devices";
}

fs::path module_folder() { return (own_folder().path / TMD_MODULES_FROM_PROGRAMS).lexically_normal(); }

fs::path python_folder() { return shared_files() / "python"; }

std::optional<fs::path> user_profile_folder() {
  const auto folder = user_folder("XDG_CONFIG_HOME", ".config");
  return folder ? std::optional(*folder / "devices") : std::nullopt;
}

std::optional<fs::path> user_cache_folder() { return user_folder("XDG_CACHE_HOME", ".cache"); }

std::optional<fs::path> tuning_journal_folder() {
  const auto folder = user_cache_folder();
  return folder ? std::optional(*folder / "tune") : std::nullopt;
}

std::optional<fs::path> find_program(const char* name) {
  std::istringstream folders(variable("PATH").value_or("/usr/local/bin:/usr/bin:/bin"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder.empty() ? "." : folder) / name;
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0)
      return file;
  }
  return std::nullopt;
}

} // namespace tmd::support
