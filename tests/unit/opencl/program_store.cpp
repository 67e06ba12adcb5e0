// The program store: wrong, incomplete or old entries are never used, and a folder that cannot be used does no harm.
#include "host/opencl/program_store.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace tmd::opencl {

namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path;

  explicit Folder(fs::path at = fs::temp_directory_path() / ("tmd-store-" + std::to_string(::getpid())))
      : path(std::move(at)) {
    fs::remove_all(path);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }
};

DeviceDescription some_device() {
  DeviceDescription device;
  device.name = "Phi";
  device.platform = "some platform";
  device.driver_version = "1.0";
  return device;
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

} // namespace

TEST_CASE("kept programs: what was kept is found, and nothing that is damaged") {
  const Folder folder;
  const ProgramStore store(some_device(), folder.path);
  const std::string key = store.key("-DN=1", "kernel");
  CHECK_FALSE(store.find(key));
  const std::string binary("\x7f\0ELF\n", 6);
  store.keep(key, {"a log", binary});
  REQUIRE(store.find(key));
  CHECK(store.find(key)->log == "a log");
  CHECK(store.find(key)->binary == binary);
  const std::string whole = text_of(folder.path / key);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string wrong = whole;
    wrong[i] = static_cast<char>(wrong[i] ^ 1);
    write(folder.path / key, wrong);
    CHECK_FALSE(store.find(key));
    write(folder.path / key, whole.substr(0, i));
    CHECK_FALSE(store.find(key));
  }
  write(folder.path / key, whole);
  CHECK(store.find(key));
  fs::rename(folder.path / key, folder.path / store.key("-DN=2", "kernel")); // stored under another program's key
  CHECK_FALSE(store.find(store.key("-DN=2", "kernel")));
}

TEST_CASE("kept programs: another device, driver, option, variable or source is another program") {
  const DeviceDescription device = some_device();
  const std::string key = ProgramStore(device).key("-DN=1", "kernel");
  CHECK(ProgramStore(device).key("-DN=1", "kernel") == key);
  CHECK(ProgramStore(device).key("-DN=1 ", "kernel") != key);
  CHECK(ProgramStore(device).key("-DN=1", "kernel ") != key);
  for (std::string DeviceDescription::*of :
       {&DeviceDescription::name, &DeviceDescription::platform, &DeviceDescription::platform_version,
        &DeviceDescription::driver_version}) {
    DeviceDescription other = device;
    other.*of += "1";
    CHECK(ProgramStore(other).key("-DN=1", "kernel") != key);
  }
  ::setenv("CL_CONFIG_CPU_VECTORIZER_MODE", "1", 1);
  CHECK(ProgramStore(device).key("-DN=1", "kernel") != key);
  ::unsetenv("CL_CONFIG_CPU_VECTORIZER_MODE");
}

TEST_CASE("kept programs: what NVIDIA's driver has, it has as long as its own cache is there") {
  const Folder folder;
  const Folder cache{fs::temp_directory_path() / ("tmd-cache-" + std::to_string(::getpid()))};
  ::setenv("CUDA_CACHE_PATH", cache.path.c_str(), 1);
  DeviceDescription device = some_device();
  device.platform = "NVIDIA CUDA";
  const ProgramStore store(device, folder.path);
  CHECK_FALSE(store.keeps_binaries());
  const std::string key = store.key("", "kernel");
  fs::create_directory(cache.path);
  store.keep(key, {});
  CHECK(store.find(key));
  fs::remove(cache.path);
  CHECK_FALSE(store.find(key));
  ::unsetenv("CUDA_CACHE_PATH");
}

TEST_CASE("kept programs: a folder that cannot be written, or that others can write, is not used") {
  const Folder folder;
  const DeviceDescription device = some_device();
  const std::string key = ProgramStore(device).key("", "kernel");
  write(folder.path, "a file");
  for (const fs::path& path : {folder.path, folder.path / "below"}) {
    const ProgramStore store(device, path);
    store.keep(key, {"", "binary"});
    CHECK_FALSE(store.find(key));
  }
  fs::remove(folder.path);
  const ProgramStore none(device, std::nullopt);
  none.keep(key, {"", "binary"});
  CHECK_FALSE(none.find(key));
  const ProgramStore store(device, folder.path);
  store.keep(key, {"", "binary"});
  CHECK(store.find(key));
  fs::permissions(folder.path, fs::perms::others_write, fs::perm_options::add);
  CHECK_FALSE(store.find(key));
}

TEST_CASE("kept programs: several write the same, and nothing unfinished is left") {
  const Folder folder;
  const ProgramStore store(some_device(), folder.path);
  const std::string key = store.key("", "kernel");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int repeat = 0; repeat < 20; ++repeat)
        store.keep(key, {"", std::string(10000, 'x')});
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(store.find(key));
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("kept programs: where there are too many bytes, the oldest go") {
  const Folder folder;
  const ProgramStore store(some_device(), folder.path);
  const std::string binary(std::size_t(20) << 20, 'x');
  for (int i = 0; i < 8; ++i) {
    const std::string key = store.key("", std::to_string(i));
    store.keep(key, {"", binary});
    if (fs::exists(folder.path / key)) // clocks of file systems may be coarse
      fs::last_write_time(folder.path / key, fs::file_time_type::clock::now() + std::chrono::hours(i - 100));
  }
  CHECK_FALSE(fs::exists(folder.path / store.key("", "0")));
  CHECK(fs::exists(folder.path / store.key("", "7")));
}

} // namespace tmd::opencl
