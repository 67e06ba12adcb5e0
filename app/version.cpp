#include "version.hpp"

#include "opencl/kernel_files.hpp"
#include "tmd/error.hpp"

#include <string_view>

#include <fmt/format.h>

namespace tmd::app {

namespace {

// Nothing where the kernels that are there are this program's.
std::string other_kernels() {
  try {
    const opencl::KernelUse found = opencl::use_kernels(true);
    return found.foreign ? fmt::format(", found foreign kernels {}", found.digest) : std::string();
  } catch (const DeviceError&) {
    return ", found no kernels";
  }
}

} // namespace

std::string version_text() {
  constexpr std::string_view commit = TMD_COMMIT;
  const std::string source = commit.empty() ? std::string() : fmt::format("commit {}, ", commit);
  return fmt::format("{} ({}kernels {}{})", TMD_VERSION, source, opencl::own_kernel_digest(), other_kernels());
}

} // namespace tmd::app
