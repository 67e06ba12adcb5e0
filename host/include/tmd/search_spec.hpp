// What a user asks `tmd search` for, as data. The command line, job files, child processes, the ranks of an MPI job,
// journals and results all carry one of these.
#pragma once

#include "tmd/choices.hpp"
#include "tmd/job.hpp"
#include "tmd/progress.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tmd {

inline constexpr int usual_most_cases = 10'000'000; // in less than a gigabyte of memory

// Where a member is optional and empty, the user said nothing, and the search decides.
struct SearchSpec : JobSpec {
  // How it is searched.
  Choices choices;
  // Each an index of the list of devices, gpu, cpu, accelerator, or a part of a name; or only `all`. Empty: a GPU, or
  // else the first device.
  std::vector<std::string> devices;
  std::optional<CpuMode> cpu_mode;                           // empty: that of TMD_CPU_MODE
  std::optional<std::string> profile;                        // a file; empty: what is installed for each device
  std::vector<std::pair<std::string, std::string>> tunables; // names and values
  bool foreign_kernels = false;                              // takes kernels that this library was not built with
  std::optional<int> host_threads;
  bool other_version = false;        // goes on with what another program has begun
  std::optional<double> audit;       // share of the arguments that is searched again by other means
  int most_cases = usual_most_cases; // a search that is expected to find more is refused

  // The files. `-` is standard output.
  std::optional<std::string> wc;   // the cases, as CORE-MATH lists them
  std::optional<std::string> json; // everything, as JSON Lines
  // Where progress is recorded, so that the same search goes on after it was cancelled or killed. Empty: beside the
  // first file, and nowhere if there is none.
  std::optional<std::string> journal;
  bool no_journal = false;
  bool by_argument = false;  // the order of the cases in `wc`; else the hardest come first
  bool reproducible = false; // leaves out of `json` what differs from run to run

  // For the program `tmd` only.
  bool mpi = false;
  bool dry_run = false;
  std::optional<ProgressReports> progress;
  bool ledger = false;
  std::optional<int> show; // so many cases in the table; the largest number: all
  bool quiet = false;      // none
};

} // namespace tmd
