// The kernel that makes the polynomials of sub-intervals, for intervals whose coefficients do not have the usual number
// of words. There is one program for each number: the coefficients are kept in registers.
//
// Expects what shift.clh expects.
#include "../common/portable.clh"
#include "../common/evidence.clh"
#include "parameters.clh"
#include "shift.clh"
#include "sources.clh"
#include "shift_kernel.clh"
