// Signal handlers use only atomics. A handler that ends the program removes unfinished files, writes its sentence and
// calls _exit(); a second one in another thread waits meanwhile. A handler that requests a stop sets a timer, whose
// signal ends the program if it has not stopped by then.
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
constexpr int patience = 800; // milliseconds; together with the exit, less than a second

// Signal handlers use only these.
std::atomic<bool> stop_requested = false; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> is_reported = false;    // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> ending = false;         // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> may_exit = false;       // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// Two buffers: one is complete while the other is written.
using Words = std::array<char, 256>;
std::array<Words, 2> kept{};      // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<unsigned> newest = 0; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

[[noreturn]] void end_with(std::string_view sentence, Status status = Status::interrupted) {
  if (ending.exchange(true)) // another thread is ending the program and reports it
    for (;;)
      (void)::pause();
  support::AtomicFile::remove_unfinished();
  if (!is_reported)
    (void)!::write(STDERR_FILENO, sentence.data(), sentence.size());
  ::_exit(static_cast<int>(status));
}

extern "C" void end_at_once(int /*signal*/) { end_with("tmd: interrupted\n"); }

extern "C" void end_unheard(int /*signal*/) {
  const std::string_view words = kept.at(newest).data();
  end_with(words.empty() ? "tmd: interrupted during a step\n" : words);
}

// Ctrl-C also ends the processes that a driver's compiler has begun, and the driver then aborts or exits.
void end_if_stopped() {
  if (stop_requested)
    end_unheard(SIGINT);
}

// Drivers, compilers and GMP abort without memory, after printing a line of their own.
extern "C" void end_aborted(int /*signal*/) {
  end_if_stopped();
  is_reported = false;
  end_with("tmd: a library has aborted, which most of them do when memory runs out: allow it more memory "
           "(see `ulimit -v`), or run `tmd doctor`\n",
           Status::device);
}

// Without memory they also read through null pointers, or execute an invalid instruction.
extern "C" void end_crashed(int /*signal*/) {
  is_reported = false;
  end_with("tmd: a library, or tmd itself, has crashed, as drivers do when memory runs out: allow it more memory "
           "(see `ulimit -v`), or run `tmd doctor`\n",
           Status::device);
}

// LLVM, which is part of many drivers, calls exit(1) if it cannot write a file, after printing a line of its own.
extern "C" void end_exited() {
  if (may_exit)
    return;
  end_if_stopped();
  is_reported = false;
  end_with("tmd: a library has ended the program, as drivers do when the disk of their cache is full: see its message "
           "above, and run `tmd doctor`\n",
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
  (void)sigfillset(&action.sa_mask); // a waiting handler must not be interrupted by another
  (void)::sigaction(signal, &action, nullptr);
}

// The current handler: SIG_DFL, SIG_IGN, or one of a sanitizer or MPI.
auto handler_of(int signal) {
  struct sigaction action {};
  (void)::sigaction(signal, nullptr, &action);
  return action.sa_handler;
}

// The signals that the caller does not ignore, as of the first call.
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

void interrupt_is_reported() { is_reported = true; }

} // namespace tmd::app
