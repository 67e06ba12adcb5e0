#include "opencl/cpu_mode.hpp"

#include "opencl/drivers.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>

#include <fmt/format.h>

namespace tmd::opencl {

namespace {

struct Variable {
  const char* name;
  const char* scalar;
  const char* vector;
};

// Variables of Intel's CPU runtime. Mode 0 also vectorizes what the runtime by itself would not, in the CPU's width: 16
// with AVX-512, 8 with AVX2. Our kernels were as fast with that width forced, and slower with others.
constexpr std::array<Variable, 2> intel_variables{
    {{"CL_CONFIG_USE_VECTORIZER", "False", "True"}, {"CL_CONFIG_CPU_VECTORIZER_MODE", "1", "0"}}};

// The variable of PoCL, whose default is `loopvec`. `loops` is the one method that no version vectorizes: `cbs` is
// vectorized since version 4, `auto` since 5, and `repl` no longer exists. The widths that version 7 reads are left to
// the user: it is not documented that its cache of kernels distinguishes them.
constexpr const char* pocl_method = "POCL_WORK_GROUP_METHOD";
constexpr std::array<Variable, 1> pocl_variables{{{pocl_method, "loops", "loopvec"}}};

void set_all(std::span<const Variable> variables, CpuMode mode) {
  constexpr int keep = 0;
  if (std::any_of(variables.begin(), variables.end(),
                  [](const Variable& variable) { return std::getenv(variable.name) != nullptr; }))
    return;
  for (const Variable& variable : variables)
    ::setenv(variable.name, mode == CpuMode::scalar ? variable.scalar : variable.vector, keep);
}

// The width from Intel's build log: Kernel "phase1" was successfully vectorized (16). Runtimes before 2020 write
// <phase1>.
std::string said_by_log(std::string_view kernel, std::string_view log) {
  constexpr std::string_view vectorized = " was successfully vectorized";
  constexpr std::string_view scalar = " was not vectorized";
  for (const auto& [open, close] : {std::pair('"', '"'), std::pair('<', '>')}) {
    const std::string subject = fmt::format("Kernel {}{}{}", open, kernel, close);
    const auto found = log.find(subject);
    if (found == std::string_view::npos)
      continue;
    std::string_view rest = log.substr(found + subject.size());
    rest = rest.substr(0, rest.find_first_of("\r\n"));
    if (rest.rfind(scalar, 0) == 0)
      return "not vectorized";
    if (rest.rfind(vectorized, 0) == 0)
      return fmt::format("vectorized by the runtime{}", rest.substr(vectorized.size()));
  }
  return {};
}

constexpr std::string_view unknown = "unknown";

std::string_view work_group_method() {
  const char* set = std::getenv(pocl_method);
  return set == nullptr ? "loopvec" : set;
}

std::string said_by_method() {
  const std::string_view method = work_group_method();
  for (const std::string_view name : {"loops", "workitemloops", "repl", "workitemrepl"})
    if (method == name)
      return "not vectorized";
  return std::string(unknown);
}

} // namespace

void apply_cpu_mode(CpuMode mode) {
  if (mode == CpuMode::automatic)
    return;
  set_all(intel_variables, mode);
  set_all(pocl_variables, mode);
}

std::string mode_in_effect(const DeviceDescription& device, std::string_view kernel, unsigned vector_width,
                           std::string_view build_log) {
  std::string runtime = said_by_log(kernel, build_log);
  if (vector_width > 1) {
    const std::string width = fmt::format("explicit vectors of {}", vector_width);
    return runtime.rfind("vectorized", 0) == 0 ? fmt::format("{}, {}", width, runtime) : width;
  }
  if (!runtime.empty())
    return runtime;
  return is_pocl(device.platform) ? said_by_method() : std::string(unknown);
}

std::string why_mode_is_unknown(const DeviceDescription& device) {
  if (is_pocl(device.platform))
    return fmt::format("PoCL does not say what its work-group method '{}' did", work_group_method());
  return "the runtime does not say";
}

std::string known_mode(std::string_view in_effect) {
  constexpr std::string_view separator = " / ";
  std::string known;
  for (std::size_t begin = 0; begin < in_effect.size();) {
    const std::size_t end = std::min(in_effect.find(separator, begin), in_effect.size());
    if (const std::string_view mode = in_effect.substr(begin, end - begin); mode != unknown)
      known += fmt::format("{}{}", known.empty() ? "" : separator, mode);
    begin = end + separator.size();
  }
  return known;
}

} // namespace tmd::opencl
