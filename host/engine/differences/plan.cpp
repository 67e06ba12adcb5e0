// A stretch of arguments is served by one Taylor polynomial, and cut into runs: its differences at a run's first
// argument, modulo 1 in words of 128 bits, are added up from argument to argument, and their last sum must be the
// polynomial's value there. Stretches are halved where no polynomial serves them, and doubled again when some have
// been.
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
constexpr std::uint64_t longest_stretch = std::uint64_t(1) << 18;
// The other engines are asked again from time to time, sooner where f soon bends less.
constexpr std::uint64_t longest_plan = std::uint64_t(1) << 20;
constexpr std::uint64_t most_stretches = 64;             // of the first one's length
constexpr unsigned polynomials_of_batch = 64;            // so that an interrupt is soon seen,
constexpr std::uint64_t longest_batch = longest_stretch; // likewise
constexpr unsigned polynomials_of_a_length = 16;         // once one was too long, before a longer one is tried
// Each of what runs add to ε is this far below it, so that they cost no candidates.
constexpr long margin_bits = 8;
constexpr int most_polynomial_degree = 18; // of a stretch; its runs need fewer differences
constexpr long word_bits = 128;
constexpr long fraction_bits = 192; // of the Taylor coefficients; where they are too few, runs are shorter
constexpr long value_bits = 66;     // F is below 2^66
// As measured, in confirmations.
constexpr double cost_of_polynomial = 8;
constexpr double cost_of_run = 2;
constexpr double cost_of_argument = 5e-4;

// A ball's middle modulo 1, rounded to 2^-128; `error`: how far that may be from what is in the ball.
uint128 modulo_one(arb_srcptr ball, number::Bound& error) {
  number::Arb scaled;
  arb_mul_2exp_si(scaled, ball, word_bits);
  number::Integer nearest;
  arf_get_fmpz(nearest, mid(scaled), ARF_RND_NEAR);
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
  DifferenceOffer(const polynomial::ScaledFunction& function, int K, std::uint64_t stretch, std::uint64_t most,
                  const DifferenceRun& first, double confirmation)
      : function_(function), K_(K), stretch_(stretch), first_(first.first) {
    count = most;
    cost = confirmation * (cost_of_polynomial / static_cast<double>(stretch) +
                           cost_of_run / static_cast<double>(first.count) + cost_of_argument + 2 * first.bound.value());
    prices = {{differences_method, cost}};
  }
  [[nodiscard]] std::unique_ptr<Plan> plan() const override {
    auto plan = std::make_unique<DifferencePlan>(function_, K_, stretch_);
    plan->first = first_;
    plan->count = count;
    return plan;
  }

private:
  const polynomial::ScaledFunction& function_;
  int K_;
  std::uint64_t stretch_;
  uint128 first_;
};

// How many ways there are to map j things onto k, each of which is met: j-th powers have the differences of order k at
// 0.
constexpr auto surjections = [] {
  std::array<std::array<std::uint64_t, most_polynomial_degree + 1>, most_polynomial_degree + 1> all{};
  all[0][0] = 1;
  for (std::size_t j = 1; j < all.size(); ++j)
    for (std::size_t k = 1; k <= j; ++k)
      all[j][k] = k * (all[j - 1][k] + all[j - 1][k - 1]);
  return all;
}();

// The differences of order 0, 1, … of P at the arguments `offset`, offset + 1, … of its interval.
number::ArbVector differences_at(const polynomial::TaylorPolynomial& taylor, std::uint64_t offset, long precision) {
  const int degree = taylor.degree();
  number::ArbVector shifted = taylor.coefficients;
  number::Arb from;
  number::Arb centre;
  number::set(from, taylor.first + offset);
  number::set(centre, taylor.centre);
  arb_sub(from, from, centre, ARF_PREC_EXACT);
  for (int order = 0; order < degree; ++order) // by Horner
    for (int j = degree - 1; j >= order; --j)
      arb_addmul(shifted[j], shifted[j + 1], from, precision);
  number::ArbVector differences(degree + 1);
  for (int j = 0; j <= degree; ++j)
    for (int order = 0; order <= j; ++order)
      arb_addmul_ui(differences[order], shifted[j],
                    surjections.at(static_cast<std::size_t>(j)).at(static_cast<std::size_t>(order)), precision);
  return differences;
}

} // namespace

