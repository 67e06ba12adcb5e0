// An entry is a file named by its key. It holds its form, a hash of what follows, then the log and the binary. It is
// written under another name and renamed, so that nobody reads half of it. When there is too much, the oldest entries
// are removed.
#include "opencl/program_store.hpp"

#include "opencl/drivers.hpp"
#include "support/installed_files.hpp"
#include "support/sha256.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tmd::opencl {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view form = "tmd program 1\n"; // changes whenever the form of entries changes
constexpr std::size_t digest_size = 64;
constexpr std::uintmax_t most_bytes = std::uintmax_t(128) << 20;

// The environment variables that change the output of some OpenCL compilers, with their values.
std::string compiler_variables() {
  constexpr std::array<std::string_view, 8> beginnings{"CL_CONFIG_", "IGC_",     "NEO",   "AMD_",
                                                       "GPU_",       "RUSTICL_", "POCL_", "CUDA_"};
  std::vector<std::string> set;
  for (char** one = environ; *one != nullptr; ++one)
    for (const std::string_view beginning : beginnings)
      if (std::string_view(*one).starts_with(beginning))
        set.emplace_back(*one);
  std::sort(set.begin(), set.end());
  return fmt::format("{}", fmt::join(set, "\n"));
}

// Programs of other users must not be run.
bool is_own(const fs::path& folder) {
  struct stat status {};
  return ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Makes the folder with its parents, if it does not exist.
bool make_own(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  ::mkdir(folder.c_str(), S_IRWXU);
  return is_own(folder);
}

bool has_own_cache(std::string_view platform) {
  return is_pocl(platform) || platform == "NVIDIA CUDA" || platform == "rusticl" || platform == "Clover";
}

// Identifies NVIDIA's cache: if it is removed, a new one in its place differs. Empty if not known.
std::string driver_cache(std::string_view platform) {
  if (platform != "NVIDIA CUDA")
    return {};
  const char* const named = std::getenv("CUDA_CACHE_PATH");
  const char* const home = std::getenv("HOME");
  const fs::path folder =
      named != nullptr ? fs::path(named) : fs::path(home != nullptr ? home : "") / ".nv/ComputeCache";
  struct statx status {};
  if (::statx(AT_FDCWD, folder.c_str(), 0, STATX_INO | STATX_BTIME, &status) != 0)
    return "none";
  return fmt::format("{} {} {}.{}", folder.string(), status.stx_ino, status.stx_btime.tv_sec, status.stx_btime.tv_nsec);
}

} // namespace

ProgramStore::ProgramStore(const DeviceDescription& device, std::optional<fs::path> in)
    : folder_(is_oclgrind(device.platform) ? std::nullopt : std::move(in)),
      device_(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n", device.name, device.vendor, device.platform,
                          device.platform_version, device.device_version, device.driver_version, compiler_variables())),
      platform_(device.platform), keeps_binaries_(!has_own_cache(device.platform)) {}

std::optional<fs::path> ProgramStore::folder() {
  const char* const named = std::getenv("TMD_PROGRAM_CACHE");
  if (named != nullptr && *named != '\0')
    return std::string_view(named) == "off" ? std::nullopt : std::optional<fs::path>(named);
  const auto set = [](const char* name) { return std::getenv(name) != nullptr ? std::getenv(name) : ""; };
  std::error_code ignored;
  if (*set("XDG_CACHE_HOME") == '\0' &&
      !fs::is_directory(set("HOME"), ignored)) // a home that does not exist must not be made
    return std::nullopt;
  const auto cache = support::user_cache_folder();
  return cache ? std::optional(*cache / "programs") : std::nullopt;
}

std::string ProgramStore::problem() {
  const auto folder = ProgramStore::folder();
  if (!folder)
    return "no folder for them: name one in TMD_PROGRAM_CACHE";
  std::error_code ignored;
  fs::path there = *folder;
  while (!fs::exists(there, ignored) && there.has_relative_path())
    there = there.parent_path();
  if ((there != *folder || is_own(there)) && ::access(there.c_str(), W_OK | X_OK) == 0)
    return {};
  return fmt::format(
      "none is kept in '{}', which this user alone must be able to write; TMD_PROGRAM_CACHE names another "
      "folder",
      folder->string());
}

std::string ProgramStore::key(std::string_view options, std::string_view source) const {
  return support::sha256(fmt::format("{}{}\n{}", device_, options, source));
}

std::optional<ProgramStore::Entry> ProgramStore::find(const std::string& key) const {
  if (!folder_ || !is_own(*folder_))
    return std::nullopt;
  std::ifstream file(*folder_ / key, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  const std::string text = all.str();
  if (!file || !text.starts_with(form) || text.size() < form.size() + digest_size)
    return std::nullopt;
  const std::string_view content = std::string_view(text).substr(form.size() + digest_size);
  if (support::sha256(fmt::format("{}\n{}", key, content)) != text.substr(form.size(), digest_size))
    return std::nullopt;
  const std::size_t of_log = content.find('\0');
  if (of_log == std::string_view::npos)
    return std::nullopt;
  if (!keeps_binaries_ && content.substr(0, of_log) != driver_cache(platform_))
    return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(*folder_ / key, fs::file_time_type::clock::now(), ignored); // marks the entry as in use
  return Entry{std::string(content.substr(0, of_log)), std::string(content.substr(of_log + 1))};
}

// The file appears whole or not at all, even if others write the same.
void ProgramStore::keep(const std::string& key, const Entry& entry) const {
  static std::atomic<unsigned> files = 0;
  if (!folder_ || !make_own(*folder_))
    return;
  std::error_code failed;
  const fs::path unfinished = *folder_ / fmt::format("{}.{}.{}", key, ::getpid(), files++);
  const std::string said = keeps_binaries_ ? entry.log : driver_cache(platform_);
  std::string content = said.substr(0, said.find('\0'));
  content += '\0';
  content += entry.binary;
  {
    std::ofstream file(unfinished, std::ios::binary);
    file << form << support::sha256(fmt::format("{}\n{}", key, content)) << content;
    file.close();
    if (!file)
      failed = std::make_error_code(std::errc::io_error);
  }
  if (!failed)
    fs::rename(unfinished, *folder_ / key, failed);
  if (failed) {
    fs::remove(unfinished, failed);
    return;
  }
  remove_oldest();
}

// If there are too many bytes, removes half of them, and files that an ended process has left unfinished.
void ProgramStore::remove_oldest() const {
  std::vector<std::tuple<fs::file_time_type, fs::path, std::uintmax_t>> files;
  std::uintmax_t bytes = 0;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(*folder_, ignored)) {
    constexpr std::uintmax_t of_file = 4096; // least size of a file on the disk
    const std::uintmax_t size = std::max(file.file_size(ignored), of_file);
    files.emplace_back(file.last_write_time(ignored), file.path(), size);
    bytes += size;
  }
  if (bytes <= most_bytes)
    return;
  std::sort(files.begin(), files.end());
  for (const auto& [written, path, size] : files) {
    if (bytes <= most_bytes / 2)
      return;
    fs::remove(path, ignored);
    bytes -= size;
  }
}

} // namespace tmd::opencl
