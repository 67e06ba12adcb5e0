// What a user asks `tmd search` for, as data. The command line, job files, child processes, the ranks of an MPI job,
// journals and results all carry one of these; option_table.hpp has the names of its members.
#pragma once

#include "engine/settings.hpp"
#include "format/grid.hpp"
#include "opencl/cpu_mode.hpp"
#include "request/progress_reports.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tmd {

inline constexpr int most_bits = 120;               // K: beyond, no bound of the ledger could be met
inline constexpr int usual_most_cases = 10'000'000; // in less than a gigabyte of memory

// Part `index` of `count` of a job, counted from 1.
struct PartOfJob {
  int index = 1;
  int count = 1;

  friend bool operator==(const PartOfJob&, const PartOfJob&) = default;
};

// Where a member is optional and empty, the user said nothing, and resolve.hpp or the command decides.
struct SearchSpec {
  // What is searched.
  std::vector<std::string> functions; // names or expressions, each with a search of its own
  std::optional<std::string> from;    // as the user wrote it
  std::optional<std::string> to;
  std::string format = "binary64";
  std::optional<int> argument_precision;
  Rounding rounding = Rounding::all;
  std::optional<Values> values;
  std::optional<int> bits; // K
  bool no_symmetry = false;
  std::optional<PartOfJob> shard;

  // How it is searched.
  Choices choices;
  std::vector<std::string> devices; // as the user names them
  std::optional<opencl::CpuMode> cpu_mode;
  std::vector<std::pair<std::string, std::string>> tunables; // names and values, checked
  bool foreign_kernels = false;
  std::optional<int> host_threads;
  bool mpi = false;
  bool other_version = false;  // goes on with what another program has begun
  std::optional<double> audit; // share of the arguments
  int most_cases = usual_most_cases;
  bool dry_run = false;

  // What is printed, and the files.
  std::optional<std::string> wc;
  std::optional<std::string> json;
  std::optional<std::string> journal;
  bool no_journal = false;
  bool by_argument = false; // the order of the cases in `wc`; else the hardest come first
  bool reproducible = false;
  std::optional<ProgressReports> progress;
  bool ledger = false;
  bool quiet = false;
};

// Where the names of files are to differ by function, this stands for its name.
inline constexpr char for_function = '%';

// A spec for each of the functions. Throws OptionError where they would write the same file.
[[nodiscard]] std::vector<SearchSpec> one_for_each_function(const SearchSpec& spec);

} // namespace tmd
