// A vector is passed in one register; its width determines the instructions that the caller must be compiled for.
#include "library/vector_call.hpp"

#include <cstring>

#include <fmt/format.h>

namespace tmd::library {

namespace {

// The width in bytes, its letter in names, and whether the processor has it.
struct Vectors {
  std::size_t bytes;
  char letter;
  bool exists;
};

Vectors vectors_of(std::size_t lanes, std::size_t size) {
  const std::size_t bytes = lanes * size;
#if defined(__x86_64__)
  if (bytes == 16)
    return {bytes, 'b', true};
  if (bytes == 32)
    return {bytes, 'd', __builtin_cpu_supports("avx2") != 0};
  if (bytes == 64)
    return {bytes, 'e', __builtin_cpu_supports("avx512f") != 0};
#elif defined(__aarch64__)
  if (bytes == 16)
    return {bytes, 'n', true};
#endif
  throw UsageError(fmt::format("--lanes: vectors of {} numbers of {} bytes are not supported", lanes, size));
}

#if defined(__aarch64__)
#define TMD_VECTOR_CALL __attribute__((aarch64_vector_pcs))
#else
#define TMD_VECTOR_CALL
#endif

template <typename Real> void call_16(void* function, const Real* arguments, Real* results) {
  using Vector __attribute__((vector_size(16))) = Real;
  using Function TMD_VECTOR_CALL = Vector (*)(Vector);
  Vector x;
  std::memcpy(&x, arguments, sizeof x);
  const Vector y = reinterpret_cast<Function>(function)(x);
  std::memcpy(results, &y, sizeof y);
}

#if defined(__x86_64__)
template <typename Real>
__attribute__((target("avx2"))) void call_32(void* function, const Real* arguments, Real* results) {
  using Vector __attribute__((vector_size(32))) = Real;
  Vector x;
  std::memcpy(&x, arguments, sizeof x);
  const Vector y = reinterpret_cast<Vector (*)(Vector)>(function)(x);
  std::memcpy(results, &y, sizeof y);
}

template <typename Real>
__attribute__((target("avx512f"))) void call_64(void* function, const Real* arguments, Real* results) {
  using Vector __attribute__((vector_size(64))) = Real;
  Vector x;
  std::memcpy(&x, arguments, sizeof x);
  const Vector y = reinterpret_cast<Vector (*)(Vector)>(function)(x);
  std::memcpy(results, &y, sizeof y);
}
#endif

} // namespace

std::string vector_name(std::string_view c_name, std::size_t lanes, std::size_t size) {
  return fmt::format("_ZGV{}N{}v_{}", vectors_of(lanes, size).letter, lanes, c_name);
}

template <typename Real> VectorCall<Real> vector_call(std::size_t lanes) {
  const Vectors vectors = vectors_of(lanes, sizeof(Real));
  if (!vectors.exists)
    throw UsageError(fmt::format("--lanes: this processor has no vectors of {} bytes", vectors.bytes));
#if defined(__x86_64__)
  if (vectors.bytes == 32)
    return call_32<Real>;
  if (vectors.bytes == 64)
    return call_64<Real>;
#endif
  return call_16<Real>;
}

template VectorCall<float> vector_call<float>(std::size_t lanes);
template VectorCall<double> vector_call<double>(std::size_t lanes);

} // namespace tmd::library
