// The choice of a device's profile.
#include "host/device/profile_store.hpp"
#include "host/engine/domains/tunables.hpp"
#include "host/engine/registry.hpp"
#include "host/engine/wide/tunables.hpp"
#include "temporary_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace tmd::device {

namespace {

namespace fs = std::filesystem;

// Two folders of profiles, the user's and the shipped one, which the destructor removes.
class Folders {
public:
  Folders() {
    fs::create_directories(user());
    fs::create_directories(shipped());
  }

  [[nodiscard]] fs::path user() const { return root_.path() / "user"; }
  [[nodiscard]] fs::path shipped() const { return root_.path() / "shipped"; }

  void write(const fs::path& file, const std::string& text) const { std::ofstream(file, std::ios::binary) << text; }
  // A profile that differs from others by its only tunable, phase1.items.
  void add(const fs::path& file, const std::string& match, int items) const {
    write(file, "format = 1\ntuned = false\n[match]\n" + match +
                    "\n[tunables]\nphase1.items = " + std::to_string(items) + "\n");
  }
  [[nodiscard]] ProfileStore store(std::vector<std::string>* warnings = nullptr) const {
    return {{user(), shipped()}, engine::engine_tuning(), [warnings](const std::string& sentence) {
              if (warnings == nullptr)
                FAIL(sentence);
              else
                warnings->push_back(sentence);
            }};
  }

private:
  TemporaryFolder root_;
};

opencl::DeviceDescription pocl() {
  opencl::DeviceDescription device;
  device.is_cpu = true;
  device.name = "pthread-skylake-avx512-AMD EPYC";
  device.platform = "Portable Computing Language";
  device.vendor = "AuthenticAMD";
  device.driver_version = "3.1+debian";
  return device;
}

opencl::DeviceDescription h200() {
  opencl::DeviceDescription device;
  device.is_gpu = true;
  device.name = "NVIDIA H200";
  device.platform = "NVIDIA CUDA";
  device.vendor = "NVIDIA Corporation";
  device.driver_version = "580.95.05";
  return device;
}

std::int64_t items_of(const Folders& folders, const opencl::DeviceDescription& device,
                      CpuMode mode = CpuMode::automatic) {
  return folders.store().choose(device, mode).tunables[engine::domains::domain_tunable("phase1.items")];
}

} // namespace

TEST_CASE("a profile from before the wide test leaves its tunables to the default") {
  const Folders folders;
  opencl::DeviceDescription device = pocl();
  device.extensions = "cl_khr_fp64";
  device.native_long_width = 8;
  const Tunables defaults = engine::engine_tuning().default_tunables(device);
  CHECK(defaults[engine::wide::wide_tunable("wide.vector-width")] == 4);
  folders.write(
      folders.shipped() / "old.toml",
      "format = 1\ntuned = true\n[match]\nclass = \"cpu\"\n[measured]\ngain = 1.5\ndefault-seconds = { phase1 = "
      "1, whole = 2.0 }\n[tunables]\nphase1.items = 3\nphase1.vector-width = \"2\"\n");
  const ProfileChoice choice = folders.store().choose(device, CpuMode::automatic);
  CHECK(choice.tunables[engine::domains::domain_tunable("phase1.items")] == 3);
  CHECK(choice.tunables[engine::domains::domain_tunable("phase1.vector-width")] == 1);
  CHECK(choice.tunables[engine::wide::wide_tunable("wide.vector-width")] ==
        defaults[engine::wide::wide_tunable("wide.vector-width")]);
  CHECK(choice.tunables[engine::wide::wide_tunable("wide.work-group-size")] ==
        defaults[engine::wide::wide_tunable("wide.work-group-size")]);
  REQUIRE(choice.tuned);
  CHECK(choice.tuned->gains.empty());
  CHECK_FALSE(choice.tuned->default_seconds.contains("wide"));
}

