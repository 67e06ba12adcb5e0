// Identifies the program that has found something. Results are merged only if their programs are the same: another
// commit may cut ranges, plan or count differently.
#pragma once

#include "opencl/kernel_files.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tmd::result {

struct Program {
  std::string version;
  // 12 hexadecimal digits, followed by "-dirty" if the tree had been changed; "unknown" if the build could not
  // determine it; empty if it was not recorded, as before version 0.2.0.
  std::string commit;
  opencl::KernelUse kernels;
};

// This program with the kernels it uses, or with those it was built with if it uses none.
[[nodiscard]] Program running_program(opencl::KernelUse kernels);
[[nodiscard]] Program running_program();

// Whether version, commit and kernels are the same. An unrecorded commit differs from that of every other program.
[[nodiscard]] bool is_same(const Program& one, const Program& other);

// Adds a program unless it is already there.
void add_program(std::vector<Program>& programs, const Program& one);
// The programs that differ from this one, each once.
[[nodiscard]] std::vector<Program> others_than(const Program& one, const std::vector<Program>& programs);

// "tmd 0.2.0 (commit 0123456789ab, kernels 0123456789abcdef)".
[[nodiscard]] std::string to_string(const Program& program);
// The same for several, as part of a sentence.
[[nodiscard]] std::string to_string(const std::vector<Program>& programs);
// The output of `tmd --version`: this program, and whether the installed kernels are others than its own, or missing.
[[nodiscard]] std::string version_text();

} // namespace tmd::result
