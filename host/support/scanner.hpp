// Reads texts that have a form, however long they are: std::regex overruns the stack where a repetition is long.
#pragma once

#include <string>
#include <string_view>

namespace tmd::support {

// A text from its beginning on. Each function tells whether what it names comes next, and if so goes behind it.
class Scanner {
public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  [[nodiscard]] std::string_view rest() const { return rest_; }

  bool skip(std::string_view text);
  // Decimal digits, one at least.
  bool number(std::string& digits);
  // Letters, digits and underscores, one at least.
  bool name(std::string& name);
  // Characters without a blank, one at least, and behind them `end`, at the first place where that is.
  bool word(std::string& word, std::string_view end);

private:
  bool take(std::size_t length, std::string& to);

  std::string_view rest_;
};

} // namespace tmd::support
