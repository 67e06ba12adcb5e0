// Job files that would hurt their reader.
#include "host/request/job_file.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tmd::request {

namespace {

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i)
    result += text;
  return result;
}

} // namespace

TEST_CASE("a key of very many tables is refused, whether it is a table's or a value's") {
  const std::string search = "[[search]]\nfunction = \"exp\"\nname = \"one\"\n";
  const std::string dots = repeated(".a", 300000);
  for (const std::string& key : {"[a" + dots + "]\n", "a" + dots + " = 1\n"}) {
    const JobFile file = parse_job_file(search + key);
    REQUIRE(file.mistakes.size() == 1);
    CHECK(file.mistakes.front().line == 4);
    CHECK(file.mistakes.front().sentence == "more than 100 dots in one line");
  }
  CHECK(parse_job_file(search + "  # " + repeated(".", 200) + "\n").mistakes.empty());
  CHECK(parse_job_file("a" + repeated(".a", 101)).mistakes.front().sentence == "more than 100 dots in one line");
  CHECK(parse_job_file("a" + repeated(".a", 100) + " = 1").mistakes.front().sentence.starts_with("unknown key 'a'"));
}

TEST_CASE("a mistake does not quote all of a long text") {
  const JobFile file =
      parse_job_file("[[search]]\nfunction = \"exp\"\nname = \"one\"\nfrom = \"" + repeated("(", 300000) + "\"\n");
  REQUIRE(file.mistakes.size() == 1);
  CHECK(file.mistakes.front().line == 4);
  CHECK(file.mistakes.front().sentence.size() < 1100);
}

} // namespace tmd::request
