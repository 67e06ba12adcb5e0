// What has been tried, kept on disk so that an interrupted tuning goes on where it stopped.
#pragma once

#include "tune/trial.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tmd::tune {

// $XDG_CACHE_HOME/tmd/tune, else ~/.cache/tmd/tune; nothing where neither variable is set.
[[nodiscard]] std::optional<std::filesystem::path> journal_folder();

// JSON Lines: what the trials belong to, then a line each. Lines are appended whole; one that was torn by the program's
// end, or damaged, is passed over.
class Journal {
public:
  // Opens the journal of a subject: everything that trials must have in common to be comparable, one line. `fresh`
  // forgets what it holds. Throws UsageError when the file cannot be written or another process tunes the same.
  Journal(const std::filesystem::path& folder, const std::string& name, const std::string& subject, bool fresh);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  // The trials on disk when it was opened, in order.
  [[nodiscard]] const std::vector<Trial>& trials() const { return trials_; }
  void append(const Trial& trial);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

private:
  void write_line(const std::string& line) const;

  std::filesystem::path file_;
  int descriptor_;
  std::vector<Trial> trials_;
};

// 16 hexadecimal digits that differ when the texts do (FNV-1a).
[[nodiscard]] std::string digest(std::string_view text);

// A name for files: lower-case letters and digits, other characters as single hyphens.
[[nodiscard]] std::string file_name_of(std::string_view text);

} // namespace tmd::tune
