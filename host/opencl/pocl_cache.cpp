#include "opencl/pocl_cache.hpp"

#include "support/installed_files.hpp"

#include <cstdlib>
#include <optional>
#include <system_error>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tmd::opencl {

namespace {

namespace fs = std::filesystem;

constexpr const char* cache_variable = "POCL_CACHE_DIR";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool can_write(const fs::path& folder) { return is_folder(folder) && ::access(folder.c_str(), W_OK | X_OK) == 0; }

// Whether the folder exists and can be written, or could be made.
bool could_write(fs::path folder) {
  std::error_code ignored;
  while (!fs::exists(folder, ignored) && folder.has_relative_path())
    folder = folder.parent_path();
  return can_write(folder.empty() ? fs::path(".") : folder);
}

// A home that does not exist must not be made.
bool home_exists() { return is_folder(variable("HOME")); }

// The folder that PoCL takes by itself. Without a home it is a folder shared by all users, where another user's kernels
// may lie.
std::optional<fs::path> own_choice() {
  if (const std::string caches = variable("XDG_CACHE_HOME"); !caches.empty())
    return fs::path(caches) / "pocl" / "kcache";
  if (home_exists())
    return fs::path(variable("HOME")) / ".cache" / "pocl" / "kcache";
  return std::nullopt;
}

// Makes the folder with its parents. It must belong to this user alone, so that kernels of others are never run.
bool make_private(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  ::mkdir(folder.c_str(), S_IRWXU);
  struct stat status {};
  return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 && can_write(folder);
}

fs::path temporary_folder() {
  const std::string named = variable("TMPDIR");
  return is_folder(named) ? named : "/tmp";
}

// A private folder that can be written, from the best place to the last.
std::optional<fs::path> private_folder() {
  if (const auto cache = support::user_cache_folder(); cache && (home_exists() || !variable("XDG_CACHE_HOME").empty()))
    if (fs::path folder = *cache / "pocl"; make_private(folder))
      return folder;
  if (fs::path folder = temporary_folder() / fmt::format("tmd-pocl-{}", ::geteuid()); make_private(folder))
    return folder;
  return std::nullopt;
}

PoclCache prepare() {
  PoclCache cache;
  const std::string set = variable(cache_variable);
  if (set.empty())
    ::unsetenv(cache_variable); // an empty value makes PoCL abort
  if (!set.empty() && can_write(set)) {
    cache.folder = set;
    return cache;
  }
  if (!set.empty()) // then PoCL uses its own choice
    cache.problem = fmt::format("POCL_CACHE_DIR names '{}', which is no folder that can be written", set);
  const auto own = own_choice();
  if (own && could_write(*own)) {
    cache.folder = *own;
    return cache;
  }
  if (!set.empty())
    return cache;
  if (const auto folder = private_folder()) {
    cache.folder = *folder;
    cache.ours = ::setenv(cache_variable, folder->c_str(), 1) == 0;
    return cache;
  }
  cache.problem = "PoCL has no folder for its kernels that can be written; name one in POCL_CACHE_DIR";
  return cache;
}

} // namespace

const PoclCache& prepare_pocl_cache() {
  static const PoclCache cache = prepare();
  return cache;
}

} // namespace tmd::opencl
