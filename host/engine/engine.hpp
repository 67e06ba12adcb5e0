// The seam between a search and the methods that it is made of. An engine is one method on one device: it says what it
// would do with the arguments at hand and at what price, plans what it is given, and searches it batch by batch. All
// that a search, its reports and its records know of an engine stands in this file; doc/developer/how-to-add.md says
// how to write one.
#pragma once

#include "device/tuning.hpp"
#include "engine/plan_report.hpp"
#include "engine/settings.hpp"
#include "engine/stage.hpp"
#include "job/job.hpp"
#include "job/pieces.hpp"
#include "job/stretch.hpp"
#include "number/random.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tmd::engine {

// Asked before every launch: whether to stop. By several threads at once.
using Interrupt = std::function<bool()>;

// What an engine has claimed as it is, before its output binades are looked at. Its coordinate is the engine's own,
// such as windows of a phase, and goes from 0 to extent − 1.
struct Claim {
  std::string_view engine;
  uint128 extent = 0;
  // How many of the arguments lie at first … first + count − 1 of the coordinate. All parts of it must add up to the
  // arguments claimed: a search counts them in the end. Null away from where the search is.
  std::function<uint128(uint128 first, uint128 count)> arguments_at = {};
  // Equal where, for the same arguments of the same function, the same arguments lie at every place, and different
  // elsewhere: journals keep parts under it, with which later runs go on. One short line.
  std::string coordinate = {};
  // The place at which an argument lies, by its index: it is among the arguments_at() of the parts that have the place.
  // Null away from where the search is.
  std::function<uint128(std::uint64_t index)> place_of = {};
  // Other functions than the job's that the same work is to serve.
  std::vector<const function::Function*> others = {};
};

// Arguments that no engine searches: every one is for MPFR alone.
struct Direct {};

// Arguments that are searched in one coordinate. That of a piece, whose values lie in one output binade, and of what is
// direct is the index of the arguments.
struct Field {
  job::Stretch arguments;
  std::variant<Direct, job::OutputBinade, Claim> kind = {};

  [[nodiscard]] static Field of(const job::Cut& cut) {
    return cut.values ? Field{cut.arguments, *cut.values} : Field{cut.arguments};
  }
  [[nodiscard]] bool is_direct() const { return std::holds_alternative<Direct>(kind); }
  [[nodiscard]] bool is_claimed() const { return std::holds_alternative<Claim>(kind); }
  // Null where it is none.
  [[nodiscard]] const Claim* claim() const { return std::get_if<Claim>(&kind); }
  [[nodiscard]] Claim* claim() { return std::get_if<Claim>(&kind); }
  [[nodiscard]] bool is_claimed_by(std::string_view engine) const { return is_claimed() && claim()->engine == engine; }
  // Of a piece; null where it is none.
  [[nodiscard]] const job::OutputBinade* values() const { return std::get_if<job::OutputBinade>(&kind); }
  [[nodiscard]] job::Piece piece() const { return {arguments, values()->negative, values()->exponent}; }
  // The coordinate goes from 0 to extent − 1.
  [[nodiscard]] uint128 extent() const { return is_claimed() ? claim()->extent : arguments.count; }
};

// Work for a device: some of a plan's coordinate, ready to be searched. Engines derive their own from it.
struct Batch {
  Batch() = default;
  Batch(const Batch&) = default;
  Batch& operator=(const Batch&) = default;
  Batch(Batch&&) = default;
  Batch& operator=(Batch&&) = default;
  virtual ~Batch() = default;

  // How much of the coordinate.
  [[nodiscard]] virtual std::uint64_t count() const = 0;
  // Whether it is so small, in memory, that very many may wait.
  [[nodiscard]] virtual bool is_compact() const { return false; }
  static constexpr std::size_t most_compact_words = std::size_t(1) << 14; // of 64 bits
  // Takes in another batch of the same engine and job, of any field, so that both are searched in one go. Returns
  // false, and nothing has changed, where that cannot be.
  [[nodiscard]] virtual bool join(const Batch& /*other*/) { return false; }
};

// How an engine searches first … first + count − 1 of a field's coordinate. Its ledger has been asserted: an engine
// makes no plan whose bounds would not filter.
class Plan {
public:
  Plan() = default;
  Plan(const Plan&) = default;
  Plan& operator=(const Plan&) = default;
  Plan(Plan&&) = default;
  Plan& operator=(Plan&&) = default;
  virtual ~Plan() = default;

  uint128 first = 0;
  std::uint64_t count = 0;
  std::uint64_t intervals = 1; // that it has joined, as reports count them

