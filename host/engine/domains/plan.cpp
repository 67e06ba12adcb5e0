// N, kappa and the test are chosen by predicted cost, from plain numbers. The ledger of the choice is then computed
// with rigorous bounds; if these are too large for the test, the next smaller N is taken.
#include "engine/domains/plan.hpp"

#include "engine/domains/batch.hpp"
#include "engine/domains/tunables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tmd::engine::domains {

namespace {

constexpr int most_domains_bits = 26; // in an interval: indices of sub-domains have 32 bits
constexpr std::uint64_t shortest_interval = 32;
constexpr int max_degree = 12;
constexpr long fraction_bits = 448; // for the Taylor coefficients; the ledger shows if it is too few
// The Taylor remainder is kept this far below ε, so that it costs no survivors.
constexpr long taylor_margin_bits = 8;
// Survivors of a test over N·2ε'', as measured on exp: Lefèvre's test keeps those with a hit, the regular one places up
// to 2·N points.
constexpr double regular_points = 1.7;
constexpr double lefevre_points = 1;

enum class Method { none, filtered, exhaustive };

// The best costs of each method, per argument.
struct KindCosts {
  double regular = std::numeric_limits<double>::infinity();
  double lefevre = std::numeric_limits<double>::infinity();
  double exhaustive = std::numeric_limits<double>::infinity();
};

// A possible choice for an interval.
struct DomainChoice {
  Method method = Method::none;
  Test test = Test::regular;
  int domain_bits = 0;
  int split_bits = 0;
  double cost = std::numeric_limits<double>::infinity(); // per argument
  KindCosts costs;
};

// The plain numbers on which the choice of N and κ depends: a choice needs no proof, its ledger does.
struct Shape {
  double polynomial_error; // ε + taylor
  double slope;            // bound of |first difference|
  double curvature;        // |second difference|
  double third_difference;
  const DomainOptions* options;

