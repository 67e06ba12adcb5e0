// PoCL keeps the kernels that it has compiled in a folder, and offers no device if it cannot write there: a home that
// does not exist or is read-only (containers, services, batch systems) would look like a missing driver.
#pragma once

#include <filesystem>
#include <string>

namespace tmd::opencl {

// The folder where PoCL keeps its kernels in this process.
struct PoclCache {
  std::filesystem::path folder; // empty: there is none
  bool ours = false;            // neither PoCL's own choice nor the user's
  std::string problem;          // why no folder can be written, or why the user's own is not used; else empty

  [[nodiscard]] bool writable() const { return !folder.empty(); }
};

// If PoCL's own choice cannot be written, sets POCL_CACHE_DIR to a private folder in the user's cache or among the
// temporary files; a value that the user has set stays. Works only before the first OpenCL call of the process, and
// once: later calls return the same.
const PoclCache& prepare_pocl_cache();

} // namespace tmd::opencl
