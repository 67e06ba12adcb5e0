// The dispatcher: every argument is handed out and finished exactly once, whatever fails, and fast devices take more.
#include "host/search/dispatcher.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <map>
#include <new>
#include <numeric>
#include <optional>
#include <random>
#include <thread>
#include <vector>

namespace {

// The number of further allocations of this thread that succeed; negative: all of them.
thread_local long allocations_left = -1;

} // namespace

void* operator new(std::size_t bytes) {
  if (allocations_left >= 0 && allocations_left-- == 0)
    throw std::bad_alloc();
  if (void* place = std::malloc(std::max<std::size_t>(bytes, 1)))
    return place;
  throw std::bad_alloc();
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t /*bytes*/) noexcept { std::free(place); }

namespace tmd::searches {
namespace {

constexpr uint128 tera = uint128(1) << 40;
constexpr uint128 longest = uint128(1) << 52; // the longest part

engine::Field field_of(uint128 extent) {
  engine::Field field;
  field.arguments.count = extent;
  return field;
}

// A dispatcher that has all its fields from the start.
struct Filled : Dispatcher {
  Filled(const std::vector<uint128>& extents, std::size_t workers)
      : Dispatcher(std::accumulate(extents.begin(), extents.end(), uint128(0)), workers) {
    for (const uint128 extent : extents)
      CHECK(add(field_of(extent)));
    complete();
  }
};

// Simulated devices, each with a rate in arguments a second and several parts in a queue.
struct Simulation {
  struct Device {
    double rate;
    double start = 0; // seconds until the first part begins: kernels are built
    std::deque<result::Part> queue = {};
    double begun = 0; // when the part at the queue's front begins
    double done = 0;  // arguments
    double last = 0;  // when its last part was finished
  };

