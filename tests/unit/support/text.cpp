// Digests and names of files.
#include "host/support/text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace tmd::support {

TEST_CASE("digests: FNV-1a's published values") {
  CHECK(digest("") == "cbf29ce484222325");
  CHECK(digest("a") == "af63dc4c8601ec8c");
  CHECK(digest("foobar") == "85944171f73967e8");
  CHECK(digest("\xff") != digest("\x7f"));
}

TEST_CASE("names of files") {
  CHECK(file_name_of("NVIDIA CUDA, H200 (x)") == "nvidia-cuda-h200-x");
  CHECK(file_name_of("../..") == "");
  CHECK(file_name_of("/etc/passwd\n") == "etc-passwd");
  CHECK(file_name_of("Gr\xc3\xbc\xc3\x9f"
                     "e") == "gr-e");
  CHECK(file_name_of(std::string(1000, 'a')) == std::string(100, 'a'));
}

TEST_CASE("control characters do not break a line") {
  CHECK(on_one_line("a\nb\tc\x7f") == "a?b?c?");
  CHECK(on_one_line("\xc3\xbc \xe2\x80\xa6") == "\xc3\xbc \xe2\x80\xa6");
}

TEST_CASE("of a long sentence the middle is left out, and no letter is cut") {
  CHECK(as_sentence("a\nb") == "a?b");
  CHECK(as_sentence(std::string(1000, 'x')) == std::string(1000, 'x'));
  CHECK(as_sentence(std::string(1001, 'x')) == std::string(700, 'x') + " … " + std::string(300, 'x'));
  std::string letters = "x";
  for (int i = 0; i < 1000; ++i)
    letters += "ü";
  std::string shown = as_sentence(letters);
  CHECK(shown.starts_with("xü"));
  CHECK(shown.ends_with("ü"));
  CHECK(shown.size() == 699 + std::string(" … ").size() + 300); // the 700th byte is the first half of a letter
}

TEST_CASE("edit distances: inserted, deleted, replaced, swapped") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("exp", "expp") == 1);
  CHECK(edit_distance("expp", "exp") == 1);
  CHECK(edit_distance("sin", "son") == 1);
  CHECK(edit_distance("serach", "search") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("what a user may have meant") {
  const std::vector<std::string_view> names{"exp", "exp2", "search", "argument-precision"};
  CHECK(did_you_mean("serach", names) == "; did you mean 'search'?");
  CHECK(did_you_mean("expp", names) == "; did you mean 'exp'?");
  CHECK(did_you_mean("argment-precison", names) == "; did you mean 'argument-precision'?");
  for (const std::string& other : {std::string(), std::string("x"), std::string("quantum"), std::string(1 << 20, 'a')})
    CHECK(did_you_mean(other, names) == "");
}

} // namespace tmd::support
