#include "result/program.hpp"

#include "commit.h"
#include "tmd/error.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::result {

namespace {

std::string in_brackets(std::string_view commit, std::string_view kernels) {
  return commit.empty() ? fmt::format("(kernels {})", kernels)
                        : fmt::format("(commit {}, kernels {})", commit, kernels);
}

// Empty if the installed kernels are this program's.
std::string other_kernels() {
  try {
    const opencl::KernelUse found = opencl::use_kernels(true);
    return found.foreign ? fmt::format(", found foreign kernels {}", found.digest) : std::string();
  } catch (const DeviceError&) {
    return ", found no kernels";
  }
}

} // namespace

Program running_program(opencl::KernelUse kernels) { return {TMD_VERSION, TMD_COMMIT, std::move(kernels)}; }

Program running_program() { return running_program({std::string(opencl::own_kernel_digest())}); }

bool is_same(const Program& one, const Program& other) {
  return one.version == other.version && one.commit == other.commit && !one.commit.empty() &&
         one.kernels.digest == other.kernels.digest;
}

void add_program(std::vector<Program>& programs, const Program& one) {
  // Unrecorded commits cannot be compared, so texts decide, with version and kernels.
  const auto is_listed = [&](const Program& known) { return to_string(known) == to_string(one); };
  if (std::none_of(programs.begin(), programs.end(), is_listed))
    programs.push_back(one);
}

std::vector<Program> others_than(const Program& one, const std::vector<Program>& programs) {
  std::vector<Program> others;
  std::copy_if(programs.begin(), programs.end(), std::back_inserter(others),
               [&](const Program& other) { return !is_same(one, other); });
  return others;
}

std::string to_string(const Program& program) {
  return fmt::format("tmd {} {}", program.version, in_brackets(program.commit, program.kernels.digest));
}

std::string to_string(const std::vector<Program>& programs) {
  std::vector<std::string> texts;
  texts.reserve(programs.size());
  for (const Program& one : programs)
    texts.push_back(to_string(one));
  return fmt::format("{}", fmt::join(texts, " and "));
}

std::string version_text() {
  return fmt::format("{} {}", TMD_VERSION,
                     in_brackets(TMD_COMMIT, fmt::format("{}{}", opencl::own_kernel_digest(), other_kernels())));
}

} // namespace tmd::result
