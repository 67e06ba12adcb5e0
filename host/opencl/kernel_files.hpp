// The kernels' source files as a whole: this program trusts those that it was built with.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace tmd::opencl {

// All the kernel files (*.cl, *.clh) of a folder, read once: what is hashed is what is built.
class KernelFiles {
public:
  // Throws DeviceError if they cannot be read.
  explicit KernelFiles(const std::filesystem::path& folder);

  // 16 hexadecimal digits: the first of the SHA-256 of a line a file, sorted by name, as sha256sum prints them:
  //   find . -name '*.cl' -o -name '*.clh' | sed 's,^\./,,' | LC_ALL=C sort | xargs sha256sum | sha256sum
  [[nodiscard]] std::string digest() const;

  // The text of a file with its #include "…" lines replaced by the files they name, beside the file that includes them:
  // drivers that cache binaries look only at the text that they are given. Throws DeviceError for a missing file.
  [[nodiscard]] std::string source(const std::string& file) const;

private:
  std::filesystem::path folder_;
  std::map<std::string, std::string> texts_; // texts by name, relative to the folder
};

// The digest of the kernels that this program was built with.
[[nodiscard]] std::string_view own_kernel_digest();

// The kernels that a command uses: results of different kernels are not comparable.
struct KernelUse {
  std::string digest;
  bool foreign = false; // not those that this program was built with
};

// The kernels in kernel_folder(). Throws DeviceError if they cannot be read, or are foreign and foreign_too is false.
[[nodiscard]] KernelUse use_kernels(bool foreign_too);

// "0123456789abcdef", with a remark if they are foreign.
[[nodiscard]] std::string to_string(const KernelUse& kernels);

} // namespace tmd::opencl
