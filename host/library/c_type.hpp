// C's types for the formats, as the functions of a math library take and return them.
#pragma once

#include "function/function.hpp"
#include "library/coded_results.hpp"
#include "tmd/error.hpp"
#include "tmd/format.hpp"

#include <cfloat>
#include <cstdint>
#include <cstring>
#include <string>

#include <fmt/format.h>

namespace tmd::library {

#ifdef __FLT16_MANT_DIG__
__extension__ using Float16 = _Float16;
#endif

// Gives `use` a zero of the type. Throws UsageError for a format that no type of this compiler has.
template <typename Use> auto with_c_type(const Format& format, const Use& use) {
  if (format.name == "binary32")
    return use(float(0));
  if (format.name == "binary64")
    return use(double(0));
#if LDBL_MANT_DIG == 64
  if (format.name == "binary80")
    return use(static_cast<long double>(0));
#endif
#ifdef __FLT16_MANT_DIG__
  if (format.name == "binary16")
    return use(Float16(0));
#endif
  throw UsageError(fmt::format("this C compiler has no type for the format {}", format.name));
}

// Converts a number in a C type to a code, and a code to a number.
template <typename Real> Code code_of(const Real& number) {
  if constexpr (sizeof(Real) <= sizeof(std::uint64_t)) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof number);
    return bits;
  } else { // x87: 64 significand bits, the first of which is 0 only if the exponent is 0; then the exponent
    std::uint64_t significand = 0;
    std::uint16_t exponent = 0;
    std::memcpy(&significand, &number, sizeof significand);
    std::memcpy(&exponent, reinterpret_cast<const char*>(&number) + sizeof significand, sizeof exponent);
    return Code(exponent) << 63 | (significand & (~std::uint64_t(0) >> 1));
  }
}
template <typename Real> void set_code(Real& number, Code code) {
  if constexpr (sizeof(Real) <= sizeof(std::uint64_t)) {
    const auto bits = static_cast<std::uint64_t>(code);
    std::memcpy(&number, &bits, sizeof number);
  } else {
    const auto exponent = static_cast<std::uint16_t>(code >> 63);
    const bool is_normal = (exponent & 0x7fffU) != 0;
    const std::uint64_t significand =
        (static_cast<std::uint64_t>(code) & (~std::uint64_t(0) >> 1)) | (is_normal ? std::uint64_t(1) << 63 : 0);
    std::memcpy(&number, &significand, sizeof significand);
    std::memcpy(reinterpret_cast<char*>(&number) + sizeof significand, &exponent, sizeof exponent);
  }
}

// C23's name of a function for that type, such as "expf". Throws UsageError also for a function that C does not have.
[[nodiscard]] std::string c_name(const function::Function& function, const Format& format);
// The same, for a function that is known to be in C.
[[nodiscard]] std::string c_name(const std::string& name, const Format& format);

} // namespace tmd::library
