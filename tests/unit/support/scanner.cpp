// Texts that are read piece by piece.
#include "host/support/scanner.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tmd::support {

TEST_CASE("a scanner goes behind what comes next, and stays where something else does") {
  Scanner form("[0x1p-3, 7]: 12 cases_of");
  std::string word;
  std::string number;
  CHECK_FALSE(form.skip("("));
  CHECK_FALSE(form.number(number));
  CHECK(form.skip("["));
  CHECK_FALSE(form.word(word, "]")); // a blank comes first
  CHECK_FALSE(form.word(word, ")"));
  CHECK(form.rest() == "0x1p-3, 7]: 12 cases_of");
  CHECK(form.word(word, ", "));
  CHECK(word == "0x1p-3");
  CHECK(form.word(word, "]: "));
  CHECK(word == "7");
  CHECK_FALSE(form.word(word, "_of")); // likewise
  CHECK(form.number(number));
  CHECK(number == "12");
  CHECK_FALSE(form.name(word));
  CHECK(form.skip(" "));
  CHECK(form.name(word));
  CHECK(word == "cases_of");
  CHECK(form.rest().empty());
  CHECK_FALSE(form.name(word));
  CHECK_FALSE(form.number(number));
  CHECK(form.skip(""));
}

TEST_CASE("a word has a character at least, and may be long") {
  std::string word;
  CHECK_FALSE(Scanner(", 1").word(word, ", "));
  const std::string many(3000000, '1');
  CHECK(Scanner(many + "]").word(word, "]"));
  CHECK(word == many);
  CHECK_FALSE(Scanner(many).word(word, "]"));
  CHECK(Scanner(many).number(word));
}

} // namespace tmd::support
