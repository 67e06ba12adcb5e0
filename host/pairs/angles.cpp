// Searches atan2 and atan2pi by their breakpoints: the breakpoints of one binade form strips, which are cut into blocks
// (angle_block.hpp); the fractions near each block are reduced and judged one by one.
#include "number/arb.hpp"
#include "number/in_parallel.hpp"
#include "pairs/angle_block.hpp"
#include "pairs/findings.hpp"
#include "pairs/pair_search.hpp"
#include "pairs/scaling_class.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

constexpr std::uint64_t most_in_block = 1U << 12;
constexpr std::uint64_t angles_of_task = 1U << 16;

bool is_in_half_turns(const PairJob& job) { return job.function->name == "atan2pi"; }

// From here on tangents are proportional to their angles, within the error of φ: 2^(p + 1)·θ² ≤ 2^(p − 62).
constexpr int proportional_exponent = -35;

class StripMaker {
public:
  explicit StripMaker(const PairJob& job) : job_(&job), grid_(job.grid()) {}

  [[nodiscard]] std::vector<AngleStrip> strips() {
    if (is_in_half_turns(*job_)) {
      add_down_from(-2);
      // 1/2 itself is the pole of the tangent; the angles next to it belong to the family.
      const int spacing = grid_.spacing_exponent(-1);
      add(true, -1, (std::uint64_t{1} << (-1 - spacing)) + (grid_.shifted() ? 0 : 1), count_to(-1, spacing));
    } else {
      add_down_from(-1);
      const std::uint64_t quarter = below_quarters(0, 1);
      add(false, 0, count_to(-1, grid_.spacing_exponent(0)), quarter);
      add(true, 0, quarter, count_to(0, grid_.spacing_exponent(0)));
      add(true, 1, count_to(0, grid_.spacing_exponent(1)), below_quarters(1, 2));
    }
    return std::move(strips_);
  }

private:
  // The number of breakpoints below 2^(g + 1), for the spacing of a binade.
  static std::uint64_t count_to(int value_exponent, int spacing) {
    return std::uint64_t{1} << (value_exponent + 1 - spacing);
  }

  void add(bool left, int value_exponent, std::uint64_t first, std::uint64_t end, int repeats = 0) {
    strips_.push_back({left, grid_.spacing_exponent(value_exponent), first, end, repeats});
  }

  // The number of breakpoints up to a number of quarter turns. Throws UsageError if that is so near to one that 2^-K
  // does not separate them.
  [[nodiscard]] std::uint64_t below_quarters(int value_exponent, int quarters) const {
    constexpr long bits = 256;
    number::Arb angle;
    arb_const_pi(angle, bits);
    arb_mul_2exp_si(angle, angle, quarters - 2 - grid_.spacing_exponent(value_exponent));
    if (grid_.shifted()) {
      number::Arb half;
      arb_set_d(half, 0.5);
      arb_sub(angle, angle, half, bits);
    }
    number::Mpfr number(bits);
    arf_get_mpfr(number, mid(angle), MPFR_RNDN);
    const auto next = static_cast<std::uint64_t>(mpfr_get_ui(number, MPFR_RNDU));
    number::Mpfr distance(bits);
    mpfr_frac(distance, number, MPFR_RNDN);
    const double part = mpfr_get_d(distance, MPFR_RNDN);
    if (std::min(part, 1 - part) < std::ldexp(2, -job_->K))
      throw UsageError(
          fmt::format("--bits {} is too small to separate a quarter turn from the breakpoint next to it; choose a "
                      "greater one",
                      job_->K));
    return next;
  }

  void add_binade(int value_exponent, int repeats = 0) {
    const int spacing = grid_.spacing_exponent(value_exponent);
    add(false, value_exponent, count_to(value_exponent - 1, spacing), count_to(value_exponent, spacing), repeats);
  }

  // Adds the angles of x > 0 below 2^(g + 1), down to those that follow a rule.
  void add_down_from(int value_exponent) {
    const int last =
        is_in_half_turns(*job_) ? grid_.min_exponent : std::max(grid_.min_exponent, -(job_->format.precision + 1));
    for (int g = value_exponent; g >= last; --g) {
      const bool repeats = is_in_half_turns(*job_) && g <= proportional_exponent;
      add_binade(g, repeats ? g - last : 0);
      if (repeats)
        break;
    }
    if (last == grid_.min_exponent) // the subnormal numbers
      add(false, last, grid_.shifted() ? 0 : 1, count_to(last - 1, grid_.least_spacing_exponent()));
  }

  const PairJob* job_;
  format::BreakpointGrid grid_;
  std::vector<AngleStrip> strips_;
};

// Finds the ratios near the angles of a part of a strip.
class PartOfStrip {
public:
  PartOfStrip(const PairJob& job, const AngleStrip& strip) : job_(&job), strip_(&strip) {}

