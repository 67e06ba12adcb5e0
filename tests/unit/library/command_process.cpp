// Commands that write endless text that is no result.
#include "host/library/command_process.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

namespace tmd::library {

using namespace std::chrono_literals;

namespace {

LibraryAnswer answer_of(const std::string& command) {
  CommandProcess process(command, find_format("binary64"), false, 300ms);
  process.block().arguments<double>()[0] = 1;
  const auto lost = process.call(1, CalledFunction::any_number);
  return lost.empty() ? LibraryAnswer{} : lost.front().answer;
}

} // namespace

TEST_CASE("a line without an end is no result, and is not read for ever") {
  CHECK(answer_of("while :; do printf %065000d 0; done").text == "it wrote a line that does not end");
  CHECK(answer_of("while :; do echo words; done >&2").kind == LibraryAnswer::Kind::hung);
  CHECK(answer_of("echo words >&2; cat").kind == LibraryAnswer::Kind::returned);
}

} // namespace tmd::library
