// Events are handled in the order of their times, and the clock jumps from each to the next: nothing sleeps. A device
// answers when the time that its rate gives for a part has gone by.
#include "app/lab/simulation.hpp"

#include "app/lab/production.hpp"
#include "number/random.hpp"
#include "opencl/device.hpp"
#include "result/journal.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <utility>

namespace tmd::cluster {

namespace {

constexpr std::size_t search_number = 1;
// Devices of other ranks ask for the next part when this much of the last one is left.
constexpr double ahead_seconds = 0.015;

// Processor seconds of this thread, whatever else the machine does.
double processor_seconds() {
  timespec now{};
  (void)::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double arguments_of(const engine::Field& field, uint128 count) {
  return static_cast<double>(count) *
         (static_cast<double>(field.arguments.count) / static_cast<double>(field.extent()));
}

// What parts cost. The unit is an argument of average cost.
class Work {
public:
  explicit Work(const Simulation& simulation) : asked_(simulation) {
    for (const engine::Field& field : asked_.fields) {
      begins_.push_back(total_);
      total_ += arguments_of(field, field.extent());
    }
  }

  [[nodiscard]] double total() const { return total_; }

  [[nodiscard]] double of(const result::Part& part, const engine::Field& field) const {
    const double arguments = arguments_of(field, part.count);
    if (asked_.costs.empty())
      return arguments;
    const auto shares = static_cast<double>(asked_.costs.size());
    const double first = (begins_[part.field] + arguments_of(field, part.first)) / total_ * shares;
    const double last = first + arguments / total_ * shares;
    double cost = 0;
    for (std::size_t i = 0; i < asked_.costs.size(); ++i) {
      const auto begin = static_cast<double>(i);
      cost += asked_.costs[i] * std::max(0.0, std::min(last, begin + 1) - std::max(first, begin));
    }
    return cost / sum(asked_.costs) * total_;
  }

private:
  const Simulation& asked_;
  std::vector<double> begins_; // for each field, the number of arguments in those before it
  double total_ = 0;
};

// Rank 0 of the search, with the real dispatcher, journal and messages. It does one thing after the other, and each
// takes as long as it takes here.
class RankZero {
public:
  explicit RankZero(const Simulation& simulation)
      : asked_(simulation), dispatcher_(arguments(), simulation.rates.size()), journal_(simulation.journal),
        devices_(simulation.rates.size()) {
    result::JournalHeader header;
    header.program = result::running_program({});
    journal_.begin(header, asked_.job);
    std::vector<opencl::DeviceDescription> descriptions(devices_.size());
    for (std::size_t i = 0; i < descriptions.size(); ++i)
      descriptions[i].index = i;
    journal_.begin_run(header.program, asked_.job, descriptions);
  }

  // Messages that rank 0 sends at one moment, each with the number of its device.
  struct Answers {
    double at;
    std::vector<std::pair<std::size_t, std::string>> messages;
  };

  // A message came at this moment; `body` does what it asks for.
  template <typename Body> [[nodiscard]] Answers serve(double at, const Body& body) {
    now_ = std::max(at, free_at_);
    free_at_ = now_;
    (void)charge([&] {
      body();
      return true;
    });
    ++served_.messages;
    // Serves waiting devices with the parts that there are now, the fastest first.
    while (!waiting_.empty()) {
      const std::size_t device = waiting_.begin()->second;
      if (!charge([&] { return devices_[device].lost_at || give(device); }))
        break;
      stop_waiting(device);
    }
    return {free_at_, std::exchange(answers_, {})};
  }

  void take(std::size_t number) {
    const Received request = read_message(R"({"type":"take","search":1,"device":0})");
    if (is_lost(number) || give(number))
      return;
    if (complete_)
      devices_[number].refused_at = now_;
    wait(number);
  }

  void deliver(std::size_t number, const std::string& told) {
    const result::PartResult result = read_result(asked_.job, read_message(told), names_);
    dispatcher_.finish(number, result.part, result.seconds, result.fixed_seconds);
    if (devices_[number].place) { // finish() has changed its rate
      stop_waiting(number);
      wait(number);
    }
    const engine::Field field = dispatcher_.field(result.part.field);
    finished_ += arguments_of(field, result.part.count);
    ended_ = now_;
    if (field.is_claimed())
      journal_.searched(number, result::ClaimIdentity::of(asked_.job, field),
                        static_cast<uint128>(arguments_of(field, result.part.count)), result);
    else
      journal_.searched(
          number, job::ranks_of(asked_.job.arguments(), field.arguments, result.part.first, result.part.count), result);
    ++served_.records;
  }

  void lose(std::size_t number) {
    if (dispatcher_.working() == 1 || is_lost(number)) // somebody is left
      return;
    (void)dispatcher_.drop(number);
    devices_[number].lost_at = now_;
  }

  [[nodiscard]] engine::Field field(std::size_t number) { return dispatcher_.field(number); }
  [[nodiscard]] bool is_lost(std::size_t number) const { return devices_[number].lost_at.has_value(); }
  // The end of the search for this device: a device that is lost is missed from then on.
  [[nodiscard]] double end_of(std::size_t number) const { return devices_[number].lost_at.value_or(ended_); }

  // The search as rank 0 sees it. Throws SoundnessError if not all of this work has been delivered once.
  [[nodiscard]] SimulatedSearch finish(double total) {
    if (std::abs(finished_ - total) > 1e-6 * total || dispatcher_.take(0))
      throw SoundnessError("the simulated search has not searched everything once");
    served_.seconds = ended_;
    for (const Device& device : devices_)
      if (device.refused_at && !device.lost_at)
        served_.end_game = std::max(served_.end_game, ended_ - *device.refused_at);
    return served_;
  }

private:
  struct Device {
    std::optional<double> lost_at;
    std::optional<double> refused_at;                    // since then it has got nothing
    std::optional<std::pair<double, std::size_t>> place; // among those that wait
  };

  [[nodiscard]] uint128 arguments() const {
    uint128 result = 0;
    for (const engine::Field& field : asked_.fields)
      result += field.arguments.count;
    return result;
  }

  // Lets rank 0 do something; returns whether there was anything to do.
  template <typename Body> bool charge(const Body& body) {
    const double start = processor_seconds();
    const bool done = body();
    const double seconds = asked_.service ? (done ? *asked_.service : 0) : processor_seconds() - start;
    served_.busy += seconds;
    free_at_ += seconds;
    return done;
  }

  // A device's place in the order in which the dispatcher wakes waiting devices.
  void wait(std::size_t number) {
    const double rate = dispatcher_.rate(number);
    devices_[number].place = {rate == 0 ? -std::numeric_limits<double>::infinity() : -rate, number};
    waiting_.insert(*devices_[number].place);
  }

  void stop_waiting(std::size_t number) {
    waiting_.erase(*devices_[number].place);
    devices_[number].place.reset();
  }

  void add_fields() {
    constexpr std::size_t few = 1024; // far below the number at which the dispatcher waits
    while (next_field_ < asked_.fields.size() && next_field_ < begun_fields_ + few)
      (void)dispatcher_.add(asked_.fields[next_field_++]);
    if (next_field_ == asked_.fields.size() && !std::exchange(complete_, true))
      dispatcher_.complete();
  }

  // Hands the device a part, if there is one for it.
  bool give(std::size_t number) {
    add_fields();
    const auto part = dispatcher_.try_take(number);
    if (!part)
      return false;
    begun_fields_ = std::max(begun_fields_, part->field);
    result::Json answer = message("parts", search_number);
    answer["device"] = 0;
    answer["parts"].push_back(assignment_record({*part, dispatcher_.field(part->field)}));
    answers_.emplace_back(number, to_text(answer));
    devices_[number].refused_at.reset();
    ++served_.parts;
    return true;
  }

  const Simulation& asked_;
  searches::Dispatcher dispatcher_;
  result::Journal journal_;
  Names names_;
  std::vector<Device> devices_;
  std::set<std::pair<double, std::size_t>> waiting_;         // devices for which there was nothing
  std::vector<std::pair<std::size_t, std::string>> answers_; // to what rank 0 serves
  double now_ = 0;
  double free_at_ = 0; // when rank 0 has served all that came
  double finished_ = 0;
  double ended_ = 0;
  std::size_t next_field_ = 0;
  std::size_t begun_fields_ = 0;
  bool complete_ = false;
  SimulatedSearch served_;
};

// The clock with its events, and the devices.
class Run {
public:
  explicit Run(const Simulation& simulation)
      : asked_(simulation), random_(simulation.seed), work_(simulation), rank_(simulation),
        devices_(simulation.rates.size()) {}

  SimulatedSearch run() {
    begin();
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      switch (event.kind) {
      case Kind::asks:
        serve(event.at, [&] { rank_.take(event.device); });
        break;
      case Kind::delivers:
        if (const std::string told = next_result(event.device); !told.empty())
          serve(event.at, [&] { rank_.deliver(event.device, told); });
        break;
      case Kind::is_lost:
        serve(event.at, [&] { rank_.lose(event.device); });
        break;
      case Kind::gets:
        get(event.at, event.device);
        break;
      }
    }
    return finish();
  }

private:
  enum class Kind { asks, delivers, is_lost, gets };

  struct Event {
    double at;
    std::uint64_t number; // among events of one moment, the one with the least number comes first
    Kind kind;
    std::size_t device;

    // std::priority_queue serves the greatest event first
    friend bool operator<(const Event& left, const Event& right) {
      return std::pair(left.at, left.number) > std::pair(right.at, right.number);
    }
  };

  // A part of what a device has searched, which it sends to rank 0.
  struct Report {
    result::Part part;
    double seconds;
    double fixed_seconds;
  };

  struct Device {
    double free_at = 0; // when it will have searched everything that it has
    double worked = 0;
    std::deque<std::string> coming; // what rank 0 has sent
    std::deque<Report> reports;     // on their way to rank 0
  };

  void begin() {
    const double expected = work_.total() / sum(asked_.rates);
    for (std::size_t i = 0; i < asked_.losses; ++i)
      push(expected * uniform(), Kind::is_lost,
           static_cast<std::size_t>(uniform() * static_cast<double>(devices_.size())));
    for (std::size_t i = 0; i < devices_.size(); ++i)
      push(asked_.latency, Kind::asks, i);
  }

  // A uniformly distributed number from 0 to 1.
  [[nodiscard]] double uniform() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }

