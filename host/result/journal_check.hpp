// What a journal says against what can be computed without a search, before one goes on from it: a CRC tells that a
// line is whole, not that it is right.
#pragma once

#include "result/journal.hpp"

#include <string_view>

namespace tmd::result {

// Asks MPFR for every entry, and for some arguments of every range, its ends and what lies beside them: it takes no
// more than the search has taken to confirm its candidates. Throws SoundnessError with the first thing that is wrong.
// `name` stands in the message.
void check_journal(const JournalContents& journal, std::string_view name);

} // namespace tmd::result
