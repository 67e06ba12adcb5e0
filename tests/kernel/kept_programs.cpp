// Programs whose binaries tmd keeps, on a device whose driver is declared to have no cache of its own.
#include "device.hpp"
#include "host/engine/arithmetic_test.hpp"
#include "host/engine/launcher.hpp"
#include "host/opencl/drivers.hpp"
#include "host/opencl/program_store.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>

#include <unistd.h>

namespace tmd::test {

TEST_CASE("kept programs: they are loaded, and built again where the driver does not take them") {
  namespace fs = std::filesystem;
  opencl::DeviceDescription device = test_device();
  if (opencl::is_oclgrind(device.platform))
    return;
  const fs::path folder = fs::temp_directory_path() / ("tmd-kept-programs-" + std::to_string(::getpid()));
  fs::remove_all(folder);
  ::setenv("TMD_PROGRAM_CACHE", folder.c_str(), 1);
  device.platform = "a platform without a cache";
  const auto is_right = [&] {
    engine::Launcher launcher(device, 1 << 10);
    return engine::arithmetic_failure(launcher).empty();
  };
  CHECK(is_right());
  CHECK(std::distance(fs::directory_iterator(folder), {}) == 1);
  const std::string key = fs::directory_iterator(folder)->path().filename();
  const opencl::ProgramStore store(device);
  REQUIRE(store.find(key));
  const opencl::ProgramStore::Entry entry = *store.find(key);
  CHECK_FALSE(entry.binary.empty());
  SUBCASE("whole") {}
  // Not half a binary: drivers crash over one, and so files have checksums.
  SUBCASE("a binary that is none") { store.keep(key, {entry.log, "rubbish"}); }
  SUBCASE("a torn file") { fs::resize_file(folder / key, fs::file_size(folder / key) / 2); }
  CHECK(is_right());
  REQUIRE(store.find(key));
  CHECK(store.find(key)->binary.size() == entry.binary.size()); // kept again after it was damaged
  ::unsetenv("TMD_PROGRAM_CACHE");
  fs::remove_all(folder);
}

} // namespace tmd::test