  // Returns when the last part is finished.
  static double run(std::vector<Device>& devices, const std::vector<uint128>& fields, std::size_t queued) {
    Filled dispatcher(fields, devices.size());
    double now = 0;
    const auto fill = [&] { // repeatedly, because one part less may let another device continue
      for (bool taken = true; taken;) {
        taken = false;
        for (std::size_t i = 0; i < devices.size(); ++i) {
          Device& device = devices[i];
          if (device.queue.size() >= queued)
            continue;
          if (const auto part = dispatcher.try_take(i)) {
            if (device.queue.empty())
              device.begun = std::max(now, device.start);
            device.queue.push_back(*part);
            taken = true;
          }
        }
      }
    };
    const auto ends = [](const Device& device) {
      return device.queue.empty() ? INFINITY
                                  : device.begun + static_cast<double>(device.queue.front().count) / device.rate;
    };
    for (fill();; fill()) {
      const auto next = std::min_element(devices.begin(), devices.end(), [&](const Device& left, const Device& right) {
        return ends(left) < ends(right);
      });
      if (next->queue.empty())
        break;
      now = ends(*next);
      const result::Part part = next->queue.front();
      dispatcher.finish(static_cast<std::size_t>(next - devices.begin()), part, now - next->begun);
      next->queue.pop_front();
      next->begun = now;
      next->last = now;
      next->done += static_cast<double>(part.count);
    }
    CHECK_FALSE(dispatcher.take(0)); // everything is finished
    return now;
  }
};

} // namespace

TEST_CASE("dispatcher: one device gets every field in order, as much as an interval holds") {
  constexpr uint128 most = uint128(1) << 52; // the largest part
  Filled dispatcher({5, 0, 3 * most + 7}, 1);
  CHECK(dispatcher.working() == 1);
  CHECK(dispatcher.take(0) == result::Part{0, 0, 5});
  const result::Part first{2, 0, most};
  CHECK(dispatcher.take(0) == first);
  dispatcher.shorten(0, first, 1000); // the planner's interval is shorter
  CHECK(dispatcher.take(0) == result::Part{2, 1000, most - 1000});
  CHECK(dispatcher.take(0) == result::Part{2, most, most});
  CHECK(dispatcher.take(0) == result::Part{2, 2 * most, most});
  CHECK(dispatcher.take(0) == result::Part{2, 3 * most, 7});
  CHECK_FALSE(dispatcher.try_take(0));  // everything is handed out, and nothing finished
  dispatcher.finish(0, {2, 0, 400}, 1); // parts may be finished in any order, in pieces
  dispatcher.finish(0, {2, 600, 400}, 1);
  dispatcher.finish(0, {0, 0, 5}, 1);
  CHECK_THROWS_AS(dispatcher.finish(0, {2, 600, 400}, 1), SoundnessError); // finished twice
  CHECK_THROWS_AS(dispatcher.finish(0, {2, 399, 2}, 1), SoundnessError);   // half of it finished twice
  CHECK_THROWS_AS(dispatcher.finish(0, {2, 999, 2}, 1), SoundnessError);   // across two parts
  CHECK_THROWS_AS(dispatcher.finish(0, {1, 0, 1}, 1), SoundnessError);
  CHECK_THROWS_AS(dispatcher.finish(0, {2, 400, 0}, 1), SoundnessError);
  dispatcher.finish(0, {2, 400, 200}, 1);
  dispatcher.finish(0, {2, 1000, most - 1000}, 1);
  dispatcher.finish(0, {2, most, most}, 1);
  dispatcher.finish(0, {2, 2 * most, most}, 1);
  dispatcher.finish(0, {2, 3 * most, 7}, 1);
  CHECK_FALSE(dispatcher.take(0)); // it does not wait
}

TEST_CASE("dispatcher: of a part that is finished in part the rest can be given back") {
  Filled dispatcher({1000}, 1);
  const result::Part whole = *dispatcher.take(0);
  CHECK(whole == result::Part{0, 0, 1000});
  dispatcher.finish(0, {0, 100, 100}, 1);
  dispatcher.shorten(0, whole, 300);
  CHECK(dispatcher.take(0) == result::Part{0, 300, 700});
  CHECK_THROWS_AS(dispatcher.finish(0, {0, 250, 100}, 1), SoundnessError); // across two parts
  dispatcher.finish(0, {0, 0, 100}, 1);
  dispatcher.finish(0, {0, 200, 100}, 1);
  dispatcher.finish(0, {0, 300, 100}, 1);
  dispatcher.shorten(0, {0, 300, 700}, 100); // what is left of it is finished
  CHECK(dispatcher.take(0) == result::Part{0, 400, 600});
  dispatcher.finish(0, {0, 400, 600}, 1);
  CHECK_FALSE(dispatcher.take(0)); // it does not wait: nothing is held
}

TEST_CASE("dispatcher: what a lost device holds goes to the others, and only that") {
  Filled dispatcher({tera}, 2);
  const result::Part first = *dispatcher.take(0);
  const result::Part second = *dispatcher.take(1);
  CHECK(first.count < tera / 8); // the first part is small, for a device with an unknown rate
  CHECK(second.first == first.count);
  dispatcher.finish(0, {0, 0, 1000}, 1);
  dispatcher.drop(0);
  CHECK(dispatcher.working() == 1);
  CHECK(dispatcher.working() == 1);
  CHECK_FALSE(dispatcher.take(0));
  dispatcher.shorten(0, first, 5); // the thread that feeds it may not know yet
  CHECK_THROWS_AS(dispatcher.finish(0, {0, 1000, 1}, 1), SoundnessError);
  CHECK(dispatcher.take(1) == result::Part{0, 1000, first.count - 1000});
  CHECK(dispatcher.take(1) == result::Part{0, first.count + second.count, tera - first.count - second.count});
  CHECK_THROWS_AS(dispatcher.finish(0, second, 1), SoundnessError); // that is another worker's part
  dispatcher.drop(1);
  CHECK(dispatcher.working() == 0);
  CHECK_FALSE(dispatcher.take(1));
}

TEST_CASE("dispatcher: a device that waits is woken by what another leaves, by the end, and by stop()") {
  for (const int ending : {0, 1, 2}) {
    Filled dispatcher({1000}, 2);
    const result::Part all = *dispatcher.take(0);
    REQUIRE(all == result::Part{0, 0, 1000});
    std::optional<result::Part> got;
    std::thread waiting([&] { got = dispatcher.take(1); });
    if (ending == 0)
      dispatcher.drop(0);
    else if (ending == 1)
      dispatcher.finish(0, all, 1);
    else
      dispatcher.stop();
    waiting.join();
    CHECK(got.has_value() == (ending == 0));
    if (got)
      CHECK(*got == all);
  }
}

TEST_CASE("dispatcher: random takes, shorter intervals, batches and losses finish every argument once") {
  std::mt19937 random(12345);
  const auto below = [&](std::uint64_t limit) {
    return std::uniform_int_distribution<std::uint64_t>(0, limit - 1)(random);
  };
  std::uint64_t losses = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<uint128> fields(1 + below(20));
    std::vector<std::vector<int>> finished;
    for (uint128& field : fields) {
      field = below(200);
      finished.emplace_back(static_cast<std::size_t>(field), 0);
    }
    const std::size_t devices = 1 + below(4);
    Filled dispatcher(fields, devices);
    std::vector<std::deque<result::Part>> held(devices);
    std::vector<bool> lost(devices, false);
    for (bool over = false; !over;) {
      const std::size_t device = below(devices);
      if (lost[device])
        continue;
      if (dispatcher.working() > 1 && below(40) == 0) {
        dispatcher.drop(device);
        lost[device] = true;
        held[device].clear();
        ++losses;
      } else if (below(2) == 0 || held[device].empty()) {
        if (auto part = dispatcher.try_take(device)) {
          const uint128 kept = 1 + below(static_cast<std::uint64_t>(part->count));
          dispatcher.shorten(device, *part, kept);
          held[device].push_back({part->field, part->first, kept});
        }
      } else {
        result::Part& part = held[device].front();
        const uint128 count = 1 + below(static_cast<std::uint64_t>(part.count));
        dispatcher.finish(device, {part.field, part.first, count}, 0.001 * static_cast<double>(1 + below(100)));
        for (uint128 i = 0; i < count; ++i)
          ++finished[part.field][static_cast<std::size_t>(part.first + i)];
        part.first += count;
        part.count -= count;
        if (part.count == 0)
          held[device].pop_front();
      }
      over = std::all_of(held.begin(), held.end(), [](const auto& parts) { return parts.empty(); });
      for (std::size_t i = 0; i < devices && over; ++i)
        if (auto part = dispatcher.try_take(i)) { // not everything is finished: some worker still gets a part
          held[i].push_back(*part);
          over = false;
        }
    }
    CHECK_FALSE(dispatcher.take(0));
    for (const auto& field : finished)
      CHECK(std::all_of(field.begin(), field.end(), [](int times) { return times == 1; }));
  }
  CHECK(losses > 100);
}

