// The journal that a search keeps while it runs, and from which a later one resumes.
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

// The journal of a search; null if none is kept.
struct KeptSearch {
  std::unique_ptr<result::Journal> journal;
  std::optional<result::JournalContents> so_far;         // the journal's contents, if it is of the same search
  std::vector<result::PartialClaim> partial_claims = {}; // without a journal: what an earlier search passed on
};

// Opens the journal, once the kernels are known.
using Keep = std::function<KeptSearch(const opencl::KernelUse&)>;

// Outputs with their paths relative to the journal: whoever moves the files takes the journal with them.
[[nodiscard]] OutputNames beside(const std::filesystem::path& journal, const OutputNames& outputs);
// Whether there are output files, and none of them has been written.
[[nodiscard]] bool is_unwritten(const OutputNames& outputs);

// The journal's path: as the spec says, or beside its first file, unless that is a terminal, a pipe or the like. Empty:
// none.
[[nodiscard]] std::filesystem::path journal_of(const SearchSpec& spec, const OutputNames& outputs);

// Opens the journal, unless its name is empty. The search is resumed if it is unfinished, if its output files are
// missing, or if this process already holds results for it (`is_known`); otherwise the journal begins anew. Throws
// UsageError if the journal is of another unfinished search or another program, and SoundnessError if it is wrong.
[[nodiscard]] KeptSearch keep_search(const std::filesystem::path& journal, const request::SearchRequest& request,
                                     const OutputNames& outputs, bool is_known, const opencl::KernelUse& kernels,
                                     const RemarkHandler& on_remark);

} // namespace tmd::run
