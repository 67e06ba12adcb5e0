// Messages are handled by the messenger's thread, which must not wait: a request for a unit is answered at once, and a
// result is delivered by the hooks under their own lock. A unit is a rank's until its result has come; when the rank
// fails, it is given back, and rank 0 searches it after its own. Only results that have come count, and each is in the
// journal before the next is read: so a rank that is killed, which ends all of them, loses only its own units.
#include "run/power_ranks.hpp"

#include "cluster/messages.hpp"
#include "pairs/ranges.hpp"
#include "request/spec_json.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace tmd::run {

namespace {

constexpr std::string_view kind = "powers";

result::Json order_of(const PowerRequest& request) {
  result::Json order{
      {"function", request.job.function->name}, {"bits", request.job.K}, {"spec", request_record(request.spec)}};
  if (request.job.ranges)
    order["ranges"] = *request.job.ranges;
  return order;
}

PowerRequest read_order(const result::Json& order) {
  PowerRequest request;
  request.spec = request::spec_of_json(order.at("spec"));
  request.job = pairs::job_of_record(order, find_format(request.spec.format), request.spec.rounding);
  request.job.K = order.at("bits");
  pairs::check_boxes_serve(request.job);
  return request;
}

result::Json unit_record(const pairs::PowerUnit& unit) {
  return {{"first", unit.first}, {"last", unit.last}, {"cost", unit.cost}};
}

result::Json result_record(const pairs::PowerPart& part) {
  result::Json record{{"part", pairs::part_record(part, part.device)}, {"hard", result::Json::array()}};
  for (const pairs::PairCase& one : part.work.found.cases())
    record["hard"].push_back({one.found.bits, one.found.breakpoint == Breakpoint::midpoint});
  return record;
}

pairs::PowerPart read_result(const result::Json& record, const pairs::PairJob& job, const pairs::PowerLines& lines) {
  pairs::RecordedPart recorded = pairs::read_part(record.at("part"), job, lines);
  const result::Json& hard = record.at("hard");
  std::vector<pairs::PairCase> cases;
  for (std::size_t i = 0; i < recorded.cases.size(); ++i) {
    Case found;
    found.bits = hard.at(i).at(0);
    found.breakpoint = hard.at(i).at(1).get<bool>() ? Breakpoint::midpoint : Breakpoint::representable;
    cases.push_back({recorded.cases[i], found});
  }
  recorded.part.work.found.add_cases(std::move(cases));
  recorded.part.work.found.add_undecided(std::move(recorded.undecided));
  recorded.part.device = record.at("part").at("device");
  return std::move(recorded.part);
}

} // namespace

std::optional<pairs::PowerUnit> PowerUnits::next() {
  const std::lock_guard lock(mutex_);
  if (left_.empty())
    return std::nullopt;
  const pairs::PowerUnit unit = left_.back();
  left_.pop_back();
  return unit;
}

void PowerUnits::give_back(const pairs::PowerUnit& unit) {
  const std::lock_guard lock(mutex_);
  left_.push_back(unit);
}

bool PowerUnits::empty() const {
  const std::lock_guard lock(mutex_);
  return left_.empty();
}

PowerRanks::PowerRanks(Ranks& ranks, const PowerRequest& request, std::string kernels)
    : ranks_(ranks), job_(request.job), lines_(request.job), kernels_(std::move(kernels)),
      others_(static_cast<std::size_t>(ranks.leader.ranks())) {
  ranks_.leader.open_other(kind, result::version_text(), order_of(request),
                           [this](int from, const result::Json& message) { receive(from, message); });
}

PowerRanks::~PowerRanks() {
  ranks_.leader.forget();
  ranks_.leader.send_stop();
}

void PowerRanks::receive(int from, const result::Json& message) {
  const std::string type = message.at("type");
  std::unique_lock lock(mutex_);
  Rank& rank = others_.at(static_cast<std::size_t>(from));
  if (type == "opened") {
    open(from, rank, message);
  } else if (type == "refused") {
    failure_ = cluster::read_failure(message);
  } else if (type == "take") {
    if (units_ == nullptr)
      ++rank.waiting;
    else
      answer(from, rank);
  } else if (type == "result") {
    take_result(rank, message);
  } else if (type == "lost") {
    lose(from, rank, message);
  } else if (type == "closed") {
    rank.has_closed = true;
    was_interrupted_ |= message.at("interrupted").get<bool>();
  } else {
    throw DeviceError("unknown message");
  }
  changed_.notify_all();
}

void PowerRanks::open(int from, Rank& rank, const result::Json& message) {
  const std::string host = message.at("host");
  if (const std::string kernels = message.at("kernels"); kernels != kernels_)
    failure_ = std::make_exception_ptr(
        DeviceError(fmt::format("rank {} ({}) has the kernels {}, and rank 0 has {}: their results cannot be combined",
                                from, host, kernels, kernels_)));
  if (const std::string job = message.at("job"); job != pairs::describe(job_))
    failure_ = std::make_exception_ptr(DeviceError(
        fmt::format("rank {} ({}) understands the search as {}, not as {}", from, host, job, pairs::describe(job_))));
  for (const result::Json& one : message.at("devices")) {
    rank.uses.push_back(cluster::read_device_use(one));
    rank.uses.back().rank = from;
  }
  if (const std::string why = message.at("without"); !why.empty())
    rank.without = fmt::format("rank {} ({}) has no device: {}", from, host, why);
  rank.has_opened = true;
}

void PowerRanks::answer(int to, Rank& rank) {
  const std::optional<pairs::PowerUnit> unit = stops_ ? std::nullopt : units_->next();
  if (unit)
    rank.units.push_back(*unit);
  ranks_.leader.send(to, unit ? "unit" : "done", unit ? unit_record(*unit) : result::Json::object());
}