  [[nodiscard]] double polynomial_cost() const {
    return options->device_makes_polynomials ? options->costs[domain_cost("polynomial")]
                                             : options->costs[domain_cost("polynomial-by-host")];
  }
  [[nodiscard]] double error(int domain_bits) const {
    return polynomial_error + third_difference / 6 * std::exp2(3 * domain_bits) + std::exp2(domain_bits - 64);
  }
  // The bound of phases 1 and 2; `bits`: log2 of the domain or sub-domain.
  [[nodiscard]] double bound(double error, int bits) const {
    return error + curvature * std::exp2(2 * bits - 4) + std::exp2(bits - options->length_bits1 - 1);
  }
  // The share of tests that answer "maybe", as predicted; 1 and more if all do. The regular test takes its first
  // quotient, of 1 by the slope, whole: it places that many points, however few the domain has.
  [[nodiscard]] double expected(Test test, double error, int bits) const {
    const double points = test == Test::regular ? std::max(regular_points * std::exp2(bits), 1 / slope)
                                                : lefevre_points * std::exp2(bits);
    const double limit = bound(error, bits);
    return limit < 0.25 ? 2 * points * limit : std::numeric_limits<double>::infinity();
  }
  // The predicted share, corrected by feedback.
  [[nodiscard]] double survivors(Test test, double error, int bits) const {
    const double factor = options->feedback ? options->feedback->factor(test) : 1.0;
    return std::min(1.0, factor * expected(test, error, bits));
  }
  [[nodiscard]] double cost(Test test, int domain_bits, int split_bits) const {
    const device::Costs& costs = options->costs;
    const double limit = error(domain_bits);
    const int sub_bits = domain_bits - split_bits;
    const double one_test = test == Test::regular ? 1.0 : costs[domain_cost("lefevre")];
    const double phase2 = survivors(test, limit, domain_bits) * std::exp2(split_bits);
    // A sub-domain that survives does so whatever its domain does: the shares of the phases do not multiply.
    const double phase3 =
        std::min(phase2, survivors(test, limit, sub_bits) * std::exp2(split_bits)) * std::exp2(sub_bits);
    return (polynomial_cost() + (1 + phase2) * one_test + phase3 * costs[domain_cost("argument")]) *
               std::exp2(-domain_bits) +
           2 * limit * costs[device::shared_cost("confirmation")];
  }
  [[nodiscard]] double exhaustive_cost(int domain_bits) const {
    const device::Costs& costs = options->costs;
    const double limit = error(domain_bits);
    return limit < 0.25 && curvature < 0.25
               ? polynomial_cost() * std::exp2(-domain_bits) + costs[domain_cost("argument")] +
                     2 * limit * costs[device::shared_cost("confirmation")]
               : std::numeric_limits<double>::infinity();
  }
};

Shape shape_of(const polynomial::TaylorPolynomial& taylor, const number::Bound& epsilon, const DomainOptions& options) {
  const number::Bound reach(taylor.count / 2 + 1);
  return {(epsilon + taylor.remainder).value(), taylor.derivative_bound(1, reach).value(),
          taylor.derivative_bound(2, reach).value(), taylor.derivative_bound(3, reach).value(), &options};
}

DomainChoice cheapest(const Shape& shape, const DomainOptions& options, std::uint64_t count) {
  DomainChoice best;
  best.cost = options.costs[device::shared_cost("confirmation")] / 2; // otherwise MPFR is cheaper
  KindCosts costs;
  const auto consider = [&](Method method, Test test, int domain_bits, int split_bits, double cost) {
    double& of_kind = method == Method::exhaustive ? costs.exhaustive
                      : test == Test::regular      ? costs.regular
                                                   : costs.lefevre;
    of_kind = std::min(of_kind, cost);
    if (cost < best.cost && (method == Method::exhaustive || !options.exhaustive_only))
      best = {method, test, domain_bits, split_bits, cost, {}};
  };
  const int longest = std::clamp(bit_length(count - 1), fewest_domain_bits, most_domain_bits);
  const int most = std::min(options.domain_bits.value_or(most_domain_bits), longest);
  const int fewest = options.domain_bits ? most : fewest_domain_bits;
  for (int domain_bits = most; domain_bits >= fewest_domain_bits; --domain_bits) {
    if (domain_bits < fewest && best.method != Method::none)
      break; // a smaller N than requested only if the requested one cannot be used
    if (options.exhaustive_only || !options.test)
      consider(Method::exhaustive, Test::regular, domain_bits, 0, shape.exhaustive_cost(domain_bits));
    if (!(shape.bound(shape.error(domain_bits), domain_bits) < 0.25))
      continue;
    for (int split_bits = 1; split_bits <= std::min(most_split_bits, domain_bits - 1); ++split_bits)
      if (!options.split_bits || split_bits == std::min(*options.split_bits, domain_bits - 1))
        for (const Test test : {Test::regular, Test::lefevre})
          if (!options.test || (*options.test == Test::regular) == (test == Test::regular))
            consider(Method::filtered, test, domain_bits, split_bits, shape.cost(test, domain_bits, split_bits));
  }
  // A requested test is used wherever it filters at all, at any cost; elsewhere every argument is evaluated.
  for (int domain_bits = most; best.method == Method::none && options.test && domain_bits >= fewest_domain_bits;
       --domain_bits)
    consider(Method::exhaustive, Test::regular, domain_bits, 0, shape.exhaustive_cost(domain_bits));
  best.costs = costs;
  return best;
}

// The cheapest choice, with N and κ moved by their offsets; the test stays.
DomainChoice choose(const Shape& shape, const DomainOptions& options, std::uint64_t count) {
  const DomainChoice own = cheapest(shape, options, count);
  if (own.method != Method::filtered)
    return own;
  DomainOptions moved = options;
  moved.test = own.test;
  DomainChoice choice = own;
  if (options.domain_bits_offset != 0 && !options.domain_bits) {
    int domain_bits = std::clamp(own.domain_bits + options.domain_bits_offset, fewest_domain_bits, most_domain_bits);
    while (domain_bits > own.domain_bits && !(shape.bound(shape.error(domain_bits), domain_bits) < 0.25))
      --domain_bits;
    moved.domain_bits = domain_bits;
    choice = cheapest(shape, moved, count);
  }
  if (options.split_bits_offset != 0 && !options.split_bits) {
    moved.domain_bits = choice.domain_bits;
    moved.split_bits = std::clamp(choice.split_bits + options.split_bits_offset, 1, most_split_bits);
    choice = cheapest(shape, moved, count);
  }
  choice.costs = own.costs; // they tell why the test was chosen
  return choice;
}

// The error of rounding a and b of the tests to fewer than 64 bits: 2^−(bits+1) each, for a at up to `size_bits`
// arguments.
number::Bound length_rounding(int bits, int size_bits) {
  return bits == 64 ? number::Bound()
                    : number::Bound::power_of_two(size_bits - bits - 1) + number::Bound::power_of_two(-bits - 1);
}

DomainLedger make_ledger(const number::Bound& epsilon, const polynomial::TaylorPolynomial& taylor,
                         const HierarchicalPolynomial& polynomial, const DomainOptions& options, int domain_bits,
                         int split_bits) {
  const int sub_bits = domain_bits - split_bits;
  const number::Bound rounding = number::Bound::power_of_two(domain_bits - 65) + number::Bound::power_of_two(-65);
  const number::Bound curvature_unit = number::Bound::power_of_two(-64 - static_cast<long>(polynomial.scale()));
  DomainLedger ledger;
  ledger.epsilon = epsilon;
  ledger.taylor = taylor.remainder;
  ledger.coefficients = polynomial.coefficient_error();
  ledger.high = polynomial.high();
  ledger.truncation1 = polynomial.curvature().scaled(2L * domain_bits - 4);
  ledger.truncation2 = polynomial.curvature().scaled(2L * sub_bits - 4);
  ledger.fixedpoint1 = rounding + length_rounding(options.length_bits1, domain_bits);
  // Rounding down of the refined line and slope, and of the curvature that refines them (refinement.clh).
  ledger.fixedpoint2 = rounding + number::Bound::power_of_two(-64) + number::Bound::power_of_two(sub_bits - 64) +
                       curvature_unit * (number::Bound::power_of_two(2L * domain_bits - 3) +
                                         number::Bound::power_of_two(domain_bits + sub_bits - 1)) +
                       length_rounding(options.length_bits2, sub_bits);
  // Rounding down at each addition of a difference; a run is at most a sub-domain.
  ledger.fixedpoint3 = rounding + number::Bound::power_of_two(-64) + number::Bound::power_of_two(sub_bits - 64) +
                       curvature_unit.scaled(2L * domain_bits - 1);
  return ledger;
}

} // namespace

