// A search from its devices to its files: what `tmd search` and `tmd resume` have in common.
#pragma once

#include "mpi_ranks.hpp"

#include "request/resolve.hpp"
#include "result/journal.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"
#include "support/atomic_file.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tmd::app {

// Files' names by their options, `wc` and `json`.
using OutputNames = std::map<std::string, std::filesystem::path>;

struct SearchOutputs {
  OutputNames names;
  std::optional<AtomicFile> wc;
  std::optional<AtomicFile> json;
  bool silent = false; // nothing is printed on standard output
};

// Tries the files, since a run may be long, and prints no tables where one is standard output. Throws UsageError where
// one cannot be written, or both are the same.
[[nodiscard]] SearchOutputs open_outputs(const OutputNames& names);

// The journal of a search; null where none is kept.
struct KeptSearch {
  std::unique_ptr<Journal> journal;
  std::optional<JournalContents> so_far; // what it says of the same search
  std::vector<BegunClaim> begun = {};    // where there is no journal: what a search before it has found on its way
};

// How a search is kept, once it is known with which kernels.
using Keep = std::function<KeptSearch(const opencl::KernelUse&)>;

// A search that comes next, of the mate of a request's function: what is found of it on the way is kept.
struct MateRun {
  const SearchRequest& request;
  Keep keep;
  std::vector<BegunClaim> begun; // where there is no journal
};

// Throws UsageError where what is kept was found by another program than this one with these kernels; says so where
// that is wanted.
void require_same_program(const std::filesystem::path& journal, const JournalContents& contents,
                          const opencl::KernelUse& kernels, bool other_version);

// What the files say of how it was made.
[[nodiscard]] RunDescription describe_run(const SearchRequest& request, const opencl::KernelUse& kernels,
                                          std::vector<DeviceUse> devices);

// Writes the files and prints the tables of a search that has ended, or was interrupted; returns the exit status.
int finish(const SearchRequest& request, const SearchOutputs& outputs, const RunDescription& run,
           const SearchResult& result, const Journal* journal);

// Opens devices, over MPI those of all ranks, searches, writes the files and prints the tables; returns the exit
// status. `keep` is called once the devices are open, and so is the mate's.
int run_request(const SearchRequest& request, const SearchOutputs& outputs, const Keep& keep, Ranks* ranks,
                MateRun* mate = nullptr);

} // namespace tmd::app
