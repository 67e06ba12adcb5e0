// Texts that are read piece by piece.
#include "host/support/text_forms.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace tmd::support {

TEST_CASE("what comes next is removed, and nothing where something else does") {
  std::string_view form = "[0x1p-3, 7]: 12 cases_of";
  std::string word;
  std::string number;
  CHECK_FALSE(take(form, "("));
  CHECK_FALSE(take_number(form, number));
  CHECK(take(form, "["));
  CHECK_FALSE(take_word(form, word, "]")); // a blank comes first
  CHECK_FALSE(take_word(form, word, ")"));
  CHECK(form == "0x1p-3, 7]: 12 cases_of");
  CHECK(take_word(form, word, ", "));
  CHECK(word == "0x1p-3");
  CHECK(take_word(form, word, "]: "));
  CHECK(word == "7");
  CHECK_FALSE(take_word(form, word, "_of")); // here, too
  CHECK(take_number(form, number));
  CHECK(number == "12");
  CHECK_FALSE(take_name(form, word));
  CHECK(take(form, " "));
  CHECK(take_name(form, word));
  CHECK(word == "cases_of");
  CHECK(form.empty());
  CHECK_FALSE(take_name(form, word));
  CHECK_FALSE(take_number(form, number));
  CHECK(take(form, ""));
}

TEST_CASE("a word has a character at least, and may be long") {
  std::string word;
  std::string_view none = ", 1";
  CHECK_FALSE(take_word(none, word, ", "));
  const std::string many = std::string(3000000, '1') + "]";
  std::string_view form = many;
  CHECK_FALSE(take_word(form, word, "["));
  CHECK(take_word(form, word, "]"));
  CHECK(word + "]" == many);
  CHECK(form.empty());
  form = many;
  CHECK(take_number(form, word));
  CHECK(word + "]" == many);
  CHECK(form == "]");
}

} // namespace tmd::support
