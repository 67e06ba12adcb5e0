// The interface between a search and its methods. An engine is one method on one device: it offers a price for the
// arguments at hand, plans those that it is given, and searches them batch by batch. All that a search, its reports and
// its records know of an engine is in this file; doc/developer/how-to-add.md says how to write one.
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

// Called before every launch: true stops the search. May be called by several threads at once.
using Interrupt = std::function<bool()>;

// A stretch that an engine has claimed whole, before its output binades are looked at. Its coordinate is the engine's
// own, such as windows of a phase, and goes from 0 to extent − 1.
struct Claim {
  std::string_view engine;
  uint128 extent = 0;
  // Number of the claimed arguments whose coordinate is in [first, first + count). Over all parts it must add up to the
  // arguments claimed, which a search checks in the end. Set only in the process that runs the search.
  std::function<uint128(uint128 first, uint128 count)> arguments_at = {};
  // One short line that identifies the coordinate: equal if and only if, for the same arguments of the same function,
  // the same arguments lie at every place. Journals record parts under it, for later runs to resume.
  std::string coordinate = {};
  // The place of an argument, by its index: arguments_at() counts it in the part that has this place. Set only in the
  // process that runs the search.
  std::function<uint128(std::uint64_t index)> place_of = {};
  // Equal for claims of other functions that the same work may serve. Empty: it serves none.
  std::string shared = {};
  // Other functions that the same work is to serve.
  std::vector<const function::Function*> companions = {};
  // Equal for claims of the same function, with coordinates of the same extent, that the same work may serve together:
  // those of opposite sign, or of other binades. Empty: it serves none.
  std::string family = {};
  // Other claims' arguments that the same work is to serve.
  std::vector<job::Stretch> others = {};
  // No thread plans a longer part: the others would have nothing to do meanwhile.
  std::uint64_t longest_part = std::uint64_t(1) << 62;
};

// Arguments that no engine searches: MPFR decides every one.
struct Direct {};

// Arguments that are searched in one coordinate. For a piece, whose values lie in one output binade, and for direct
// arguments it is their index.
struct Field {
  job::Stretch arguments;
  std::variant<Direct, job::OutputBinade, Claim> kind = {};

  [[nodiscard]] static Field of(const job::Cut& cut) {
    return cut.values ? Field{cut.arguments, *cut.values} : Field{cut.arguments};
  }
  [[nodiscard]] bool is_direct() const { return std::holds_alternative<Direct>(kind); }
  [[nodiscard]] bool is_claimed() const { return std::holds_alternative<Claim>(kind); }
  // Null if it is no claim.
  [[nodiscard]] const Claim* claim() const { return std::get_if<Claim>(&kind); }
  [[nodiscard]] Claim* claim() { return std::get_if<Claim>(&kind); }
  [[nodiscard]] bool is_claimed_by(std::string_view engine) const { return is_claimed() && claim()->engine == engine; }
  // The values' binade; null if it is no piece.
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

  // Length in the coordinate.
  [[nodiscard]] virtual std::uint64_t count() const = 0;
  // Whether it needs so little memory that very many may be queued.
  [[nodiscard]] virtual bool is_compact() const { return false; }
  static constexpr std::size_t most_compact_words = std::size_t(1) << 14; // words of 64 bits
  // Merges another batch of the same engine and job, of any field, into this one, so that both are searched in one go.
  // Returns false, changing nothing, if that is impossible.
  [[nodiscard]] virtual bool join(const Batch& /*other*/) { return false; }
};

// How an engine searches first … first + count − 1 of a field's coordinate. Its ledger has been checked: an engine
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
  std::uint64_t intervals = 1; // number of intervals that it joins, for reports

  [[nodiscard]] virtual PlanReport report() const = 0;
  // The batch that begins at first + done, as long as the device takes at once.
  [[nodiscard]] virtual std::unique_ptr<Batch> batch(std::uint64_t done) const = 0;
  // The plan for `count` of the coordinate, from first + done on; null if that needs a plan of its own. Reports count
  // the intervals with the part that has the beginning.
  [[nodiscard]] virtual std::unique_ptr<Plan> part(std::uint64_t /*done*/, std::uint64_t /*count*/) const {
    return nullptr;
  }
};

// An engine's offer for a field from some place on, by estimates, before a plan with rigorous bounds is made.
class Offer {
public:
  Offer() = default;
  Offer(const Offer&) = delete;
  Offer& operator=(const Offer&) = delete;
  virtual ~Offer() = default;