DomainOptions domain_options(const EngineSettings& settings) {
  const device::Tunables& tunables = settings.tunables;
  DomainOptions options;
  options.domain_bits = settings.choices.domain_bits;
  options.split_bits = settings.choices.split_bits;
  options.domain_bits_offset = static_cast<int>(tunables[domain_tunable("plan.domain-bits-offset")]);
  options.split_bits_offset = static_cast<int>(tunables[domain_tunable("plan.split-bits-offset")]);
  if (const auto* found = std::find(test_names.begin(), test_names.end(), settings.choices.algorithm);
      found != test_names.end())
    options.test = static_cast<Test>(found - test_names.begin() + 1);
  options.exhaustive_only = settings.choices.algorithm == "exhaustive";
  options.length_bits1 = length_bits(static_cast<Division>(tunables[domain_tunable("phase1.division")]));
  options.length_bits2 = length_bits(static_cast<Division>(tunables[domain_tunable("phase2.division")]));
  options.device_makes_polynomials = settings.choices.polynomials == Polynomials::hybrid;
  if (options.device_makes_polynomials)
    options.packets.most_bits = static_cast<int>(tunables[domain_tunable("polynomials.packet-bits")]);
  options.costs = settings.costs;
  return options;
}

PlanReport DomainPlan::report() const {
  PlanReport report{exhaustive ? domain_methods.back() : to_string(test), {}, ledger.lines(), {}};
  report.facts = {{"degree", "degree", false, degree, degree},
                  {"words", "words", false, polynomial->words(), polynomial->words()},
                  {"domain_bits", "N =", true, domain_bits, domain_bits},
                  {"split_bits", "kappa =", true, split_bits, split_bits}};
  return report;
}

std::unique_ptr<Batch> DomainPlan::batch(std::uint64_t done) const {
  const std::uint64_t first_domain = done >> domain_bits;
  std::uint64_t most = limits.batch_domains;
  if (device_makes_polynomials) { // a device makes whole packets
    const std::uint64_t packet = polynomial->packet_size();
    most = std::max(most / packet * packet, packet);
  }
  const std::uint64_t domains = std::min(most, domain_count() - first_domain);
  return std::make_unique<DomainBatch>(device_makes_polynomials
                                           ? make_hybrid_batch(*this, first_domain, domains)
                                           : make_batch(*this, first_domain, domains, limits.host_threads));
}

