// A file of lines that only grows, and survives whatever ends the program that writes it.
#pragma once

#include "support/descriptor.hpp"
#include "support/text_source.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::support {

// One process at a time has it. Lines are appended whole: when a disk is full, what was written of a line is taken
// back; when the program or the machine ends within a line, that torn end is passed over, and the next line takes its
// place. What a line says, and whether it is damaged, is its owner's concern.
class LineJournal {
public:
  // Opens the file, or makes it and its folder, and locks it. `busy`: the end of the sentence when another process has
  // it. Throws UsageError when it cannot be had.
  LineJournal(std::filesystem::path file, const std::string& busy);

  // The whole lines that it holds, with their ends; or each without. Both throw UsageError when they cannot be read.
  [[nodiscard]] TextSource text() const;
  [[nodiscard]] std::vector<std::string> lines() const;
  [[nodiscard]] bool empty() const { return size_ == 0; }
  // Whether there was a torn end when it was opened.
  [[nodiscard]] bool was_torn() const { return was_torn_; }

  // Appends a line, which must not contain an end of line. Throws UsageError, having written nothing, when it cannot be
  // written.
  void append(std::string_view line);
  // Forgets everything.
  void clear();
  // Waits until the disk has all that was appended; may be called while another thread appends. Throws UsageError when
  // it cannot take it.
  void sync();

  // Removes the file.
  void remove() const;
  // Gives it another name, with `.unsound` behind; where that fails, removes it.
  void set_aside() const;

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

private:
  void lock(const std::string& busy) const;
  [[noreturn]] void fail(const std::string& reason) const;
  // Whatever it holds, from its beginning on, `most` bytes or less.
  void read(std::uint64_t most, const TextSink& sink) const;
  void cut(std::uint64_t size);

  std::filesystem::path file_;
  Descriptor descriptor_;
  std::uint64_t size_ = 0; // bytes of whole lines
  bool was_torn_ = false;
  bool torn_ = false; // there is something after them
};

} // namespace tmd::support
