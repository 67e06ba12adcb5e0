// Searches pown and rootn over all integers n (doc/theory/two-variables.md, "pown and rootn"): it computes the powers
// of each number, or of each breakpoint, one after the other. x^n is a case if it is near a breakpoint; x^(1/n) is a
// case if x is near the n-th power of a breakpoint.
#include "number/in_parallel.hpp"
#include "number/mpfr.hpp"
#include "pairs/findings.hpp"
#include "pairs/pair_search.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

constexpr std::uint64_t most_products = 1 << 12; // multiplications until MPFR computes a power again
constexpr double product_error = 0x1p-49; // relative error of a power: twice as many roundings by 2^-63, and more
constexpr std::uint64_t steps_of_task = 1 << 26;
constexpr std::size_t most_cases = 1 << 24;

// significand·2^(exponent − 63), rounded down; the first bit of the significand is 1.
struct Power {
  std::uint64_t significand = std::uint64_t(1) << 63;
  std::int64_t exponent = 0;
};

Power operator*(const Power& x, const Power& y) {
  const uint128 product = uint128(x.significand) * y.significand;
  const auto carries = static_cast<unsigned>(product >> 127);
  return {static_cast<std::uint64_t>(product >> (63 + carries)), x.exponent + y.exponent + carries};
}

Power power_of(const Argument& base) {
  const int zeros = 128 - bit_length(base.significand);
  return {static_cast<std::uint64_t>((base.significand << zeros) >> 64), base.unit_exponent + 127 - zeros};
}

Power inverse_of(const Power& x) {
  if (x.significand == Power().significand)
    return {x.significand, -x.exponent};
  return {static_cast<std::uint64_t>((uint128(1) << 127) / x.significand), -x.exponent - 1};
}

// b^n, b^(n + 1), b^(n + 2) and b^(n + 3), or the same with −n, and so on in fours, because processors multiply them
// side by side. In relative units of 2^-63, b has an error of at most 1, b^4 of 7, and the powers after m products of
// 8m + 7.
class Powers {
public:
  static constexpr unsigned side_by_side = 4;

  Powers(const Argument& base, bool is_inverse, std::uint64_t n)
      : base_(base), is_inverse_(is_inverse), factor_(is_inverse ? inverse_of(power_of(base)) : power_of(base)),
        step_(factor_ * factor_ * factor_ * factor_) {
    begin_at(n);
  }

  [[nodiscard]] const Power& operator[](unsigned number) const { return powers_[number]; }

  void next() {
    for (Power& power : powers_)
      power = power * step_;
  }
  // Starts again from MPFR's powers, so that errors do not accumulate.
  void begin_at(std::uint64_t n) {
    powers_[0] = n == 0 ? Power() : by_mpfr(n);
    for (unsigned i = 1; i < side_by_side; ++i)
      powers_[i] = powers_[i - 1] * factor_;
  }

private:
  [[nodiscard]] Power by_mpfr(std::uint64_t n) const {
    constexpr int bits = 64;
    number::Mpfr power(bits);
    const number::Mpfr base = format::to_mpfr(base_);
    if (is_inverse_)
      mpfr_pow_si(power, base, -static_cast<long>(n), MPFR_RNDZ);
    else
      mpfr_pow_ui(power, base, n, MPFR_RNDZ);
    const mpfr_exp_t exponent = mpfr_get_exp(static_cast<mpfr_srcptr>(power)) - 1;
    mpfr_mul_2si(power, power, bits - 1 - exponent, MPFR_RNDZ);
    return {mpfr_get_ui(power, MPFR_RNDZ), exponent};
  }

  Argument base_;
  bool is_inverse_;
  Power factor_;
  Power step_;
  std::array<Power, side_by_side> powers_;
};

// The numbers of a grid with one exponent, (number + shift)·2^spacing, also as significands.
struct GridBinade {
  int spacing = 0;
  bool is_shifted = false;
  std::uint64_t first = 0;
  std::uint64_t end = 0;

  [[nodiscard]] Argument at(std::uint64_t number) const {
    return is_shifted ? Argument{false, 2 * number + 1, spacing - 1} : Argument{false, number, spacing};
  }
};

std::vector<GridBinade> binades_of(const format::BreakpointGrid& grid) {
  std::vector<GridBinade> result;
  const std::uint64_t least = std::uint64_t(1) << (grid.number_bits() - 1);
  result.push_back({grid.least_spacing_exponent(), grid.shifted(), grid.shifted() ? std::uint64_t(0) : 1, least});
  for (int g = grid.min_exponent; g <= grid.max_exponent; ++g)
    result.push_back({grid.spacing_exponent(g), grid.shifted(), least, 2 * least});
  return result;
}

