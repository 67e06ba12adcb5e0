#include "opencl/kernel_files.hpp"

#include "error.hpp"
#include "support/installed_files.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <fmt/format.h>

namespace tmd::opencl {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace

std::string kernel_digest() {
  const fs::path folder = kernel_folder();
  std::string text;
  try {
    for (const fs::path& file : files_below(folder)) {
      std::ifstream stream(file, std::ios::binary);
      text += file.filename().string() + "\n";
      text.append(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
  } catch (const fs::filesystem_error& error) {
    throw DeviceError(fmt::format("cannot read the kernels' folder '{}': {}", folder.string(), error.code().message()));
  }
  return digest(text);
}

} // namespace tmd::opencl
