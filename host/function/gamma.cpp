// lgamma and tgamma. Their series left of 0 come from those on the right by reflection; enclosures are Taylor forms.
// Next to the poles left of 0 a search asks for thousands of series between two integers, and log Γ(1 − x) is so smooth
// there that one series of it, a few dozen terms at a number nearby, serves them all.
#include "function/gamma.hpp"

#include "function/entry.hpp"
#include "function/recurrence.hpp"
#include "function/taylor_form.hpp"

#include <algorithm>
#include <array>
#include <future>
#include <memory>
#include <mutex>
#include <vector>

namespace tmd::function {

namespace {

// On t > 0. Arb has no answer in the two or three binades whose exponent is about the precision; with more bits it has.
void log_gamma_right(arb_ptr value, arb_srcptr x, long precision) {
  constexpr long more = 16;
  arb_lgamma(value, x, precision);
  if (arb_is_finite(value) == 0)
    arb_lgamma(value, x, precision + more);
}

// Coefficients (−1)^j·ζ(j, t)/j of log Γ on t > 0, j ≥ 2, from bounds on ζ(j, t) = Σ (t + k)^−j: it falls with t, and
// x^−j is convex, so that 0 < ζ(j, t) ≤ t^−j + (t + 1/2)^(1−j)/(j − 1).
void bound_log_gamma_derivatives(arb_ptr coefficients, arb_srcptr x, long length) {
  constexpr long precision = 64;
  number::Arb first;
  arb_get_lbound_arf(mid(first), x, precision);
  number::Arb half_behind;
  arb_set_d(half_behind, 0.5);
  arb_add(half_behind, half_behind, first, precision);
  arb_inv(first, first, precision);
  arb_inv(half_behind, half_behind, precision);
  number::Arb of_first(first); // powers of both
  number::Arb of_half_behind;
  arb_one(of_half_behind);
  number::Arb most;
  for (long j = 2; j < length; ++j) {
    arb_mul(of_first, of_first, first, precision);
    arb_mul(of_half_behind, of_half_behind, half_behind, precision);
    arb_div_si(most, of_half_behind, j - 1, precision);
    arb_add(most, most, of_first, precision);
    arb_div_si(most, most, j % 2 == 0 ? 2 * j : -2 * j, precision);
    arb_set(coefficients + j, most); // from 0 to twice that
    arb_add_error(coefficients + j, most);
  }
}

// By Stirling's series at a number x > 0, where up to seven terms of it are enough:
//   log Γ(x) = (x − 1/2)·log x − x + log(2π)/2 + Σ c_k·x^(1−2k), c_k = B_2k/(2k·(2k − 1)).
// Cut off anywhere, the sum is wrong by less than the first term left out, and each derivative by less than that of
// this term: for the remainders, with alternating signs, are completely monotonic (Alzer, On some inequalities for the
// gamma and psi functions, 1997). Returns false where more terms are needed.
bool stirling_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  constexpr std::array<std::pair<long, ulong>, 8> c{
      {{1, 12}, {-1, 360}, {1, 1260}, {-1, 1680}, {1, 1188}, {-691, 360360}, {1, 156}, {-3617, 122400}}};
  constexpr long most_binade = 1L << 20;
  number::Integer least;
  arf_abs_bound_lt_2exp_fmpz(least, arb_midref(x));
  if (arf_cmp_si(arb_midref(x), 4) < 0 || fmpz_cmp_si(least, most_binade) > 0)
    return false;
  const long binade = fmpz_get_si(least) - 1; // 2^binade ≤ x
  // Terms before the one that bounds the rest, so many that this is a small share of each coefficient: of coefficient j
  // some C(2·terms + j, j)·j²·x^(−2 − 2·terms).
  long terms = 0;
  number::Integer binomial;
  const auto rest_bits = [&] {
    fmpz_bin_uiui(binomial, static_cast<ulong>(2 * terms + length), static_cast<ulong>(length));
    return static_cast<long>(fmpz_bits(binomial)) + 2 * static_cast<long>(FLINT_BIT_COUNT(static_cast<ulong>(length))) -
           binade * (2 * terms + 2);
  };
  while (rest_bits() > -precision)
    if (++terms == static_cast<long>(c.size()))
      return false;
  const long bits = precision + 16;
  number::Arb inverse;
  arb_inv(inverse, x, bits);
  number::ArbVector powers(length + 2 * terms + 2); // of 1/x
  _arb_vec_set_powers(powers.data(), inverse, powers.size(), bits);
  number::Arb log;
  number::Arb term;
  arb_log(log, x, bits);
  for (long j = 0; j < length; ++j) {
    const arb_ptr sum = coefficients + j;
    arb_zero(sum);
    for (long k = terms + 1; k >= 1; --k) {
      const auto& [numerator, denominator] = c[static_cast<std::size_t>(k - 1)];
      fmpz_bin_uiui(binomial, static_cast<ulong>(2 * k - 2 + j), static_cast<ulong>(j));
      fmpz_mul_si(binomial, binomial, numerator);
      arb_mul_fmpz(term, powers[2 * k - 1 + j], binomial, bits);
      arb_div_ui(term, term, denominator, bits);
      if (k > terms)
        arb_add_error(sum, term);
      else
        arb_add(sum, sum, term, bits);
    }
    if (j >= 1) { // the derivatives of (x − 1/2)·log x
      arb_div_si(term, powers[j], 2 * j, bits);
      arb_add(sum, sum, term, bits);
    }
    if (j >= 2) {
      arb_div_si(term, powers[j - 1], j * (j - 1), bits);
      arb_add(sum, sum, term, bits);
    }
    if (j % 2 == 1)
      arb_neg(sum, sum);
    if (j == 1)
      arb_add(sum, sum, log, bits);
  }
  number::Arb half;
  arb_set_d(half, 0.5);
  arb_sub(term, x, half, bits);
  arb_addmul(coefficients, term, log, bits);
  arb_sub(coefficients, coefficients, x, bits);
  arb_const_log_sqrt2pi(term, bits);
  arb_add(coefficients, coefficients, term, bits);
  return true;
}

// On t > 0. On wide balls bounds, which do not depend on how wide they are: Arb's series is useless there.
void log_gamma_right_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  if (arb_is_positive(x) == 0) {
    set_undefined(coefficients, length);
    return;
  }
  if (arb_is_exact(x) != 0) {
    if (stirling_series(coefficients, x, length, precision))
      return;
    // Arb's series loses up to three bits a coefficient.
    number::ArbVector line(2);
    arb_set(line[0], x);
    arb_one(line[1]);
    _arb_poly_lgamma_series(coefficients, line.data(), 2, length, precision + 4 * length);
    log_gamma_right(coefficients, x, precision);
    return;
  }
  log_gamma_right(coefficients, x, precision);
  if (length < 2)
    return;
  number::Arb first;
  number::Arb last;
  arb_get_lbound_arf(mid(first), x, precision);
  arb_get_ubound_arf(mid(last), x, precision);
  arb_digamma(first, first, precision); // increases
  arb_digamma(last, last, precision);
  arb_union(coefficients + 1, first, last, precision);
  bound_log_gamma_derivatives(coefficients, x, length);
}

