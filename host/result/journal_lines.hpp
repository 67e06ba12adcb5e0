// The lines of journals: records that are numbered and checked, so that none is damaged, lost or there twice.
#pragma once

#include "result/record.hpp"
#include "support/text_source.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace tmd::result {

// A record that is not closed: more keys may follow.
[[nodiscard]] std::string open_record(const Json& record);
// Ends it with its number and a check of all that stands before it.
void close_record(std::string& text, std::size_t number);

// Throw UsageError, with the end of a sentence, for a line that is not as it was written, and for one of another
// number.
void require_undamaged(std::string_view line);
void require_number(const Json& record, std::size_t number);

// Calls read(line, its number from 0) for every line that has an end; what that throws tells of the line, and of the
// journal `name`. Returns whether the last line has no end.
bool each_whole_line(const support::TextSource& text, std::string_view name,
                     const std::function<void(std::string_view, std::size_t)>& read);

// The times that a record is written at, as in 2026-01-31T23:59:59Z.
[[nodiscard]] std::string now_in_utc();

} // namespace tmd::result
