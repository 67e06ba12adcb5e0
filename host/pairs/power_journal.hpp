// The journal of a search of x^y (doc/reference/journals.md): which lines have been searched and what was found there,
// kept while it runs, so that it can be ended at any moment and go on.
#pragma once

#include "opencl/device.hpp"
#include "pairs/power_search.hpp"
#include "result/journal_device.hpp"
#include "result/program.hpp"
#include "support/line_journal.hpp"
#include "tmd/search_spec.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::pairs {

struct PowerJournalHeader {
  result::Program program;
  SearchSpec request; // but for the function; its shard is the journal's
  PairJob job;
  job::Coverage wanted; // lines of the job, or of its part: an interval
  std::string command;  // for people
  // By the name of their option, relative to the journal's folder, or absolute.
  std::map<std::string, std::filesystem::path> outputs;
};

// All that a journal says.
struct PowerJournalContents {
  struct Run {
    std::string begun; // UTC
    double seconds = 0;
    double boxes = 0; // by estimates, of its parts that count
    result::Program program;
  };
  PowerJournalHeader header;
  std::vector<result::JournalDevice> devices; // their arguments are pairs
  std::vector<Run> runs;
  job::Coverage done;          // lines
  PowerWork work;              // of these, without its cases,
  std::vector<Operands> cases; // which nobody has confirmed yet
  std::size_t records = 0;
  bool was_torn = false; // its last line was not whole, and is passed over

  // All that have done some of it, first the one that began it.
  [[nodiscard]] std::vector<result::Program> programs() const;
};

// What the lines of a journal say; `name` stands in messages. Throws UsageError, with the line's number, for a line
// that is damaged, lost or there twice, and SoundnessError where lines were searched twice or pairs are not accounted
// for.
[[nodiscard]] PowerJournalContents parse_power_journal(const support::TextSource& text, std::string_view name);

// Asks MPFR for all its cases, and adds them to what was found. Throws SoundnessError where one is none.
void confirm_cases(PowerJournalContents& contents, std::string_view name, unsigned threads);

// Several journals of parts of one search as one, whose header is the first's without its part. Throws UsageError where
// they are not of the same search, SoundnessError where lines are in two of them.
[[nodiscard]] PowerJournalContents merged(std::vector<PowerJournalContents> parts);

// A journal that is written. What it is told is handed to the system at once, and brought to the disk every second.
class PowerJournal {
public:
  // Opens the file or makes one, and locks it. Throws UsageError when it cannot be had.
  explicit PowerJournal(const std::filesystem::path& file);

  // What it says; nothing of one without a record. Throws what parse_power_journal() throws.
  [[nodiscard]] std::optional<PowerJournalContents> contents();
  // Begins anew: whatever is there is forgotten.
  void begin(const PowerJournalHeader& header);
  // After begin(), or contents() of a journal that has some.
  void begin_run(const result::Program& program, const std::vector<opencl::DeviceDescription>& devices);

  void searched(const PowerPart& part);
  // Nothing counts that this device has ever found.
  void revoked(std::size_t device);
  void sync() { lines_.sync(); }
  // Nothing in it can be trusted: it gets another name, with `.unsound` behind.
  void set_aside() const { lines_.set_aside(); }

  [[nodiscard]] const std::filesystem::path& file() const { return lines_.file(); }

private:
  void append(std::string record); // one that is not closed
  void append_at(std::string record);

  support::LineJournal lines_;
  std::size_t records_ = 0;
  std::vector<result::JournalDevice> devices_; // that it names, as far as their identities go,
  std::vector<std::size_t> numbers_;           // and those of the run
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point synced_;
};

} // namespace tmd::pairs
