#include "result/program.hpp"

#include "commit.h"
#include "tmd/error.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd {

namespace {

constexpr std::string_view others_key = "other_programs";

std::string in_brackets(std::string_view commit, std::string_view kernels) {
  return commit.empty() ? fmt::format("(kernels {})", kernels)
                        : fmt::format("(commit {}, kernels {})", commit, kernels);
}

// Nothing where the kernels that are there are this program's.
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

bool is_same(const Program& one, const Program& other) {
  return one.version == other.version && one.commit == other.commit && !one.commit.empty() &&
         one.kernels.digest == other.kernels.digest;
}

void add_program(std::vector<Program>& programs, const Program& one) {
  // Of what is not recorded, version and kernels are all that can tell programs apart in a list.
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
  for (const Program& one : programs)
    texts.push_back(to_string(one));
  return fmt::format("{}", fmt::join(texts, " and "));
}

std::string version_text() {
  return fmt::format("{} {}", TMD_VERSION,
                     in_brackets(TMD_COMMIT, fmt::format("{}{}", opencl::own_kernel_digest(), other_kernels())));
}

void write_program(Json& record, const Program& program) {
  record["version"] = program.version;
  record["commit"] = program.commit.empty() ? Json(nullptr) : Json(program.commit);
  record["kernels"] = program.kernels.digest;
  record["foreign_kernels"] = program.kernels.foreign;
}

Program read_program(const Json& record) {
  Program program{record.at("version"), {}, {record.at("kernels"), record.value("foreign_kernels", false)}};
  if (const auto commit = record.find("commit"); commit != record.end() && !commit->is_null())
    program.commit = *commit;
  return program;
}

void write_other_programs(Json& record, const std::vector<Program>& programs) {
  for (const Program& one : programs) {
    Json other = Json::object();
    write_program(other, one);
    record[std::string(others_key)].push_back(std::move(other));
  }
}

std::vector<Program> read_other_programs(const Json& record) {
  std::vector<Program> programs;
  if (const auto others = record.find(std::string(others_key)); others != record.end())
    for (const Json& one : *others)
      programs.push_back(read_program(one));
  return programs;
}

} // namespace tmd
