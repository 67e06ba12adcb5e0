// The output files of a search: tried before it begins, written when it has ended.
#pragma once

#include "request/resolve.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"
#include "support/atomic_file.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tmd::run {

// Files' names by their options, `wc` and `json`.
using OutputNames = std::map<std::string, std::filesystem::path>;

// The files that a spec names.
[[nodiscard]] OutputNames output_names(const SearchSpec& spec);
// The file that contains all cases, the list if there are both; empty: none does.
[[nodiscard]] std::string file_of_cases(const OutputNames& names);

struct SearchFiles {
  OutputNames names;
  std::optional<support::AtomicFile> wc;
  std::optional<support::AtomicFile> json;
};

// Tries the files beforehand, since a run may be long. Throws UsageError if one cannot be written, or both are the
// same.
[[nodiscard]] SearchFiles open_files(const OutputNames& names);

// The description of the run that both files contain.
[[nodiscard]] result::RunDescription describe_run(const request::SearchRequest& request,
                                                  const opencl::KernelUse& kernels,
                                                  std::vector<result::DeviceUse> devices);

// Writes the files of a search that has ended. Throws UsageError if one cannot be written.
void write_files(const SearchFiles& files, const request::SearchRequest& request, const result::RunDescription& run,
                 const result::SearchResult& result);

} // namespace tmd::run