// Powers to be computed: of the numbers first … last − 1 of a binade, or of one of them for some exponents.
struct PowersTask {
  const GridBinade* binade = nullptr;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t first_n = 0;                // exponents; 0 is skipped
  std::uint64_t last_n = ~std::uint64_t(0); // may be beyond the last power
};

class PowersSearch {
public:
  explicit PowersSearch(const PairJob& job)
      : job_(job), is_root_(job.function->name == "rootn"), numbers_{Rounding::directed, job.format.precision,
                                                                     job.format.min_exponent, job.format.max_exponent},
        targets_(is_root_ ? numbers_ : job.grid()), binades_(binades_of(is_root_ ? job.grid() : numbers_)),
        top_(targets_.max_exponent + 1), bottom_(targets_.least_spacing_exponent() - 3),
        bits_(targets_.least_spacing_exponent() - targets_.min_exponent + 63) {}

  [[nodiscard]] std::vector<PowersTask> tasks() const {
    std::vector<PowersTask> tasks;
    for (const GridBinade& binade : binades_)
      add(binade, binade.first, binade.end, tasks);
    return tasks;
  }

  void search(const PowersTask& task, PairFindings& findings) const {
    for (std::uint64_t number = task.first; number < task.last; ++number)
      if (const Argument base = task.binade->at(number); !is_one(base))
        for (const bool is_inverse : {false, true})
          findings.add_tested(search(base, task.binade->spacing, is_inverse, task, findings));
  }

private:
  static bool is_one(const Argument& x) {
    return x.unit_exponent <= 0 && x.unit_exponent > -64 && x.significand == uint128(1) << -x.unit_exponent;
  }

  // The most steps in n up to which a power may be near a number of the format.
  [[nodiscard]] double most_steps(const Argument& base) const {
    const double value = std::ldexp(static_cast<double>(base.significand), base.unit_exponent);
    const double range = std::max(targets_.max_exponent, -targets_.least_spacing_exponent()) + 4;
    return range * std::numbers::ln2 / std::fabs(std::fabs(value - 1) < 0.5 ? std::log1p(value - 1) : std::log(value));
  }

  void add(const GridBinade& binade, std::uint64_t first, std::uint64_t last, std::vector<PowersTask>& tasks) const {
    if (first >= last)
      return;
    const double steps = std::max(most_steps(binade.at(first)), most_steps(binade.at(last - 1))) + 2;
    if (last - first > 1 && !(steps * static_cast<double>(last - first) < steps_of_task)) {
      add(binade, first, first + (last - first) / 2, tasks);
      add(binade, first + (last - first) / 2, last, tasks);
      return;
    }
    PowersTask task{&binade, first, last};
    for (std::uint64_t end = steps_of_task; std::isfinite(steps) && static_cast<double>(end) < steps;
         end += steps_of_task) {
      task.last_n = end - 1;
      tasks.push_back(task);
      task.first_n = end;
    }
    task.last_n = ~std::uint64_t(0);
    tasks.push_back(task);
  }

  // How near a power must be to a target.
  struct Nearness {
    double width = 0;        // largest relative difference of x from a power of a breakpoint
    std::uint64_t units = 0; // the same in 2^-64 spacings of targets; unused if `is_wide`
    bool is_wide = false;    // every power is near a target
  };
  // The tolerance for powers up to n.
  [[nodiscard]] Nearness nearness(const Argument& base, int spacing, double n) const {
    const double size = std::ldexp(1, targets_.number_bits());
    Nearness result;
    if (is_root_) { // (1 ± ε·s/z)^±n
      const double share = std::ldexp(1 / static_cast<double>(base.significand), spacing - base.unit_exponent - job_.K);
      result.width = n * share * (1 + 2 * share);
      result.width *= 1 + result.width;
    }
    const double tolerance = size * product_error + (is_root_ ? size * result.width : std::ldexp(1, -job_.K));
    result.is_wide = tolerance >= 0.25;
    result.units = result.is_wide ? 0 : static_cast<std::uint64_t>(tolerance * 0x1p64) + 2;
    return result;
  }

  // Returns the number of powers examined.
  std::uint64_t search(const Argument& base, int spacing, bool is_inverse, const PowersTask& task,
                       PairFindings& findings) const {
    Powers powers(base, is_inverse, task.first_n);
    const std::uint64_t first = std::max<std::uint64_t>(task.first_n, 1);
    std::uint64_t n = task.first_n;
    for (std::uint64_t start = n; n <= task.last_n; start = n) {
      if (start > task.first_n && start % most_products == 0)
        powers.begin_at(start);
      std::uint64_t stop = std::min(task.last_n, start | (most_products - 1));
      if (is_root_)
        stop = std::min(stop, std::max<std::uint64_t>(4 * start, Powers::side_by_side) - 1); // tolerances grow with n
      const Nearness near = nearness(base, spacing, static_cast<double>(stop));
      for (; n <= stop; n += Powers::side_by_side, powers.next())
        for (unsigned i = 0; i < Powers::side_by_side; ++i) {
          const Power& power = powers[i];
          if (power.exponent > top_ || power.exponent < bottom_)
            return n + i - first;
          if (is_near(power, near) && n + i > (is_inverse ? 0 : 1))
            look_at(base, {is_inverse, n + i, 0}, power, near, findings);
        }
    }
    return n - first;
  }

