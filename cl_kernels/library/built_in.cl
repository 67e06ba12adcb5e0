// A function of OpenCL C, the device's own, of one argument at an array of them, or one with two results as sincos.
//
// Expects:
//   TMD_FORMAT    16 (half; needs cl_khr_fp16), 32 (float), 64 (double; needs cl_khr_fp64)
//   TMD_FUNCTION  its name: exp, native_exp, half_exp
//   TMD_RETURNED  0 (its value), or of two results 1 (what it returns) or 2 (what it leaves where a pointer leads)
#ifndef TMD_FORMAT
#error "TMD_FORMAT is missing: 16, 32, 64"
#elif TMD_FORMAT != 16 && TMD_FORMAT != 32 && TMD_FORMAT != 64
#error "TMD_FORMAT is out of range: 16, 32, 64"
#endif
#ifndef TMD_FUNCTION
#error "TMD_FUNCTION is missing: the name of a function of one argument"
#endif
#ifndef TMD_RETURNED
#error "TMD_RETURNED is missing: 0, 1, 2"
#elif TMD_RETURNED < 0 || TMD_RETURNED > 2
#error "TMD_RETURNED is out of range: 0, 1, 2"
#endif

#if TMD_FORMAT == 16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef half real;
#elif TMD_FORMAT == 32
typedef float real;
#else
#if __OPENCL_VERSION__ < 120
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#endif

// Both arrays have room for whole work-groups.
kernel void call_built_in(global const real *restrict arguments, global real *restrict results) {
  size_t i = get_global_id(0);
#if TMD_RETURNED == 0
  results[i] = TMD_FUNCTION(arguments[i]);
#else
  real second;
  const real first = TMD_FUNCTION(arguments[i], &second);
  results[i] = TMD_RETURNED == 1 ? first : second;
#endif
}
