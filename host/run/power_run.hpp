// A search of pairs by boxes, from its devices to its result, for both `tmd search` and `tmd resume`.
#pragma once

#include "pairs/power_audit.hpp"
#include "pairs/power_journal.hpp"
#include "run/device_choice.hpp"
#include "run/ranks.hpp"
#include "run/search_files.hpp"
#include "tmd/progress.hpp"
#include "tmd/remark.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tmd::run {

// The search and its settings.
struct PowerRequest {
  pairs::PairJob job;
  SearchSpec spec; // all options except the function
};

// Throws UsageError if more cases are expected than the request allows, or a coarse look finds too many pairs next to
// singular places of an expression.
void refuse_early(const PowerRequest& request);

// "tmd search pow --format binary32 --rounding all --bits 44".
[[nodiscard]] std::string command_of(const pairs::PairJob& job, const std::optional<PartOfJob>& part = {});

// The journal of a search; null if none is kept.
struct KeptPowers {
  std::unique_ptr<pairs::PowerJournal> journal;
  std::optional<pairs::PowerJournalContents> so_far; // with confirmed cases
};

// Opens the journal as keep_search() of run/kept_search.hpp does.
[[nodiscard]] KeptPowers keep_powers(const std::filesystem::path& journal, const PowerRequest& request,
                                     const OutputNames& outputs, const opencl::KernelUse& kernels,
                                     const RemarkHandler& on_remark);
// Resumes from the journal of this search. Throws UsageError if it is of another program, unless that is allowed, and
// SoundnessError if MPFR does not confirm it.
void resume_from(pairs::PowerJournalContents& contents, const PowerRequest& request, const std::string& name,
                 const opencl::KernelUse& kernels, const RemarkHandler& on_remark);

// The result on some lines, from a journal or a search.
[[nodiscard]] pairs::PairResult power_result(const PowerRequest& request, pairs::PowerWork work,
                                             const job::Coverage& lines);

class PowerRanks;
// A device that searches by boxes.
struct OpenBoxes {
  std::shared_ptr<engine::Launcher> launcher;
  std::unique_ptr<engine::boxes::BoxSearch> search;
};
// Opens a device and tests it with x^y, or with (1 + x)^n. Throws DeviceError.
[[nodiscard]] OpenBoxes open_boxes(const DeviceChoice& choice, bool is_compound = false);
// "NVIDIA H100 (NVIDIA CUDA)".
[[nodiscard]] std::string name_of(const DeviceChoice& choice);

class PowerRun {
public:
  // Opens the devices and tests them, over MPI those of all ranks; a warning names each one that cannot be used. ranks:
  // may be null. Throws DeviceError if none is left.
  PowerRun(const PowerRequest& request, Ranks* ranks, const RemarkHandler& on_remark);
  // For another rank: opens its share of its machine's devices, if there are any.
  PowerRun(const PowerRequest& request, const Place& place, RemarkHandler on_remark);
  PowerRun(const PowerRun&) = delete;
  PowerRun& operator=(const PowerRun&) = delete;
  ~PowerRun();

  [[nodiscard]] const opencl::KernelUse& kernels() const { return kernels_; }
  // The devices of this process, and why there are none.
  [[nodiscard]] std::vector<result::DeviceUse> device_uses() const;
  [[nodiscard]] const std::string& without() const { return without_; }
  [[nodiscard]] std::vector<std::string> devices() const; // their names

  // Searches units drawn at random for about so many seconds, keeps nothing, and predicts by their times how long all
  // take. Nothing if fewer than two are done. Throws what search_power_units() throws.
  [[nodiscard]] std::optional<double> predicted_seconds(double seconds);
  // Searches what the journal does not have. Returns whether all was searched: false after an interrupt. Throws what
  // search_power_units() throws; results of a faulty device do not count in the journal any more, and after another
  // unsound result the journal is set aside.
  bool search(KeptPowers& kept, const std::function<void(const Progress&)>& progress,
              const engine::Interrupt& interrupted);
  // For another rank: searches the units that next() gives. Throws what search_power_units() throws; faulty: called
  // before a FaultError with the number of the device.
  void search_units_of(const pairs::NextUnit& next, const std::function<void(const pairs::PowerPart&)>& searched,
                       const std::function<void(std::size_t)>& faulty, const engine::Interrupt& interrupted);

  // Searches some of a finished search again, as SearchRun::audit() does: by other boxes, and pair by pair.
  void audit(const KeptPowers& kept, const engine::Interrupt& interrupted);
  [[nodiscard]] pairs::PairResult result() &&;

  // Searches some of these lines again, drawn at random, with other boxes than search() uses: a share of their boxes,
  // or, if that is 0, for about so many seconds. Throws what search_power_units() throws; lost: as there.
  struct Sample {
    job::Coverage lines;
    pairs::AuditedPairs found;
  };
  [[nodiscard]] Sample search_again(
      const job::Coverage& lines, double share, double seconds, std::uint64_t seed,
      const std::function<void(std::size_t)>& lost = [](std::size_t) {}, const engine::Interrupt& interrupted = {});

private:
  void open(const std::vector<DeviceChoice>& choices);
  void open_share(const Place& place);
  void require_same_kernels() const;
  [[nodiscard]] unsigned threads() const;
  [[nodiscard]] std::vector<engine::boxes::BoxSearch*> searches() const;
  bool search_units(const std::vector<pairs::PowerUnit>& units, pairs::PowerJournal* journal, Progress now,
                    const std::function<void(const Progress&)>& progress, const engine::Interrupt& interrupted);

  PowerRequest request_;
  RemarkHandler on_remark_;
  opencl::KernelUse kernels_;
  std::optional<Place> place_; // over MPI
  std::string without_;        // why this process has no device
  std::vector<DeviceChoice> choices_;
  std::vector<std::shared_ptr<engine::Launcher>> launchers_;
  std::vector<std::unique_ptr<engine::boxes::BoxSearch>> devices_;
  pairs::PowerLines lines_;
  job::Coverage done_;
  pairs::PowerWork work_;
  double seconds_ = 0;
  std::vector<result::AuditReport> audits_;
  std::unique_ptr<PowerRanks> ranks_; // null if there are none
};

} // namespace tmd::run