// log Γ around a number, from its Taylor coefficients there.
class LogGammaNearby {
public:
  static constexpr long most_length = 24; // of a series

  // Around number·2^exponent, number ≥ 2^8, for what is no further from it than 2^exponent.
  LogGammaNearby(long number, long exponent, long precision) {
    arb_set_si(centre_, number);
    arb_mul_2exp_si(centre_, centre_, exponent);
    const long bits = static_cast<long>(FLINT_BIT_COUNT(static_cast<ulong>(number))) - 1; // that a term adds, or more
    terms_ = most_length + precision / bits + 1;
    number::ArbVector here(terms_);
    log_gamma_right_series(here.data(), centre_, terms_, precision + most_length);
    number::Integer binomial;
    for (long j = 0; j < most_length; ++j) {
      number::ArbVector& row = rows_.emplace_back(terms_ - j);
      for (long k = 0; j + k < terms_; ++k) {
        fmpz_bin_uiui(binomial, static_cast<ulong>(j + k), static_cast<ulong>(k));
        arb_mul_fmpz(row[k], here[j + k], binomial, precision + most_length);
      }
    }
    number::Arb all;
    number::Arb reach;
    arb_one(reach);
    arb_mul_2exp_si(reach, reach, exponent);
    arb_set(all, centre_);
    arb_add_error(all, reach);
    number::ArbVector bounds(terms_ + 1);
    bound_log_gamma_derivatives(bounds.data(), all, terms_ + 1);
    arb_set(last_, bounds[terms_]);
  }

