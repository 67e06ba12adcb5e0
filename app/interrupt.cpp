#include "interrupt.hpp"

#include <atomic>
#include <csignal>

namespace tmd::app {

namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): a signal handler reaches nothing else
std::atomic<bool> stop_requested = false;

extern "C" void request_stop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
}

} // namespace

void catch_interrupts() {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

bool interrupted() { return stop_requested; }

} // namespace tmd::app