  [[nodiscard]] virtual PlanReport report() const = 0;
  // The batch that begins at first + done, as long as the device takes at once.
  [[nodiscard]] virtual std::unique_ptr<Batch> batch(std::uint64_t done) const = 0;
  // The same for `count` of it, from first + done on; null where that takes a plan of its own. Reports count the
  // intervals with the part that has the beginning.
  [[nodiscard]] virtual std::unique_ptr<Plan> part(std::uint64_t /*done*/, std::uint64_t /*count*/) const {
    return nullptr;
  }
};

// What an engine would do from a place of a field on, before the plan is made in earnest.
class Offer {
public:
  Offer() = default;
  Offer(const Offer&) = delete;
  Offer& operator=(const Offer&) = delete;
  virtual ~Offer() = default;

  std::uint64_t count = 0; // of the coordinate, that one plan would serve, or that MPFR had better do
  Prices prices;           // of each way that the engine has
  double cost = std::numeric_limits<double>::infinity(); // of the one that it would take; infinite: none
  double interval_share = 1; // of what an interval costs by itself, beside that: less where batches are to be joined

  // Null where rigorous bounds do not allow what the estimate did.
  [[nodiscard]] virtual std::unique_ptr<Plan> plan() const = 0;
};

// Plans one field. Used by one thread.
class Planner {
public:
  Planner() = default;
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;
  virtual ~Planner() = default;

  // For what begins at `first`, `most` or less of it; null where the engine does not serve.
  [[nodiscard]] virtual std::unique_ptr<Offer> offer(uint128 first, uint128 most) = 0;
  // No offer costs less: where another engine's does, this one need not be asked.
  [[nodiscard]] virtual double least_cost() const { return 0; }
};

// What a device found in a batch.
struct BatchResult {
  // Indices in the field's stretch of the arguments that may be cases, in any order, each once.
  std::vector<std::uint64_t> candidates;
  Stages stages;
  // No candidate of a device that did as it was told lies further from a breakpoint, in spacings.
  double reach = std::numeric_limits<double>::infinity();
  std::vector<std::vector<std::uint64_t>> of_others = {}; // candidates of the claim's other functions, one by one
  // Candidates of the batches that this one has taken in, in their order; those above are its own.
  std::vector<std::vector<std::uint64_t>> of_joined = {};
};

// One method on one device. One thread searches; others may plan at the same time, each with planners of its own.
class Engine {
public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  // As its kind says; what a claim names.
  [[nodiscard]] virtual std::string_view name() const = 0;
  // Null where the engine never serves the field.
  [[nodiscard]] virtual std::unique_ptr<Planner> planner(const job::Job& job, const Field& field) = 0;
  // A search begins that may need this engine, and other processes build what is not there: what it will use. By one
  // thread, before those that follow.
  virtual void prepare() {}
  // A batch is ready, and will be searched soon: what takes its time before that can be begun. By threads that plan.
  virtual void expect(const Batch& /*batch*/) {}
  // Searches a batch of one of its plans; what it finds counts only where the kernels that found it have passed a
  // self-test on the device. Throws DeviceError when the device fails, or answers wrongly; Interrupted when
  // `interrupt`, asked before every launch, says so.
  [[nodiscard]] virtual BatchResult search(const Batch& batch, const Interrupt& interrupt) = 0;
};

class Launcher;

// A search of some milliseconds.
struct EngineTrial {
  std::string_view function;
  std::string_view from;
  std::string_view to;
  std::string_view format;
  int bits = 0;
};

// A kind of engines: a line of the registry (engine/registry.cpp).
struct EngineKind {
  std::string_view name;
  // What --algorithm may ask for and this engine serves; also the methods that it has prices for.
  std::span<const std::string_view> algorithms;
  std::span<const Stage> stages; // in the order in which they are told
  // Claims a stretch, or a run of it, before its output binades are looked at, the same for all devices. Null where
  // the kind claims nothing.
  std::optional<Field> (*claim)(const job::Job& job, const Choices& choices, const job::Stretch& stretch) = nullptr;
  // An engine on the launcher's device; null where OpenCL does not promise what its proof needs of the device. Throws
  // DeviceError there when the engine was asked for by name.
  std::unique_ptr<Engine> (*open)(const std::shared_ptr<Launcher>& launcher, const EngineSettings& settings) = nullptr;
  // One that plans and prices as those do and searches nothing. Null: there is none.
  std::unique_ptr<Engine> (*open_to_plan)(const EngineSettings& settings) = nullptr;
  // Whether it serves functions in general, so that audits may be by it; else only where they are special.
  bool is_general = true;
  // What it searches alone where its first algorithm is asked for: to try a device with.
  EngineTrial trial = {};
  // Tunables, unlike those used, with which the engine searches its claims again in other steps: what was missed once
  // is unlikely to be missed then. Null where the kind claims nothing.
  device::Setting (*varied)(const device::Tunables& used, number::Random& random) = nullptr;
  // Its tunables and costs. Null: it has none.
  const device::TuningTable& (*tuning)() = nullptr;
};

} // namespace tmd::engine
