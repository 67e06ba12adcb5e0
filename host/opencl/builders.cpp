// One thread for each process writes a request to it and waits for its answer. A table of programs is shared under one
// mutex.
#include "opencl/builders.hpp"

#include "opencl/handles.hpp"
#include "support/child_process.hpp"
#include "support/descriptor.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

namespace tmd::opencl {

namespace {

using namespace std::chrono_literals;

constexpr auto tick = 20ms;           // interval at which a process is checked to be still needed
constexpr auto longest_idleness = 1s; // idle processes end, for they hold memory of the device

} // namespace

Builders::Builders(std::string program, std::vector<std::string> arguments, unsigned processes, Patience patience)
    : program_(std::move(program)), arguments_(std::move(arguments)), processes_(processes), patience_(patience) {}

Builders::~Builders() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_)
    thread.join();
}

void Builders::want(const std::string& key, std::string request) {
  {
    const std::lock_guard lock(mutex_);
    if (!wishes_.try_emplace(key, Wish{std::move(request)}).second)
      return;
    if (threads_.size() < processes_)
      threads_.emplace_back([this] { serve(); });
  }
  changed_.notify_all();
}

std::shared_ptr<void> Builders::await(const std::string& key) {
  std::unique_lock lock(mutex_);
  Wish& wish = wishes_.try_emplace(key).first->second;
  if (wish.state == State::wanted) {
    wish.state = State::begun;
    return {this, [key](Builders* builders) { builders->end(key); }};
  }
  changed_.wait(lock, [&] { return wish.state == State::over; });
  return nullptr;
}

bool Builders::is_wanted() const {
  return std::any_of(wishes_.begin(), wishes_.end(),
                     [](const auto& wish) { return wish.second.state == State::wanted; });
}

void Builders::serve() {
  constexpr int most_failures = 2; // the program itself may crash the process that builds it
  for (int failures = 0; failures < most_failures;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopping_ || is_wanted(); });
      if (stopping_)
        return;
    }
    failures += serve_with_child() ? 0 : 1;
  }
}

bool Builders::serve_with_child() {
  try {
    auto [ours, its] = support::make_socket_pair();
    support::PipeEnds answers = support::make_pipe();
    support::ChildProcess child(program_, arguments_, {its.number(), answers.in.number(), {}});
    its.close();
    answers.in.close();
    std::string said;
    if (!hear(child, answers.out, said, "ready\n"))
      return false;
    while (const auto key = begin_next()) {
      std::string request;
      {
        const std::lock_guard lock(mutex_);
        request = wishes_.at(*key).request;
      }
      const bool done = send(ours, request) && hear(child, answers.out, said, "done\n");
      end(*key);
      if (!done)
        return false;
    }
    return true;
  } catch (const Error&) { // without a process or a pipe this process builds alone
    return false;
  }
}

std::optional<std::string> Builders::begin_next() {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, longest_idleness, [&] { return stopping_ || is_wanted(); }) || stopping_)
    return std::nullopt;
  auto longest = wishes_.end();
  for (auto wish = wishes_.begin(); wish != wishes_.end(); ++wish)
    if (wish->second.state == State::wanted &&
        (longest == wishes_.end() || wish->second.request.size() > longest->second.request.size()))
      longest = wish;
  longest->second.state = State::begun;
  return longest->first;
}

void Builders::end(const std::string& key) {
  {
    const std::lock_guard lock(mutex_);
    wishes_.at(key) = {{}, State::over};
  }
  changed_.notify_all();
}

bool Builders::is_stopping() {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

// Writes in steps: a process that does not read would block its thread, and this process with it.
bool Builders::send(const support::Descriptor& to, const std::string& request) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t sent = 0; sent < request.size();) {
    if (is_stopping() || std::chrono::steady_clock::now() - start > patience_)
      return false;
    pollfd waiting{to.number(), POLLOUT, 0};
    if (::poll(&waiting, 1, static_cast<int>(tick.count())) <= 0)
      continue;
    const auto more = ::send(to.number(), request.data() + sent, request.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (more <= 0)
      return false;
    sent += static_cast<std::size_t>(more);
  }
  return true;
}

bool Builders::hear(support::ChildProcess& child, support::Descriptor& from, std::string& said,
                    const std::string& word) {
  const auto start = std::chrono::steady_clock::now();
  while (said.size() < word.size()) {
    if (!from.is_open() || is_stopping() || std::chrono::steady_clock::now() - start > patience_)
      return false;
    (void)child.read(from, said, tick);
  }
  const bool is_it = said.compare(0, word.size(), word) == 0;
  said.erase(0, word.size());
  return is_it;
}

std::string build_request(const std::string& options, const std::string& source) {
  return fmt::format("{} {}\n{}{}", options.size(), source.size(), options, source);
}

// Errors are ignored here: they show when the program is needed.
void serve_build_requests(std::size_t device) {
  const auto say = [](const char* word) {
    std::fputs(word, stdout);
    std::fflush(stdout);
  };
  const cl::Device of = device_handles().at(device).second;
  const cl::Context context(of);
  say("ready\n");
  std::size_t of_options = 0;
  std::size_t of_source = 0;
  while (std::cin >> of_options >> of_source) {
    std::string options(of_options, ' ');
    std::string source(of_source, ' ');
    std::cin.ignore();
    std::cin.read(options.data(), static_cast<std::streamsize>(of_options));
    std::cin.read(source.data(), static_cast<std::streamsize>(of_source));
    try {
      cl::Program(context, source).build(of, options.c_str());
    } catch (const cl::Error&) {
    }
    say("done\n");
  }
}

} // namespace tmd::opencl
