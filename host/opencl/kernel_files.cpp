#include "opencl/kernel_files.hpp"

#include "support/installed_files.hpp"
#include "support/sha256.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace tmd::opencl {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t digest_digits = 16; // length of the digest that host/CMakeLists.txt makes

bool is_kernel_file(const fs::path& file) { return file.extension() == ".cl" || file.extension() == ".clh"; }

// error: the value of errno, or 0.
DeviceError cannot_read(const fs::path& file, int error) {
  return DeviceError(fmt::format("cannot read the kernel file '{}'{}{}", file.string(), error != 0 ? ": " : "",
                                 error != 0 ? std::strerror(error) : ""));
}

} // namespace

KernelFiles::KernelFiles(const fs::path& folder) : folder_(folder) {
  try {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || !is_kernel_file(entry.path()))
        continue;
      errno = 0;
      std::ifstream stream(entry.path(), std::ios::binary);
      std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
      if (!stream)
        throw cannot_read(entry.path(), errno);
      texts_.emplace(entry.path().lexically_relative(folder).generic_string(), std::move(text));
    }
  } catch (const fs::filesystem_error& error) {
    throw DeviceError(fmt::format("cannot read the kernels' folder '{}': {}", folder.string(), error.code().message()));
  }
}

std::string KernelFiles::digest() const {
  std::string lines;
  for (const auto& [name, text] : texts_)
    lines += fmt::format("{}  {}\n", support::sha256(text), name);
  return support::sha256(lines).substr(0, digest_digits);
}

std::string KernelFiles::source(const std::string& file) const {
  const auto found = texts_.find(file);
  if (found == texts_.end())
    throw cannot_read(folder_ / file, 0);
  constexpr std::string_view directive = "#include \"";
  std::string result = fmt::format("#line 1 \"{}\"\n", file);
  int number = 1;
  for (std::string_view rest = found->second; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.starts_with(directive)) {
      const std::string_view name = line.substr(directive.size(), line.find('"', directive.size()) - directive.size());
      const fs::path included = (fs::path(file).parent_path() / name).lexically_normal();
      result += source(included.generic_string()) + fmt::format("#line {} \"{}\"\n", number + 1, file);
    } else {
      result.append(line) += '\n';
    }
  }
  return result;
}

std::string_view own_kernel_digest() { return TMD_KERNEL_DIGEST; }

KernelUse use_kernels(bool foreign_too) {
  const fs::path folder = support::kernel_folder();
  KernelUse use{KernelFiles(folder).digest()};
  use.foreign = use.digest != own_kernel_digest();
  if (use.foreign && !foreign_too)
    throw DeviceError(fmt::format("the kernels in '{}' ({}) are not those that this program was built with ({}): build "
                                  "(or install) it again, or give --foreign-kernels",
                                  folder.string(), use.digest, own_kernel_digest()));
  return use;
}

std::string to_string(const KernelUse& kernels) {
  return kernels.foreign
             ? fmt::format("{}, foreign: this program was built with {}", kernels.digest, own_kernel_digest())
             : kernels.digest;
}

} // namespace tmd::opencl
