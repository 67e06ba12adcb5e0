// Runs numbered tasks on several threads, which free FLINT's caches when they end.
#pragma once

#include "number/arb.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <future>
#include <thread>
#include <vector>

namespace tmd::number {

// The processor's cores, 1 where the system does not say.
[[nodiscard]] inline unsigned cores() { return std::max(1U, std::thread::hardware_concurrency()); }

// Calls work(task, thread) once for each task below `tasks`, the least first, on `threads` threads: the calling one,
// number 0, and others from 1 on. Exceptions are passed on; tasks that were not begun by then are left out.
template <typename Work> void in_parallel(std::uint64_t tasks, unsigned threads, const Work& work) {
  std::atomic<std::uint64_t> next{0};
  const auto take_tasks = [&](unsigned thread) {
    try {
      for (std::uint64_t task = next++; task < tasks; task = next++)
        work(task, thread);
    } catch (...) {
      next = tasks;
      throw;
    }
  };
  std::vector<std::future<void>> helpers; // waited for in the destructor, whatever is thrown
  for (unsigned thread = 1; thread < threads; ++thread)
    helpers.push_back(std::async(std::launch::async, [&take_tasks, thread] {
      const ThreadCaches caches;
      take_tasks(thread);
    }));
  take_tasks(0);
  for (auto& helper : helpers)
    helper.get();
}

} // namespace tmd::number