  // By Lagrange's formula, as taylor_form() has it, with as many terms as there are.
  void series(arb_ptr coefficients, arb_srcptr x, long length, long precision) const {
    number::Arb step;
    arb_sub(step, x, centre_, ARF_PREC_EXACT);
    number::ArbVector powers(terms_ + 1);
    _arb_vec_set_powers(powers.data(), step, terms_ + 1, precision);
    number::Arb rest;
    number::Integer binomial;
    for (long j = 0; j < length; ++j) {
      const number::ArbVector& row = rows_[static_cast<std::size_t>(j)];
      fmpz_bin_uiui(binomial, static_cast<ulong>(terms_), static_cast<ulong>(j));
      arb_mul_fmpz(rest, last_, binomial, 64);
      arb_mul(rest, rest, powers[terms_ - j], 64);
      arb_dot(coefficients + j, rest, 0, row.data(), 1, powers.data(), 1, row.size(), precision);
    }
  }

private:
  number::Arb centre_;
  long terms_ = 0;                      // of log Γ at the centre
  std::vector<number::ArbVector> rows_; // of each coefficient j: C(j + k, k)·c_(j+k) for k = 0, 1, …
  number::Arb last_;                    // encloses c_terms within reach
};

// Those that were used last, for all threads; what they answer does not depend on which there are.
class LogGammaStore {
public:
  // The series at t ≥ 1 where one around a number nearby can serve; false where none can.
  [[nodiscard]] bool series(arb_ptr coefficients, arb_srcptr t, long length, long precision) {
    constexpr std::array<long, 3> precisions{128, 320, 576};
    constexpr long place_bits = 8; // centres in a binade, but for those closer together than 1
    const auto kind = static_cast<std::size_t>(std::lower_bound(precisions.begin(), precisions.end(), precision) -
                                               precisions.begin());
    if (length > LogGammaNearby::most_length || kind == precisions.size() || arb_is_finite(t) == 0)
      return false;
    const arf_srcptr middle = arb_midref(t);
    number::Integer binade;
    arf_abs_bound_lt_2exp_fmpz(binade, middle); // t < 2^binade
    if (arf_cmp_si(middle, 1) < 0 || fmpz_cmp_si(binade, 32) > 0 || arb_is_nonnegative(t) == 0)
      return false;
    const long exponent = std::min(0L, fmpz_get_si(binade) - 1 - place_bits);
    number::Arb scaled;
    arb_mul_2exp_si(scaled, t, -exponent);
    const long number = arf_get_si(mid(scaled), ARF_RND_NEAR);
    arb_sub_si(scaled, scaled, number, 64);
    number::Arb most;
    arb_get_abs_ubound_arf(mid(most), scaled, 64);
    if (arf_cmp_si(mid(most), 1) > 0)
      return false;
    around(number, exponent, kind, precisions.at(kind))->series(coefficients, t, length, precision);
    return true;
  }

private:
  using Made = std::shared_ptr<const LogGammaNearby>;
  struct Kept {
    long number;
    long exponent;
    std::shared_future<Made> made;
  };

  // Making one takes milliseconds: the first thread that asks makes it, and others that need the same one wait.
  [[nodiscard]] Made around(long number, long exponent, std::size_t kind, long precision) {
    constexpr std::size_t most = 32; // of a precision, each of some 200 kB
    std::shared_future<Made> made;
    {
      const std::lock_guard lock(mutex_);
      auto& kept = kept_.at(kind);
      auto found = std::find_if(kept.begin(), kept.end(),
                                [&](const Kept& one) { return one.number == number && one.exponent == exponent; });
      if (found == kept.end()) {
        if (kept.size() == most)
          kept.pop_back();
        found = kept.insert(kept.end(), {number, exponent, std::async(std::launch::deferred, [=]() -> Made {
                                           return std::make_shared<const LogGammaNearby>(number, exponent, precision);
                                         })});
      }
      std::rotate(kept.begin(), found, found + 1);
      made = kept.front().made;
    }
    return made.get();
  }

