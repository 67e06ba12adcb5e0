// The line that is rewritten, on a terminal made by the test.
#include "host/support/terminal_line.hpp"
#include "host/support/descriptor.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tmd::support {

namespace {

class Terminal {
public:
  explicit Terminal(unsigned short columns) : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    REQUIRE(master_.is_open());
    REQUIRE(::grantpt(master_.number()) == 0);
    REQUIRE(::unlockpt(master_.number()) == 0);
    side_ = Descriptor(::open(::ptsname(master_.number()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    REQUIRE(side_.is_open());
    const winsize size{24, columns, 0, 0};
    REQUIRE(::ioctl(side_.number(), TIOCSWINSZ, &size) == 0);
  }
  [[nodiscard]] int number() const { return side_.number(); }
  // The text written since the last call.
  std::string text() {
    std::string text;
    for (pollfd waiting{master_.number(), POLLIN, 0}; ::poll(&waiting, 1, 0) > 0;)
      master_.read(text);
    return text;
  }

private:
  Descriptor master_;
  Descriptor side_;
};

} // namespace

TEST_CASE("a line on a terminal: rewritten, cleared, cleared when it goes") {
  Terminal terminal(80);
  {
    TerminalLine line(true, terminal.number());
    CHECK(line.active());
    CHECK(terminal.text().empty());
    line.show("first");
    CHECK(terminal.text() == "\rfirst\033[K");
    line.show("second");
    CHECK(terminal.text() == "\rsecond\033[K");
    line.clear();
    CHECK(terminal.text() == "\r\033[K");
    line.clear(); // there is nothing to clear
    CHECK(terminal.text().empty());
    line.show("third");
    (void)terminal.text();
  }
  CHECK(terminal.text() == "\r\033[K");
}

TEST_CASE("a new text is due when the last can have been read") {
  const Terminal terminal(80);
  TerminalLine line(true, terminal.number());
  CHECK(line.due());
  line.show("text");
  CHECK_FALSE(line.due());
  line.clear();
  CHECK(line.due());
  line.show("text");
  ::usleep(250000);
  CHECK(line.due());
}

TEST_CASE("a text wider than the terminal is cut, between letters") {
  Terminal terminal(20);
  TerminalLine line(true, terminal.number());
  line.show("1234567890123456789"); // it fits the width
  CHECK(terminal.text() == "\r1234567890123456789\033[K");
  line.show("12345678901234567890");
  CHECK(terminal.text() == "\r123456789012345678…\033[K");
  line.show("12345678901234567\u03b567890");
  CHECK(terminal.text() == "\r12345678901234567…\033[K");
}

TEST_CASE("a dumb terminal cannot clear a line: silence") {
  const Terminal terminal(80);
  const char* before = std::getenv("TERM");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("TERM", "dumb", 1);
  CHECK_FALSE(TerminalLine(true, terminal.number()).active());
  if (before != nullptr)
    ::setenv("TERM", kept.c_str(), 1);
  else
    ::unsetenv("TERM");
  CHECK(TerminalLine(true, terminal.number()).active() == (kept != "dumb"));
}

TEST_CASE("no terminal, or nobody who wants it: silence") {
  Terminal terminal(80);
  PipeEnds pipe = make_pipe();
  {
    TerminalLine unwanted(false, terminal.number());
    TerminalLine elsewhere(true, pipe.in.number());
    for (TerminalLine* line : {&unwanted, &elsewhere}) {
      CHECK_FALSE(line->active());
      CHECK_FALSE(line->due());
      line->show("text");
      line->clear();
    }
  }
  CHECK(terminal.text().empty());
  pipe.in.close();
  std::string text;
  pipe.out.read(text);
  CHECK(text.empty());
}

} // namespace tmd::support
