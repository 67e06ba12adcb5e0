// The order in which threads get the places of a full queue.
#include "host/search/bounded_queue.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace tmd::searches {

namespace {

// The order in which waiting threads get a place. Their ranks are `ranks` - 1 down to 0, in the order in which they
// begin to wait; each gets some time for that.
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
  // A thread that begins to wait late is no failure of the queue.
  for (auto time = std::chrono::milliseconds(2); order != expected && time < std::chrono::seconds(2); time *= 4)
    order = order_of_ranks(expected.size(), time);
  CHECK(order == expected);
}

TEST_CASE("a bounded queue wakes those that wait: for two free places, and when it is closed") {
  constexpr auto long_enough = std::chrono::seconds(20);
  constexpr int rounds = 20; // waking has no specified order
  for (int round = 0; round < rounds; ++round) {
    const bool closes = round % 2 == 1;
    INFO(std::string(closes ? "closed" : "two places"));
    BoundedQueue<int> queue(2);
    REQUIRE(queue.reserve());
    REQUIRE(queue.reserve(3));
    const auto wait = [&queue](std::size_t rank) {
      auto waiting = std::async(std::launch::async, [&queue, rank] { return queue.reserve(rank); });
      std::this_thread::sleep_for(std::chrono::milliseconds(5)); // nobody may wait yet
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
      queue.close(); // because the threads would never end
    CHECK(first.get() == (woken && !closes));
    CHECK(second.get() == (woken && !closes));
    if (closes) {
      CHECK_FALSE(queue.reserve());
      CHECK(queue.pop() == 7);
      CHECK_FALSE(queue.pop().has_value());
    }
  }
}

TEST_CASE("light elements of a bounded queue leave the places of others free, up to very many of them") {
  BoundedQueue<int> queue(2);
  constexpr int many = 3000;
  int light = 0;
  for (; light < many; ++light) { // until the next element would have to wait
    auto reserving = std::async(std::launch::async, [&queue] { return queue.reserve(); });
    if (reserving.wait_for(std::chrono::milliseconds(light < 900 ? 20000 : 200)) != std::future_status::ready) {
      CHECK(queue.pop() == 0);
      CHECK(reserving.get());
      queue.give_back();
      break;
    }
    REQUIRE(reserving.get());
    CHECK(queue.push(light, true));
  }
  CHECK(light > 1000);
  CHECK(light < many);
  for (int i = 1; i < light; ++i)
    CHECK(queue.pop() == i);
  // Elements that are not light have as many places as before.
  CHECK(queue.reserve());
  CHECK(queue.push(1));
  CHECK(queue.reserve());
  CHECK(queue.push(2, true));
  CHECK(queue.reserve());
  CHECK(queue.push(3));
  auto waiting = std::async(std::launch::async, [&queue] { return queue.reserve(); });
  CHECK(waiting.wait_for(std::chrono::milliseconds(5)) == std::future_status::timeout);
  CHECK(queue.pop() == 1);
  CHECK(waiting.get());
}

TEST_CASE("an element takes others out of a bounded queue with it, the others keep their order") {
  BoundedQueue<int> queue(10);
  for (int i = 1; i <= 10; ++i) {
    REQUIRE(queue.reserve());
    REQUIRE(queue.push(i, i % 2 == 0));
  }
  std::vector<int> taken;
  const auto thirds = [&taken](int& first, int& other) {
    if ((other - first) % 3 != 0)
      return false;
    taken.push_back(other);
    return true;
  };
  CHECK(queue.pop(thirds) == 1);
  CHECK(taken == std::vector<int>{4, 7, 10});
  for (int free = 0; free < 7; ++free) // 3, 5 and 9 have places of their own
    CHECK(queue.reserve());
  CHECK(queue.pop() == 2);
  CHECK(queue.pop(thirds) == 3);
  CHECK(taken == std::vector<int>{4, 7, 10, 6, 9});
  CHECK(queue.pop() == 5);
  CHECK(queue.pop() == 8);
  queue.close();
  CHECK_FALSE(queue.pop(thirds).has_value());
}

} // namespace tmd::searches