  std::mutex mutex_;
  std::array<std::vector<Kept>, 3> kept_; // of each precision, the last one first
};

// The series of log|sin πx|, whose derivative is y = π·cot πx, y′ = −π² − y².
void log_sinpi_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  number::Arb sine;
  number::Arb cosine;
  arb_sin_cos_pi(sine, cosine, x, precision);
  arb_abs(coefficients, sine);
  arb_log(coefficients, coefficients, precision);
  if (length < 2)
    return;
  number::Arb pi;
  arb_const_pi(pi, precision);
  arb_div(coefficients + 1, cosine, sine, precision);
  arb_mul(coefficients + 1, coefficients + 1, pi, precision);
  number::Arb constant;
  number::Arb minus_one;
  arb_mul(constant, pi, pi, precision);
  arb_neg(constant, constant);
  arb_set_si(minus_one, -1);
  continue_riccati(coefficients + 1, 1, constant, minus_one, length - 1, precision);
  for (long j = 2; j < length; ++j)
    arb_div_si(coefficients + j, coefficients + j, j, precision);
}

// On t < 0 by reflection: log|Γ(t)| = log π − log|sin πt| − log Γ(1 − t).
void lgamma_series(LogGammaStore& store, arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  if (arb_is_negative(x) == 0) {
    log_gamma_right_series(coefficients, x, length, precision);
    return;
  }
  number::Arb reflected;
  arb_sub_si(reflected, x, 1, ARF_PREC_EXACT);
  arb_neg(reflected, reflected);
  number::ArbVector right(length);
  if (!store.series(right.data(), reflected, length, precision))
    log_gamma_right_series(right.data(), reflected, length, precision);
  log_sinpi_series(coefficients, x, length, precision);
  for (long j = 0; j < length; ++j) {
    if (j % 2 == 0)
      arb_add(coefficients + j, coefficients + j, right[j], precision);
    else
      arb_sub(coefficients + j, coefficients + j, right[j], precision);
    arb_neg(coefficients + j, coefficients + j);
  }
  number::Arb log_pi;
  arb_const_pi(log_pi, precision);
  arb_log(log_pi, log_pi, precision);
  arb_add(coefficients, coefficients, log_pi, precision);
}

// log|Γ(-(n + t))| = log π − log sin πt − log Γ(1 + n + t) as a function of n > 0.
Series lgamma_at_fraction(double t) {
  constexpr long most_precision = 512; // with which the first two terms are known beforehand
  const auto without_n = [t](arb_ptr value, long precision) {
    number::Arb sine;
    arb_set_d(sine, t);
    arb_sin_pi(sine, sine, precision);
    arb_const_pi(value, precision);
    arb_div(value, value, sine, precision);
    arb_log(value, value, precision);
  };
  number::Arb known;
  without_n(known, most_precision);
  const auto reflected = [t](arb_ptr result, arb_srcptr n) {
    number::Arb fraction;
    arb_set_d(fraction, t);
    arb_add_ui(result, n, 1, ARF_PREC_EXACT);
    arb_add(result, result, fraction, ARF_PREC_EXACT);
  };
  const Series at_number = [=](arb_ptr coefficients, arb_srcptr n, long length, long precision) {
    number::Arb x;
    reflected(x, n);
    log_gamma_right_series(coefficients, x, length, precision);
    _arb_vec_neg(coefficients, coefficients, length);
    if (precision <= most_precision) {
      arb_add(coefficients, coefficients, known, precision);
      return;
    }
    without_n(x, precision);
    arb_add(coefficients, coefficients, x, precision);
  };
  const Series last = [=](arb_ptr coefficients, arb_srcptr n, long length, long /*precision*/) {
    number::Arb x;
    reflected(x, n);
    if (arb_is_positive(x) == 0) {
      set_undefined(coefficients, length);
      return;
    }
    bound_log_gamma_derivatives(coefficients, x, length);
    _arb_vec_neg(coefficients, coefficients, length);
  };
  return in_taylor_form(at_number, last);
}

