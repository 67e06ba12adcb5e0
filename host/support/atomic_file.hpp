// A file that appears complete or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace tmd {

// Writes beside the target, then syncs and renames. Until commit() nothing is on the disk, whatever ends the program.
// Symbolic links are followed: the file that they lead to is replaced, not they. `-` is standard output; that, and a
// target that is no regular file (a terminal, a pipe, /dev/null), is written as it stands.
class AtomicFile {
public:
  // Tries to create a file beside the target, so that an unwritable place is known before a long run.
  // Throws UsageError when that fails, and where the target is read-only.
  explicit AtomicFile(const std::filesystem::path& target);

  // Writes the whole text, syncs and renames it into place. Throws UsageError when that fails.
  void commit(std::string_view text) const;

  // Whether one would take the other's place: both the same regular file, or both `-`.
  [[nodiscard]] bool same_target(const AtomicFile& other) const;

private:
  enum class Kind { regular, as_it_stands, standard_output };

  std::filesystem::path shown_;  // as the user wrote it
  std::filesystem::path target_; // of a regular file: absolute, symbolic links followed
  Kind kind_ = Kind::regular;
};

} // namespace tmd
