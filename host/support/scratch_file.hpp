// A file for what is not to be kept in memory.
#pragma once

#include "support/descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>

namespace tmd {

// Has no name, lies in the folder for temporary files ($TMPDIR, else /tmp), and is gone with the process, whatever ends
// it. May be used by several threads at once.
class ScratchFile {
public:
  // Room for so many bytes, of nobody else: returns where it begins. The first time, the file is made. Throws
  // WriteError where that fails.
  [[nodiscard]] std::uint64_t reserve(std::uint64_t bytes);
  // Throws WriteError where there is no space.
  void write(std::uint64_t offset, std::span<const std::byte> bytes) const;
  // What was written there. Throws WriteError when it cannot be read.
  void read(std::uint64_t offset, std::span<std::byte> bytes) const;

private:
  [[noreturn]] void fail(const char* what, int error) const;
  void open();

  std::mutex mutex_; // of reserve()
  std::filesystem::path folder_;
  Descriptor descriptor_;
  std::uint64_t size_ = 0; // that is reserved
};

} // namespace tmd
