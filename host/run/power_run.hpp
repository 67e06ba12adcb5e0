// A search of x^y by boxes, from its devices to its result: what `tmd search` and `tmd resume` have in common.
#pragma once

#include "pairs/power_journal.hpp"
#include "run/device_choice.hpp"
#include "run/search_files.hpp"
#include "tmd/progress.hpp"
#include "tmd/remark.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tmd::run {

// What is searched, and by what.
struct PowerRequest {
  pairs::PairJob job;
  SearchSpec spec; // but for the function
};

// Throws UsageError where more cases are to be expected than the request allows.
void refuse_too_many_cases(const PowerRequest& request);

// "tmd search pow --format binary32 --rounding all --bits 44".
[[nodiscard]] std::string command_of(const pairs::PairJob& job, const std::optional<PartOfJob>& part = {});

// The journal of a search; null where none is kept.
struct KeptPowers {
  std::unique_ptr<pairs::PowerJournal> journal;
  std::optional<pairs::PowerJournalContents> so_far; // whose cases are confirmed
};

// As keep_search() of run/kept_search.hpp.
[[nodiscard]] KeptPowers keep_powers(const std::filesystem::path& journal, const PowerRequest& request,
                                     const OutputNames& outputs, const opencl::KernelUse& kernels, const Tell& tell);
// Takes up a journal of this search. Throws UsageError where it is of another program, unless that is wanted, and
// SoundnessError where MPFR does not confirm it.
void take_up(pairs::PowerJournalContents& contents, const PowerRequest& request, const std::string& name,
             const opencl::KernelUse& kernels, const Tell& tell);

// What a journal, or a search, has found of some lines.
[[nodiscard]] pairs::PairResult power_result(const PowerRequest& request, pairs::PowerWork work,
                                             const job::Coverage& lines);

class PowerRun {
public:
  // Opens the devices and tests them; one that cannot be used is told of, and left out. Throws DeviceError where none
  // is left.
  PowerRun(const PowerRequest& request, const Tell& tell);

  [[nodiscard]] const opencl::KernelUse& kernels() const { return kernels_; }
  // "NVIDIA H100 (NVIDIA CUDA)".
  [[nodiscard]] std::vector<std::string> devices() const;

  // Moves from what the journal has, and searches what is left. Returns whether that was done: not after an interrupt.
  // Throws what search_power_units() throws; what a faulty device has found does not count in the journal any more, and
  // after another unsound result the journal is set aside.
  bool search(KeptPowers& kept, const std::function<void(const Progress&)>& progress,
              const engine::Interrupt& interrupted);
  [[nodiscard]] pairs::PairResult result() &&;

  // Searches some of these lines again, drawn at random, by other boxes than search() does: a share of what they come
  // to, or, where that is 0, for about so many seconds. Throws what search_power_units() throws.
  struct Sample {
    job::Coverage lines;
    std::vector<pairs::PairCase> cases;
  };
  [[nodiscard]] Sample search_again(const job::Coverage& lines, double share, double seconds, std::uint64_t seed);

private:
  [[nodiscard]] std::vector<engine::boxes::BoxSearch*> searches() const;
  bool search_units(const std::vector<pairs::PowerUnit>& units, pairs::PowerJournal* journal, Progress now,
                    const std::function<void(const Progress&)>& progress, const engine::Interrupt& interrupted);

  PowerRequest request_;
  Tell tell_;
  opencl::KernelUse kernels_;
  std::vector<DeviceChoice> choices_;
  std::vector<std::shared_ptr<engine::Launcher>> launchers_;
  std::vector<std::unique_ptr<engine::boxes::BoxSearch>> devices_;
  pairs::PowerLines lines_;
  job::Coverage done_;
  pairs::PowerWork work_;
  double seconds_ = 0;
};

} // namespace tmd::run