  void push(double at, Kind kind, std::size_t device) { events_.push({at, number_++, kind, device}); }

  template <typename Body> void serve(double at, const Body& body) {
    RankZero::Answers answers = rank_.serve(at, body);
    for (auto& [device, message] : answers.messages) {
      devices_[device].coming.push_back(std::move(message));
      push(answers.at + asked_.latency, Kind::gets, device);
    }
  }

  // The next message of a device; empty if the device is lost.
  [[nodiscard]] std::string next_result(std::size_t number) {
    if (rank_.is_lost(number))
      return {};
    Device& device = devices_[number];
    const Report report = device.reports.front();
    device.reports.pop_front();
    result::PartResult result;
    result.part = report.part;
    result.seconds = report.seconds;
    result.planning_seconds = std::max(report.seconds / 100, report.fixed_seconds);
    result.fixed_seconds = report.fixed_seconds;
    add_cases(rank_.field(report.part.field), result);
    result.candidates = 2 * result.found.size();
    return to_text(message("result", search_number), result);
  }

  // Adds as many cases as are expected by chance.
  void add_cases(const engine::Field& field, result::PartResult& result) {
    cases_ += job::expected_cases(asked_.job, static_cast<uint128>(arguments_of(field, result.part.count)));
    for (; cases_ >= 1; cases_ -= 1)
      result.found.push_back(
          {field.is_claimed() ? field.arguments.argument(0)
                              : field.arguments.argument(result.part.first + result.found.size() % result.part.count),
           static_cast<double>(asked_.job.K) + uniform(), Breakpoint::midpoint, Case::Kind::hard});
  }