void list_near_integers(DifferenceTable& table, std::uint64_t count, std::uint64_t tolerance, std::uint64_t first,
                        std::vector<std::uint64_t>& near) {
  listers.at(static_cast<std::size_t>(table.degree))(table, count, tolerance, first, near);
}

std::optional<polynomial::TaylorPolynomial> polynomial_of_runs(const polynomial::ScaledFunction& function, int K,
                                                               uint128 first, std::uint64_t count) {
  return polynomial::taylor_polynomial(function, first, count, number::Bound::power_of_two(-K - margin_bits),
                                       most_polynomial_degree, fraction_bits);
}

std::optional<DifferenceRun> difference_run(const polynomial::TaylorPolynomial& taylor, int K, uint128 first,
                                            std::uint64_t count) {
  const number::Bound epsilon = number::Bound::power_of_two(-K);
  const number::Bound margin = epsilon.scaled(-margin_bits);
  constexpr long precision = fraction_bits + value_bits;
  const auto offset = static_cast<std::uint64_t>(first - taylor.first);
  const number::ArbVector differences = differences_at(taylor, offset, precision);
  DifferenceRun run;
  run.first = first;
  run.count = count;
  // The value at the i-th argument is Σ C(i, order)·difference: the last ones may add next to nothing.
  std::vector<number::Bound> weights;
  for (int order = 0; order <= taylor.degree(); ++order)
    weights.push_back(binomial(count, order));
  number::Bound cut;
  int degree = taylor.degree();
  for (; degree > 0; --degree) {
    const number::Bound more = cut + number::Bound::of(differences[degree]) * weights[static_cast<std::size_t>(degree)];
    if (!(more < margin.scaled(-1)))
      break;
    cut = more;
  }
  if (degree > DifferenceTable::most_degree)
    return std::nullopt;
  run.table.degree = degree;
  run.table.error = cut;
  for (int order = 0; order <= degree; ++order) {
    number::Bound error;
    run.table.row.at(static_cast<std::size_t>(order)) = modulo_one(differences[order], error);
    run.table.error += error * weights[static_cast<std::size_t>(order)];
  }
  number::Arb end;
  taylor.evaluate(end, offset + count, precision);
  number::Bound error;
  run.end = modulo_one(end, error);
  run.table.error += error;
  run.bound = epsilon + taylor.remainder + run.table.error;
  return run.table.error < margin && number::can_filter(run.bound) ? std::optional(std::move(run)) : std::nullopt;
}

DifferencePlan::DifferencePlan(const polynomial::ScaledFunction& function, int K, std::uint64_t stretch)
    : function_(function), K_(K), stretch_(stretch) {}

PlanReport DifferencePlan::report() const {
  const number::Bound epsilon = number::Bound::power_of_two(-K_);
  const number::Bound margin = epsilon.scaled(-margin_bits);
  const int run_bits = std::bit_width(std::min(stretch_, longest_run)) - 1;
  return {differences_method,
          {{"run_bits", "polynomials of", true, run_bits, run_bits}},
          {{"epsilon", epsilon},
           {"taylor", margin},
           {"differences_rounding", margin},
           {"differences", epsilon + margin + margin, true}},
          {}};
}

