// Numbered tasks on several threads.
#pragma once

#include "number/arb.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <future>
#include <vector>

namespace tmd {

// Calls work(task, thread) for each of `tasks` tasks, on `threads` threads, numbered from 0. Throws what it throws.
template <typename Work> void in_parallel(std::uint64_t tasks, unsigned threads, const Work& work) {
  std::atomic<std::uint64_t> next{0};
  std::vector<std::future<void>> helpers;
  for (unsigned thread = 0; thread < std::max(threads, 1U); ++thread)
    helpers.push_back(std::async(std::launch::async, [&, thread] {
      const ThreadCaches caches;
      try {
        for (std::uint64_t task = next++; task < tasks; task = next++)
          work(task, thread);
      } catch (...) {
        next = tasks; // the others need not go on
        throw;
      }
    }));
  for (auto& helper : helpers)
    helper.wait();
  for (auto& helper : helpers)
    helper.get();
}

} // namespace tmd
