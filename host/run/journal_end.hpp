// The end of a search's journal: it is kept, removed or corrected when the search has ended.
#pragma once

#include "result/journal.hpp"
#include "result/search_result.hpp"

#include <memory>

namespace tmd::run {

// The journal, whose file is removed with its last owner if nothing in it counts: there would be nothing to resume.
[[nodiscard]] std::shared_ptr<result::Journal> removed_if_empty(std::unique_ptr<result::Journal> journal);

// The results that count after a device has turned out to be faulty: it may have searched in earlier runs, too. Throws
// DeviceError if parts of the search have to be done again.
[[nodiscard]] result::SearchResult what_counts(result::Journal& journal, result::SearchResult last_run);

} // namespace tmd::run