TEST_CASE("dispatcher: devices take by their speed and come to the end together") {
  using Devices = std::vector<Simulation::Device>;
  for (const std::size_t queued : {1, 2, 4})
    for (const Devices& set :
         {Devices{{1e12}, {1e12}}, Devices{{6e14}, {6e14}}, Devices{{1e12}, {3e11}}, Devices{{1e10}, {6e14}, {1e12}},
          Devices{{6e14}, {6e14, 2}, {5e14}, {4e14, 3}}, Devices{{1e8}, {6e14}}})
      for (const double minutes : {0.5, 5.0}) {
        double rate = 0;
        for (const auto& device : set)
          rate += device.rate;
        const double ideal = 60 * minutes;
        // Fields of a job of that length, none with a round number of arguments.
        std::vector<uint128> fields;
        for (const double share : {0.37, 0.001, 0.629})
          fields.push_back(static_cast<std::uint64_t>(rate * ideal * share) + 1);
        Devices devices = set;
        const double end = Simulation::run(devices, fields, queued);
        double idle = 0; // share of the total capacity
        double late = 0;
        for (const auto& device : devices) {
          idle += device.start * device.rate / rate;
          late = std::max(late, end - device.last);
        }
        INFO(devices.size(), " devices, the first with ", devices[0].rate, " arguments/s, ", queued, " in a queue, ",
             minutes, " minutes");
        CHECK(end < 1.02 * ideal + idle);
        for (const auto& device : devices)
          if (device.start == 0 && device.rate > rate / 10)
            CHECK(device.done / (rate * ideal) == doctest::Approx(device.rate / rate).epsilon(0.2));
      }
}

