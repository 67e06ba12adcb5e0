// One value of a function around the bits that decide how it is rounded: for people, and as a record.
#pragma once

#include "format/argument.hpp"
#include "function/pairs.hpp"
#include "job/job.hpp"
#include "verify/confirm.hpp"
#include "verify/rounded_value.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace tmd::report {

// |f(x)| in binary, cut into what rounding looks at. Significand, round bit and run are those of the format: a
// subnormal value has leading zeros.
struct ShownDigits {
  std::string significand; // "1.0110"
  std::string round_bit;
  std::string run;     // of equal bits after the round bit
  std::string further; // what is known behind them, a few bits
  long exponent = 0;   // of the significand's first bit
};

// Whether a value that is no number of the format underflows, as IEEE 754 leaves to implementations: it does so before
// rounding where it is nearer to 0 than every normal number, after rounding where, rounded as if exponents had no end,
// it still is; by direction, nothing where that is not known.
struct ShownUnderflow {
  bool before = false;
  std::array<std::optional<bool>, directions.size()> after;
};

// What a library has returned.
struct ShownResult {
  std::string text;
  double error = 0; // in ulps; positive where it is too large
};

// All there is to say of one value.
struct ShownValue {
  std::vector<std::pair<std::string, std::string>> operands; // {"x", "0x1p+0"}
  bool negative = false;                                     // f(x)
  std::optional<ShownDigits> digits;                         // nothing where the value is beyond what is computed
  std::optional<Case> found; // with K = 0 every argument is a case, unless no breakpoint is near
  bool is_special = false;   // whether C23 prescribes the value, rather than mathematics
  std::string_view place;
  std::array<std::string, directions.size()> rounded;
  ShownUnderflow underflow;
  std::optional<ShownResult> result;
};

// Operands as users write them, as numbers of the format (inf, nan and -0 stay as they are).
struct Operand {
  std::string text; // as to_hex() writes it
  number::Mpfr value;
  bool is_exact = true; // else the text was none of the format's, and this is the nearest
};

// Throws UsageError, naming `what`, for what is no number.
[[nodiscard]] Operand read_operand(const job::Job& job, std::string_view text, std::string_view what);

// result: what a library has returned, or nothing. Throws UsageError where the function has no value.
[[nodiscard]] ShownValue show_value(const job::Job& job, const Operand& x, const std::optional<Operand>& result);
// The same of a function of two variables; the job's function does not matter.
[[nodiscard]] ShownValue show_value(job::Job job, const function::PairFunction& function, const Operand& first,
                                    const Operand& second, const std::optional<Operand>& result);

// bits: K, for the line that says whether it is a K-bit case. raw: with the bits of numbers.
[[nodiscard]] std::string value_table(const job::Job& job, std::string_view function, const ShownValue& shown,
                                      std::optional<int> bits, bool raw);
[[nodiscard]] nlohmann::ordered_json value_record(const job::Job& job, std::string_view function,
                                                  const ShownValue& shown);

} // namespace tmd::report