  // A part arrives at a device, which begins with it when those before are done.
  void get(double now, std::size_t number) {
    if (rank_.is_lost(number))
      return;
    Device& device = devices_[number];
    const auto [part, field] = read_assignment(result::Json::parse(device.coming.front()).at("parts").at(0), names_);
    device.coming.pop_front();
    const double work = work_.of(part, field) / asked_.rates[number];
    const double seconds = work * (1 + asked_.jitter * (2 * uniform() - 1));
    const double start = std::max(now, device.free_at) + asked_.overhead;
    device.free_at = start + seconds;
    device.worked += work;
    const auto reports = std::max<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(seconds / result_seconds)), 1);
    uint128 done = 0;
    for (std::uint64_t i = 1; i <= reports; ++i) {
      const uint128 until = i == reports ? part.count : part.count / reports * i;
      if (until == done)
        continue;
      const double share = static_cast<double>(until - done) / static_cast<double>(part.count);
      const double fixed = done == 0 ? asked_.overhead : 0;
      device.reports.push_back({{part.field, part.first + done, until - done}, fixed + seconds * share, fixed});
      push(start + seconds * static_cast<double>(i) / static_cast<double>(reports) + asked_.latency, Kind::delivers,
           number);
      done = until;
    }
    push(std::max(now, device.free_at - ahead_seconds) + asked_.latency, Kind::asks, number);
  }

  SimulatedSearch finish() {
    SimulatedSearch result = rank_.finish(work_.total());
    double capacity = 0;
    double worked = 0; // what a lost device had not delivered is done twice
    double time = 0;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      const double until = rank_.end_of(i);
      capacity += asked_.rates[i] * until;
      worked += std::min(devices_[i].worked, until);
      time += until;
    }
    result.ideal = work_.total() / capacity * result.seconds;
    result.idle = 1 - worked / time;
    return result;
  }

  const Simulation& asked_;
  number::Random random_;
  Work work_;
  RankZero rank_;
  Names names_;
  std::vector<Device> devices_;
  std::priority_queue<Event> events_;
  std::uint64_t number_ = 0; // of the next event
  double cases_ = 0;         // expected and not yet found
};

} // namespace

SimulatedSearch simulate(const Simulation& simulation) { return Run(simulation).run(); }

} // namespace tmd::cluster