TEST_CASE("dispatcher: near the end a slow device does not begin what the others finish sooner") {
  Filled dispatcher({8 * tera}, 2);
  const auto work = [&](std::size_t device, double rate) {
    const auto part = dispatcher.try_take(device);
    if (part)
      dispatcher.finish(device, *part, static_cast<double>(part->count) / rate);
    return part;
  };
  for (int i = 0; i < 2; ++i) { // both rates become known
    CHECK(work(0, 1e15));
    CHECK(work(1, 1e9));
  }
  int slow_parts = 0;
  while (work(0, 1e15))
    slow_parts += work(1, 1e9) ? 1 : 0;
  CHECK(slow_parts == 0); // 8 tera take the fast one 9 ms: the least for the slow one would be 20 ms
  CHECK_FALSE(dispatcher.take(1));
}

TEST_CASE("dispatcher: a slow device beside a fast one plans ahead for a second, a fast one for as long as it likes") {
  constexpr double fast = 1e15;
  constexpr double slow = 1e13;
  Filled dispatcher({uint128(1) << 60}, 2);
  const auto known = [&](std::size_t device, double rate) {
    for (int i = 0; i < 2; ++i) {
      const auto part = dispatcher.try_take(device);
      REQUIRE(part);
      dispatcher.finish(device, *part, static_cast<double>(part->count) / rate);
    }
  };
  known(0, fast);
  known(1, slow);
  const auto take_all = [&](std::size_t device) {
    std::deque<result::Part> parts;
    for (std::optional<result::Part> part; parts.size() < 20 && (part = dispatcher.try_take(device));)
      parts.push_back(*part);
    return parts;
  };
  std::deque<result::Part> of_slow = take_all(1);
  const auto seconds = [&] {
    double arguments = 0;
    for (const result::Part& part : of_slow)
      arguments += static_cast<double>(part.count);
    return arguments / slow;
  };
  CHECK(seconds() > 1);
  CHECK(seconds() < 1.6);
  CHECK(take_all(0).size() == 20);
  while (!of_slow.empty() && seconds() > 1) { // it has enough until then
    CHECK_FALSE(dispatcher.try_take(1));
    dispatcher.finish(1, of_slow.front(), static_cast<double>(of_slow.front().count) / slow);
    of_slow.pop_front();
  }
  CHECK(dispatcher.try_take(1));
  // Alone it takes all.
  dispatcher.drop(0);
  CHECK(take_all(1).size() > 4);
}

TEST_CASE("dispatcher: parts grow until what each costs however short it is counts little") {
  constexpr double rate = 1e12;
  for (const double fixed : {0.0, 0.001, 0.1, 0.45}) {
    Filled dispatcher({uint128(1) << 62}, 2);
    double seconds = 0; // when the last part would end without it
    for (int i = 0; i < 30; ++i)
      for (const std::size_t device : {0, 1}) {
        const auto part = dispatcher.try_take(device);
        REQUIRE(part);
        seconds = static_cast<double>(part->count) / rate;
        dispatcher.finish(device, *part, fixed + seconds, fixed);
      }
    CAPTURE(fixed);
    CHECK(seconds > 12 * fixed);
    CHECK(seconds > 0.2);
    CHECK(seconds <= std::max(0.5, 32 * fixed));
  }
}

TEST_CASE("dispatcher: a claim says how long its parts are, for threads plan one each") {
  engine::Field claimed = field_of(100);
  claimed.kind = engine::Claim{.engine = "any", .extent = 25, .longest_part = 10};
  Dispatcher dispatcher(100, 1);
  CHECK(dispatcher.add(claimed));
  CHECK(dispatcher.take(0) == result::Part{0, 0, 10});
  CHECK(dispatcher.take(0) == result::Part{0, 10, 10});
  CHECK(dispatcher.take(0) == result::Part{0, 20, 5});
}

