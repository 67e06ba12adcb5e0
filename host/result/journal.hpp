// The journal of a search (doc/reference/journals.md): what it has done, kept while it runs, so that it can be ended at
// any moment and go on.
#pragma once

#include "job/job.hpp"
#include "job/shard.hpp"
#include "opencl/device.hpp"
#include "result/journal_device.hpp"
#include "result/program.hpp"
#include "result/records.hpp"
#include "result/search_recorder.hpp"
#include "result/search_result.hpp"
#include "support/line_journal.hpp"
#include "tmd/search_spec.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace tmd::result {

// What is searched, by what, and where to its results go.
struct JournalHeader {
  Program program;
  SearchSpec request;
  std::string command; // the same, for people
  // By the name of their option, relative to the journal's folder, or absolute.
  std::map<std::string, std::filesystem::path> outputs;
  Symmetry symmetry = Symmetry::none; // for which only x ≥ 0 is searched
  std::optional<job::Shard> shard;
};

// A part that counts.
struct JournalPart {
  job::RankInterval ranks;
  std::size_t device = 0;
  std::size_t run = 0;
  double seconds = 0; // elapsed, while others may have been searched at the same time
};

// From one start of the program to its end.
struct JournalRun {
  std::string begun;     // UTC, as in 2026-01-31T23:59:59Z
  double seconds = 0;    // from then until its last record
  uint128 arguments = 0; // of its parts that count
  Program program = {};
};

// All that a journal says.
struct JournalContents {
  JournalHeader header;
  OwnedJob owned;
  SearchResult result; // what counts; its fields and workers are not known
  std::vector<JournalDevice> devices;
  std::vector<JournalRun> runs;
  std::vector<JournalPart> parts;    // in the order in which they were searched; of a claim, when it is complete, one
  std::vector<ClaimIdentity> claims; // by the numbers that records name them by
  std::size_t records = 0;
  bool was_torn = false; // its last line was not whole, and is passed over

  [[nodiscard]] const job::Job& job() const { return owned.job; }
  // All that have done some of it, first the one that began it.
  [[nodiscard]] std::vector<Program> programs() const;
  // Whether nothing is left to be searched.
  [[nodiscard]] bool is_complete() const;
  // Whether anything has been done that counts.
  [[nodiscard]] bool has_results() const {
    return !result.covered.empty() || !result.left_out.empty() || !result.begun.empty();
  }
};

// Takes cases one after the other.
using CaseSink = std::function<void(const Case&)>;

// What the lines of a journal say; `name` stands in messages. What follows the last whole line is passed over. use:
// gets the cases that count, in no order, instead of the result, which then holds none. Throws UsageError, with the
// line's number, for a line that is damaged, lost or there twice, and SoundnessError where arguments were searched
// twice.
[[nodiscard]] JournalContents parse_journal(const support::TextSource& text, std::string_view name,
                                            const CaseSink& use = {});

// The same of a file, which may be packed, and is only read: a search may be writing it. Throws UsageError when it
// cannot be read, and where it is something else, too.
[[nodiscard]] JournalContents read_journal(const std::filesystem::path& file, const CaseSink& use = {});

// Whether a search is writing the journal at this moment.
[[nodiscard]] bool is_being_written(const std::filesystem::path& file);

// A journal that is written. What it is told is handed to the system at once, and brought to the disk every second.
class Journal : public SearchRecorder {
public:
  // Opens the file or makes one, and locks it. Throws UsageError when it cannot be had, also for one that another
  // process writes.
  explicit Journal(const std::filesystem::path& file);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal() override;

  // What it says; nothing of one without a record. Throws what parse_journal() throws.
  [[nodiscard]] std::optional<JournalContents> contents();

  // Begins anew: whatever is there is forgotten. Throws UsageError where it cannot be written, like all that follows.
  void begin(const JournalHeader& header, const job::Job& job);
  // After begin(), or contents() of a journal that has some: a run of its job begins, by a program and on devices
  // that the members of SearchRecorder know by their numbers.
  void begin_run(const Program& program, const job::Job& job, const std::vector<opencl::DeviceDescription>& devices);

  void searched(std::size_t worker, const job::RankInterval& ranks, const PartResult& part) override;
  void searched(std::size_t worker, const ClaimIdentity& claim, uint128 arguments, const PartResult& part) override;
  void settled(const job::RegimeRange& range) override;
  void left_out(const job::RankInterval& ranks) override;
  void revoked(std::size_t worker) override;

  // Whether there is anything in it that a search has done.
  [[nodiscard]] bool has_results() const { return has_results_; }
  // Whether a worker of this run was revoked.
  [[nodiscard]] bool has_revoked() const { return has_revoked_; }

  // Brings all of it to the disk.
  void sync();
  // Removes the file.
  void remove() const { lines_.remove(); }
  // A soundness check has failed: nothing in it can be trusted, and nobody is to go on with it. It gets another name,
  // with `.unsound` behind.
  void set_aside() const { lines_.set_aside(); }

  [[nodiscard]] const std::filesystem::path& file() const { return lines_.file(); }

private:
  // Records that are not closed: more keys follow.
  void append(std::string record);
  void append_at(std::string record); // with the time of the run
  void sync_now_and_then();

  support::LineJournal lines_;
  std::size_t records_ = 0;
  bool has_results_ = false;
  bool has_revoked_ = false;
  std::vector<JournalDevice> devices_; // as far as their identities go
  std::vector<ClaimIdentity> claims_;
  const job::Job* job_ = nullptr;    // of the run
  std::vector<std::size_t> numbers_; // of the run's devices, by worker
  std::chrono::steady_clock::time_point start_;

  std::mutex mutex_; // of what follows
  std::condition_variable ending_;
  bool ended_ = false;
  bool unsynced_ = false;
  std::exception_ptr failed_; // what the disk could not take
  std::thread syncing_;       // the last member: it uses the others
};

} // namespace tmd::result
