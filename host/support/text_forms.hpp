// Reads texts that have a form, however long they are: std::regex overruns the stack where a repetition is long. Each
// function tells whether what it names comes next in the text, and if so removes it.
#pragma once

#include <string>
#include <string_view>

namespace tmd::support {

bool take(std::string_view& text, std::string_view prefix);
// Decimal digits, one at least.
bool take_number(std::string_view& text, std::string& digits);
// Letters, digits and underscores, one at least.
bool take_name(std::string_view& text, std::string& name);
// Characters without a blank, one at least, and behind them `end`, at the first place where that is.
bool take_word(std::string_view& text, std::string& word, std::string_view end);

} // namespace tmd::support
