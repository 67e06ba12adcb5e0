// Kernels with an error in them, which a check must notice.
#pragma once

#include "host/support/installed_files.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace tmd {

struct Replacement {
  const char* file;
  const char* text;
  const char* replacement;
};

// A copy of the kernels with one piece of text replaced, named by TMD_KERNEL_PATH while it lives.
class PlantedError {
public:
  PlantedError(const std::string& file, const std::string& text, const std::string& replacement) {
    folder_ = std::filesystem::temp_directory_path() / ("tmd-kernels-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::copy(support::kernel_folder(), folder_, std::filesystem::copy_options::recursive);
    std::stringstream source;
    source << std::ifstream(folder_ / file).rdbuf();
    std::string changed = source.str();
    const auto at = changed.find(text);
    REQUIRE(at != std::string::npos);
    changed.replace(at, text.size(), replacement);
    std::filesystem::permissions(folder_ / file, std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::add);
    std::ofstream(folder_ / file) << changed;
    ::setenv("TMD_KERNEL_PATH", folder_.c_str(), 1);
  }
  PlantedError(const PlantedError&) = delete;
  PlantedError& operator=(const PlantedError&) = delete;
  ~PlantedError() {
    ::unsetenv("TMD_KERNEL_PATH");
    std::filesystem::remove_all(folder_);
  }

private:
  std::filesystem::path folder_;
};

} // namespace tmd
