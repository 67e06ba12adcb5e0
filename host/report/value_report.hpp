// One value of a function around the bits that decide how it is rounded: for people, and as a record.
#pragma once

#include "format/argument.hpp"
#include "job/job.hpp"
#include "verify/confirm.hpp"
#include "verify/rounded_value.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace tmd {

// |f(x)| in binary, cut into what rounding looks at. Significand, round bit and run are those of the format: a
// subnormal value has leading zeros.
struct ShownDigits {
  std::string significand; // "1.0110"
  std::string round_bit;
  std::string run;     // of equal bits after the round bit
  std::string further; // what is known behind them, a few bits
  long exponent = 0;   // of the significand's first bit
};

// All there is to say of one argument.
struct ShownValue {
  Argument x;
  bool negative = false; // f(x)
  ShownDigits digits;
  std::optional<Case> found; // with K = 0 every argument is a case, unless no breakpoint is near
  std::string_view place;
  std::array<std::string, directions.size()> rounded;
};

// Throws UsageError where the function has no value.
[[nodiscard]] ShownValue show_value(const Job& job, const Argument& x);

// bits: K, for the line that says whether it is a K-bit case.
[[nodiscard]] std::string value_table(const Job& job, const ShownValue& shown, std::optional<int> bits);
[[nodiscard]] nlohmann::ordered_json value_record(const Job& job, const ShownValue& shown);

} // namespace tmd
