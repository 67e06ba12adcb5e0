// Makes the polynomials of sub-intervals.
//
// Expects nothing of the build.
#define TMD_VECTOR_WIDTH 1
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "shift.clh"
#include "../common/vector32.clh"
#include "polynomial.clh"

// Of the sub-intervals first … first + count − 1 of 2^sub_bits arguments each. coefficients: `size` of the interval's,
// of `words` words; scale: log2 of M². records: as polynomial.clh has them.
kernel void wide_shift(global const ulong *restrict coefficients, uint size, uint words, ulong first, uint count,
                       uint sub_bits, int scale, global uint *restrict records) {
  u32 item = (u32)get_global_id(0);
  if (item < count)
    shift_to(coefficients, size, (int)words, (first + item) << sub_bits, scale, (int)sub_bits,
             records + (u64)item * TMD_RECORD_LIMBS);
}
