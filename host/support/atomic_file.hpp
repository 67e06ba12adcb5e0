// A file that appears complete or not at all.
#pragma once

#include "support/compressed_file.hpp"
#include "support/descriptor.hpp"

#include <filesystem>
#include <string_view>

namespace tmd::support {

// Writes beside the target, then syncs and renames. Until commit() nothing is on the disk, whatever ends the program.
// Symbolic links are followed: the file that they lead to is replaced. `-` is standard output; that, and a target that
// is no regular file (a terminal, a pipe, /dev/null), is written directly. A target named `.xz` or `.gz` is compressed.
class AtomicFile {
public:
  // Tries to create a file beside the target, so that an unwritable place is known before a long run. Throws UsageError
  // if that fails or the target is read-only; WriteError if there is no space.
  explicit AtomicFile(const std::filesystem::path& target);

  // Writes the whole content, compressed if the name says so, syncs and renames it into place. Throws WriteError on
  // failure.
  void commit(std::string_view content) const;
  // Writes a content that is made piece by piece, from the beginning again if that is needed.
  void commit(const TextSource& content) const;

  // Whether one file would replace the other: both are the same regular file, or both `-`.
  [[nodiscard]] bool same_target(const AtomicFile& other) const;

  // Whether the target was standard output when the object was made.
  [[nodiscard]] bool is_standard_output() const { return kind_ == Kind::standard_output; }

  // From now on a file that is being written is noted, for remove_unfinished(). Only for a program that writes one file
  // at a time and handles signals: a library does neither.
  static void note_unfinished() noexcept;
  // Removes the file beside a target that is being written, if there is one. For signal handlers that end the program.
  static void remove_unfinished() noexcept;

private:
  enum class Kind { regular, as_it_stands, standard_output };

  std::filesystem::path shown_;  // as the user wrote it
  std::filesystem::path target_; // if a regular file: absolute, symbolic links followed
  Kind kind_ = Kind::regular;
  Descriptor output_; // standard output, even if descriptor 1 has become another file
};

} // namespace tmd::support
