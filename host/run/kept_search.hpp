// What is kept of a search while it runs, and what of it a later one takes up.
#pragma once

#include "opencl/kernel_files.hpp"
#include "request/resolve.hpp"
#include "result/journal.hpp"
#include "run/search_files.hpp"
#include "tmd/remark.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tmd::run {

// The journal of a search; null where none is kept.
struct KeptSearch {
  std::unique_ptr<result::Journal> journal;
  std::optional<result::JournalContents> so_far; // what it says of the same search
  std::vector<result::BegunClaim> begun = {}; // where there is no journal: what a search before it has found on its way
};

// How a search is kept, once it is known with which kernels.
using Keep = std::function<KeptSearch(const opencl::KernelUse&)>;

// Outputs as a journal has them: whoever moves the files takes the journal with them.
[[nodiscard]] OutputNames beside(const std::filesystem::path& journal, const OutputNames& outputs);
// Whether there are files to be written, and none of them is there.
[[nodiscard]] bool is_unwritten(const OutputNames& outputs);

// Where a search is kept: where its spec says, or beside its first file, unless that is a terminal, a pipe or the like.
// Empty: nowhere.
[[nodiscard]] std::filesystem::path journal_of(const SearchSpec& spec, const OutputNames& outputs);

// Opens the journal, unless its name is empty. Its search goes on if it is unfinished, if it has lost its files or not
// yet written them, or if this process has already found some of it (`is_known`); else the journal begins anew. Throws
// UsageError where it is of another unfinished search, or of another program, and SoundnessError where it is wrong.
[[nodiscard]] KeptSearch keep_search(const std::filesystem::path& journal, const request::SearchRequest& request,
                                     const OutputNames& outputs, bool is_known, const opencl::KernelUse& kernels,
                                     const Tell& tell);

} // namespace tmd::run
