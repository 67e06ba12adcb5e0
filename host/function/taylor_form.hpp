// Enclosures of Taylor coefficients that hardly overestimate, from a series that does.
#pragma once

#include "function/function.hpp"

namespace tmd::function {

// The coefficients of `series` on the ball x = m ± r, by Lagrange's formula for f^(j)/j!:
//   c_j(x) ⊂ Σ_(k<order) C(j + k, k)·c_(j+k)(m)·[−r, r]^k + C(j + order, order)·c_(j+order)(x)·[−r, r]^order.
// Only the last term feels how much the series overestimates on x. It may be from another series, `last`, of which
// coefficients below the order do not count.
void taylor_form(const Series& series, const Series& last, long order, arb_ptr coefficients, arb_srcptr x, long length,
                 long precision);

// The same of a series whose coefficients on m, length + order − 1 of them, and on x, one more, are known.
void combine_taylor_form(const number::ArbVector& at_middle, const number::ArbVector& over_all, long order,
                         arb_ptr coefficients, arb_srcptr x, long length, long precision);

// Function::series from a series that overestimates on wide balls, or knows only bounds there.
[[nodiscard]] Series in_taylor_form(const Series& series);
[[nodiscard]] Series in_taylor_form(Series series, Series last);

} // namespace tmd::function
