// 64-bit arithmetic over two arrays, scalar or in vectors, for measurements (seed 004, table 5.2).
//
// Expects:
//   TMD_OPERATION  1 (addition), 2 (multiplication), 3 (division)
//   TMD_ELEMENTS   1, 4, 8, 16: elements in a vector; 1 is scalar code
//   TMD_ARRAY_SIZE  elements of an array, a multiple of 16
//   what division.clh expects; with lengths in double the arrays are of double
#include "../common/portable.clh"

#define TMD_ADDITION 1
#define TMD_MULTIPLICATION 2
#ifndef TMD_OPERATION
#error "TMD_OPERATION is missing: 1 (addition), 2 (multiplication), 3 (division)"
#elif TMD_OPERATION < 1 || TMD_OPERATION > 3
#error "TMD_OPERATION is out of range: 1 to 3"
#endif
#ifndef TMD_ELEMENTS
#error "TMD_ELEMENTS is missing: 1, 4, 8, 16"
#elif TMD_ELEMENTS != 1 && TMD_ELEMENTS != 4 && TMD_ELEMENTS != 8 && TMD_ELEMENTS != 16
#error "TMD_ELEMENTS is out of range: 1, 4, 8, 16"
#endif
#ifndef TMD_ARRAY_SIZE
#error "TMD_ARRAY_SIZE is missing"
#elif TMD_ARRAY_SIZE < 16 || TMD_ARRAY_SIZE % 16 != 0
#error "TMD_ARRAY_SIZE is out of range: a multiple of 16"
#endif

#define TMD_VECTOR_WIDTH 1
#include "../common/vector.clh"
#include "../domains/division.clh"

#if TMD_ELEMENTS == 1

typedef tmd_length wide_length;
// Quotients in float would not add up exactly.
#if TMD_DIVISION < TMD_DIVISION_DOUBLE
typedef tmd_count wide_sum;
#else
typedef double wide_sum;
#endif
PURE wide_length load(global const tmd_length *from) { return *from; }
PURE void store(wide_sum sum, global ulong *to) { *to = (ulong)sum; }
PURE wide_sum quotient_of(wide_length x, wide_length y) { return (wide_sum)divide(&x, y); }

#else

// The strategies of division.clh on vectors. If one element needs the slow way, all of them take it.
#define TMD_JOINED(a, b) a##b
#define TMD_JOIN(a, b) TMD_JOINED(a, b)
#define TMD_WIDE(type) TMD_JOIN(type, TMD_ELEMENTS)
typedef TMD_WIDE(ulong) wide_word;
typedef TMD_WIDE(float) wide_float;
#define TMD_LOAD TMD_WIDE(vload)
#define TMD_STORE TMD_WIDE(vstore)
#define to_wide_word TMD_WIDE(convert_ulong)
#define to_wide_float TMD_WIDE(convert_float)

#if TMD_DIVISION < TMD_DIVISION_DOUBLE

typedef wide_word wide_length;
typedef wide_word wide_sum;

#if TMD_DIVISION == TMD_DIVISION_SUBTRACT || TMD_DIVISION == TMD_DIVISION_HYBRID
PURE wide_word subtract_repeatedly(wide_word rest, wide_word divisor) {
  wide_word quotient = 0;
  while (any(rest >= divisor)) {
    quotient += rest >= divisor ? (wide_word)1 : (wide_word)0;
    rest -= rest >= divisor ? divisor : (wide_word)0;
  }
  return quotient;
}
#endif

PURE wide_sum quotient_of(wide_length x, wide_length y) {
#if TMD_DIVISION == TMD_DIVISION_NATIVE
  return x / y;
#elif TMD_DIVISION == TMD_DIVISION_SUBTRACT
  return subtract_repeatedly(x, y);
#elif TMD_DIVISION == TMD_DIVISION_HYBRID
  if (TMD_LOGMS < TMD_WORD_BITS && any((x >> (ulong)(TMD_LOGMS % TMD_WORD_BITS)) >= y))
    return x / y;
  return subtract_repeatedly(x, y);
#else
  wide_float estimate = TMD_LOWERED(to_wide_float(x), to_wide_float(y));
  if (any(estimate >= TMD_RECIPROCAL_LIMIT))
    return x / y;
  wide_word quotient = to_wide_word(TMD_WIDE(convert_uint)(estimate));
  return quotient + (x - quotient * y >= y ? (wide_word)1 : (wide_word)0);
#endif
}

#else

typedef TMD_WIDE(double) wide_length;
typedef TMD_WIDE(double) wide_sum;

PURE wide_sum quotient_in_double(wide_length x, wide_length y) {
  wide_sum quotient = floor(x / y);
  return fma(-quotient, y, x) < 0.0 ? quotient - 1.0 : quotient;
}

PURE wide_sum quotient_of(wide_length x, wide_length y) {
#if TMD_DIVISION == TMD_DIVISION_DOUBLE
  return quotient_in_double(x, y);
#else
  wide_float estimate = TMD_LOWERED(to_wide_float(x), to_wide_float(y));
  if (any(estimate >= TMD_RECIPROCAL_LIMIT))
    return quotient_in_double(x, y);
  wide_sum quotient = TMD_WIDE(convert_double)(floor(estimate));
  return fma(-quotient, y, x) >= y ? quotient + 1.0 : quotient;
#endif
}

#endif

PURE wide_length load(global const tmd_length *from) { return TMD_LOAD(0, from); }
PURE void store(wide_sum sum, global ulong *to) { TMD_STORE(to_wide_word(sum), 0, to); }

#endif

PURE wide_sum result_of(wide_length x, wide_length y) {
#if TMD_OPERATION == TMD_ADDITION
  return x + y;
#elif TMD_OPERATION == TMD_MULTIPLICATION
  return x * y;
#else
  return quotient_of(x, y);
#endif
}

// x, y: the arrays, three times over, so that no window needs to be cut at their end. A work-item has TMD_ELEMENTS
// neighbouring elements of the `elements` that all have; sums: of their results. Each repetition moves on by one
// element and each pass begins elsewhere, so that nothing stays the same in a loop that a compiler could move out.
kernel void repeat(global const tmd_length *restrict x, global const tmd_length *restrict y, uint elements, uint passes,
                   uint repetitions, global ulong *restrict sums) {
  u32 first = (u32)get_global_id(0) * TMD_ELEMENTS;
  if (first >= elements)
    return;
  u32 element = first % TMD_ARRAY_SIZE;
  wide_sum sum = 0;
  for (u32 pass = 0; pass < passes; ++pass) {
    u32 begin = element + pass * 37 % TMD_ARRAY_SIZE;
    for (u32 at = begin; at < begin + repetitions; ++at)
      sum += result_of(load(x + at), load(y + at));
  }
  store(sum, sums + first);
}
