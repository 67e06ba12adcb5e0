#include "library/library_process.hpp"

#include "library/library_worker.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <semaphore>
#include <string_view>

#include <fmt/format.h>
#include <sys/mman.h>

namespace tmd::library {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// A place among the processes that begin to use a device, while it lives. Drivers make contexts one after the other:
// many processes that wait for each other in a driver would all seem to hang.
class DeviceStart {
public:
  DeviceStart() { places().acquire(); }
  DeviceStart(const DeviceStart&) = delete;
  DeviceStart& operator=(const DeviceStart&) = delete;
  ~DeviceStart() { places().release(); }

private:
  using Places = std::counting_semaphore<>;
  static Places& places() {
    constexpr std::ptrdiff_t at_once = 4;
    static Places all(at_once);
    return all;
  }
};

constexpr auto end_patience = 10s;         // until a process whose channel is closed has ended
constexpr std::size_t most_text = 1 << 20; // bytes of a line

void throw_failure(const std::string& line) {
  if (line.starts_with(worker_fails))
    throw DeviceError(line.substr(1));
}

} // namespace

LibraryProcess::LibraryProcess(std::string program, std::vector<std::string> arguments, Manner manner)
    : program_(std::move(program)), arguments_(std::move(arguments)), manner_(manner),
      block_(manner.size, manner.operands), output_(::memfd_create("tmd-output", MFD_CLOEXEC)) {}

void LibraryProcess::start() {
  std::optional<DeviceStart> place;
  if (manner_.is_device)
    place.emplace();
  auto [ours, theirs] = support::make_socket_pair();
  text_.clear();
  channel_ = std::move(ours);
  child_.emplace(program_, arguments_,
                 support::ChildStreams{-1, output_.number(), {theirs.number(), block_.descriptor()}});
  theirs.close();
  std::string line;
  const auto begin = Clock::now();
  const auto fail = [&](const std::string& why) {
    if (manner_.is_device)
      throw DeviceError(fmt::format("cannot build the function: {}", why));
    throw UsageError(fmt::format("cannot load the library: {}", why));
  };
  while (!take_line(text_, line)) {
    if (!channel_.is_open())
      fail("the process that does: " + child_->wait(end_patience).value_or(support::ProcessEnd{}).sentence());
    if (Clock::now() - begin > manner_.load_patience)
      fail("that does not end");
    if (text_.size() > most_text)
      fail("it does not say whether it has");
    (void)child_->read(channel_, text_, 50ms);
  }
  if (line.starts_with(worker_refuses))
    throw UsageError(line.substr(1));
  throw_failure(line);
}

std::optional<LibraryAnswer> LibraryProcess::call_from(std::uint64_t first) {
  if (!child_)
    start();
  auto& cursor = block_.header().cursor;
  cursor.store(first, std::memory_order_relaxed);
  (void)channel_.send(fmt::format("{}\n", first)); // that nobody reads it shows below
  std::string line;
  std::uint64_t seen = first;
  auto last = Clock::now();
  for (;;) {
    (void)child_->read(channel_, text_, 50ms);
    if (take_line(text_, line) && line == worker_is_done)
      return std::nullopt;
    throw_failure(line);
    if (!line.empty() || text_.size() > most_text)
      return LibraryAnswer{LibraryAnswer::Kind::crashed, "it wrote into the channel between two processes of tmd"};
    if (!channel_.is_open())
      return LibraryAnswer{LibraryAnswer::Kind::crashed,
                           child_->wait(end_patience).value_or(support::ProcessEnd{}).sentence()};
    const std::uint64_t now = cursor.load(std::memory_order_relaxed);
    if (now != seen)
      last = Clock::now();
    else if (Clock::now() - last > manner_.patience)
      return LibraryAnswer{LibraryAnswer::Kind::hung, "it did not return"};
    seen = now;
  }
}

std::vector<LostCall> LibraryProcess::call(std::size_t count, std::size_t most) {
  SharedCalls::Header& header = block_.header();
  if (header.noted != 0)
    for (const Direction direction : directions)
      std::fill_n(block_.notes(direction), SharedCalls::most, std::uint8_t(0));
  header.noted = 0;
  const std::uint64_t calls = manner_.nearest_only ? count : directions.size() * count;
  std::uint64_t at_once = calls;
  std::vector<LostCall> lost;
  for (std::uint64_t first = 0; first < calls && lost.size() <= most;) {
    const std::uint64_t end = std::min(first + at_once, calls);
    header.count = count; // each time: a library that writes where it should not may have written here
    header.calls = end;
    const auto answer = call_from(first);
    at_once = calls;
    if (!answer) {
      first = end;
      continue;
    }
    child_.reset();
    if (manner_.is_device && end - first > manner_.lanes) {
      at_once = std::max<std::uint64_t>(manner_.lanes, (end - first) / 2);
      continue;
    }
    const std::uint64_t cursor = header.cursor.load(std::memory_order_relaxed);
    const std::uint64_t call = cursor >= first && cursor < end ? cursor : first;
    const std::uint64_t size =
        std::min<std::uint64_t>(manner_.lanes, count - call % count); // that were called together
    for (std::uint64_t lane = 0; lane < size; ++lane)
      lost.push_back({(call + lane) % count, directions.at(call / count), *answer});
    first = call + size;
  }
  return lost;
}

} // namespace tmd::library