void PowerRanks::take_result(Rank& rank, const result::Json& message) {
  if (stops_ && failure_)
    return;
  try {
    pairs::PowerPart part = read_result(message, job_, lines_);
    const auto unit = std::find_if(rank.units.begin(), rank.units.end(), [&](const pairs::PowerUnit& one) {
      return one.first == part.first && one.last == part.last;
    });
    if (unit == rank.units.end() || part.device >= rank.devices)
      throw SoundnessError("a rank has searched lines that it was not given");
    rank.units.erase(unit);
    part.device += rank.first_device;
    hooks_.searched(std::move(part));
  } catch (...) { // an error of the search itself, which ends here
    failure_ = std::current_exception();
    stops_ = true;
  }
}

void PowerRanks::lose(int from, Rank& rank, const result::Json& message) {
  const std::exception_ptr failure = cluster::read_failure(message);
  rank.has_closed = true;
  try {
    std::rethrow_exception(failure);
  } catch (const FaultError&) {
    if (const result::Json& device = message.at("device"); !device.is_null())
      hooks_.faulty(rank.first_device + device.get<std::size_t>());
    failure_ = failure;
  } catch (const DeviceError& error) {
    hooks_.failed(from, rank.devices, error.what());
    lost_ = failure;
  } catch (...) {
    failure_ = failure;
  }
  stops_ |= failure_ != nullptr;
  for (const pairs::PowerUnit& unit : std::exchange(rank.units, {}))
    units_->give_back(unit);
}

// Waits until done(), or a failure unless `ends`; then an interrupt is only told to the others.
template <typename Done> void PowerRanks::wait_for(const Done& done, const engine::Interrupt& interrupted, bool ends) {
  constexpr std::chrono::milliseconds patience(50);
  std::unique_lock lock(mutex_);
  const auto are_done = [&] {
    return std::all_of(others_.begin() + 1, others_.end(), done) || ((failure_ || was_interrupted_) && !ends);
  };
  bool has_told = false;
  while (!changed_.wait_for(lock, patience, are_done)) {
    if (const std::exception_ptr failure = ranks_.leader.failure())
      std::rethrow_exception(failure);
    if (interrupted && interrupted()) {
      if (!ends)
        throw Interrupted();
      was_interrupted_ = true;
    }
    if ((was_interrupted_ || failure_) && !std::exchange(has_told, true)) {
      stops_ = true;
      ranks_.leader.send_stop();
    }
  }
}

std::vector<std::string> PowerRanks::wait_until_opened(const engine::Interrupt& interrupted) {
  wait_for([](const Rank& rank) { return rank.has_opened; }, interrupted, false);
  const std::lock_guard lock(mutex_);
  if (failure_)
    std::rethrow_exception(failure_);
  std::vector<std::string> without;
  for (auto rank = others_.begin() + 1; rank != others_.end(); ++rank) {
    rank->first_device = devices_.size();
    rank->devices = rank->uses.size();
    devices_.insert(devices_.end(), rank->uses.begin(), rank->uses.end());
    if (!rank->without.empty())
      without.push_back(rank->without);
  }
  return without;
}

void PowerRanks::begin(PowerUnits& units, Hooks hooks) {
  const std::lock_guard lock(mutex_);
  units_ = &units;
  hooks_ = std::move(hooks);
  for (std::size_t rank = 1; rank < others_.size(); ++rank)
    for (; others_[rank].waiting > 0; --others_[rank].waiting)
      answer(static_cast<int>(rank), others_[rank]);
}

bool PowerRanks::have_failed() const {
  const std::lock_guard lock(mutex_);
  return stops_ || was_interrupted_;
}

bool PowerRanks::finish(const engine::Interrupt& interrupted) {
  wait_for([](const Rank& rank) { return rank.has_closed || rank.devices == 0; }, interrupted, true);
  const std::lock_guard lock(mutex_);
  if (failure_)
    std::rethrow_exception(failure_);
  return !was_interrupted_;
}

std::exception_ptr PowerRanks::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

void serve_powers(const result::Json& order, cluster::Mailbox& mailbox, const Place& place,
                  const RemarkHandler& on_remark, const engine::Interrupt& interrupted) {
  const PowerRequest request = read_order(order);
  PowerRun run(request, place, on_remark);
  result::Json opened{{"host", place.host},
                      {"kernels", run.kernels().digest},
                      {"job", pairs::describe(request.job)},
                      {"without", run.without()},
                      {"devices", result::Json::array()}};
  for (const result::DeviceUse& use : run.device_uses())
    opened["devices"].push_back(cluster::device_use_record(use));
  mailbox.send("opened", opened);
  if (run.device_uses().empty())
    return;
  std::mutex asking;
  const auto next = [&]() -> std::optional<pairs::PowerUnit> {
    const std::lock_guard lock(asking);
    mailbox.send("take", result::Json::object());
    const std::optional<result::Json> answer = mailbox.next();
    if (!answer || answer->at("type") == "done")
      return std::nullopt;
    return pairs::PowerUnit{answer->at("first"), answer->at("last"), answer->at("cost")};
  };
  result::Json end{{"device", nullptr}};
  try {
    run.search_units_of(
        next, [&](const pairs::PowerPart& part) { mailbox.send("result", result_record(part)); },
        [&](std::size_t device) { end["device"] = device; },
        [&] { return mailbox.has_stopped() || (interrupted && interrupted()); });
    mailbox.send("closed", {{"interrupted", interrupted && interrupted()}});
  } catch (const std::exception& error) {
    cluster::write_failure(end, error);
    mailbox.send("lost", end);
  }
}

} // namespace tmd::run
