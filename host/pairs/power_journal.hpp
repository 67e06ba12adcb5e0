// The journal of a search of pairs by boxes (doc/reference/journals.md): the lines that have been searched and what was
// found there. Written while the search runs, so that it can end at any moment and be resumed.
#pragma once

#include "opencl/device.hpp"
#include "pairs/power_search.hpp"
#include "result/journal_device.hpp"
#include "result/program.hpp"
#include "result/record.hpp"
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
  SearchSpec request; // without the function and ranges; its shard is the journal's
  PairJob job;
  job::Coverage wanted; // lines of the job, or the interval of lines of its part
  std::string command;  // for people
  // Paths by the name of the option, absolute or relative to the journal's folder.
  std::map<std::string, std::filesystem::path> outputs;
};

// The contents of a journal.
struct PowerJournalContents {
  struct Run {
    std::string begun; // UTC
    double seconds = 0;
    double cost = 0; // estimate of the parts that count, in that of a box
    result::Program program;
  };
  PowerJournalHeader header;
  std::vector<result::JournalDevice> devices; // here `arguments` counts pairs
  std::vector<Run> runs;
  job::Coverage done;          // lines
  PowerWork work;              // the work in these lines, without the following
  std::vector<Operands> cases; // cases found there, not yet confirmed
  std::vector<Operands> undecided;
  std::size_t records = 0;
  bool was_torn = false; // its last line was incomplete, and is skipped

  // All programs that have done some of it, first the one that began it.
  [[nodiscard]] std::vector<result::Program> programs() const;
};

// The record of a part: numbers of pairs by kind, and the operands of its cases.
[[nodiscard]] result::Json part_record(const PowerPart& part, std::size_t device);
struct RecordedPart {
  PowerPart part;              // without its device and the following
  std::vector<Operands> cases; // not yet confirmed
  std::vector<Operands> undecided;
};
// Throws Json::exception or UsageError if it cannot be read or a case is outside its lines, and SoundnessError if pairs
// are not accounted for.
[[nodiscard]] RecordedPart read_part(const result::Json& record, const PairJob& job, const PowerLines& lines);

// Parses the lines of a journal; `name` is used in messages. Throws UsageError, with the line's number, for a line that
// is damaged, missing or duplicated, and SoundnessError if lines were searched twice or pairs are not accounted for.
[[nodiscard]] PowerJournalContents parse_power_journal(const support::TextSource& text, std::string_view name);

// Confirms all its cases, and that undecided pairs are, and adds them to the findings. Throws SoundnessError if one is
// none.
void confirm_cases(PowerJournalContents& contents, std::string_view name, unsigned threads);

// Merges journals of parts of one search; the header is that of the first, without its part. Throws UsageError if they
// are not of the same search, SoundnessError if two of them have the same lines.
[[nodiscard]] PowerJournalContents merged(std::vector<PowerJournalContents> parts);

// A journal that is being written. Each record is handed to the system at once, and brought to the disk every second.
class PowerJournal {
public:
  // Opens or creates the file and locks it. Throws UsageError if that fails.
  explicit PowerJournal(const std::filesystem::path& file);

  // The contents; nothing if it has no record. Throws what parse_power_journal() throws.
  [[nodiscard]] std::optional<PowerJournalContents> contents();
  // Starts a new journal; whatever the file contains is discarded.
  void begin(const PowerJournalHeader& header);
  // Call this after begin(), or after contents() of a journal that has a record.
  void begin_run(const result::Program& program, const std::vector<opencl::DeviceDescription>& devices);

  void searched(const PowerPart& part);
  // Records that nothing counts that this device has ever found.
  void revoked(std::size_t device);
  void sync() { lines_.sync(); }
  // Renames the journal to NAME.unsound, because nothing in it can be trusted.
  void set_aside() const { lines_.set_aside(); }

  [[nodiscard]] const std::filesystem::path& file() const { return lines_.file(); }

private:
  void append(std::string record); // a record without its closing brace
  void append_at(std::string record);

  support::LineJournal lines_;
  std::size_t records_ = 0;
  std::vector<result::JournalDevice> devices_; // devices that the journal names, as far as their identities go
  std::vector<std::size_t> numbers_;           // the journal's numbers of this run's devices
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point synced_;
};

} // namespace tmd::pairs