  void look_at(const Argument& base, const Argument& n, const Power& power, const Nearness& near,
               PairFindings& findings) const {
    if (is_root_)
      each_number(power, near.width + 2 * product_error, [&](const Argument& x) { findings.look_at({x, n}, 1); });
    else
      findings.look_at({base, n}, 1);
    if (findings.cases().size() > most_cases)
      throw UsageError(fmt::format("more than {} cases: choose a larger --bits", most_cases));
  }

  [[nodiscard]] bool is_near(const Power& power, const Nearness& near) const {
    const std::int64_t bits = bits_ + std::max<std::int64_t>(targets_.min_exponent - power.exponent, 0);
    std::uint64_t fraction = bits <= 64 ? power.significand << (64 - bits) : power.significand >> (bits - 64);
    fraction += targets_.shifted() ? std::uint64_t(1) << 63 : 0;
    return fraction + near.units <= 2 * near.units || near.is_wide;
  }

  // Calls take() for the format's numbers, except 1, with a relative difference from a power of at most `width`.
  template <typename Take> void each_number(const Power& power, double width, const Take& take) const {
    const auto significand = static_cast<long double>(power.significand);
    const long double least = significand * (1 - static_cast<long double>(width));
    const long double greatest = significand * (1 + static_cast<long double>(width));
    const auto about = static_cast<int>(power.exponent);
    for (int g = about - 1; g <= std::min(about + 1, numbers_.max_exponent); ++g) {
      const int unit = numbers_.spacing_exponent(g);
      if (g < unit)
        continue;
      const std::uint64_t begin = std::uint64_t(1) << (g - unit);
      const auto scaled = [&](long double x) { return std::ldexp(x, about - 63 - unit); };
      const auto first =
          static_cast<std::uint64_t>(std::max(std::ceil(scaled(least)), static_cast<long double>(begin)));
      const auto last =
          static_cast<std::uint64_t>(std::min(std::floor(scaled(greatest)), static_cast<long double>(2 * begin - 1)));
      for (std::uint64_t number = first; number <= last; ++number)
        if (const Argument x{false, number, unit}; !is_one(x))
          take(x);
    }
  }

  PairJob job_;
  bool is_root_;
  format::BreakpointGrid numbers_;
  format::BreakpointGrid targets_;
  std::vector<GridBinade> binades_;
  // The exponent beyond which no power is near a target; that of a root's x may be one more.
  std::int64_t top_;
  std::int64_t bottom_;
  std::int64_t bits_; // fraction bits of a significand relative to targets that are not subnormal
};

// From this K on, the numbers near a power of a breakpoint are within a quarter of the spacing: n·ε·s/z < 1/8.
int least_bits_of_roots(const Format& format) {
  const int binades = std::max(format.max_exponent + 1, format.precision - format.min_exponent);
  return 4 + static_cast<int>(std::ceil(std::log2(binades)));
}

} // namespace

PairResult search_integer_powers(const PairJob& job, unsigned threads) {
  const std::string& name = job.function->name;
  if (job.format.precision > most_precision_by_breakpoints)
    throw UsageError(fmt::format("{} can be searched in formats of up to {} bits of precision; {} has {}", name,
                                 most_precision_by_breakpoints, job.format.name, job.format.precision));
  if (name == "rootn" && job.K < least_bits_of_roots(job.format))
    throw UsageError(fmt::format("{} in {} needs --bits {} or more: with {}, too many pairs are cases", name,
                                 job.format.name, least_bits_of_roots(job.format), job.K));
  const PowersSearch search(job);
  const std::vector<PowersTask> tasks = search.tasks();
  std::vector<PairFindings> findings(std::max(threads, 1U), PairFindings(job));
  number::in_parallel(tasks.size(), threads,
                      [&](std::uint64_t task, unsigned thread) { search.search(tasks[task], findings[thread]); });
  for (auto other = findings.begin() + 1; other != findings.end(); ++other)
    findings.front().add(std::move(*other));
  PairResult result = std::move(findings.front()).result();
  result.method = name == "rootn" ? "by breakpoints: all numbers near the powers of each" : "pair by pair";
  if (name == "rootn") // all n that are large enough
    result.families.back().entries.reset();
  return result;
}

} // namespace tmd::pairs
