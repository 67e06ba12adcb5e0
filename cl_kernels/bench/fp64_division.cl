// FP64 division, the device's own or emulated in integers: quotients of arrays, throughput, and one compared with the
// other. The emulation also builds where there is no FP64.
//
// Expects:
//   TMD_FP64_DIVISION  1 (built-in; needs cl_khr_fp64), 2 (newton), 3 (halley)
#include "../common/portable.clh"

#define TMD_FP64_BUILT_IN 1
#ifndef TMD_FP64_DIVISION
#error "TMD_FP64_DIVISION is missing: 1 (built-in), 2 (newton), 3 (halley)"
#elif TMD_FP64_DIVISION < 1 || TMD_FP64_DIVISION > 3
#error "TMD_FP64_DIVISION is out of range: 1 to 3"
#endif

#ifdef cl_khr_fp64
#if __OPENCL_VERSION__ < 120
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
PURE u64 built_in_quotient(u64 x, u64 y) { return as_ulong(as_double(x) / as_double(y)); }
#endif

#if TMD_FP64_DIVISION == TMD_FP64_BUILT_IN
PURE u64 quotient_of(u64 x, u64 y) { return built_in_quotient(x, y); }
#else
#define TMD_FP64_STEPS (TMD_FP64_DIVISION - 1)
#include "fp64_division.clh"
PURE u64 quotient_of(u64 x, u64 y) { return fp_divide(x, y); }
#endif

kernel void quotients(global const ulong *restrict x, global const ulong *restrict y, uint count,
                      global ulong *restrict result) {
  u32 i = (u32)get_global_id(0);
  if (i < count)
    result[i] = quotient_of(x[i], y[i]);
}

// Each of `items` work-items divides `rounds` times, both operands in [1, 2) and different each time; sums: sums of the
// quotients' bits.
kernel void throughput(uint items, uint rounds, global ulong *restrict sums) {
  u64 item = get_global_id(0);
  if (item >= items)
    return;
  u64 x = 0x3ff0000000000000u + (item * 0x9e3779b97f4a7c15u >> 13);
  u64 y = 0x3ff0000000000000u + (item * 0xbf58476d1ce4e5b9u >> 13);
  u64 sum = 0;
  for (u32 round = 0; round < rounds; ++round) {
    sum += quotient_of(x, y);
    x += 3;
    y += 5;
  }
  sums[item] = sum;
}

#if defined(cl_khr_fp64) && TMD_FP64_DIVISION != TMD_FP64_BUILT_IN
#include "fp64_operands.clh"

PURE int is_nan(u64 x) { return (x << 1) > 0xffe0000000000000u; }

// Compares the emulated quotients of the operands first … first + count − 1 with the built-in ones; NaNs are equal.
// differing: the indices of those that differ, as far as there is room; counter: their number.
kernel void compare(ulong seed, ulong first, ulong count, global ulong *restrict differing, uint capacity,
                    global uint *restrict counter) {
  for (u64 i = get_global_id(0); i < count; i += get_global_size(0)) {
    u64 x;
    u64 y;
    fp64_operands(seed, first + i, &x, &y);
    u64 expected = built_in_quotient(x, y);
    u64 quotient = quotient_of(x, y);
    if (quotient != expected && !(is_nan(quotient) && is_nan(expected))) {
      u32 slot = atomic_inc(counter);
      if (slot < capacity)
        differing[slot] = first + i;
    }
  }
}
#endif
