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

// One process at a time owns it. Lines are appended whole: if a disk is full, the written part of a line is removed; if
// the program or the machine ends within a line, that torn end is ignored, and the next line replaces it. The owner
// interprets the lines, and finds damaged ones.
class LineJournal {
public:
  // Opens the file, or makes it and its folder, and locks it. `busy`: the end of the sentence if another process owns
  // it. Throws UsageError if it cannot be opened or locked.
  LineJournal(std::filesystem::path file, const std::string& busy);

  // The complete lines, with their ends; or each without. Both throw UsageError if they cannot be read.
  [[nodiscard]] TextSource text() const;
  [[nodiscard]] std::vector<std::string> lines() const;
  [[nodiscard]] bool empty() const { return size_ == 0; }
  // Whether there was a torn end when it was opened.
  [[nodiscard]] bool was_torn() const { return was_torn_; }

  // Appends a line, which must not contain an end of line. Throws UsageError, having written nothing, if it cannot be
  // written.
  void append(std::string_view line);
  // Removes all lines.
  void clear();
  // Waits until all appended lines are on the disk; may be called while another thread appends. Throws UsageError if
  // the disk fails.
  void sync();

  // Removes the file.
  void remove() const;
  // Renames the file, with `.unsound` appended; if that fails, removes it.
  void set_aside() const;

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

private:
  void lock(const std::string& busy) const;
  [[noreturn]] void fail(const std::string& reason) const;
  // Passes on the contents, from the beginning, at most `most` bytes.
  void read(std::uint64_t most, const TextSink& sink) const;
  void cut(std::uint64_t size);

  std::filesystem::path file_;
  Descriptor descriptor_;
  std::uint64_t size_ = 0; // bytes of complete lines
  bool was_torn_ = false;
  bool torn_ = false; // there is a torn end behind them
};

} // namespace tmd::support
