// The types of C that have a format, as the functions of a math library take and return them.
#pragma once

#include "function/function.hpp"
#include "tmd/error.hpp"
#include "tmd/format.hpp"

#include <cfloat>
#include <string>

#include <fmt/format.h>

namespace tmd {

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
  throw UsageError(fmt::format("no type of C here has the format {}", format.name));
}

// "expf": what C23 calls a function in that type. Throws UsageError for a function that C has not, too.
[[nodiscard]] std::string c_name(const Function& function, const Format& format);

} // namespace tmd
