// The lines of journals: records with a number and a checksum, so that damaged, missing and duplicated lines are found.
#pragma once

#include "result/record.hpp"
#include "support/text_source.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace tmd::result {

// A record without its closing brace, so that keys can be added.
[[nodiscard]] std::string open_record(const Json& record);
// Closes the record with its number and a checksum of everything before.
void close_record(std::string& text, std::size_t number);

// Throw UsageError, with the end of a sentence, if a line is damaged or has another number.
void require_undamaged(std::string_view line);
void require_number(const Json& record, std::size_t number);

// Calls read(line, its number from 0) for every complete line. An exception from it becomes one that names the line and
// the journal `name`. Returns whether the last line is incomplete.
bool each_whole_line(const support::TextSource& text, std::string_view name,
                     const std::function<void(std::string_view, std::size_t)>& read);

// The time for a record, such as 2026-01-31T23:59:59Z.
[[nodiscard]] std::string now_in_utc();

} // namespace tmd::result
