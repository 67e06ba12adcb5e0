// PoCL keeps the kernels that it has compiled in a folder, and offers no device where it cannot write there: a home
// that does not exist or is read-only (containers, services, batch systems) would look like a missing driver.
#pragma once

#include <filesystem>
#include <string>

namespace tmd::opencl {

// Where PoCL keeps its kernels in this process.
struct PoclCache {
  std::filesystem::path folder; // empty: there is none
  bool ours = false;            // not PoCL's own choice, nor the user's
  std::string problem;          // why there is none that can be written, or why the user's own is not used; else empty

  [[nodiscard]] bool writable() const { return !folder.empty(); }
};

// Where PoCL's own choice cannot be written, gives it a private folder in the user's cache or among the temporary
// files, by POCL_CACHE_DIR; what the user has set stays. Works before the first OpenCL call of the process only, and
// once: later calls return the same.
const PoclCache& prepare_pocl_cache();

} // namespace tmd::opencl