namespace {

// Adds to the batch what is near breakpoints on the polynomial's interval, run by run. Returns how many arguments have
// been looked at: fewer where not even the shortest run is served. length: of a run, the longest to try; of the last
// one.
std::uint64_t add_runs(const polynomial::TaylorPolynomial& taylor, int K, std::uint64_t& length, HostBatch& batch) {
  for (std::uint64_t done = 0; done < taylor.count;) {
    const uint128 at = taylor.first + done;
    auto run = difference_run(taylor, K, at, std::min(length, taylor.count - done));
    if (!run && length <= shortest_run)
      return done;
    if (!run) {
      length = std::min(length, std::bit_ceil(taylor.count - done)) / 2;
      continue;
    }
    list_near_integers(run->table, run->count, run->bound.fixed_point() + 1, static_cast<std::uint64_t>(at),
                       batch.candidates);
    const uint128 off = run->table.row[0] - run->end;
    const number::Bound least_off = number::Bound(static_cast<std::uint64_t>(std::min(off, -off) >> 64)).scaled(-64);
    if (!(least_off < run->table.error + number::Bound::power_of_two(-64)))
      throw SoundnessError(
          fmt::format("differences of a polynomial do not end where it does, on {} arguments", run->count));
    batch.max_distance =
        std::max(batch.max_distance, (run->bound.scaled(1) + number::Bound::power_of_two(-62)).value());
    done += run->count;
  }
  return taylor.count;
}

} // namespace

std::unique_ptr<Batch> DifferencePlan::batch(std::uint64_t done) const {
  const auto start = std::chrono::steady_clock::now();
  auto result = std::make_unique<HostBatch>();
  result->max_distance = 0;
  std::uint64_t length = stretch_;
  std::uint64_t run = longest_run;
  unsigned of_that_length = 0;
  unsigned enough_of_a_length = 1;
  const std::uint64_t most = std::min(count - done, longest_batch);
  for (unsigned polynomials = 0; polynomials < polynomials_of_batch && result->arguments < most;) {
    const uint128 at = first + done + result->arguments;
    const std::uint64_t rest = most - result->arguments;
    const auto taylor = polynomial_of_runs(function_, K_, at, std::min(length, rest));
    run = std::min(2 * run, longest_run);
    const std::uint64_t served = taylor ? add_runs(*taylor, K_, run, *result) : 0;
    if (served == 0) {
      of_that_length = 0;
      enough_of_a_length = polynomials_of_a_length;
      if (length > shortest_run) {
        length = std::min(length, std::bit_ceil(rest)) / 2;
        continue;
      }
      if (polynomials > 0) // what cannot be served begins a batch
        break;
      result->arguments = std::min(shortest_run, rest);
      for (std::uint64_t i = 0; i < result->arguments; ++i)
        result->candidates.push_back(static_cast<std::uint64_t>(at) + i);
      result->max_distance = std::numeric_limits<double>::infinity();
      break;
    }
    result->arguments += served;
    ++polynomials;
    if (++of_that_length >= enough_of_a_length && length < longest_stretch) {
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
  const std::uint64_t longest = std::min(stretch_, std::bit_ceil(asked));
  for (std::uint64_t stretch = longest; stretch >= shortest_run; stretch /= 2) {
    const std::uint64_t count = std::min(stretch, asked);
    const auto taylor = polynomial_of_runs(function_, K_, first, count);
    if (!taylor)
      continue;
    std::optional<DifferenceRun> run;
    for (std::uint64_t length = std::min(count, longest_run); !run && length >= shortest_run; length /= 2)
      run = difference_run(*taylor, K_, first, length);
    if (!run)
      continue;
    if (stretch < longest || longest == stretch_)        // else it is short because no more was asked for
      stretch_ = std::min(2 * stretch, longest_stretch); // the function may be tamer further on
    return std::make_unique<DifferenceOffer>(function_, K_, count, std::min(asked, most_stretches * stretch), *run,
                                             costs_[device::shared_cost("confirmation")]);
  }
  stretch_ = std::max(stretch_ / 2, 2 * shortest_run);
  return nullptr;
}

double DifferencePlanner::least_cost() const { return costs_[device::shared_cost("confirmation")] * cost_of_argument; }

} // namespace tmd::engine::differences
