// The trials so far, kept on disk so that an interrupted tuning can be continued.
#pragma once

#include "support/line_journal.hpp"
#include "tune/trial.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace tmd::tune {

// A JSON Lines file: its subject, then a line for each trial. A damaged line is skipped.
class Journal {
public:
  // Opens the journal of a subject, one line with everything that trials must have in common to be comparable. `fresh`
  // discards earlier trials. Throws UsageError if the file cannot be written or another process tunes the same.
  Journal(const std::filesystem::path& folder, const std::string& name, const std::string& subject,
          Settings default_values, bool fresh);

  // The trials that were in the file when it was opened, in order.
  [[nodiscard]] const std::vector<Trial>& trials() const { return trials_; }
  void append(const Trial& trial);

private:
  support::LineJournal lines_;
  Settings default_values_;
  std::vector<Trial> trials_;
};

} // namespace tmd::tune
