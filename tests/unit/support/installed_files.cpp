// The places where installed files are searched for.
#include "host/support/installed_files.hpp"
#include "temporary_folder.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tmd::support {

namespace fs = std::filesystem;

TEST_CASE("kernels: the variable's folder, else the one beside the executable's") {
  const TemporaryFolder folder;
  {
    const TemporaryVariable variable("TMD_KERNEL_PATH", folder.path().string());
    CHECK(kernel_folder() == folder.path());
  }
  {
    const TemporaryVariable variable("TMD_KERNEL_PATH", (folder.path() / "missing").string());
    CHECK_THROWS_AS((void)kernel_folder(), DeviceError);
  }
  for (const std::optional<std::string>& unset : {std::optional<std::string>(), std::optional<std::string>("")}) {
    const TemporaryVariable variable("TMD_KERNEL_PATH", unset);
    CHECK(fs::exists(kernel_folder() / "wide")); // the tests' program lies beside the program
    CHECK(kernel_folder().parent_path().filename() == "tmd");
  }
}

TEST_CASE("shipped profiles: the variable's folder, else the one beside the executable's") {
  const TemporaryFolder folder;
  {
    const TemporaryVariable variable("TMD_CONFIG_PATH", folder.path().string());
    CHECK(shipped_profile_folder() == folder.path() / "devices");
  }
  {
    const TemporaryVariable variable("TMD_CONFIG_PATH", (folder.path() / "missing").string());
    CHECK_THROWS_AS((void)shipped_profile_folder(), UsageError);
  }
  const TemporaryVariable variable("TMD_CONFIG_PATH", std::nullopt);
  CHECK(fs::exists(shipped_profile_folder()));
}

TEST_CASE("the user's folders: XDG's, else below the home; a relative path is none") {
  const TemporaryVariable home("HOME", "/home/somebody");
  {
    const TemporaryVariable config("XDG_CONFIG_HOME", "/config");
    const TemporaryVariable cache("XDG_CACHE_HOME", "/cache");
    CHECK(user_profile_folder() == fs::path("/config/tmd/devices"));
    CHECK(user_cache_folder() == fs::path("/cache/tmd"));
    CHECK(tuning_journal_folder() == fs::path("/cache/tmd/tune"));
  }
  for (const std::optional<std::string>& useless :
       {std::optional<std::string>(), std::optional<std::string>(""), std::optional<std::string>("relative")}) {
    const TemporaryVariable config("XDG_CONFIG_HOME", useless);
    const TemporaryVariable cache("XDG_CACHE_HOME", useless);
    CHECK(user_profile_folder() == fs::path("/home/somebody/.config/tmd/devices"));
    CHECK(tuning_journal_folder() == fs::path("/home/somebody/.cache/tmd/tune"));
    const TemporaryVariable homeless("HOME", useless);
    CHECK_FALSE(user_profile_folder());
    CHECK_FALSE(user_cache_folder());
    CHECK_FALSE(tuning_journal_folder());
  }
}

TEST_CASE("programs: the first of PATH that can be executed") {
  const TemporaryFolder folder;
  for (const char* name : {"a", "b", "c"})
    fs::create_directory(folder.path() / name);
  std::ofstream(folder.path() / "a" / "tool") << "text"; // the file is not executable
  fs::create_directory(folder.path() / "b" / "tool");    // it is a folder
  std::ofstream(folder.path() / "c" / "tool") << "text";
  fs::permissions(folder.path() / "c" / "tool", fs::perms::owner_all);
  const std::string path = folder.path().string();
  const TemporaryVariable variable("PATH", path + "/a:" + path + "/b::" + path + "/c");
  CHECK(find_program("tool") == folder.path() / "c" / "tool");
  CHECK_FALSE(find_program("other tool"));
}

} // namespace tmd::support
