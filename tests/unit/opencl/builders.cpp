// Processes that build programs, played by a shell: if they fail, this process builds.
#include "host/opencl/builders.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <unistd.h>

namespace tmd::opencl {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// A shell command that writes its requests to `$1`.
constexpr const char* good = "echo ready; while read line; do echo $line >>$1; echo done; done";

struct Shell {
  fs::path file = fs::temp_directory_path() / ("tmd-builders-" + std::to_string(::getpid()));

  Shell() { fs::remove(file); }
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;
  ~Shell() { fs::remove(file); }

  [[nodiscard]] std::vector<std::string> arguments(const std::string& script) const {
    return {"-c", script, "sh", file.string()};
  }
  [[nodiscard]] std::string done() const {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  // Waits until that many bytes have been written, at most ten seconds.
  void wait_for(std::size_t bytes) const {
    for (int i = 0; i < 1000 && done().size() < bytes; ++i)
      ::usleep(10000);
  }
};

} // namespace

TEST_CASE("builders: the longest is built first, each once") {
  const Shell shell;
  Builders builders("/bin/sh", shell.arguments("sleep 0.3; " + std::string(good)), 1);
  for (const char* request : {"a\n", "aaa\n", "aa\n", "aaa\n"})
    builders.want(request, request);
  shell.wait_for(9);
  CHECK(shell.done() == "aaa\naa\na\n");
  CHECK(builders.await("aa\n") == nullptr);
}

TEST_CASE("builders: of several that need a program one builds it, and the others wait") {
  Builders builders("/not/there", {}, 0);
  auto own = builders.await("a");
  CHECK(own != nullptr);
  CHECK(builders.await("b") != nullptr);
  std::atomic<bool> built = false;
  std::thread other([&] {
    const bool is_another = builders.await("a") == nullptr;
    CHECK((is_another && built));
  });
  ::usleep(100000);
  built = true;
  own.reset();
  other.join();
  CHECK(builders.await("a") == nullptr);
}

TEST_CASE("builders: what no process has begun, none begins once it is needed") {
  const Shell shell;
  Builders builders("/bin/sh", shell.arguments("sleep 0.5; " + std::string(good)), 1);
  builders.want("a", "a\n");
  builders.want("b", "bb\n");
  CHECK(builders.await("b") != nullptr);
  shell.wait_for(2);
  CHECK(shell.done() == "a\n");
}

TEST_CASE("builders: a process that is killed, hangs, does not read or cannot be started is not waited for") {
  const Shell shell;
  for (const char* script : {"echo ready; read line; kill -9 $$", "echo ready; read line; sleep 10000",
                             "echo ready; exec sleep 10000", "sleep 10000", "echo rubbish", "exit 1"}) {
    INFO(std::string(script));
    { // the shell must end
      Builders builders("/bin/sh", shell.arguments(script), 2, 300ms);
      builders.want("a", std::string(1000000, 'a') + "\n");
      builders.want("b", "b\n");
      ::usleep(100000);
      (void)builders.await("a");
      (void)builders.await("b");
    }
  }
  Builders builders("/not/there", {}, 1, 300ms);
  builders.want("a", "a\n");
  (void)builders.await("a");
}

} // namespace tmd::opencl
