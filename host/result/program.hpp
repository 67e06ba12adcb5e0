// Which program has found something. Results go together where their programs are the same: another commit may cut a
// range otherwise, plan otherwise and count otherwise.
#pragma once

#include "opencl/kernel_files.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tmd::result {

struct Program {
  std::string version;
  // 12 hexadecimal digits, with "-dirty" behind where the tree had been changed; "unknown" where the build could not
  // tell; empty where it was not recorded, as before version 0.2.0.
  std::string commit;
  opencl::KernelUse kernels;
};

// This one, with the kernels that it uses; and with those that it was built with, where it uses none.
[[nodiscard]] Program running_program(opencl::KernelUse kernels);
[[nodiscard]] Program running_program();

// Whether version, commit and kernels are the same. An unrecorded commit may be any, and is that of no other program.
[[nodiscard]] bool is_same(const Program& one, const Program& other);

// Adds a program where it is none of them.
void add_program(std::vector<Program>& programs, const Program& one);
// All but the first of them that are not the same as this one.
[[nodiscard]] std::vector<Program> others_than(const Program& one, const std::vector<Program>& programs);

// "tmd 0.2.0 (commit 0123456789ab, kernels 0123456789abcdef)".
[[nodiscard]] std::string to_string(const Program& program);
// The same of several, as a part of a sentence.
[[nodiscard]] std::string to_string(const std::vector<Program>& programs);
// What `tmd --version` says: this program, and whether the kernels that are there are others than its own, or none.
[[nodiscard]] std::string version_text();

} // namespace tmd::result
