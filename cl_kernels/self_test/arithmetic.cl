// The operations that the proofs ask a device for, one by one, for the host to compare.
//
// Expects TMD_FP64, 0 or 1: whether the device has FP64, too.
#define TMD_VECTOR_WIDTH 1
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "../common/evidence.clh"

#if TMD_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

// results[k·count + i], of x[i], y[i] > 0 and z[i]: x/y, 1/y, √y, 1/√y, x·y + z rounded once, x·y, x + z. ticket:
// evidence.clh.
kernel void operations_in_float(global const float *restrict x, global const float *restrict y,
                                global const float *restrict z, uint count, global float *restrict results, uint ticket,
                                global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= count)
    return;
  float a = x[item];
  float b = y[item];
  float c = z[item];
  results[0 * count + item] = a / b;
  results[1 * count + item] = 1.0f / b;
  results[2 * count + item] = sqrt(b);
  results[3 * count + item] = rsqrt(b);
  results[4 * count + item] = fma(a, b, c);
  results[5 * count + item] = a * b;
  results[6 * count + item] = a + c;
  evidence e = no_evidence();
  finished(&e, item, 1, ticket);
  testify(&e, counters);
}

// results[k·count + i], of the integers n[i]: as a float all 64 bits, signed and not, and the lower 32, signed and not;
// that of the last float as an integer, and the upper half of the product with the next integer.
kernel void conversions(global const ulong *restrict n, uint count, global float *restrict floats,
                        global ulong *restrict integers, uint ticket, global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= count)
    return;
  u64 of = n[item];
  floats[0 * count + item] = (float)of;
  floats[1 * count + item] = (float)(i64)of;
  floats[2 * count + item] = (float)(u32)of;
  floats[3 * count + item] = (float)(i32)(u32)of;
  integers[0 * count + item] = (u64)(i64)(i32)((float)(i32)(u32)of * 0.5f);
  integers[1 * count + item] = unsigned_high_half(of, n[item + 1 < count ? item + 1 : 0]);
  evidence e = no_evidence();
  finished(&e, item, 1, ticket);
  testify(&e, counters);
}

#if TMD_FP64
// As in float, of FP64: x/y, x·y + z rounded once, x·y, x + z, ⌊x⌋, and y as an integer and back.
kernel void operations_in_double(global const double *restrict x, global const double *restrict y,
                                 global const double *restrict z, uint count, global double *restrict results,
                                 uint ticket, global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= count)
    return;
  double a = x[item];
  double b = y[item];
  double c = z[item];
  results[0 * count + item] = a / b;
  results[1 * count + item] = fma(a, b, c);
  results[2 * count + item] = a * b;
  results[3 * count + item] = a + c;
  results[4 * count + item] = floor(a);
  results[5 * count + item] = (double)(u64)b;
  evidence e = no_evidence();
  finished(&e, item, 1, ticket);
  testify(&e, counters);
}
#endif