// Γ(x) from log|Γ(x)|, for x < 0.
void set_gamma(arb_ptr value, arb_srcptr log, arb_srcptr x, long precision) {
  number::Arb below;
  number::Integer floor;
  arb_floor(below, x, precision);
  if (arb_get_unique_fmpz(floor, below) == 0) {
    arb_indeterminate(value);
    return;
  }
  arb_exp(value, log, precision);
  if (fmpz_is_odd(floor) != 0)
    arb_neg(value, value);
}

// Γ′ = Γ·(log|Γ|)′: (j + 1)·c_(j+1) = Σ (i + 1)·l_(i+1)·c_(j−i), l the coefficients of log|Γ|.
void tgamma_series(LogGammaStore& store, arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  constexpr long magnitude_bits = 12; // of x, for which log|Γ(x)| is below 2^16
  const bool by_log = arb_is_negative(x) != 0 && arf_cmpabs_2exp_si(arb_midref(x), magnitude_bits) < 0;
  if (!by_log)
    arb_gamma(coefficients, x, precision);
  if (!by_log && length < 2)
    return;
  number::ArbVector log(length);
  lgamma_series(store, log.data(), x, length, by_log ? precision + magnitude_bits + 4 : precision);
  if (by_log)
    set_gamma(coefficients, log[0], x, precision);
  for (long j = 1; j < length; ++j)
    arb_mul_si(log[j], log[j], j, precision);
  for (long j = 0; j + 1 < length; ++j) {
    arb_dot(coefficients + j + 1, nullptr, 0, log[1], 1, coefficients + j, -1, j + 1, precision);
    arb_div_si(coefficients + j + 1, coefficients + j + 1, j + 1, precision);
  }
}

// Γ(1 + x) = x·Γ(x), which has no pole at 0.
void gamma_of_next_series(LogGammaStore& store, arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  number::Arb next;
  arb_add_ui(next, x, 1, precision);
  tgamma_series(store, coefficients, next, length, precision);
}

// By a store that all copies share.
template <typename Compute> Series with_store(const std::shared_ptr<LogGammaStore>& store, const Compute& compute) {
  return in_taylor_form([store, compute](arb_ptr coefficients, arb_srcptr x, long length, long precision) {
    compute(*store, coefficients, x, length, precision);
  });
}

// Function::most_left_of of Γ: by reflection |Γ(y)| = π/(|sin πy|·Γ(1 − y)). |sin πy| is at least twice the distance of
// y from the next integer, so at least 2·2^unit_exponent, and Γ(1 − y) ≥ Γ(1 − x) for y ≤ x ≤ −1.
void most_gamma_left_of(arb_ptr bound, arb_srcptr x, long unit_exponent, long precision) {
  number::Arb reflected;
  arb_add_si(reflected, x, 1, precision);
  if (arb_is_nonpositive(reflected) == 0) {
    arb_indeterminate(bound);
    return;
  }
  arb_sub_si(reflected, x, 1, precision);
  arb_neg(reflected, reflected);
  arb_rgamma(bound, reflected, precision);
  arb_const_pi(reflected, precision);
  arb_mul(bound, bound, reflected, precision);
  arb_mul_2exp_si(bound, bound, -unit_exponent - 1);
}

int log_gamma(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign = 0;
  return mpfr_lgamma(y, &sign, x, rounding);
}

} // namespace

std::vector<Function> gamma_functions() {
  const Domain but_poles = every_x_but("0, -1, -2, ...");
  const auto store = std::make_shared<LogGammaStore>();
  std::vector<Function> functions{
      entry("lgamma", "logarithm of |gamma(x)|", but_poles, Symmetry::none, with_store(store, lgamma_series), log_gamma,
            exact_log_gamma()),
      beside({"1/x", 0, -1, with_store(store, gamma_of_next_series)},
             rising_from(2, entry("tgamma", "gamma function", but_poles, Symmetry::none,
                                  with_store(store, tgamma_series), mpfr_gamma, exact_gamma()))),
  };
  for (Function& function : functions)
    function.has_integer_poles = true;
  functions.back().most_left_of = most_gamma_left_of;
  functions.front().at_fraction = lgamma_at_fraction;
  return functions;
}

} // namespace tmd::function