TEST_CASE("dispatcher: fields may come while devices work and wait") {
  Dispatcher dispatcher(30, 1);
  CHECK_FALSE(dispatcher.try_take(0));
  CHECK(dispatcher.add(field_of(10)));
  CHECK(dispatcher.field(0).extent() == 10);
  CHECK(dispatcher.take(0) == result::Part{0, 0, 10});
  dispatcher.finish(0, {0, 0, 10}, 1);
  std::optional<result::Part> got;
  std::thread waiting([&] { got = dispatcher.take(0); }); // everything is finished, but not all fields have arrived
  CHECK(dispatcher.add(field_of(20)));
  waiting.join();
  REQUIRE(got);
  CHECK(*got == result::Part{1, 0, 20});
  dispatcher.finish(0, *got, 1);
  std::optional<result::Part> last = result::Part{};
  std::thread ending([&] { last = dispatcher.take(0); });
  dispatcher.complete();
  ending.join();
  CHECK_FALSE(last);
}

TEST_CASE("dispatcher: a device that is closed takes no more, and finishes what it holds") {
  Filled dispatcher({1000, 500}, 2);
  const result::Part held = *dispatcher.take(0);
  REQUIRE(held == result::Part{0, 0, 1000});
  dispatcher.close(0);
  CHECK(dispatcher.working() == 1);
  CHECK_FALSE(dispatcher.take(0));
  CHECK_FALSE(dispatcher.try_take(0));
  dispatcher.finish(0, {0, 0, 400}, 1);
  const result::Part other = *dispatcher.take(1);
  CHECK(other == result::Part{1, 0, 500});
  dispatcher.finish(1, other, 1);
  dispatcher.drop(0); // then it is lost after all: the other gets its parts
  CHECK(dispatcher.working() == 1);
  CHECK(dispatcher.take(1) == result::Part{0, 400, 600});
  dispatcher.finish(1, {0, 400, 600}, 1);
  CHECK_FALSE(dispatcher.take(1));
}

TEST_CASE("dispatcher: nobody waits for a fast device that is closed") {
  Filled dispatcher({8 * tera}, 2);
  for (int i = 0; i < 2; ++i) // both become known
    for (const std::size_t device : {0, 1}) {
      const result::Part part = *dispatcher.take(device);
      dispatcher.finish(device, part, static_cast<double>(part.count) / (device == 0 ? 1e15 : 1e9));
    }
  REQUIRE_FALSE(dispatcher.try_take(1)); // it is better to leave it to the fast one
  dispatcher.close(0);
  CHECK(dispatcher.try_take(1));
}

TEST_CASE("dispatcher: a device beside closed ones is alone") {
  Filled dispatcher({tera}, 3);
  dispatcher.close(1);
  dispatcher.close(2);
  CHECK(dispatcher.take(0) == result::Part{0, 0, tera}); // at once, because nobody else takes any of it
  dispatcher.drop(0);                                    // nobody is left then
  CHECK(dispatcher.working() == 0);
}

TEST_CASE("dispatcher: a device that waits is woken when it is closed") {
  Filled dispatcher({1000}, 2);
  REQUIRE(dispatcher.take(0));
  std::optional<result::Part> got = result::Part{};
  std::thread waiting([&] { got = dispatcher.take(1); });
  dispatcher.close(1);
  waiting.join();
  CHECK_FALSE(got);
}

TEST_CASE("dispatcher: one that waits for a faster one may be closed at the same moment") {
  for (int round = 0; round < 200; ++round) {
    Filled dispatcher({8 * tera}, 2);
    for (int i = 0; i < 2; ++i) // both rates become known
      for (const std::size_t device : {0, 1}) {
        const result::Part part = *dispatcher.take(device);
        dispatcher.finish(device, part, static_cast<double>(part.count) / (device == 0 ? 1e15 : 1e9));
      }
    std::thread waiting([&] { (void)dispatcher.take(1); });
    dispatcher.close(0);
    dispatcher.close(1);
    waiting.join();
    CHECK(dispatcher.working() == 0);
  }
}

