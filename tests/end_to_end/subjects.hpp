// Every function of the catalogue, some members of its families, and MPFR's functions that they are compared with.
#pragma once

#include "end_to_end/enumeration.hpp"

#include <utility>
#include <vector>

namespace tmd::test {

inline int lgamma_value(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign = 0;
  return mpfr_lgamma(y, &sign, x, rounding);
}

template <long n> int root(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) { return mpfr_rootn_si(y, x, n, rounding); }
template <long n> int power(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) { return mpfr_pow_si(y, x, n, rounding); }
template <long n> int compound(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  return mpfr_compound_si(y, x, n, rounding);
}

// A function and ranges of it. Where nearly every argument is a case (f almost x or constant), they stop early.
struct Subject {
  Known function;
  std::vector<std::pair<double, double>> ranges;
};

inline std::vector<Subject> subjects() {
  return {
      {{"acos", mpfr_acos, {}}, {{-1, 0x1p-9}, {0.5, 1}}},
      {{"acosh", mpfr_acosh, {}}, {{1, 4}, {1024, 2048}}},
      {{"acospi", mpfr_acospi, {}}, {{-1, -0.5}, {0.25, 1}}},
      {{"asin", mpfr_asin, {}}, {{-1, -0.25}, {0.5, 1}}},
      {{"asinh", mpfr_asinh, {}}, {{-2, -0.25}, {512, 1024}}},
      {{"asinpi", mpfr_asinpi, {}}, {{-1, -0.5}, {0x1p-8, 0x1p-7}}},
      {{"atan", mpfr_atan, {}}, {{-4, -0.25}, {64, 128}}},
      {{"atanh", mpfr_atanh, {}}, {{-0x1.ff8p-1, -0.5}, {0.25, 0x1.ff8p-1}}},
      {{"atanpi", mpfr_atanpi, {}}, {{-4, -0.5}, {0x1p-14, 0x1p-13}}},
      {{"cbrt", mpfr_cbrt, {}}, {{-2, -0.5}, {0x1p-24, 0x1p-20}}},
      {{"compound:5", compound<5>, {}}, {{-1, -0.25}, {1, 4}}},
      {{"compound:-3", compound<-3>, {}}, {{-0x1.ff8p-1, -0.25}, {1, 2}}},
      {{"cos", mpfr_cos, {}}, {{-4, -0.25}, {50, 52}}},
      {{"cosh", mpfr_cosh, {}}, {{-8, -0.25}, {11, 12}}},
      {{"cospi", mpfr_cospi, {}}, {{-1, 1}, {30, 32}}},
      {{"erf", mpfr_erf, {}}, {{-2, -0.25}, {0x1p-9, 0x1p-8}}},
      {{"erfc", mpfr_erfc, {}}, {{-1, 4}}},
      {{"exp", mpfr_exp, {}}, {{-2, -0.125}, {1, 2}}},
      {{"exp10", mpfr_exp10, {}}, {{-1, -0.125}, {0.5, 4}}},
      {{"exp10m1", mpfr_exp10m1, {}}, {{-2, 0.5}, {1, 4}}},
      {{"exp2", mpfr_exp2, {}}, {{-2, -0.125}, {3, 6}}},
      {{"exp2m1", mpfr_exp2m1, {}}, {{-4, 0.5}, {1, 8}}},
      {{"expm1", mpfr_expm1, {}}, {{-4, -0.25}, {0.5, 2}}},
      {{"j0", mpfr_j0, {}}, {{-8, -0.5}, {100, 104}}},
      {{"j1", mpfr_j1, {}}, {{-8, -0.5}, {0x1p-4, 0x1p-3}}},
      {{"lgamma", lgamma_value, {}}, {{-3, -1.75}, {0.5, 4}}},
      {{"log", mpfr_log, {}}, {{0.5, 2}}},
      {{"log10", mpfr_log10, {}}, {{0.5, 2}, {8, 16}, {0x1p-24, 0x1p-20}}},
      {{"log10p1", mpfr_log10p1, {}}, {{-0x1.ff8p-1, -0.5}, {4, 16}}},
      {{"log1p", mpfr_log1p, {}}, {{-0x1.ff8p-1, -0.25}, {1, 2}}},
      {{"log2", mpfr_log2, {}}, {{0.5, 4}}},
      {{"log2p1", mpfr_log2p1, {}}, {{-0x1.ff8p-1, -0.25}, {0x1p-9, 2}}},
      {{"pown:-2", power<-2>, {}}, {{-2, -1}, {3, 6}}},
      {{"pown:3", power<3>, {}}, {{-2, -1}, {3, 6}}},
      {{"recip", power<-1>, {}}, {{-2, -1}, {0x1p-24, 0x1p-18}}},
      {{"rootn:-2", root<-2>, {}}, {{1, 4}}},
      {{"rootn:3", root<3>, {}}, {{-4, -1}, {8, 16}}},
      {{"rsqrt", mpfr_rec_sqrt, {}}, {{0.5, 2}, {0x1p-24, 0x1p-20}}},
      {{"sin", mpfr_sin, {}}, {{-4, -0.25}, {100, 102}}},
      {{"sinh", mpfr_sinh, {}}, {{-4, -0.25}, {10, 11}}},
      {{"sinpi", mpfr_sinpi, {}}, {{-1, 1}, {15, 16}}},
      {{"sqrt", mpfr_sqrt, {}}, {{0, 0x1p-20}, {1, 4}}},
      {{"tan", mpfr_tan, {}}, {{-4, -0.25}, {20, 23}}},
      {{"tanh", mpfr_tanh, {}}, {{-3, -0.25}, {0.5, 1}}},
      {{"tanpi", mpfr_tanpi, {}}, {{-1, 1}, {3, 4}}},
      {{"tgamma", mpfr_gamma, {}}, {{-2.25, -0.5}, {0x1p-2, 6}}},
      {{"y0", mpfr_y0, {}}, {{0x1p-3, 2}, {60, 62}}},
      {{"y1", mpfr_y1, {}}, {{0x1p-3, 2}, {60, 62}}},
  };
}

} // namespace tmd::test
