// A file that appears complete or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace tmd {

// Writes beside the target, then syncs and renames. Until commit() nothing is on the disk, whatever ends the
// program. A target that is no regular file (a terminal, a pipe, /dev/null) is written as it stands.
class AtomicFile {
public:
  // Tries to create a file beside the target, so that an unwritable place is known before a long run.
  // Throws UsageError when that fails.
  explicit AtomicFile(const std::filesystem::path& target);

  // Writes the whole text, syncs and renames it into place. Throws UsageError when that fails.
  void commit(std::string_view text) const;

  // Whether both would write the same regular file.
  [[nodiscard]] bool same_target(const AtomicFile& other) const;

private:
  std::filesystem::path shown_;  // as the user wrote it
  std::filesystem::path target_; // absolute, symbolic links followed
  bool regular_ = true;
};

} // namespace tmd