TEST_CASE("look-up: device and driver, device, class, built-in; the user's first in each step") {
  const Folders folders;
  CHECK(folders.store().choose(pocl(), CpuMode::automatic).why == "built-in default");
  CHECK(items_of(folders, pocl()) == 1);
  folders.add(folders.shipped() / "cpu.toml", "class = \"cpu\"", 2);
  CHECK(items_of(folders, pocl()) == 2);
  CHECK(items_of(folders, h200()) == 1);
  folders.add(folders.user() / "my-cpu.toml", "class = \"cpu\"", 3);
  CHECK(items_of(folders, pocl()) == 3);
  folders.add(folders.shipped() / "pocl.toml", "platform = \"portable*\"\ndriver = \"9\"", 4);
  CHECK(items_of(folders, pocl()) == 4); // a device's profile comes before a class's, even the user's
  CHECK(folders.store().choose(pocl(), CpuMode::automatic).why ==
        "pocl.toml: devices like this, tuned with driver 9, not 3.1+debian, untuned");
  folders.add(folders.user() / "pocl.toml", "platform = \"portable*\"", 5);
  CHECK(items_of(folders, pocl()) == 5);
  folders.add(folders.shipped() / "driver.toml", "platform = \"p*\"\ndriver = \"3.1+debian\"", 6);
  CHECK(items_of(folders, pocl()) == 6);
  CHECK(folders.store().choose(pocl(), CpuMode::automatic).why ==
        "driver.toml: devices like this, driver 3.1+debian, untuned");
  folders.add(folders.user() / "driver.toml", "device = \"PTHREAD-skylake-avx512-AMD EPYC\"\ndriver = \"3.*\"", 7);
  CHECK(items_of(folders, pocl()) == 7);
  CHECK(folders.store().choose(pocl(), CpuMode::automatic).why ==
        "driver.toml: this device, driver 3.1+debian, untuned");
  CHECK(items_of(folders, h200()) == 1);
  // Only class profiles are the default from which tuning starts.
  const ProfileChoice base = folders.store().class_default(pocl(), CpuMode::automatic);
  CHECK(base.tunables[engine::domains::domain_tunable("phase1.items")] == 3);
  CHECK(base.why == "my-cpu.toml: class cpu, untuned");
  // Every pattern of a match must fit.
  folders.add(folders.user() / "never.toml", "class = \"nvidia-gpu\"\ndevice = \"*\"\ndriver = \"*\"", 8);
  folders.add(folders.user() / "never2.toml", "vendor = \"nobody\"\ndevice = \"*\"\ndriver = \"*\"", 8);
  CHECK(items_of(folders, pocl()) == 7);
  CHECK(items_of(folders, h200()) == 8);
}

TEST_CASE("look-up: the most specific of a step, and ties by the file's name") {
  const Folders folders;
  folders.add(folders.shipped() / "a.toml", "device = \"*\"", 2);
  folders.add(folders.shipped() / "b.toml", "device = \"*avx512*\"", 3);
  CHECK(items_of(folders, pocl()) == 3);
  folders.add(folders.shipped() / "c.toml", "device = \"*512*\"\nplatform = \"Portable*\"", 4);
  CHECK(items_of(folders, pocl()) == 4); // the pattern with more characters
  folders.add(folders.shipped() / "d.toml", "device = \"pthread-skylake-avx512-AMD EPYC\"", 5);
  CHECK(items_of(folders, pocl()) == 5); // the full name
  folders.add(folders.shipped() / "0.toml", "device = \"pthread-skylake-avx512-AMD EPYC\"", 6);
  CHECK(items_of(folders, pocl()) == 6);
  // Other files are ignored.
  folders.write(folders.shipped() / "notes.txt", "no TOML");
  folders.write(folders.shipped() / "x.toml~", "no TOML");
  CHECK(items_of(folders, pocl()) == 6);
}

TEST_CASE("look-up: the CPU mode that was asked for") {
  using enum CpuMode;
  const Folders folders;
  folders.add(folders.shipped() / "auto.toml", "device = \"*\"\ncpu-mode = \"auto\"", 2);
  folders.add(folders.shipped() / "vector.toml", "device = \"*\"\ncpu-mode = \"vector\"", 3);
  CHECK(items_of(folders, pocl(), automatic) == 2);
  CHECK(items_of(folders, pocl(), vector) == 3);
  CHECK(items_of(folders, pocl(), scalar) == 1); // a profile of another mode does not count
  folders.add(folders.shipped() / "any.toml", "device = \"*p*\"", 4);
  CHECK(items_of(folders, pocl(), scalar) == 4);
  CHECK(items_of(folders, pocl(), vector) == 3); // one of the same mode comes first
  // A GPU has no mode.
  folders.add(folders.shipped() / "gpu.toml", "class = \"nvidia-gpu\"\ndevice = \"*H200\"\ncpu-mode = \"vector\"", 5);
  CHECK(items_of(folders, h200(), scalar) == 5);
}

