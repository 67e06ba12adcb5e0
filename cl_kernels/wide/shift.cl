// The kernel that makes the polynomials of sub-intervals, where the intervals' coefficients have other than the usual
// number of words. A program of its own, of which there is one for each number: the coefficients are kept in registers.
//
// Expects what shift.clh expects.
#include "../common/portable.clh"
#include "../common/evidence.clh"
#include "parameters.clh"
#include "shift.clh"
#include "sources.clh"
#include "shift_kernel.clh"
