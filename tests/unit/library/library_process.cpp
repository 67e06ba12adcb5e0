// A shell plays a math library's process and writes what it should not. Descriptor 3 is the channel, 4 the shared
// memory, which begins with the cursor.
#include "host/library/library_process.hpp"
#include "host/support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

namespace tmd::library {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t count = 3;

std::vector<LostCall> lost_by(const std::string& script) {
  LibraryProcess process("/bin/sh", {"-c", "echo ready >&3; read first <&3; " + script}, {8, 1, true, false, 300ms});
  return process.call(count, CalledFunction::any_number);
}

} // namespace

TEST_CASE("a library that writes over the number of its call loses the first that was asked for") {
  for (const std::string cursor : {R"(\377\377\377\377\377\377\377\377)", R"(\000\000\000\000\000\000\000\200)"}) {
    const auto lost = lost_by("printf '" + cursor + "' 1<>/proc/self/fd/4; kill -SEGV $$");
    REQUIRE(lost.size() == count);
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(lost[i].index == i);
      CHECK(lost[i].direction == Direction::nearest);
      CHECK(lost[i].answer.kind == LibraryAnswer::Kind::crashed);
    }
  }
}

TEST_CASE("a library that writes over the number of calls neither repeats them nor leaves any out") {
  const std::string zeros = R"(\000\000\000\000\000\000\000\000)";
  CHECK(lost_by("printf '" + zeros + zeros + zeros + "' 1<>/proc/self/fd/4; echo done >&3; read next <&3").empty());
}

TEST_CASE("a library cannot shorten the memory that it shares with this process") {
  CHECK(lost_by("(: >/proc/self/fd/4); echo done >&3; read next <&3").empty());
}

TEST_CASE("a library that writes without end, to the channel or to stderr, is not listened to for ever") {
  const auto start = std::chrono::steady_clock::now();
  for (const LostCall& lost : lost_by("while :; do printf %065000d 0; done >&3"))
    CHECK(lost.answer.text == "it wrote into the channel between two processes of tmd");
  for (const LostCall& lost : lost_by("while :; do echo words; done >&2"))
    CHECK(lost.answer.kind == LibraryAnswer::Kind::hung);
  LibraryProcess endless("/bin/sh", {"-c", "while :; do printf %065000d 0; done >&3"}, {8, 1, true, false, 300ms});
  CHECK_THROWS_AS((void)endless.call(count, CalledFunction::any_number), UsageError);
  CHECK(support::seconds_since(start) < 50); // less than the 60 s that loading a library may take
}

TEST_CASE("an answer that was not agreed upon is none") {
  for (const char* line : {"echo ready", "echo don", "printf 'done\\001\\n'"})
    CHECK(lost_by(std::string(line) + " >&3; sleep 10").size() == count);
}

} // namespace tmd::library