  void search(std::uint64_t first, std::uint64_t count) {
    if (const auto block = AngleBlock::plan(*job_, *strip_, first, count)) {
      block->each_fraction([&](std::uint64_t y, std::uint64_t x, int exponent) { add(y, x, exponent); });
      return;
    }
    search(first, count / 2);
    search(first + count / 2, count - count / 2);
  }

  void confirm(PairFindings& findings) {
    std::sort(ratios_.begin(), ratios_.end());
    ratios_.erase(std::unique(ratios_.begin(), ratios_.end()), ratios_.end());
    for (const Ratio& ratio : ratios_)
      findings.look_at(ratio);
  }

private:
  void add(std::uint64_t y, std::uint64_t x, int exponent) {
    if (y == 0)
      return;
    Ratio ratio = ratio_of(strip_->left, y, x, exponent);
    if (ratio.y >> job_->format.precision != 0)
      return;
    for (int below = 0; below <= strip_->repeats; ++below, --ratio.exponent)
      if (!is_in_family(*job_, ratio))
        ratios_.push_back(ratio);
  }

  const PairJob* job_;
  const AngleStrip* strip_;
  std::vector<Ratio> ratios_;
};

// Counts the quotients that are breakpoints and cases: the least ones of each binade, except that the angle of a power
// of two lies in the binade below.
class QuotientCounter {
public:
  explicit QuotientCounter(const PairJob& job) : job_(&job), grid_(job.grid()) {}

  [[nodiscard]] uint128 count() const {
    const int end = -(job_->format.precision + 1); // log2 of the quotients
    const int least = grid_.least_spacing_exponent();
    uint128 count = 0;
    if (const int end_of_subnormal = std::min(grid_.min_exponent, end); end_of_subnormal >= least)
      count += count_cases(least, grid_.shifted() ? 0 : 1, (std::uint64_t{1} << (end_of_subnormal - least)) - 1);
    for (int g = grid_.min_exponent; g < end && !grid_.shifted(); ++g) {
      const int spacing = g - job_->format.precision + 1; // quotients have p bits
      const std::uint64_t first = std::uint64_t{1} << (g - spacing);
      count += count_cases(spacing, first, first) + count_cases(spacing, first + 1, 2 * first - 1);
    }
    return count;
  }

private:
  [[nodiscard]] bool is_case(int spacing, std::uint64_t n) const {
    const bool shifted = grid_.shifted();
    return confirm_pair(*job_, {Argument{false, 2 * n + (shifted ? 1 : 0), spacing - 1}, Argument{false, 1, 0}})
        .has_value();
  }
  // The number of cases among the numbers from first to last; they are the least ones.
  [[nodiscard]] std::uint64_t count_cases(int spacing, std::uint64_t first, std::uint64_t last) const {
    if (first > last || !is_case(spacing, first))
      return 0;
    std::uint64_t end = last + 1; // end of the cases
    for (std::uint64_t low = first; end - low > 1 && !is_case(spacing, end - 1);) {
      const std::uint64_t middle = low + (end - low) / 2;
      (is_case(spacing, middle) ? low : end) = middle;
    }
    return end - first;
  }

  const PairJob* job_;
  format::BreakpointGrid grid_;
};

} // namespace

PairResult search_angles(const PairJob& job, unsigned threads) {
  struct Task {
    const AngleStrip* strip;
    std::uint64_t first;
    std::uint64_t count;
  };
  const std::vector<AngleStrip> strips = StripMaker(job).strips();
  std::vector<Task> tasks;
  for (const AngleStrip& strip : strips)
    for (std::uint64_t first = strip.first; first < strip.end; first += angles_of_task)
      tasks.push_back({&strip, first, std::min(angles_of_task, strip.end - first)});
  std::vector<PairFindings> findings(std::max(threads, 1U), PairFindings(job));
  number::in_parallel(tasks.size(), threads, [&](std::uint64_t number, unsigned thread) {
    const auto [strip, begin, count] = tasks[number];
    PartOfStrip part(job, *strip);
    for (std::uint64_t first = begin; first < begin + count; first += most_in_block)
      part.search(first, std::min(most_in_block, begin + count - first));
    part.confirm(findings[thread]);
    findings[thread].add_tested(count);
  });
  for (auto other = findings.begin() + 1; other != findings.end(); ++other)
    findings.front().add(std::move(*other));
  PairResult result = std::move(findings.front()).result();
  result.method = "by breakpoints: every fraction near the tangent at each";
  if (is_in_half_turns(job))
    result.families.back().entries.reset();
  else
    result.families.back().entries = QuotientCounter(job).count();
  return result;
}

} // namespace tmd::pairs
