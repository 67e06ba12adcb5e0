// Words of command lines, written and read.
#include "host/support/shell_words.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tmd::support {

using Words = std::vector<std::string>;

TEST_CASE("shell words: what is written is read") {
  const Words words{"exp",  "--from",   "0x1.8p+0", "",       "log(1+exp(x))", "a b", "it's",
                    "\"\"", "\\back\\", "'",        "''x''$", "tab?",          "*",   "~;&|"};
  std::string line = "tmd search";
  for (const std::string& word : words)
    line += " " + as_shell_word(word);
  Words read = shell_words(line);
  REQUIRE(read.size() == words.size() + 2);
  CHECK(read[0] == "tmd");
  CHECK(read[1] == "search");
  CHECK(Words(read.begin() + 2, read.end()) == words);
}

TEST_CASE("shell words: plain ones stay as they are, others are quoted") {
  CHECK(as_shell_word("0x1.00000001p+0") == "0x1.00000001p+0");
  CHECK(as_shell_word("x^2") == "x^2");
  CHECK(as_shell_word("a*b") == "'a*b'");
  CHECK(as_shell_word("").size() == 2);
  CHECK(as_shell_word("two\nlines") == "'two?lines'");
}

TEST_CASE("shell words: what a user may have written by hand") {
  CHECK(shell_words("  a\tb  ") == Words{"a", "b"});
  CHECK(shell_words("a\\ b 'c d'e \"f'g\" \"h\\\"\"") == Words{"a b", "c de", "f'g", "h\""});
  CHECK(shell_words("").empty());
  CHECK(shell_words("''") == Words{""});
  CHECK_THROWS_AS((void)shell_words("'open"), UsageError);
  CHECK_THROWS_AS((void)shell_words("a \"open"), UsageError);
}

} // namespace tmd::support
