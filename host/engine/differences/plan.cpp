// A stretch of arguments is served by one Taylor polynomial. Stretches are halved where no polynomial serves them, and
// doubled again when some have been. Batches of many intervals are joined, so that a device is busy with each for a
// while.
#include "engine/differences/plan.hpp"

#include "engine/domains/tunables.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace tmd::engine::differences {

namespace {

// The other engines are asked again from time to time, sooner where f soon bends less.
constexpr std::uint64_t longest_plan = std::uint64_t(1) << 26;
constexpr std::uint64_t most_stretches = 64;                // of the first one's length
constexpr unsigned polynomials_of_batch = 64;               // so that an interrupt is soon seen
constexpr unsigned polynomials_of_a_length = 16;            // once one was too long, before a longer one is tried
constexpr std::uint64_t most_runs = std::uint64_t(1) << 18; // of joined batches
// As measured: in confirmations, and in arguments of the domains' tabulation.
constexpr double cost_of_polynomial = 8;
constexpr double cost_of_argument = 8;
constexpr double share_if_joined = 1.0 / 4; // of an interval's fixed cost

class DifferenceOffer : public Offer {
public:
  DifferenceOffer(const polynomial::ScaledFunction& function, int K, DifferenceStretch begin, std::uint64_t most,
                  const device::Costs& costs, bool joins)
      : function_(function), K_(K), begin_(std::make_shared<const DifferenceStretch>(std::move(begin))) {
    const double confirmation = costs[device::shared_cost("confirmation")];
    count = most;
    cost = confirmation * (cost_of_polynomial / static_cast<double>(begin_->count) + 2 * begin_->bound.value()) +
           cost_of_argument * costs[domains::domain_cost("argument")];
    interval_share = joins ? share_if_joined : 1;
    prices = {{differences_method, cost}};
  }
  [[nodiscard]] std::unique_ptr<Plan> plan() const override {
    auto plan = std::make_unique<DifferencePlan>(function_, K_, begin_);
    plan->first = begin_->first;
    plan->count = count;
    return plan;
  }

private:
  const polynomial::ScaledFunction& function_;
  int K_;
  std::shared_ptr<const DifferenceStretch> begin_;
};

template <typename Value> std::uint64_t greatest(const DifferenceBatch& batch, const Value& value) {
  std::uint64_t result = 0;
  for (const DifferenceStretch& one : batch.stretches)
    result = std::max<std::uint64_t>(result, value(one));
  return result;
}

} // namespace

bool DifferenceBatch::is_compact() const {
  std::size_t words = unserved.size();
  for (const DifferenceStretch& one : stretches)
    words += one.words.size();
  return words <= most_compact_words;
}

std::uint64_t DifferenceBatch::runs() const {
  std::uint64_t result = 0;
  for (const DifferenceStretch& one : stretches)
    result += one.runs();
  return result;
}

int DifferenceBatch::differences() const {
  constexpr int step = 3; // few programs, each with no more than two differences too many
  const auto most = static_cast<int>(greatest(*this, [](const auto& one) { return one.differences; }));
  return (std::max(most, 1) + step - 1) / step * step;
}

std::uint64_t DifferenceBatch::tolerance() const {
  return greatest(*this, [](const auto& one) { return one.tolerance(); });
}

std::uint64_t DifferenceBatch::seam_tolerance() const {
  return greatest(*this, [](const auto& one) { return one.seam_tolerance(); });
}

double DifferenceBatch::max_distance() const {
  if (!unserved.empty())
    return std::numeric_limits<double>::infinity();
  double result = 0;
  for (const DifferenceStretch& one : stretches)
    result = std::max(result, (one.bound.scaled(1) + number::Bound::power_of_two(-62)).value());
  return result;
}

bool DifferenceBatch::join(const Batch& other) {
  const auto* next = dynamic_cast<const DifferenceBatch*>(&other);
  if (next == nullptr || !next->joined.empty() || !unserved.empty() || !next->unserved.empty() ||
      differences() != next->differences() || runs() + next->runs() > most_runs)
    return false;
  joined.push_back(stretches.size());
  stretches.insert(stretches.end(), next->stretches.begin(), next->stretches.end());
  return true;
}

DifferencePlan::DifferencePlan(const polynomial::ScaledFunction& function, int K,
                               std::shared_ptr<const DifferenceStretch> begin)
    : function_(function), K_(K), begin_(std::move(begin)) {}

PlanReport DifferencePlan::report() const {
  const number::Bound epsilon = number::Bound::power_of_two(-K_);
  const number::Bound margin = epsilon.scaled(-margin_bits);
  const int run_bits = begin_->run_bits;
  return {differences_method,
          {{"run_bits", "polynomials of", true, run_bits, run_bits}},
          {{"epsilon", epsilon},
           {"taylor", margin},
           {"differences_rounding", margin},
           {"differences", epsilon + margin + margin, true}},
          {}};
}

std::unique_ptr<Batch> DifferencePlan::batch(std::uint64_t done) const {
  auto result = std::make_unique<DifferenceBatch>();
  std::uint64_t length = begin_->count;
  if (done == 0) {
    result->stretches.push_back(*begin_);
    result->arguments = begin_->count;
  }
  unsigned of_that_length = 0;
  unsigned enough_of_a_length = 1;
  const std::uint64_t most = count - done;
  while (result->stretches.size() < polynomials_of_batch && result->arguments < most) {
    const uint128 at = first + done + result->arguments;
    const std::uint64_t rest = most - result->arguments;
    const auto taylor = polynomial_of_runs(function_, K_, at, std::min(length, rest));
    if (auto stretch = taylor ? difference_stretch(*taylor, K_) : std::nullopt) {
      result->arguments += stretch->count;
      result->stretches.push_back(*std::move(stretch));
      if (++of_that_length >= enough_of_a_length && length < longest_stretch) {
        length *= 2;
        of_that_length = 0;
      }
      continue;
    }
    of_that_length = 0;
    enough_of_a_length = polynomials_of_a_length;
    if (length > shortest_run) {
      length = std::min(length, std::bit_ceil(rest)) / 2;
      continue;
    }
    if (result->arguments == 0) { // what cannot be served is a batch of its own
      result->arguments = std::min(shortest_run, rest);
      for (std::uint64_t i = 0; i < result->arguments; ++i)
        result->unserved.push_back(static_cast<std::uint64_t>(at) + i);
    }
    break;
  }
  return result;
}

std::unique_ptr<Offer> DifferencePlanner::offer(uint128 first, uint128 most) {
  const auto asked = static_cast<std::uint64_t>(std::min<uint128>(most, longest_plan));
  if (asked < shortest_run)
    return nullptr;
  const std::uint64_t longest = std::min(stretch_, std::bit_ceil(asked));
  for (std::uint64_t length = longest; length >= shortest_run; length /= 2) {
    const auto taylor = polynomial_of_runs(function_, K_, first, std::min(length, asked));
    auto stretch = taylor ? difference_stretch(*taylor, K_) : std::nullopt;
    if (!stretch)
      continue;
    if (length < longest || longest == stretch_)        // else it is short because no more was asked for
      stretch_ = std::min(2 * length, longest_stretch); // the function may be tamer further on
    return std::make_unique<DifferenceOffer>(function_, K_, *std::move(stretch),
                                             std::min(asked, most_stretches * length), costs_, joins_);
  }
  stretch_ = std::max(stretch_ / 2, 2 * shortest_run);
  return nullptr;
}

double DifferencePlanner::least_cost() const { return cost_of_argument * costs_[domains::domain_cost("argument")]; }

} // namespace tmd::engine::differences
