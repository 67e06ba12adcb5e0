// The journal of a search (doc/reference/journals.md): what it has done, recorded while it runs, so that it can end at
// any moment and be resumed.
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

// A journal's first record: the request, the program that began it, and the files that it is to write.
struct JournalHeader {
  Program program;
  SearchSpec request;
  std::string command; // the request as a command, for people
  // Paths by the name of the option, absolute or relative to the journal's folder.
  std::map<std::string, std::filesystem::path> outputs;
  Symmetry symmetry = Symmetry::none; // the symmetry by which only x ≥ 0 is searched
  std::optional<job::Shard> shard;
};

// A part that counts.
struct JournalPart {
  job::RankInterval ranks;
  std::size_t device = 0;
  std::size_t run = 0;
  double seconds = 0; // elapsed time, shared with other parts searched at the same time
};

// One run of the program, from start to end.
struct JournalRun {
  std::string begun;     // UTC, as in 2026-01-31T23:59:59Z
  double seconds = 0;    // from the start to the last record
  uint128 arguments = 0; // in the parts of the run that count
  Program program = {};
};

// The contents of a journal.
struct JournalContents {
  JournalHeader header;
  OwnedJob owned;
  SearchResult result; // what counts; its fields and workers are not known
  std::vector<JournalDevice> devices;
  std::vector<JournalRun> runs;
  std::vector<JournalPart> parts;    // in the order in which they were searched; a complete claim counts as one part
  std::vector<ClaimIdentity> claims; // by the numbers that records use
  std::size_t records = 0;
  bool was_torn = false; // its last line was incomplete, and is skipped

  [[nodiscard]] const job::Job& job() const { return owned.job; }
  // All programs that have done some of it, first the one that began it.
  [[nodiscard]] std::vector<Program> programs() const;
  // Whether nothing is left to search.
  [[nodiscard]] bool is_complete() const;
  // Whether anything has been done that counts.
  [[nodiscard]] bool has_results() const {
    return !result.covered.empty() || !result.left_out.empty() || !result.partial_claims.empty();
  }
};

// Receives cases one after the other.
using CaseSink = std::function<void(const Case&)>;

// Parses the lines of a journal; `name` is used in messages. An incomplete last line is skipped. use: receives the
// cases that count, in no order, instead of the result, which then holds none. Throws UsageError, with the line's
// number, for a line that is damaged, missing or duplicated, and SoundnessError if arguments were searched twice.
[[nodiscard]] JournalContents parse_journal(const support::TextSource& text, std::string_view name,
                                            const CaseSink& use = {});

// The same for a file, which may be packed. It is only read, so a search may be writing it. Throws UsageError also if
// the file cannot be read or is something else.
[[nodiscard]] JournalContents read_journal(const std::filesystem::path& file, const CaseSink& use = {});

// Whether a search is writing the journal now.
[[nodiscard]] bool is_being_written(const std::filesystem::path& file);

// A journal that is being written. Each record is handed to the system at once, and brought to the disk every second.
class Journal : public SearchRecorder {
public:
  // Opens or creates the file and locks it. Throws UsageError if that fails, also if another process is writing it.
  explicit Journal(const std::filesystem::path& file);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal() override;

  // The contents; nothing if it has no record. Throws what parse_journal() throws.
  [[nodiscard]] std::optional<JournalContents> contents();

  // Starts a new journal; whatever the file contains is discarded. Like all that follows, throws UsageError if the file
  // cannot be written.
  void begin(const JournalHeader& header, const job::Job& job);
  // Starts a run of the job. Call this after begin(), or after contents() of a journal that has a record. The members
  // of SearchRecorder refer to these devices by their positions.
  void begin_run(const Program& program, const job::Job& job, const std::vector<opencl::DeviceDescription>& devices);

  void searched(std::size_t worker, const job::RankInterval& ranks, const PartResult& part) override;
  void searched(std::size_t worker, const ClaimIdentity& claim, uint128 arguments, const PartResult& part) override;
  void proven(const job::RegimeRange& range) override;
  void left_out(const job::RankInterval& ranks) override;
  void revoked(std::size_t worker) override;

  // Whether it contains anything that a search has done.
  [[nodiscard]] bool has_results() const { return has_results_; }
  // Whether a worker of this run was revoked.
  [[nodiscard]] bool has_revoked() const { return has_revoked_; }

  // Brings everything to the disk.
  void sync();
  // Removes the file.
  void remove() const { lines_.remove(); }
  // Renames the journal to NAME.unsound after a failed soundness check: nothing in it can be trusted, and no search may
  // resume from it.
  void set_aside() const { lines_.set_aside(); }

  [[nodiscard]] const std::filesystem::path& file() const { return lines_.file(); }

private:
  // Records without their closing brace, so that keys can be added.
  void append(std::string record);
  void append_at(std::string record); // adds the time of the run
  void sync_now_and_then();

  support::LineJournal lines_;
  std::size_t records_ = 0;
  bool has_results_ = false;
  bool has_revoked_ = false;
  std::vector<JournalDevice> devices_; // devices that the journal names, as far as their identities go
  std::vector<ClaimIdentity> claims_;
  const job::Job* job_ = nullptr;    // of the run
  std::vector<std::size_t> numbers_; // numbers of the run's devices, by worker
  std::chrono::steady_clock::time_point start_;

  std::mutex mutex_; // guards the following members
  std::condition_variable ending_;
  bool ended_ = false;
  bool unsynced_ = false;
  std::exception_ptr failed_; // error of writing to the disk
  std::thread syncing_;       // last member, because it uses the others
};

} // namespace tmd::result
