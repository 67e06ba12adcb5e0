#include "tune/worker.hpp"

#include "tmd/error.hpp"
#include "tune/trial.hpp"

#include <chrono>
#include <iostream>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tmd::tune {

namespace {

using Clock = std::chrono::steady_clock;

std::string dump(const Message& message) {
  return message.dump(-1, ' ', true, Message::error_handler_t::replace) + "\n";
}

} // namespace

Worker::Worker(std::vector<std::string> command, double first_seconds)
    : command_(std::move(command)), first_seconds_(first_seconds) {}

void Worker::start() {
  auto [ours, theirs] = make_socket_pair();
  process_.emplace(command_.front(), std::vector<std::string>(command_.begin() + 1, command_.end()),
                   ChildStreams{theirs.number(), theirs.number(), {}});
  channel_ = std::move(ours);
  received_.clear();
}

void Worker::stop() {
  process_.reset();
  channel_.close();
}

Answer Worker::died() {
  using namespace std::chrono_literals;
  const auto end = process_->wait(200ms);
  const std::string how = end ? end->sentence() : "it closed its output";
  const std::string words = process_->last_words();
  stop();
  return {Answer::Kind::died, {}, words.empty() ? how : fmt::format("{}: {}", how, words)};
}

Answer Worker::ask(const Message& request, const std::function<bool()>& interrupted) {
  if (!process_)
    start();
  using namespace std::chrono_literals;
  constexpr auto look_around = 50ms; // for what the user wants, and the time
  std::string step = "starting";
  const auto after = [](double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  };
  auto deadline = after(first_seconds_);
  if (!channel_.send(dump(request)))
    return died();
  for (;;) {
    for (auto end = received_.find('\n'); end != std::string::npos; end = received_.find('\n')) {
      const Message message = Message::parse(received_.substr(0, end), nullptr, false);
      received_.erase(0, end + 1);
      if (!message.is_object())
        continue; // some runtimes print
      if (!message.contains("step")) {
        // A driver that failed once may fail in this process for ever.
        if (message.contains("state") && message["state"] == to_string(State::runtime))
          stop();
        return {Answer::Kind::message, message, {}};
      }
      step = message["step"].is_string() ? message["step"].get<std::string>() : "";
      deadline = after(message.contains("allow") && message["allow"].is_number() ? message["allow"].get<double>() : 0);
    }
    if (interrupted && interrupted()) {
      stop();
      throw Interrupted();
    }
    if (Clock::now() > deadline) {
      stop();
      return {Answer::Kind::timeout, {}, fmt::format("{} took too long", step)};
    }
    (void)process_->read(channel_, received_, look_around);
    if (!channel_.is_open())
      return died();
  }
}

void serve(const std::function<Message(const Message&, const Announce&)>& respond) {
  // Runtimes that print must not disturb the answers.
  const Descriptor answers(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  const auto write = [&](const Message& message) {
    if (!answers.write(dump(message)))
      throw DeviceError("the tuning that this worker belongs to has ended");
  };
  for (std::string line; std::getline(std::cin, line);)
    write(respond(Message::parse(line, nullptr, false), [&](const std::string& step, double allow) {
      write({{"step", step}, {"allow", allow}});
    }));
}

} // namespace tmd::tune
