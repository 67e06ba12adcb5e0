// The request of a user to `tmd search`, as data. The command line, job files, child processes, the ranks of an MPI
// job, journals and results all contain one.
#pragma once

#include "tmd/choices.hpp"
#include "tmd/job.hpp"
#include "tmd/progress.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tmd {

inline constexpr int usual_most_cases = 10'000'000; // they need less than a gigabyte of memory

// If an optional member is empty, the search decides.
struct SearchSpec : JobSpec {
  // How it is searched.
  Choices choices;
  // Each is an index in the list of devices, gpu, cpu, accelerator, or a part of a name; or the only one is `all`.
  // Empty: a GPU, or else the first device.
  std::vector<std::string> devices;
  std::optional<CpuMode> cpu_mode;                           // empty: that of TMD_CPU_MODE
  std::optional<std::string> profile;                        // a file; empty: the profile installed for each device
  std::vector<std::pair<std::string, std::string>> tunables; // names and values
  bool foreign_kernels = false;                              // accepts kernels that this library was not built with
  std::optional<int> host_threads;
  bool other_version = false;        // resumes the work of another program
  std::optional<double> audit;       // share of the arguments to search again by other means
  int most_cases = usual_most_cases; // limit for the expected cases; beyond it the search is refused

  // The files. `-` is standard output.
  std::optional<std::string> wc;   // the cases, as CORE-MATH lists them
  std::optional<std::string> json; // everything, as JSON Lines
  // Records progress, so that the same search can be resumed after it was cancelled or killed. Empty: beside the first
  // file, or nowhere if there is none.
  std::optional<std::string> journal;
  bool no_journal = false;
  bool by_argument = false;  // by argument instead of hardest first, in `wc`
  bool reproducible = false; // leaves out of `json` what differs from run to run

  // For the program `tmd` only.
  bool mpi = false;
  bool dry_run = false;
  std::optional<ProgressReports> progress;
  bool ledger = false;
  std::optional<int> show; // number of cases in the table; the largest int: all
  bool quiet = false;      // prints no table
};

} // namespace tmd
