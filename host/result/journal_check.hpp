// Checks what a journal says without searching, before a search resumes from it: a CRC shows that a line is intact, not
// that it is right.
#pragma once

#include "result/journal.hpp"

#include <string_view>

namespace tmd::result {

// Asks MPFR about every entry, and about some arguments of every range, its ends and their neighbours. That takes no
// longer than confirming the candidates did. Throws SoundnessError for the first mistake; `name` is used in its
// message.
void check_journal(const JournalContents& journal, std::string_view name);

} // namespace tmd::result