  std::uint64_t count = 0; // length of the coordinate that one plan would serve, or that MPFR had better do
  Prices prices;           // prices of all ways that the engine has
  double cost = std::numeric_limits<double>::infinity(); // cost of the best one; infinite: none
  double interval_share = 1; // share of an interval's fixed cost to be added: less if batches are to be joined

  // Null if the rigorous bounds do not allow what the estimate did.
  [[nodiscard]] virtual std::unique_ptr<Plan> plan() const = 0;
};

// Plans one field. Used by one thread.
class Planner {
public:
  Planner() = default;
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;
  virtual ~Planner() = default;

  // An offer for at most `most` arguments from `first` on; null if the engine does not serve.
  [[nodiscard]] virtual std::unique_ptr<Offer> offer(uint128 first, uint128 most) = 0;
  // A lower bound of all offers: if another engine's costs less, this one need not be asked.
  [[nodiscard]] virtual double least_cost() const { return 0; }
};

// The results of a device for a batch.
struct BatchResult {
  // Indices in the field's stretch of the arguments that may be cases, in any order, each once.
  std::vector<std::uint64_t> candidates;
  Stages stages;
  // Largest distance of a candidate from a breakpoint, in spacings, unless the device is faulty.
  double max_distance = std::numeric_limits<double>::infinity();
  // Candidates for each of the claim's other functions, then among the arguments of each of the other claims.
  std::vector<std::vector<std::uint64_t>> of_companions = {};
  // Candidates of the batches that were merged into this one, in their order; those above are its own.
  std::vector<std::vector<std::uint64_t>> of_joined = {};
};

// One method on one device. One thread searches; others may plan at the same time, each with planners of its own.
class Engine {
public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  // The name of its kind, which a claim names.
  [[nodiscard]] virtual std::string_view name() const = 0;
  // Null if the engine never serves the field.
  [[nodiscard]] virtual std::unique_ptr<Planner> planner(const job::Job& job, const Field& field) = 0;
  // A search begins that may need this engine: other processes begin to build its kernels. Called by one thread, before
  // the functions below.
  virtual void prepare() {}
  // A batch is ready and will be searched soon: slow preparations can begin. Called by threads that plan.
  virtual void expect(const Batch& /*batch*/) {}
  // Searches a batch of one of its plans. Results count only if the kernels have passed a self-test on the device.
  // Throws DeviceError if the device fails, or answers wrongly; Interrupted when `interrupt`, called before every
  // launch, returns true.
  [[nodiscard]] virtual BatchResult search(const Batch& batch, const Interrupt& interrupt) = 0;
};

class Launcher;

// A short search, of some milliseconds.
struct EngineTrial {
  std::string_view function;
  std::string_view from;
  std::string_view to;
  std::string_view format;
  int K = 0;
};

// A kind of engines: a line of the registry (engine/registry.cpp).
struct EngineKind {
  std::string_view name;
  // Values of --algorithm that this engine serves; also the methods that it has prices for.
  std::span<const std::string_view> algorithms;
  std::span<const Stage> stages; // in the order of reports
  // Claims a stretch, or a run of it, before its output binades are looked at, identically for all devices. Null if the
  // kind claims nothing.
  std::optional<Field> (*claim)(const job::Job& job, const Choices& choices, const job::Stretch& stretch) = nullptr;
  // An engine on the launcher's device; null if OpenCL does not promise what its proof needs of the device. In that
  // case throws DeviceError if the engine was asked for by name.
  std::unique_ptr<Engine> (*open)(const std::shared_ptr<Launcher>& launcher, const EngineSettings& settings) = nullptr;
  // An engine that only plans and estimates. Null: there is none.
  std::unique_ptr<Engine> (*open_to_plan)(const EngineSettings& settings) = nullptr;
  // Whether it serves functions in general, so that audits may use it; else only special ones.
  bool is_general = true;
  // A search that it does alone if its first algorithm is asked for: to try a device with.
  EngineTrial trial = {};
  // Tunables, different from those used, with which the engine searches its claims again in other steps: a case that
  // was missed once is unlikely to be missed again. Null if the kind claims nothing.
  device::Setting (*varied)(const device::Tunables& used, number::Random& random) = nullptr;
  // Its tunables and costs. Null: it has none.
  const device::TuningTable& (*tuning)() = nullptr;
};

} // namespace tmd::engine