TEST_CASE("a damaged profile is told of in one sentence, and the next in the chain is taken") {
  const Folders folders;
  folders.add(folders.shipped() / "cpu.toml", "class = \"cpu\"", 2);
  const fs::path bad = folders.user() / "bad.toml";
  const auto check = [&](const std::string& part) {
    std::vector<std::string> warnings;
    const ProfileChoice choice = folders.store(&warnings).choose(pocl(), CpuMode::automatic);
    REQUIRE(warnings.size() == 1);
    CHECK_MESSAGE(warnings[0].find(part) != std::string::npos, warnings[0]);
    CHECK(warnings[0].find("bad.toml") != std::string::npos);
    CHECK(warnings[0].find('\n') == std::string::npos);
    CHECK(choice.tunables[engine::domains::domain_tunable("phase1.items")] == 2);
    CHECK(choice.tunables[engine::domains::domain_tunable("phase2.items")] == 1); // nothing is applied in part
    fs::remove_all(bad);
  };
  folders.write(
      bad, "format = 1\ntuned = false\n[match]\ndevice = \"*\"\n[tunables]\nphase2.items = 9\nphase1.items = -1\n");
  check("phase1.items must be an integer");
  folders.write(bad, "");
  check("format is missing");
  folders.write(bad, std::string(100000, '#'));
  check("larger than 64 KiB");
  folders.write(bad, std::string("\0\xff\xfe\x80garbage", 11));
  check("line 1");
  fs::create_directory(bad);
  check("it is no file");
  REQUIRE(::mkfifo(bad.c_str(), 0600) == 0); // opening must not wait
  check("it is no file");
  fs::create_symlink("nowhere", bad);
  check("it cannot be read");
  if (::geteuid() != 0) {
    folders.add(bad, "device = \"*\"", 9);
    fs::permissions(bad, fs::perms::none);
    check("it cannot be read");
  }
}

TEST_CASE("folders that are not there, or no folders") {
  const Folders folders;
  const auto refuse = [](const std::string& sentence) { FAIL(sentence); };
  CHECK(ProfileStore({folders.user() / "missing", ""}, engine::engine_tuning(), refuse)
            .choose(pocl(), CpuMode::automatic)
            .why == "built-in default");
  folders.write(folders.user() / "file", "");
  std::vector<std::string> warnings;
  (void)ProfileStore({folders.user() / "file"}, engine::engine_tuning(),
                     [&](const std::string& sentence) { warnings.push_back(sentence); });
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find("cannot be read") != std::string::npos);
}

// Shipped profiles must be sound for every class that has a file.
TEST_CASE("the shipped profiles") {
  const fs::path folder = fs::path(TMD_TEST_DATA).parent_path().parent_path() / "configs" / "devices";
  std::vector<std::string> warnings;
  const ProfileStore store({folder}, engine::engine_tuning(),
                           [&](const std::string& sentence) { warnings.push_back(sentence); });
  CHECK(warnings.empty());
  opencl::DeviceDescription device = h200();
  CHECK(store.class_default(device, CpuMode::automatic).file.filename() == "nvidia-gpu.toml");
  device.vendor = "Advanced Micro Devices, Inc.";
  CHECK(store.class_default(device, CpuMode::automatic).file.filename() == "amd-gpu.toml");
  device.vendor = "Intel(R) Corporation";
  CHECK(store.class_default(device, CpuMode::automatic).file.filename() == "intel-gpu.toml");
  device.is_gpu = false;
  device.is_accelerator = true;
  CHECK(store.class_default(device, CpuMode::automatic).file.filename() == "accelerator.toml");
  for (const CpuMode mode : {CpuMode::automatic, CpuMode::scalar, CpuMode::vector}) {
    const ProfileChoice choice = store.class_default(pocl(), mode);
    CHECK(choice.file.empty()); // for CPUs, values depend on the mode and on the registers: they are built in
    CHECK_FALSE(choice.tuned);
  }
}

} // namespace tmd::device
