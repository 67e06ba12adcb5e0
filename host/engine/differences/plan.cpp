// A run of arguments is served by one Taylor polynomial: its differences at the first argument, modulo 1 in words of
// 128 bits, are added up from argument to argument, and their last sum must be the polynomial's value there. Runs are
// halved where no polynomial serves them, and doubled again when some have been.
#include "engine/differences/plan.hpp"

#include "number/arb.hpp"
#include "polynomial/taylor.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::differences {

namespace {

constexpr std::uint64_t shortest_run = 16; // shorter ones are no cheaper than MPFR
constexpr std::uint64_t longest_run = std::uint64_t(1) << 12;
constexpr std::uint64_t longest_plan = std::uint64_t(1) << 20; // the other engines are asked again from time to time
constexpr unsigned runs_of_batch = 64;                         // so that an interrupt is soon seen
constexpr unsigned runs_of_a_length = 16;                      // before a longer one is tried
// Each of what runs add to ε is this far below it, so that they cost no candidates.
constexpr long margin_bits = 8;
constexpr long word_bits = 128;
constexpr long fraction_bits = 192; // of the Taylor coefficients; where they are too few, runs are shorter
constexpr long value_bits = 66;     // F is below 2^66
// As measured, in confirmations.
constexpr double cost_of_run = 8;
constexpr double cost_of_argument = 5e-4;

// A ball's middle modulo 1, rounded to 2^-128; `error`: how far that may be from what is in the ball.
uint128 modulo_one(arb_srcptr ball, number::Bound& error) {
  number::Arb scaled;
  arb_mul_2exp_si(scaled, ball, word_bits);
  number::Integer nearest;
  arf_get_fmpz(nearest, arb_midref(static_cast<arb_srcptr>(scaled)), ARF_RND_NEAR);
  error = number::Bound::radius_of(ball) + number::Bound::power_of_two(-word_bits - 1);
  std::array<std::uint64_t, 2> words{};
  number::write_words(nearest, 2, words.data());
  return uint128(words[0]) << 64 | words[1];
}

number::Bound binomial(std::uint64_t n, int k) {
  number::Integer value;
  fmpz_bin_uiui(value, n, static_cast<ulong>(k));
  number::Arb ball;
  arb_set_fmpz(ball, value);
  return number::Bound::of(ball);
}

template <int Degree>
void list_near_integers_of(DifferenceTable& table, std::uint64_t count, std::uint64_t tolerance, std::uint64_t first,
                           std::vector<std::uint64_t>& near) {
  std::array<uint128, Degree + 1> row;
  std::copy_n(table.row.begin(), row.size(), row.begin());
  for (std::uint64_t i = 0; i < count; ++i) {
    if (static_cast<std::uint64_t>(row[0] >> 64) + tolerance <= 2 * tolerance)
      near.push_back(first + i);
    for (std::size_t order = 0; order < Degree; ++order)
      row[order] += row[order + 1];
  }
  std::copy(row.begin(), row.end(), table.row.begin());
}

using Lister = void (*)(DifferenceTable&, std::uint64_t, std::uint64_t, std::uint64_t, std::vector<std::uint64_t>&);

template <int... Degrees> constexpr auto listers_of(std::integer_sequence<int, Degrees...> /*degrees*/) {
  return std::array<Lister, sizeof...(Degrees)>{list_near_integers_of<Degrees>...};
}

constexpr auto listers = listers_of(std::make_integer_sequence<int, DifferenceTable::most_degree + 1>());

class DifferenceOffer : public Offer {
public:
  DifferenceOffer(const polynomial::ScaledFunction& function, int bits, std::uint64_t run, std::uint64_t most,
                  const DifferenceRun& first, double confirmation)
      : function_(function), bits_(bits), run_(run), first_(first.first) {
    count = most;
    cost = confirmation * (cost_of_run / static_cast<double>(run) + cost_of_argument + 2 * first.bound.value());
    prices = {{differences_method, cost}};
  }
  [[nodiscard]] std::unique_ptr<Plan> plan() const override {
    auto plan = std::make_unique<DifferencePlan>(function_, bits_, run_);
    plan->first = first_;
    plan->count = count;
    return plan;
  }

private:
  const polynomial::ScaledFunction& function_;
  int bits_;
  std::uint64_t run_;
  uint128 first_;
};

} // namespace

void list_near_integers(DifferenceTable& table, std::uint64_t count, std::uint64_t tolerance, std::uint64_t first,
                        std::vector<std::uint64_t>& near) {
  listers.at(static_cast<std::size_t>(table.degree))(table, count, tolerance, first, near);
}

