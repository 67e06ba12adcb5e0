// Handlers touch nothing but atomics. One that ends the program removes unfinished files, writes its sentence and
// leaves by _exit(); a second one, in another thread meanwhile, waits. One that asks to stop sets a timer, whose signal
// ends the program if it has not stopped by then.
#include "interrupt.hpp"

#include "support/atomic_file.hpp"
#include "tmd/error.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <vector>

namespace tmd::app {

namespace {

constexpr std::array<int, 4> signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr std::array<int, 3> crashes{SIGSEGV, SIGBUS, SIGILL};
constexpr int patience = 800; // milliseconds: with what it takes to end, less than a second

// A signal handler reaches nothing else.
std::atomic<bool> stop_requested = false; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> told = false;           // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> ending = false;         // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> may_exit = false;       // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// Two, of which one is whole while the other is written.
using Words = std::array<char, 256>;
std::array<Words, 2> kept{};      // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<unsigned> newest = 0; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

[[noreturn]] void end_with(std::string_view sentence, Status status = Status::interrupted) {
  if (ending.exchange(true)) // another thread has been given a signal, too, and says it
    for (;;)
      (void)::pause();
  support::AtomicFile::remove_unfinished();
  if (!told)
    (void)!::write(STDERR_FILENO, sentence.data(), sentence.size());
  ::_exit(static_cast<int>(status));
}

extern "C" void end_at_once(int /*signal*/) { end_with("tmd: interrupted\n"); }

extern "C" void end_unheard(int /*signal*/) {
  const std::string_view words = kept.at(newest).data();
  end_with(words.empty() ? "tmd: interrupted in the midst of a step\n" : words);
}

// Drivers, compilers and GMP abort where they get no memory, after a line of their own.
extern "C" void end_aborted(int /*signal*/) {
  told = false;
  end_with("tmd: a library that is used here has aborted, which most of them do when memory runs out: let it have more "
           "(see `ulimit -v`), or look what `tmd doctor` says\n",
           Status::device);
}

// They read through null pointers there, too, or end by an instruction that is none.
extern "C" void end_crashed(int /*signal*/) {
  told = false;
  end_with(
      "tmd: a library that is used here, or tmd itself, has crashed, as drivers do when memory runs out: let it have "
      "more (see `ulimit -v`), or look what `tmd doctor` says\n",
      Status::device);
}

// LLVM, which is in many drivers, calls exit(1) where it cannot write a file, after a line of its own.
extern "C" void end_exited() {
  if (may_exit)
    return;
  told = false;
  end_with(
      "tmd: a library that is used here has ended the program, as drivers do when the disk of their cache is full: "
      "see what it says above, and `tmd doctor`\n",
      Status::device);
}

extern "C" void request_stop(int /*signal*/) {
  if (stop_requested.exchange(true))
    return;
  const itimerval second{{0, 0}, {0, suseconds_t(patience) * 1000}};
  (void)::setitimer(ITIMER_REAL, &second, nullptr);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  (void)sigfillset(&action.sa_mask); // a handler that waits must not wait for itself
  (void)::sigaction(signal, &action, nullptr);
}

// SIG_DFL, SIG_IGN, or what a sanitizer or MPI has put there.
auto handler_of(int signal) {
  struct sigaction action {};
  (void)::sigaction(signal, nullptr, &action);
  return action.sa_handler;
}

// Those that the caller does not ignore, as they were when it was asked first.
const std::vector<int>& heeded() {
  static const std::vector<int> result = [] {
    std::vector<int> some;
    std::copy_if(signals.begin(), signals.end(), std::back_inserter(some),
                 [](int signal) { return handler_of(signal) != SIG_IGN; });
    return some;
  }();
  return result;
}

} // namespace

void end_at_interrupts() {
  support::AtomicFile::note_unfinished();
  for (const int signal : heeded())
    handle(signal, end_at_once);
  handle(SIGABRT, end_aborted);
  (void)std::atexit(end_exited);
  for (const int signal : crashes)
    if (handler_of(signal) == SIG_DFL)
      handle(signal, end_crashed);
}

void allow_exit() { may_exit = true; }

void leave_crashes() {
  allow_exit();
  (void)std::signal(SIGABRT, SIG_DFL);
  for (const int signal : crashes)
    if (handler_of(signal) == end_crashed)
      (void)std::signal(signal, SIG_DFL);
}

void catch_interrupts() {
  (void)std::signal(SIGALRM, end_unheard);
  for (const int signal : heeded())
    handle(signal, signal == SIGQUIT ? end_unheard : request_stop);
}

bool interrupted() { return stop_requested; }

void keep_for_interrupt(std::string_view sentence) {
  const unsigned next = 1 - newest;
  Words& words = kept.at(next);
  words.fill('\0');
  sentence.copy(words.data(), words.size() - 1);
  newest = next;
}

void interrupt_is_told() { told = true; }

} // namespace tmd::app
