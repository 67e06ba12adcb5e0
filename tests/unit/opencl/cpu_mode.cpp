// CPU modes: the variables set for the runtimes, and the modes in their logs.
#include "host/opencl/cpu_mode.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <optional>

namespace tmd::opencl {

using opencl::mode_in_effect;

namespace {

constexpr std::array variables{"CL_CONFIG_USE_VECTORIZER", "CL_CONFIG_CPU_VECTORIZER_MODE", "POCL_WORK_GROUP_METHOD"};

std::string value(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "(unset)" : text;
}

// While it lives, no variable of a runtime is set.
class CleanEnvironment {
public:
  CleanEnvironment() {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (const char* text = std::getenv(variables.at(i)))
        before_.at(i) = text;
      ::unsetenv(variables.at(i));
    }
  }
  CleanEnvironment(const CleanEnvironment&) = delete;
  CleanEnvironment& operator=(const CleanEnvironment&) = delete;
  ~CleanEnvironment() {
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (before_.at(i))
        ::setenv(variables.at(i), before_.at(i)->c_str(), 1);
      else
        ::unsetenv(variables.at(i));
  }

private:
  std::array<std::optional<std::string>, variables.size()> before_;
};

opencl::DeviceDescription device_of(const char* platform) {
  opencl::DeviceDescription device;
  device.is_cpu = true;
  device.platform = platform;
  return device;
}

const opencl::DeviceDescription intel = device_of("Intel(R) OpenCL");
const opencl::DeviceDescription pocl = device_of("Portable Computing Language");

// A log of Intel's runtime 2026.2, shortened.
constexpr auto vectorized_log = R"(Compilation started
Compilation done
Device build done
remark: <unknown>:0:0: Kernel was 16-way vectorized
remark: <unknown>:0:0: 1637 instructions in function
Kernel "phase1" was successfully vectorized (16)
Kernel "phase10" was successfully vectorized (8)
Kernel "rounds" was not vectorized
Done.)";
constexpr auto reloaded_log = "Device build started\nDevice build done\nReload Program Binary Object.";

} // namespace

TEST_CASE("CPU mode: what the runtimes are told") {
  SUBCASE("auto leaves everything to them") {
    const CleanEnvironment clean;
    opencl::apply_cpu_mode(CpuMode::automatic);
    for (const char* name : variables)
      CHECK(value(name) == "(unset)");
  }
  SUBCASE("scalar") {
    const CleanEnvironment clean;
    opencl::apply_cpu_mode(CpuMode::scalar);
    CHECK(value("CL_CONFIG_USE_VECTORIZER") == "False");
    CHECK(value("CL_CONFIG_CPU_VECTORIZER_MODE") == "1");
    CHECK(value("POCL_WORK_GROUP_METHOD") == "loops");
  }
  SUBCASE("vector") {
    const CleanEnvironment clean;
    opencl::apply_cpu_mode(CpuMode::vector);
    CHECK(value("CL_CONFIG_USE_VECTORIZER") == "True");
    CHECK(value("CL_CONFIG_CPU_VECTORIZER_MODE") == "0");
    CHECK(value("POCL_WORK_GROUP_METHOD") == "loopvec");
  }
}

TEST_CASE("CPU mode: a variable that the user has set keeps all of its runtime's as they are") {
  for (const CpuMode mode : {CpuMode::scalar, CpuMode::vector}) {
    const CleanEnvironment clean;
    ::setenv("CL_CONFIG_CPU_VECTORIZER_MODE", "8", 1);
    opencl::apply_cpu_mode(mode);
    CHECK(value("CL_CONFIG_CPU_VECTORIZER_MODE") == "8");
    CHECK(value("CL_CONFIG_USE_VECTORIZER") == "(unset)");
    CHECK(value("POCL_WORK_GROUP_METHOD") != "(unset)"); // that is the other runtime's variable
  }
  const CleanEnvironment clean;
  ::setenv("CL_CONFIG_USE_VECTORIZER", "True", 1);
  ::setenv("POCL_WORK_GROUP_METHOD", "cbs", 1);
  opencl::apply_cpu_mode(CpuMode::scalar);
  CHECK(value("CL_CONFIG_USE_VECTORIZER") == "True");
  CHECK(value("CL_CONFIG_CPU_VECTORIZER_MODE") == "(unset)");
  CHECK(value("POCL_WORK_GROUP_METHOD") == "cbs");
}

TEST_CASE("CPU mode: what is in effect by the log of the build") {
  const CleanEnvironment clean;
  CHECK(mode_in_effect(intel, "phase1", 1, vectorized_log) == "vectorized by the runtime (16)");
  CHECK(mode_in_effect(intel, "rounds", 1, vectorized_log) == "not vectorized");
  // A log of a runtime of 2017.
  constexpr auto old_log =
      "Build started\nKernel <phase1> was successfully vectorized (8)\r\nKernel <walk> was not vectorized\n";
  CHECK(mode_in_effect(intel, "phase1", 1, old_log) == "vectorized by the runtime (8)");
  CHECK(mode_in_effect(intel, "walk", 1, old_log) == "not vectorized");
  // Not recognized: another kernel's line, a program loaded as a binary, no log.
  for (const auto* log : {vectorized_log, reloaded_log, ""}) {
    const std::string mode = mode_in_effect(intel, "phase", 1, log);
    CHECK(mode == "unknown");
    CHECK(opencl::known_mode(mode).empty());
  }
}

TEST_CASE("CPU mode: explicit vectors are in effect whatever the runtime does") {
  const CleanEnvironment clean;
  CHECK(mode_in_effect(pocl, "phase1", 8, "") == "explicit vectors of 8");
  CHECK(mode_in_effect(intel, "rounds", 16, vectorized_log) == "explicit vectors of 16");
  CHECK(mode_in_effect(intel, "phase1", 4, vectorized_log) == "explicit vectors of 4, vectorized by the runtime (16)");
  CHECK(opencl::known_mode("explicit vectors of 8") == "explicit vectors of 8");
  CHECK(opencl::known_mode("not vectorized / unknown / explicit vectors of 8") ==
        "not vectorized / explicit vectors of 8");
  CHECK(opencl::known_mode("").empty());
}

TEST_CASE("CPU mode: PoCL says nothing, but its work-group method does") {
  const CleanEnvironment clean;
  CHECK(mode_in_effect(pocl, "phase1", 1, "") == "unknown");
  CHECK(opencl::why_mode_is_unknown(pocl) == "PoCL does not say what its work-group method 'loopvec' did");
  CHECK(opencl::why_mode_is_unknown(intel) == "the runtime does not say");
  for (const auto& [method, known] : {std::pair("loops", true), {"repl", true}, {"cbs", false}, {"auto", false}}) {
    ::setenv("POCL_WORK_GROUP_METHOD", method, 1);
    const std::string mode = mode_in_effect(pocl, "phase1", 1, "");
    CHECK(!opencl::known_mode(mode).empty() == known);
    CHECK((mode == "not vectorized") == known);
    CHECK(mode_in_effect(intel, "phase1", 1, "") == "unknown");
  }
}

} // namespace tmd::opencl