std::optional<DifferenceRun> difference_run(const polynomial::ScaledFunction& function, int bits, uint128 first,
                                            std::uint64_t count) {
  const number::Bound epsilon = number::Bound::power_of_two(-bits);
  const number::Bound margin = epsilon.scaled(-margin_bits);
  const auto taylor =
      polynomial::taylor_polynomial(function, first, count, margin, DifferenceTable::most_degree, fraction_bits);
  if (!taylor)
    return std::nullopt;
  DifferenceRun run;
  run.first = first;
  run.count = count;
  const int degree = taylor->degree();
  run.table.degree = degree;
  constexpr long precision = fraction_bits + value_bits;
  number::ArbVector differences(degree + 1);
  for (int k = 0; k <= degree; ++k)
    taylor->evaluate(differences[k], static_cast<std::uint64_t>(k), precision);
  for (int order = 1; order <= degree; ++order)
    for (int k = degree; k >= order; --k)
      arb_sub(differences[k], differences[k], differences[k - 1], precision);
  for (int order = 0; order <= degree; ++order) {
    number::Bound error;
    run.table.row.at(static_cast<std::size_t>(order)) = modulo_one(differences[order], error);
    run.table.error += error * binomial(count, order); // Σ C(i, order)·difference at the i-th argument
  }
  number::Arb end;
  taylor->evaluate(end, count, precision);
  number::Bound error;
  run.end = modulo_one(end, error);
  run.table.error += error;
  run.bound = epsilon + taylor->remainder + run.table.error;
  return run.table.error < margin && number::can_filter(run.bound) ? std::optional(std::move(run)) : std::nullopt;
}

DifferencePlan::DifferencePlan(const polynomial::ScaledFunction& function, int bits, std::uint64_t run)
    : function_(function), bits_(bits), run_(run) {}

PlanReport DifferencePlan::report() const {
  const number::Bound epsilon = number::Bound::power_of_two(-bits_);
  const number::Bound margin = epsilon.scaled(-margin_bits);
  const int run_bits = std::bit_width(run_) - 1;
  return {differences_method,
          {{"run_bits", "polynomials of", true, run_bits, run_bits}},
          {{"epsilon", epsilon},
           {"taylor", margin},
           {"differences_rounding", margin},
           {"differences", epsilon + margin + margin, true}},
          {}};
}

std::unique_ptr<Batch> DifferencePlan::batch(std::uint64_t done) const {
  const auto start = std::chrono::steady_clock::now();
  auto result = std::make_unique<HostBatch>();
  result->reach = 0;
  std::uint64_t length = run_;
  unsigned of_that_length = 0;
  for (unsigned runs = 0; runs < runs_of_batch && done + result->arguments < count;) {
    const uint128 at = first + done + result->arguments;
    const std::uint64_t rest = count - done - result->arguments;
    auto run = difference_run(function_, bits_, at, std::min(length, rest));
    if (!run) {
      of_that_length = 0;
      if (length > shortest_run) {
        length /= 2;
        continue;
      }
      if (runs > 0) // what cannot be served begins a batch
        break;
      result->arguments = std::min(shortest_run, rest);
      for (std::uint64_t i = 0; i < result->arguments; ++i)
        result->candidates.push_back(static_cast<std::uint64_t>(at) + i);
      result->reach = std::numeric_limits<double>::infinity();
      break;
    }
    list_near_integers(run->table, run->count, run->bound.fixed_point() + 1, static_cast<std::uint64_t>(at),
                       result->candidates);
    const uint128 off = run->table.row[0] - run->end;
    const number::Bound least_off = number::Bound(static_cast<std::uint64_t>(std::min(off, -off) >> 64)).scaled(-64);
    if (!(least_off < run->table.error + number::Bound::power_of_two(-64)))
      throw SoundnessError(
          fmt::format("differences of a polynomial do not end where it does, on {} arguments", run->count));
    result->reach = std::max(result->reach, (run->bound.scaled(1) + number::Bound::power_of_two(-62)).value());
    result->arguments += run->count;
    ++runs;
    if (++of_that_length >= runs_of_a_length && length < longest_run) {
      length *= 2;
      of_that_length = 0;
    }
  }
  result->tested = result->arguments;
  result->seconds = support::seconds_since(start);
  return result;
}

std::unique_ptr<Offer> DifferencePlanner::offer(uint128 first, uint128 most) {
  const auto asked = static_cast<std::uint64_t>(std::min<uint128>(most, longest_plan));
  if (asked < shortest_run)
    return nullptr;
  const std::uint64_t longest = std::min(run_, std::bit_ceil(asked));
  for (std::uint64_t run = longest; run >= shortest_run; run /= 2) {
    const std::uint64_t count = std::min(run, asked);
    const auto found = difference_run(function_, bits_, first, count);
    if (!found)
      continue;
    if (run < longest || longest == run_)    // else it is short because no more was asked for
      run_ = std::min(2 * run, longest_run); // the function may be tamer further on
    return std::make_unique<DifferenceOffer>(function_, bits_, count, asked, *found,
                                             costs_[device::shared_cost("confirmation")]);
  }
  run_ = std::max(run_ / 2, 2 * shortest_run);
  return nullptr;
}

double DifferencePlanner::least_cost() const { return costs_[device::shared_cost("confirmation")] * cost_of_argument; }

} // namespace tmd::engine::differences
