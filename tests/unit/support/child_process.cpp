// Child processes: their channels, their ends, and that none is left behind.
#include "host/support/child_process.hpp"
#include "host/support/stopwatch.hpp"
#include "temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tmd::support {

using namespace std::chrono_literals;

namespace {

struct Shell {
  PipeEnds output = make_pipe();
  ChildProcess process;
  std::string text;

  explicit Shell(const std::string& script)
      : process("/bin/sh", {"-c", script}, {-1, output.in.number(), {output.in.number()}}) {
    output.in.close();
  }
  void read_all() {
    while (output.out.is_open())
      (void)process.read(output.out, text, 10s);
  }
};

// Whether a process runs; a zombie, for which its parent has not waited, does not.
bool runs(int process) {
  std::string state;
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("State:"))
      state = line;
  return !state.empty() && state.find('Z') == std::string::npos;
}

bool becomes(bool wanted, int process) {
  const auto start = std::chrono::steady_clock::now();
  while (runs(process) != wanted)
    if (seconds_since(start) > 10)
      return false;
    else
      ::usleep(1000);
  return true;
}

} // namespace

TEST_CASE("a child's output, its extra descriptor, its last words and its status") {
  Shell shell("read line || echo nothing; echo extra >&3; echo first >&2; printf 'last\\001words\\n\\n' >&2; exit 3");
  shell.read_all();
  const auto end = shell.process.wait(10s);
  REQUIRE(end);
  CHECK(shell.text == "nothing\nextra\n"); // its input is empty
  CHECK_FALSE(end->done());
  CHECK(end->sentence() == "it ended with status 3");
  CHECK(shell.process.errors() == "first\nlast\001words\n\n");
  CHECK(shell.process.last_words() == "last?words");
}

TEST_CASE("a child that succeeds, one that is killed, one that is no program") {
  Shell good("true");
  CHECK(good.process.wait(10s)->done());
  Shell crashed("kill -SEGV $$");
  CHECK(crashed.process.wait(10s)->sentence() == "it was ended by signal 11 (Segmentation fault)");
  ChildProcess missing("/nonexistent/program", {}, {});
  CHECK(missing.wait(10s)->sentence() == "it ended with status 127");
}

TEST_CASE("descriptors reach their places when one has the number that another is to get") {
  // The lowest free numbers, 3 and 4 among them, are the pipes', crossed over.
  PipeEnds third = make_pipe();
  PipeEnds fourth = make_pipe();
  ChildProcess child("/bin/sh", {"-c", "echo third >&3; echo fourth >&4"},
                     {-1, -1, {third.in.number(), fourth.in.number()}});
  ChildProcess crossed("/bin/sh", {"-c", "echo 3 >&3; echo 4 >&4; echo 5 >&5; echo 6 >&6"},
                       {-1, -1, {fourth.in.number(), third.in.number(), fourth.in.number(), third.in.number()}});
  third.in.close();
  fourth.in.close();
  std::string of_third;
  std::string of_fourth;
  while (third.out.is_open())
    third.out.read(of_third);
  while (fourth.out.is_open())
    fourth.out.read(of_fourth);
  for (const char* text : {"third\n", "4\n", "6\n"})
    CHECK(of_third.find(text) != std::string::npos);
  for (const char* text : {"fourth\n", "3\n", "5\n"})
    CHECK(of_fourth.find(text) != std::string::npos);
  CHECK(child.wait(10s)->done());
  CHECK(crossed.wait(10s)->done());
}

TEST_CASE("a child's long stderr neither stops it nor is kept whole") {
  Shell shell("i=0; while [ $i -lt 40000 ]; do echo 'fifty characters of what nobody is going to read .'; "
              "i=$((i + 1)); done >&2; echo end >&2; echo done");
  shell.read_all();
  CHECK(shell.process.wait(10s)->done());
  CHECK(shell.text == "done\n");
  CHECK(shell.process.errors().size() <= 1 << 20);
  CHECK(shell.process.last_words() == "end");
}

TEST_CASE("what a child leaves behind does not keep its end from being known") {
  const auto start = std::chrono::steady_clock::now();
  Shell shell("echo words >&2; sleep 30 & exit 4"); // the child of the shell holds the pipes open
  CHECK(shell.process.wait(10s)->number == 4);
  CHECK(shell.process.last_words() == "words");
  CHECK(seconds_since(start) < 20);
}

TEST_CASE("a child is killed with what it started; waiting ends when it is to") {
  int child = 0;
  int grandchild = 0;
  {
    const auto start = std::chrono::steady_clock::now();
    Shell shell("sleep 1000 & echo $! $$; wait");
    while (shell.text.find('\n') == std::string::npos)
      REQUIRE(shell.process.read(shell.output.out, shell.text, 10s));
    std::istringstream(shell.text) >> grandchild >> child;
    CHECK(becomes(true, grandchild));
    CHECK_FALSE(shell.process.wait());
    CHECK_FALSE(shell.process.wait(50ms));
    CHECK_FALSE(shell.process.read(shell.output.out, shell.text, 50ms));
    CHECK(seconds_since(start) < 10);
  }
  CHECK(::kill(child, 0) != 0);
  CHECK(becomes(false, grandchild));
}

TEST_CASE("a child dies with its parent") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "child";
  const pid_t parent = ::fork();
  if (parent == 0) { // no CHECK here: it belongs to the other process
    ChildProcess child(
        "/bin/sh",
        {"-c", "echo $$ >" + file.string() + ".new; mv " + file.string() + ".new " + file.string() + "; sleep 1000"},
        {});
    while (!std::filesystem::exists(file))
      ::usleep(1000);
    ::kill(::getpid(), SIGKILL); // no destructor runs
  }
  ::waitpid(parent, nullptr, 0);
  int child = 0;
  std::ifstream(file) >> child;
  REQUIRE(child > 0);
  CHECK(becomes(false, child));
}

TEST_CASE("an end that somebody else has asked for does not pass for success") {
  // The status is lost, as if SIGCHLD were ignored.
  ChildProcess child("/bin/sh", {"-c", "exit 0"}, {});
  while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR)
    continue;
  REQUIRE(child.wait(10s));
  CHECK_FALSE(child.wait()->done());
}

TEST_CASE("this program, by its own name") {
  PipeEnds output = make_pipe();
  ChildProcess child(this_program, {"--list-test-cases", "--test-case=this program*"}, {-1, output.in.number(), {}});
  output.in.close();
  std::string text;
  while (output.out.is_open())
    (void)child.read(output.out, text, 10s);
  CHECK(child.wait(10s)->done());
  CHECK(text.find("this program, by its own name") != std::string::npos);
}

} // namespace tmd::support
