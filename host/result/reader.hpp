// Opens all files that may hold the findings of a search: it recognizes what a file is, and reports files that are
// none. recorded_search.hpp, journal.hpp and case_list.hpp read the text.
#pragma once

#include "support/text_source.hpp"

#include <string>
#include <string_view>

namespace tmd::result {

enum class FileKind {
  records,      // JSON Lines of `tmd search --json` and `tmd merge`
  list,         // .wc file of this program, or a published one
  journal,      // of a search
  pair_records, // JSON Lines of a search of a function of two variables
  pair_journal, // of such a search
  publication,  // JSON Lines beside a published page
  json,         // begins as records do
  empty,
  other // a text without a mark of this program, such as a list from elsewhere
};

// An opened text, and what its beginning shows.
struct ResultText {
  std::string name; // for messages
  FileKind kind = FileKind::other;
  support::TextSource text; // unpacked, without a byte order mark
};

// Opens a file, unpacks it if necessary, and recognizes it; `-` is standard input. Throws UsageError if it cannot be
// read, and if the inspected part is not UTF-8.
[[nodiscard]] ResultText open_result(const std::string& name);
// The same for a text.
[[nodiscard]] ResultText recognize(support::TextSource source, std::string name);

// "a journal of a search", for sentences about what a file is and is not.
[[nodiscard]] std::string_view description(FileKind kind);

// Throws UsageError for a file that is clearly no journal; if a journal is next to it, the sentence names that. An
// empty file may be a journal, and so may one whose first line is damaged.
void require_journal(const ResultText& text);

// Whether a text consists of valid characters.
[[nodiscard]] bool is_utf8(std::string_view text);

} // namespace tmd::result