// The offer for an interval that one Taylor polynomial serves.
class DomainOffer : public Offer {
public:
  DomainOffer(const DomainPlanner& planner, polynomial::TaylorPolynomial taylor, const DomainChoice& choice)
      : planner_(planner), taylor_(std::move(taylor)) {
    count = taylor_.count;
    prices = {{domain_methods[0], choice.costs.regular},
              {domain_methods[1], choice.costs.lefevre},
              {domain_methods[4], choice.costs.exhaustive}};
    if (choice.method != Method::none)
      cost = choice.cost;
  }
  [[nodiscard]] std::unique_ptr<Plan> plan() const override { return domain_plan(); }
  [[nodiscard]] std::unique_ptr<DomainPlan> domain_plan() const { return planner_.plan_with_polynomial(taylor_); }

private:
  const DomainPlanner& planner_;
  polynomial::TaylorPolynomial taylor_;
};

DomainPlanner::DomainPlanner(const polynomial::ScaledFunction& function, int K, DomainOptions options,
                             const DomainLimits& limits)
    : function_(function), options_(std::move(options)), limits_(limits), epsilon_(number::Bound::power_of_two(-K)) {}

std::unique_ptr<Offer> DomainPlanner::offer(uint128 first, uint128 most) { return offer_of(first, most); }

// Halves the interval until one Taylor polynomial serves it.
std::unique_ptr<DomainOffer> DomainPlanner::offer_of(uint128 first, uint128 most) {
  const auto asked = static_cast<std::uint64_t>(std::min<uint128>(most, longest_));
  for (std::uint64_t count = asked; count >= shortest_interval / 2; count /= 2) {
    auto taylor = polynomial::taylor_polynomial(function_, first, count, epsilon_.scaled(-taylor_margin_bits),
                                                max_degree, fraction_bits);
    if (!taylor)
      continue;
    // The function may be tamer further on. An interval that is short because no more was asked for tells nothing.
    if (count < asked || count == longest_)
      longest_ = std::min(2 * count, longest_interval);
    const DomainChoice choice = choose(shape_of(*taylor, epsilon_, options_), options_, taylor->count);
    return std::make_unique<DomainOffer>(*this, std::move(*taylor), choice);
  }
  if (asked == longest_)
    longest_ = std::max(longest_ / 2, 4 * shortest_interval);
  return nullptr;
}

std::unique_ptr<DomainPlan> DomainPlanner::plan(uint128 first, uint128 most) {
  const std::unique_ptr<DomainOffer> found = offer_of(first, most);
  return found ? found->domain_plan() : nullptr;
}

std::unique_ptr<DomainPlan> DomainPlanner::plan_with_polynomial(const polynomial::TaylorPolynomial& taylor) const {
  const Shape shape = shape_of(taylor, epsilon_, options_);
  DomainChoice choice = choose(shape, options_, taylor.count);
  // The rigorous bounds may be a little larger than the estimate: then the next smaller N is tried, and so on.
  while (choice.method != Method::none) {
    auto plan = std::make_unique<DomainPlan>();
    plan->first = taylor.first;
    plan->count = std::min(taylor.count, std::uint64_t(1) << (choice.domain_bits + most_domains_bits));
    plan->exhaustive = choice.method == Method::exhaustive;
    plan->test = plan->exhaustive ? choice.test : options_.test.value_or(choice.test);
    plan->length_bits1 = options_.length_bits1;
    plan->length_bits2 = options_.length_bits2;
    plan->domain_bits = choice.domain_bits;
    plan->split_bits = choice.split_bits;
    plan->degree = taylor.degree();
    plan->device_makes_polynomials = options_.device_makes_polynomials;
    plan->limits = limits_;
    plan->polynomial = std::make_shared<const HierarchicalPolynomial>(taylor, choice.domain_bits, options_.packets);
    plan->ledger = make_ledger(epsilon_, taylor, *plan->polynomial, options_, choice.domain_bits, choice.split_bits);
    if (!plan->exhaustive)
      plan->survivor_share = shape.expected(choice.test, shape.error(choice.domain_bits), choice.domain_bits);
    // The curvature is known modulo 1 only, but counts in sixteenths (refinement.clh): so it must be small.
    const bool sound =
        number::can_filter(plan->polynomial->curvature()) && number::can_filter(plan->ledger.phase3()) &&
        (plan->exhaustive || (number::can_filter(plan->ledger.phase1()) && number::can_filter(plan->ledger.phase2())));
    if (sound)
      return plan;
    if (choice.domain_bits == fewest_domain_bits)
      return nullptr;
    DomainOptions smaller = options_;
    smaller.domain_bits = choice.domain_bits - 1;
    choice = choose(shape, smaller, taylor.count);
  }
  return nullptr;
}

} // namespace tmd::engine::domains
