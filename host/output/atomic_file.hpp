// A file that appears complete or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace tmd {

// Writes beside the target, then syncs and renames. Without commit(), nothing is left behind.
class AtomicFile {
public:
  // Opens the file beside the target at once, so that an unwritable place is known before a long run.
  // Throws UsageError when that fails.
  explicit AtomicFile(std::filesystem::path target);
  AtomicFile(AtomicFile&& other) noexcept
      : target_(std::move(other.target_)), aside_(std::move(other.aside_)),
        descriptor_(std::exchange(other.descriptor_, -1)) {}
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  // Writes the whole text, syncs and renames it into place. Throws UsageError when that fails.
  void commit(std::string_view text);

private:
  [[noreturn]] void fail(std::string_view doing) const;

  std::filesystem::path target_;
  std::filesystem::path aside_;
  int descriptor_ = -1;
};

} // namespace tmd
