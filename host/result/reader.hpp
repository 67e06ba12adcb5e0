// The one place where files are opened that may hold what a search has found: it says what a file is, and makes a
// sentence of whatever is none. Who reads the text is another question (recorded_search.hpp, journal.hpp,
// case_list.hpp).
#pragma once

#include "support/text_source.hpp"

#include <string>
#include <string_view>

namespace tmd::result {

enum class FileKind {
  records,      // JSON Lines of `tmd search --json` and `tmd merge`
  list,         // a .wc file of this program, or a published one
  journal,      // of a search
  pair_records, // JSON Lines of a search of a function of two variables
  pair_journal, // of such a search
  publication,  // JSON Lines beside a published page
  json,         // what begins as records do
  empty,
  other // a text in which nothing tells of this program: somebody's list, if anything
};

// A text that was opened, and what its beginning says of it.
struct ResultText {
  std::string name; // for messages
  FileKind kind = FileKind::other;
  support::TextSource text; // unpacked, without a byte order mark
};

// Opens a file, unpacks it where it is packed, and recognizes it; `-` is standard input. Throws UsageError where it
// cannot be read, and where what was looked at is no text in UTF-8.
[[nodiscard]] ResultText open_result(const std::string& name);
// The same of a text.
[[nodiscard]] ResultText recognize(support::TextSource source, std::string name);

// "a journal of a search", for sentences that say what a file is and is not.
[[nodiscard]] std::string_view description(FileKind kind);

// Throws UsageError for what is plainly no journal; where it is beside one, the sentence names that. An empty file and
// one whose first line is damaged may be journals.
void require_journal(const ResultText& text);

// Whether there are only characters in a text.
[[nodiscard]] bool is_utf8(std::string_view text);

} // namespace tmd::result
