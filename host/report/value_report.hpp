// Shows one value of a function around the bits that decide how it is rounded: for people, and as a record.
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

// |f(x)| in binary, cut at the places that matter for rounding. Significand, round bit and run are those of the format:
// a subnormal value has leading zeros.
struct ShownDigits {
  std::string significand; // "1.0110"
  std::string round_bit;
  std::string run;     // equal bits after the round bit
  std::string further; // a few known bits after the run
  long exponent = 0;   // exponent of the significand's first bit
};

// Whether a value that is no number of the format underflows. IEEE 754 leaves two definitions to implementations:
// before rounding, if the value is nearer to 0 than every normal number; after rounding, if it is still so when rounded
// as if exponents had no lower end. By direction; empty if unknown.
struct ShownUnderflow {
  bool before = false;
  std::array<std::optional<bool>, directions.size()> after;
};

// The result that a library returned.
struct ShownResult {
  std::string text;
  double error = 0; // in ulps; positive if the result is too large
};

// Everything shown about one value.
struct ShownValue {
  std::vector<std::pair<std::string, std::string>> operands; // {"x", "0x1p+0"}
  bool negative = false;                                     // sign of f(x)
  std::optional<ShownDigits> digits;                         // empty if the value is beyond what is computed
  std::optional<Case> found; // by K = 0, so that every argument is a case, unless no breakpoint is near
  bool is_special = false;   // whether C23, not mathematics, defines the value
  std::string_view place;
  std::array<std::string, directions.size()> rounded;
  ShownUnderflow underflow;
  std::optional<ShownResult> result;
};

// An operand as a user wrote it, as a number of the format (inf, nan and -0 stay as they are).
struct Operand {
  std::string text; // as to_hex() writes it
  number::Mpfr value;
  bool is_exact = true; // false: the text was none of the format's numbers, and this is the nearest
};

// Throws UsageError, naming `what`, for a text that is no number.
[[nodiscard]] Operand read_operand(const job::Job& job, std::string_view text, std::string_view what);

// result: what a library returned, if given. Throws UsageError if the function has no value.
[[nodiscard]] ShownValue show_value(const job::Job& job, const Operand& x, const std::optional<Operand>& result);
// The same for a function of two variables; the job's function is ignored.
[[nodiscard]] ShownValue show_value(job::Job job, const function::PairFunction& function, const Operand& first,
                                    const Operand& second, const std::optional<Operand>& result);

// bits: K, for the line that says whether it is a K-bit case. raw: adds the bits of numbers.
[[nodiscard]] std::string value_table(const job::Job& job, std::string_view function, const ShownValue& shown,
                                      std::optional<int> bits, bool raw);
[[nodiscard]] nlohmann::ordered_json value_record(const job::Job& job, std::string_view function,
                                                  const ShownValue& shown);

} // namespace tmd::report
