// Descriptors are closed once, and write whole texts.
#include "host/support/descriptor.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>

namespace tmd::support {

namespace {

bool exists(int number) { return ::fcntl(number, F_GETFD) >= 0; }

Descriptor some_file() { return Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC)); }

} // namespace

TEST_CASE("a descriptor is closed when its owner goes, and by nobody else") {
  int number = -1;
  {
    Descriptor first = some_file();
    number = first.number();
    REQUIRE(exists(number));
    Descriptor second = std::move(first);
    CHECK_FALSE(first.is_open()); // NOLINT(bugprone-use-after-move): the moved-from state is tested
    CHECK(second.number() == number);
    CHECK(exists(number));
  }
  CHECK_FALSE(exists(number));
}

TEST_CASE("a descriptor that is given another file closes the one that it had") {
  Descriptor descriptor = some_file();
  const int before = descriptor.number();
  descriptor = some_file();
  CHECK_FALSE(exists(before));
  CHECK(exists(descriptor.number()));
  descriptor.close();
  CHECK_FALSE(descriptor.is_open());
  descriptor.close(); // once more does no harm
}

TEST_CASE("a pipe: more than it holds, and its end") {
  PipeEnds pipe = make_pipe();
  CHECK((::fcntl(pipe.in.number(), F_GETFD) & FD_CLOEXEC) != 0);
  CHECK((::fcntl(pipe.out.number(), F_GETFD) & FD_CLOEXEC) != 0);
  const std::string sent(1 << 20, 'x');
  bool written = false;
  std::thread writer([&] {
    written = pipe.in.write(sent);
    pipe.in.close();
  });
  std::string received;
  while (pipe.out.is_open())
    pipe.out.read(received);
  writer.join();
  CHECK(written);
  CHECK(received == sent);
}

TEST_CASE("what cannot be written says why; a socket whose other end is closed ends no program") {
  const Descriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  CHECK_FALSE(full.write("text"));
  CHECK(errno == ENOSPC);
  auto [ours, theirs] = make_socket_pair();
  CHECK(ours.send("text"));
  std::string received;
  theirs.read(received);
  CHECK(received == "text");
  theirs.close();
  CHECK_FALSE(ours.send("text"));
  CHECK(errno == EPIPE);
}

} // namespace tmd::support