TEST_CASE("dispatcher: of very many that wait each is woken in time") {
  constexpr std::size_t devices = 64;
  constexpr std::uint64_t fields = 3000;
  std::atomic<std::uint64_t> finished = 0;
  for (const unsigned seed : {1U, 2U, 3U}) {
    finished = 0;
    Dispatcher dispatcher(fields * 100, devices);
    std::vector<std::thread> threads;
    for (std::size_t device = 0; device < devices; ++device)
      threads.emplace_back([&, device] {
        std::mt19937 random(seed * 1000 + static_cast<unsigned>(device));
        for (std::uint32_t taken = 1;; ++taken) {
          const auto part = dispatcher.take(device);
          if (!part)
            return;
          if (device % 8 == 7 && taken == 20) { // others get its part
            dispatcher.drop(device);
            return;
          }
          const uint128 count = 1 + random() % static_cast<std::uint64_t>(part->count);
          dispatcher.shorten(device, *part, count);
          dispatcher.finish(device, {part->field, part->first, count},
                            1e-6 * static_cast<double>(count) * (device % 3 == 0 ? 1 : 100));
          finished += static_cast<std::uint64_t>(count);
        }
      });
    for (std::uint64_t i = 0; i < fields; ++i)
      REQUIRE(dispatcher.add(field_of(100)));
    dispatcher.complete();
    for (std::thread& thread : threads)
      thread.join();
    CHECK(finished == fields * 100);
  }
}

TEST_CASE("dispatcher: of a field some of which is done the rest is given") {
  for (const std::size_t devices : {1, 3}) {
    Dispatcher dispatcher(400, devices);
    job::Coverage done(0, 10);
    done.add(30, 60);
    done.add(99, 100);
    CHECK(dispatcher.add(field_of(100), done));
    CHECK(dispatcher.add(field_of(100), job::Coverage(0, 100))); // no part is left
    CHECK(dispatcher.add(field_of(100), job::Coverage(0, 99)));
    CHECK(dispatcher.add(field_of(100)));
    CHECK_THROWS_AS((void)dispatcher.add(field_of(100), job::Coverage(50, 101)), SoundnessError);
    dispatcher.complete();
    std::map<std::size_t, job::Coverage> given;
    while (const auto part = dispatcher.take(0)) {
      given[part->field].add(static_cast<int128>(part->first), static_cast<int128>(part->first + part->count));
      dispatcher.finish(0, *part, 0.1);
    }
    CHECK(given[0] == done.complement_in(job::Coverage(0, 100)));
    CHECK_FALSE(given.contains(1));
    CHECK(given[2] == job::Coverage(99, 100));
    CHECK(given[3] == job::Coverage(0, 100));
  }
}

TEST_CASE("dispatcher: after stop() nothing is added or given") {
  Dispatcher dispatcher(100, 1);
  CHECK(dispatcher.add(field_of(50)));
  dispatcher.stop();
  CHECK_FALSE(dispatcher.add(field_of(50)));
  CHECK_FALSE(dispatcher.take(0));
}

TEST_CASE("dispatcher: whoever finds fields faster than they are searched waits") {
  Dispatcher dispatcher(100000, 1);
  std::atomic<int> added = 0;
  std::thread finding([&] {
    while (dispatcher.add(field_of(1)))
      ++added;
  });
  while (added < 4096)
    std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(added == 4096);
  REQUIRE(dispatcher.take(0));
  while (added < 4097)
    std::this_thread::yield();
  dispatcher.stop();
  finding.join();
  CHECK(added == 4097);
}

TEST_CASE("dispatcher: where there is no memory, nothing is lost or finished twice") {
  int failures = 1;
  for (long before = 0; failures > 0; ++before) { // the number of each call's allocations that succeed
    CAPTURE(before);
    failures = 0;
    Filled dispatcher({tera, tera}, 2);
    const auto call = [&](const auto& function) {
      allocations_left = before;
      try {
        function();
        allocations_left = -1;
        return true;
      } catch (const std::bad_alloc&) {
        allocations_left = -1;
        ++failures;
        return false;
      }
    };
    uint128 finished = 0;
    for (int round = 0; round < 8; ++round) {
      std::optional<result::Part> part;
      call([&] { part = dispatcher.try_take(0); });
      if (!part)
        continue;
      const result::Part middle{part->field, part->first + part->count / 4, part->count / 2};
      if (call([&] { dispatcher.finish(0, middle, 1, 0.1); }))
        finished += middle.count;
    }
    dispatcher.drop(0);
    while (const auto part = dispatcher.try_take(1)) {
      dispatcher.finish(1, *part, 1);
      finished += part->count;
    }
    CHECK(finished == 2 * tera);
    CHECK_FALSE(dispatcher.holds(1));
  }
}

} // namespace tmd::searches
