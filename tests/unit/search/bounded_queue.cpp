// Who gets the places of a queue that is full.
#include "host/search/bounded_queue.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <future>
#include <string>
#include <thread>
#include <vector>

using namespace tmd;

namespace {

// In which order waiting threads get a place, of ranks from `ranks` - 1 down to 0 in the order in which they begin to
// wait, which they are given some time for.
std::vector<std::size_t> order_of_ranks(std::size_t ranks, std::chrono::milliseconds time) {
  BoundedQueue<std::size_t> queue(1);
  REQUIRE(queue.reserve());
  std::vector<std::future<void>> threads;
  for (std::size_t rank = ranks; rank-- > 0;) {
    threads.push_back(std::async(std::launch::async, [&queue, rank] {
      if (queue.reserve(rank))
        queue.push(rank);
    }));
    std::this_thread::sleep_for(time);
  }
  queue.give_back();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < ranks; ++i)
    order.push_back(queue.pop().value());
  return order;
}

} // namespace

TEST_CASE("a bounded queue gives a free place to the one of least rank among those that wait") {
  const std::vector<std::size_t> expected{0, 1, 2, 3, 4, 5};
  std::vector<std::size_t> order;
  // A thread that waits late is no failure of the queue.
  for (auto time = std::chrono::milliseconds(2); order != expected && time < std::chrono::seconds(2); time *= 4)
    order = order_of_ranks(expected.size(), time);
  CHECK(order == expected);
}

TEST_CASE("a bounded queue wakes those that wait: for two free places, and when it is closed") {
  constexpr auto long_enough = std::chrono::seconds(20);
  constexpr int rounds = 20; // who wakes first is not said
  for (int round = 0; round < rounds; ++round) {
    const bool closes = round % 2 == 1;
    INFO(std::string(closes ? "closed" : "two places"));
    BoundedQueue<int> queue(2);
    REQUIRE(queue.reserve());
    REQUIRE(queue.reserve(3));
    const auto wait = [&queue](std::size_t rank) {
      auto waiting = std::async(std::launch::async, [&queue, rank] { return queue.reserve(rank); });
      std::this_thread::sleep_for(std::chrono::milliseconds(5)); // or there is nobody yet to be woken
      return waiting;
    };
    auto first = wait(1);
    auto second = wait(0);
    if (closes) {
      queue.push(7);
      queue.close();
    } else {
      queue.give_back();
      queue.give_back();
    }
    const bool woken = first.wait_for(long_enough) == std::future_status::ready &&
                       second.wait_for(long_enough) == std::future_status::ready;
    CHECK(woken);
    if (!woken)
      queue.close(); // else the threads would never end
    CHECK(first.get() == (woken && !closes));
    CHECK(second.get() == (woken && !closes));
    if (closes) {
      CHECK_FALSE(queue.reserve());
      CHECK(queue.pop() == 7);
      CHECK_FALSE(queue.pop().has_value());
    }
  }
}
