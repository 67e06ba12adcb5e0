// A journal is read to see what counts; a damaged one is kept, for whoever resumes the search.
#include "run/journal_end.hpp"

#include "tmd/error.hpp"

#include <utility>

#include <fmt/format.h>

namespace tmd::run {

namespace {

bool counts(result::Journal& journal) {
  if (!journal.has_revoked())
    return journal.has_results();
  try {
    return journal.contents()->has_results();
  } catch (const Error&) {
    return true; // resuming reports the damage
  }
}

} // namespace

std::shared_ptr<result::Journal> removed_if_empty(std::unique_ptr<result::Journal> journal) {
  if (!journal)
    return nullptr;
  return {journal.release(), [](result::Journal* last) {
            const std::unique_ptr<result::Journal> owned(last);
            if (!counts(*owned))
              owned->remove();
          }};
}

result::SearchResult what_counts(result::Journal& journal, result::SearchResult last_run) {
  result::SearchResult result = std::move(journal.contents()->result);
  if (!last_run.interrupted && result.interrupted)
    throw DeviceError(fmt::format("a faulty device did some of the search in an earlier run, and this must be done "
                                  "again: run `tmd resume {}`",
                                  journal.file().string()));
  result.interrupted = last_run.interrupted;
  result.fields = std::move(last_run.fields);
  result.workers = std::move(last_run.workers);
  return result;
}

} // namespace tmd::run
