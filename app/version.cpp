#include "version.hpp"

#include "error.hpp"
#include "opencl/kernel_files.hpp"

#include <string_view>

#include <fmt/format.h>

namespace tmd::app {

namespace {

std::string kernels() {
  try {
    return fmt::format("kernels {}", opencl::kernel_digest());
  } catch (const DeviceError&) {
    return "no kernels";
  }
}

} // namespace

std::string version_text() {
  constexpr std::string_view commit = TMD_COMMIT;
  const std::string source = commit.empty() ? std::string() : fmt::format("commit {}, ", commit);
  return fmt::format("{} ({}{})", TMD_VERSION, source, kernels());
}

} // namespace tmd::app
