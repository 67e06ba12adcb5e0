// A whole search: range → pieces → intervals → batches of domains → candidates → confirmed cases.
#pragma once

#include "format/argument.hpp"
#include "format/grid.hpp"
#include "function/catalogue.hpp"
#include "engine/domains/search.hpp"
#include "engine/domains/plan.hpp"
#include "verify/confirm.hpp"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tmd {

// What is searched: every argument X of rank first … last − 1 with dist < 2^−K.
struct SearchJob {
  const Function* function = nullptr;
  Format format;
  int argument_precision = 53;
  Rounding rounding = Rounding::all;
  ArgumentSet::Rank first = 0;
  ArgumentSet::Rank last = 0;
  PlanOptions plan; // with K
  Polynomials polynomials = Polynomials::automatic;

  [[nodiscard]] ArgumentSet arguments() const { return {format, argument_precision}; }
  [[nodiscard]] BreakpointGrid grid() const { return {rounding, format.precision}; }
  [[nodiscard]] uint128 size() const { return static_cast<uint128>(last - first); }
};

// Sets the test, or `exhaustive`, by one of algorithm_names. Throws UsageError for another name.
void set_algorithm(PlanOptions& plan, std::string_view name);

// Whether the device makes the coefficients, when that is left to us: GPUs do, and CPUs in searches that are not short.
[[nodiscard]] Polynomials choose_polynomials(Polynomials asked, const opencl::DeviceDescription& device,
                                             uint128 arguments);

// Fits the plan's error terms and costs to a device and its tunables, and to who makes the coefficients (as chosen).
// Every search's plan needs it: the lengths of the tests belong in the ledger.
void adapt_plan(PlanOptions& plan, const DeviceSearch& device, Polynomials polynomials = Polynomials::host);

// Checks the range against the function's domain. Throws UsageError, naming the bound that lies outside.
void check_domain(const SearchJob& job);

// One piece as it was searched; for the ledger's table.
struct PieceReport {
  Piece piece;
  uint128 intervals = 0;
  uint128 direct_arguments = 0;                 // of those, decided in MPFR alone
  std::map<std::string, std::uint64_t> methods; // intervals by the test they got, or "exhaustive"
  PredictedCosts costs;                         // of the first interval with a polynomial: why it got that test
  int most_domain_bits = 0;                     // 0: no interval with domains
  int fewest_domain_bits = 0;
  int split_bits = 0;      // of the interval with the largest domains
  int most_group_bits = 0; // of the wide test's groups; 0: no interval with groups
  int fewest_group_bits = 0;
  int degree = 0; // largest
  int words = 0;  // largest
  Ledger ledger;  // term by term the largest

  // Else every argument went to MPFR.
  [[nodiscard]] bool has_polynomial() const { return most_domain_bits != 0 || most_group_bits != 0; }
};

struct Progress {
  uint128 done = 0; // arguments
  uint128 total = 0;
  std::uint64_t cases = 0;
  double seconds = 0;
  std::size_t devices = 1; // at work
};

// What one device did for a search.
struct DeviceReport {
  uint128 arguments = 0;
  PhaseCounts phases;  // what it left unfinished is not counted
  std::string failure; // why the device was lost; empty when it was not
};

struct SearchResult {
  std::vector<Case> cases; // hardest first
  std::vector<Case> exact; // by argument
  uint128 arguments = 0;   // covered; the whole range unless interrupted
  uint128 direct = 0;      // of these, decided in MPFR alone
  std::uint64_t candidates = 0;
  bool interrupted = false;
  PhaseCounts phases;
  double polynomial_seconds = 0; // host time for plans and coefficients, elapsed
  double seconds = 0;
  std::vector<PieceReport> pieces;
  std::vector<DeviceReport> devices; // in the order in which they were given
};

struct SearchHooks {
  std::function<void(const Progress&)> progress = {}; // after every batch; by one thread at a time
  std::function<bool()> interrupted = {};             // asked before every launch; by several threads at once
  // A device has failed, and others take its work: its index among the devices, and why. By one thread at a time.
  std::function<void(std::size_t, const std::string&)> lost = {};
};

// What a device found in a batch.
struct BatchResult {
  std::vector<std::uint64_t> candidates; // arguments, counted from the batch's first
  PhaseCounts counts;
};

// A device as run_search() uses it.
struct SearchDevice {
  PlanOptions plan;                      // fitted to the device; K is the job's
  bool hybrid = false;                   // batches come without coefficients: the device makes them
  std::uint64_t batch_domains = 1;       // that a batch may have
  std::uint64_t batch_sub_intervals = 1; // the same for the wide test
  unsigned host_threads = 1;             // that make its coefficients and confirm its candidates
  // Searches a batch; called by one thread. Throws DeviceError when the device fails, and Interrupted when the function
  // that it is given, and asks before every launch, says so.
  std::function<BatchResult(const DomainBatch&, const std::function<bool()>&)> search;
};

// A device that tests itself with every test before it uses it. `device` must outlive it.
[[nodiscard]] SearchDevice search_device(DeviceSearch& device, const PlanOptions& plan, Polynomials polynomials,
                                         unsigned host_threads);

// Runs a job on devices. For each, one thread plans and makes batches, and another has them searched and confirms what
// is found; for the first device, that is the calling thread (Oclgrind stands no other). A device that fails is lost:
// what it had not finished is done by the others, and nothing that it found there counts. The error of the last device
// is thrown. Throws SoundnessError when the arguments covered are not those of the range.
[[nodiscard]] SearchResult run_search(const SearchJob& job, std::span<const SearchDevice> devices,
                                      const SearchHooks& hooks = {});

// Runs a job on one device, with the job's plan.
[[nodiscard]] SearchResult run_search(const SearchJob& job, DeviceSearch& device, unsigned host_threads,
                                      const SearchHooks& hooks = {});

} // namespace tmd
