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

class Run {
public:
  explicit Run(const Simulation& simulation)
      : asked_(simulation), random_(simulation.seed), dispatcher_(arguments(), simulation.rates.size()),
        journal_(simulation.journal), devices_(simulation.rates.size()) {
    for (const engine::Field& field : asked_.fields) {
      begins_.push_back(total_);
      total_ += arguments_of(field, field.extent());
    }
  }

  SimulatedSearch run() {
    begin();
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      switch (event.kind) {
      case Kind::asks:
        serve(event, [&] { return take(event.device); });
        break;
      case Kind::delivers:
        if (const std::string told = next_result(event.device); !told.empty())
          serve(event, [&] { return deliver(event.device, told); });
        break;
      case Kind::is_lost:
        serve(event, [&] { return lose(event.device); });
        break;
      case Kind::gets:
        get(event.device);
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

  // A part that a device searches, and the result that it then sends.
  struct Report {
    result::Part part;
    double seconds;
    double fixed_seconds;
  };

  struct Device {
    double free_at = 0; // when it will have searched everything that it has
    double worked = 0;
    double ended_at = 0; // when its last part was done
    bool is_lost = false;
    std::optional<double> refused_at;                    // since when it has got nothing
    std::optional<std::pair<double, std::size_t>> place; // its place among the waiting devices
    std::deque<std::string> coming;                      // messages that rank 0 has sent
    std::deque<Report> reports;                          // results on their way to rank 0
  };

  [[nodiscard]] uint128 arguments() const {
    uint128 result = 0;
    for (const engine::Field& field : asked_.fields)
      result += field.arguments.count;
    return result;
  }

  void begin() {
    result::JournalHeader header;
    header.program = result::running_program({});
    journal_.begin(header, asked_.job);
    std::vector<opencl::DeviceDescription> descriptions(devices_.size());
    for (std::size_t i = 0; i < descriptions.size(); ++i)
      descriptions[i].index = i;
    journal_.begin_run(header.program, asked_.job, descriptions);
    const double expected = total_ / sum(asked_.rates);
    for (std::size_t i = 0; i < asked_.losses; ++i)
      push(expected * uniform(), Kind::is_lost,
           static_cast<std::size_t>(uniform() * static_cast<double>(devices_.size())));
    for (std::size_t i = 0; i < devices_.size(); ++i)
      push(asked_.latency, Kind::asks, i);
  }

  // A uniformly distributed number from 0 to 1.
  [[nodiscard]] double uniform() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }

  void push(double at, Kind kind, std::size_t device) { events_.push({at, number_++, kind, device}); }

  // Lets rank 0 do something; returns whether there was anything to do.
  template <typename Body> bool charge(const Body& body) {
    const double start = processor_seconds();
    const bool done = body();
    const double seconds = asked_.service ? (done ? *asked_.service : 0) : processor_seconds() - start;
    served_.busy += seconds;
    served_until_ += seconds;
    return done;
  }

  // Rank 0 does one thing after the other; each takes as long on this clock as here.
  template <typename Body> void serve(const Event& event, const Body& body) {
    now_ = std::max(event.at, served_until_);
    served_until_ = now_;
    (void)charge([&] {
      body();
      return true;
    });
    ++served_.messages;
    // Serves waiting devices with the parts that there are now, the fastest first.
    while (!waiting_.empty()) {
      const std::size_t device = waiting_.begin()->second;
      if (!charge([&] { return devices_[device].is_lost || give(device); }))
        break;
      stop_waiting(device);
    }
    for (const std::size_t device : answered_)
      push(served_until_ + asked_.latency, Kind::gets, device);
    answered_.clear();
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
    devices_[number].coming.push_back(to_text(answer));
    devices_[number].refused_at.reset();
    ++served_.parts;
    answered_.push_back(number);
    return true;
  }

  void take(std::size_t number) {
    const Received request = read_message(R"({"type":"take","search":1,"device":0})");
    if (devices_[number].is_lost || give(number))
      return;
    if (complete_)
      devices_[number].refused_at = now_;
    wait(number);
  }

  // Schedules the next message of the device, or its loss.
  [[nodiscard]] std::string next_result(std::size_t number) {
    Device& device = devices_[number];
    if (device.is_lost)
      return {};
    const Report report = device.reports.front();
    device.reports.pop_front();
    result::PartResult result;
    result.part = report.part;
    result.seconds = report.seconds;
    result.planning_seconds = std::max(report.seconds / 100, report.fixed_seconds);
    result.fixed_seconds = report.fixed_seconds;
    add_cases(dispatcher_.field(report.part.field), result);
    result.candidates = 2 * result.found.size();
    return to_text(message("result", search_number), result);
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

  // Draws a number of cases, as many as chance gives.
  void add_cases(const engine::Field& field, result::PartResult& result) {
    cases_ += job::expected_cases(asked_.job, static_cast<uint128>(arguments_of(field, result.part.count)));
    for (; cases_ >= 1; cases_ -= 1)
      result.found.push_back(
          {field.is_claimed() ? field.arguments.argument(0)
                              : field.arguments.argument(result.part.first + result.found.size() % result.part.count),
           static_cast<double>(asked_.job.K) + uniform(), Breakpoint::midpoint, Case::Kind::hard});
  }

  void lose(std::size_t number) {
    Device& device = devices_[number];
    if (dispatcher_.working() == 1 || std::exchange(device.is_lost, true)) // as long as one device is left
      return;
    (void)dispatcher_.drop(number);
    device.ended_at = now_;
  }

  // The cost of a part, in arguments of average cost.
  [[nodiscard]] double work_of(const result::Part& part, const engine::Field& field) const {
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

  // The device begins with a part when it has finished those before.
  void get(std::size_t number) {
    Device& device = devices_[number];
    if (device.is_lost)
      return;
    const auto [part, field] = read_assignment(result::Json::parse(device.coming.front()).at("parts").at(0), names_);
    device.coming.pop_front();
    const double work = work_of(part, field) / asked_.rates[number];
    const double seconds = work * (1 + asked_.jitter * (2 * uniform() - 1));
    const double start = std::max(now_, device.free_at) + asked_.overhead;
    device.free_at = start + seconds;
    device.worked += work;
    device.ended_at = device.free_at;
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
    push(std::max(now_, device.free_at - ahead_seconds) + asked_.latency, Kind::asks, number);
  }

  SimulatedSearch finish() {
    if (std::abs(finished_ - total_) > 1e-6 * total_ || dispatcher_.take(0))
      throw SoundnessError("the simulated search has not searched everything once");
    SimulatedSearch result = served_;
    result.seconds = ended_;
    // A lost device counts as missing from then on. The results that it had not delivered are made again.
    double capacity = 0;
    double worked = 0;
    double time = 0;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      const double until = devices_[i].is_lost ? devices_[i].ended_at : ended_;
      capacity += asked_.rates[i] * until;
      worked += std::min(devices_[i].worked, until);
      time += until;
      if (devices_[i].refused_at && !devices_[i].is_lost)
        result.end_game = std::max(result.end_game, ended_ - *devices_[i].refused_at);
    }
    result.ideal = total_ / capacity * ended_;
    result.idle = 1 - worked / time;
    return result;
  }

  const Simulation& asked_;
  number::Random random_;
  searches::Dispatcher dispatcher_;
  result::Journal journal_;
  Names names_;
  std::vector<Device> devices_;
  std::priority_queue<Event> events_;
  std::set<std::pair<double, std::size_t>> waiting_; // devices for which there was no part
  std::vector<std::size_t> answered_;                // devices that rank 0 answers at this moment
  std::uint64_t number_ = 0;
  double now_ = 0;
  double served_until_ = 0;
  std::vector<double> begins_; // for each field, the number of arguments in those before it
  double total_ = 0;           // arguments
  double finished_ = 0;
  double cases_ = 0;
  double ended_ = 0;
  std::size_t next_field_ = 0;
  std::size_t begun_fields_ = 0;
  bool complete_ = false;
  SimulatedSearch served_;
};

} // namespace

SimulatedSearch simulate(const Simulation& simulation) { return Run(simulation).run(); }

} // namespace tmd::cluster
