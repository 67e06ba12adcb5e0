// Workers that hang or crash.
#include "tune/worker.hpp"
#include "host/support/stopwatch.hpp"
#include "temporary_folder.hpp"
#include "tmd/error.hpp"
#include "unit/tune/script_worker.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

using namespace tmd;
using namespace tmd::tune;

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

} // namespace

TEST_CASE("workers: an answer, among other output") {
  Worker worker = script("while read line; do echo noise; echo '[1]'; echo '{\"step\":\"a\",\"allow\":30}'; "
                         "echo \"{\\\"got\\\":$line}\"; done");
  for (int i = 0; i < 3; ++i) {
    const Answer answer = worker.ask({{"number", i}});
    REQUIRE(answer.kind == Answer::Kind::message);
    CHECK(answer.message["got"]["number"] == i);
  }
}

TEST_CASE("workers: one that hangs is killed, the next request starts another") {
  const TemporaryFolder folder;
  // Hangs the first time only.
  const std::string text = "read line; if [ -e " + (folder.path() / "hung").string() +
                           " ]; then echo '{\"ok\":1}'; fi; "
                           "touch " +
                           (folder.path() / "hung").string() +
                           "; echo '{\"step\":\"a long launch\",\"allow\":0.2}'; sleep 1000";
  Worker worker = script(text);
  const auto start = Clock::now();
  const Answer answer = worker.ask({{"x", 1}});
  CHECK(answer.kind == Answer::Kind::timeout);
  CHECK(answer.text == "a long launch took too long");
  CHECK(worker.ask({{"x", 1}}).kind == Answer::Kind::message);
  Worker silent = script("sleep 1000", 0.2);
  CHECK(silent.ask({{"x", 1}}).kind == Answer::Kind::timeout);
  CHECK(seconds_since(start) < 100); // not the thousand seconds that they sleep
}

TEST_CASE("workers: one that crashes says how") {
  Worker crashes = script("read line; echo first words >&2; echo last words >&2; kill -SEGV $$");
  for (int i = 0; i < 2; ++i) {
    const Answer answer = crashes.ask({{"x", 1}});
    CHECK(answer.kind == Answer::Kind::died);
    CHECK(answer.text == "it was ended by signal 11 (Segmentation fault): last words");
  }
  Worker ends = script("read line; exit 3");
  CHECK(ends.ask({{"x", 1}}).text == "it ended with status 3");
  Worker missing({"/nonexistent/program"});
  CHECK(missing.ask({{"x", 1}}).kind == Answer::Kind::died);
}

TEST_CASE("workers: stopped by the user, and gone with their owner") {
  const TemporaryFolder folder;
  const fs::path pid_file = folder.path() / "pid";
  {
    Worker worker = script("echo $$ >" + pid_file.string() + "; read line; sleep 1000");
    CHECK_THROWS_AS((void)worker.ask({{"x", 1}}, [&] { return fs::exists(pid_file) && fs::file_size(pid_file) > 0; }),
                    Interrupted);
    int pid = 0;
    std::ifstream(pid_file) >> pid;
    REQUIRE(pid > 0);
    CHECK(::kill(pid, 0) != 0);
  }
}
