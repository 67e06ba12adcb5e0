// tmd show: values at single arguments, around the bits that decide how they are rounded.
#include "commands.hpp"
#include "options.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "function/expression.hpp"
#include "result/schema.hpp"
#include "verify/confirm.hpp"
#include "verify/rounded_value.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr long most_run = 200;     // equal bits that are looked at: more only where a value is undecided
constexpr std::size_t behind = 8;  // bits shown behind the run
constexpr std::size_t widest = 80; // bits of a run that are printed

// |f(x)| in binary, cut into what rounding looks at. Significand, round bit and run are those of the format: a
// subnormal value has leading zeros.
struct Digits {
  std::string significand; // "1.0110"
  std::string round_bit;
  std::string run;     // of equal bits after the round bit
  std::string further; // what is known behind them, a few bits
  long exponent = 0;   // of the significand's first bit
};

// `count` bits of |y| below 2^(exponent + 1), cut off.
std::string bits_below(mpfr_srcptr y, long exponent, long count) {
  Mpfr magnitude(mpfr_get_prec(y));
  mpfr_abs(magnitude, y, MPFR_RNDN);
  std::string text;
  for (long i = 0; i < count; ++i) {
    const bool one = mpfr_cmp_ui_2exp(magnitude, 1, exponent - i) >= 0;
    if (one) {
      Mpfr power(2);
      mpfr_set_ui_2exp(power, 1, exponent - i, MPFR_RNDN);
      mpfr_sub(magnitude, magnitude, power, MPFR_RNDN);
    }
    text.push_back(one ? '1' : '0');
  }
  return text;
}

Digits digits_of(const ValueEnclosure& value, const Format& format) {
  Digits digits;
  const mpfr_srcptr lower = value.lower;
  const mpfr_srcptr upper = value.upper;
  const bool zero = mpfr_zero_p(lower) != 0;
  digits.exponent = zero ? format.min_exponent : ulp_exponent(format, lower) + format.precision - 1;
  const long count = format.precision + 1 + most_run;
  const std::string one = bits_below(lower, digits.exponent, count);
  const std::string other = bits_below(upper, digits.exponent, count);
  const auto p = static_cast<std::size_t>(format.precision);
  const auto known = static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), other.begin()).first - one.begin());
  digits.significand = one.substr(0, 1) + "." + one.substr(1, p - 1);
  digits.round_bit = one.substr(p, 1);
  const std::string rest = one.substr(p + 1, known > p + 1 ? known - p - 1 : 0);
  digits.run = rest.substr(0, rest.find_first_not_of(rest.empty() ? '0' : rest.front()));
  digits.further = rest.substr(digits.run.size(), behind);
  return digits;
}

// Where |f(x)| lies among the numbers of the format.
std::string_view place_of(const RoundedValue& value, const Format& format) {
  const mpfr_srcptr y = value.enclosure.lower;
  const std::optional<Mpfr>& nearest = value.in(Direction::nearest);
  if (mpfr_zero_p(y) != 0)
    return value.enclosure.is_exact() ? "zero" : "underflow";
  if (nearest && mpfr_inf_p(mpfr_srcptr(*nearest)) != 0)
    return "overflow";
  const long exponent = mpfr_get_exp(y) - 1;
  if (exponent >= format.min_exponent)
    return "normal";
  return exponent >= format.min_exponent - format.precision + 1 ? "subnormal" : "underflow";
}

// All there is to say of one argument.
struct Shown {
  Argument x;
  bool negative = false; // f(x)
  Digits digits;
  std::optional<Case> found; // with K = 0 every argument is a case, unless no breakpoint is near
  std::string_view place;
  std::array<std::string, directions.size()> rounded;
};

Shown show_one(const Job& job, const Argument& x) {
  const Mpfr number = to_mpfr(x);
  const auto value = rounded_value(*job.function, job.format, number);
  const auto found = Confirmation(*job.function, job.grid(), 0).confirm(x);
  if (!value)
    throw UsageError(fmt::format("{} has no value at {}", job.function->name, to_hex(x)));
  Shown shown{x,
              mpfr_signbit(mpfr_srcptr(value->enclosure.lower)) != 0,
              digits_of(value->enclosure, job.format),
              found,
              place_of(*value, job.format),
              {}};
  for (std::size_t i = 0; i < directions.size(); ++i)
    if (const std::optional<Mpfr>& rounded = value->in(directions.at(i)))
      shown.rounded.at(i) = to_hex(mpfr_srcptr(*rounded));
  return shown;
}

void print(const Job& job, const Shown& shown, std::optional<int> bits) {
  const Digits& digits = shown.digits;
  const auto line = [](std::string_view name, const std::string& text) { fmt::print("  {:<12}{}\n", name, text); };
  fmt::print("{} at {}, {}\n", job.function->name, to_hex(shown.x), job.format.name);
  const bool ends = !digits.further.empty(); // the run
  line("value", fmt::format("{}{} {} {}{}… × 2^{}", shown.negative ? "-" : "", digits.significand, digits.round_bit,
                            digits.run.substr(0, widest), ends ? " " + digits.further : "", digits.exponent));
  line("", ends ? fmt::format("the round bit is {}, {} equal bits follow", digits.round_bit, digits.run.size())
                : fmt::format("the round bit is {}, equal bits follow", digits.round_bit));
  if (shown.found) {
    const std::string_view breakpoint =
        shown.found->breakpoint == Breakpoint::representable ? "a representable number" : "a midpoint";
    if (shown.found->kind == Case::Kind::hard)
      line("distance", fmt::format("{:.4f} bits from {}", shown.found->bits, breakpoint));
    else
      line("distance", fmt::format("{}: {} {}", to_string(shown.found->kind),
                                   shown.found->is_exact() ? "the value is" : "cannot be told from", breakpoint));
  } else {
    line("distance", "none: 0, beyond the largest number, or nearer to 0 than to any breakpoint");
  }
  if (bits) {
    const bool is_case = shown.found && shown.found->kind == Case::Kind::hard && shown.found->bits > *bits;
    line("", fmt::format("{} {}-bit case", is_case ? "a" : "no", *bits));
  }
  line("place", std::string(shown.place));
  for (std::size_t i = 0; i < directions.size(); ++i)
    line(to_string(directions.at(i)), shown.rounded.at(i).empty() ? "undecided" : shown.rounded.at(i));
}

Json record(const Job& job, const Shown& shown) {
  const Digits& digits = shown.digits;
  Json rounded = Json::object();
  for (std::size_t i = 0; i < directions.size(); ++i)
    rounded[std::string(to_string(directions.at(i)))] =
        shown.rounded.at(i).empty() ? Json(nullptr) : Json(shown.rounded.at(i));
  return {{"type", "value"},
          {"schema", record_schema},
          {"function", job.function->name},
          {"format", job.format.name},
          {"argument_precision", job.argument_precision},
          {"x", to_hex(shown.x)},
          {"kind", shown.found ? Json(to_string(shown.found->kind)) : Json(nullptr)},
          {"bits",
           shown.found && std::isfinite(shown.found->bits) ? Json(four_decimals(shown.found->bits)) : Json(nullptr)},
          {"breakpoint", shown.found ? Json(to_string(shown.found->breakpoint)) : Json(nullptr)},
          {"negative", shown.negative},
          {"significand", digits.significand},
          {"round_bit", digits.round_bit},
          {"run", digits.run},
          {"further", digits.further},
          {"exponent", digits.exponent},
          {"place", shown.place},
          {"rounded", rounded}};
}

} // namespace

cxxopts::Options show_options() {
  cxxopts::Options options("tmd show", "Shows f(x) around the bits that decide how it is rounded, and every rounding.");
  options.custom_help("FUNCTION X ... [OPTION ...]").positional_help("").set_width(120);
  add_options_of(options, {OptionGroup::format});
  add_option(options, "bits", "say whether it is a K-bit case");
  add_option(options, "json", "write a record per argument to FILE (JSON Lines)");
  options.add_options()("h,help", "this text");
  options.add_options("positional")("words", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"words"});
  return options;
}

int show(const Arguments& arguments) {
  cxxopts::Options options = show_options();
  const auto parsed = parse(options, "show", negative_numbers_last(arguments));
  if (parsed.count("help") != 0) {
    fmt::print("{}\nexample:\n  tmd show exp 0x1.0000000050418p+0\n", options.help({""}));
    return 0;
  }
  const std::vector<std::string> words = values_of(parsed, "words");
  if (words.empty())
    throw UsageError("no function given; `tmd functions` lists them");
  if (words.size() == 1)
    throw UsageError("no argument given: name numbers after the function");
  const auto function = function_of(words.front());
  const SearchSpec spec = spec_of(parsed);
  Job job = job_of_format(spec);
  job.values = Values::format;
  job.function = function.get();
  const ArgumentSet set = job.arguments();
  std::vector<Argument> numbers;
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    const ArgumentSet::Rank rank = set.parse(*word, "X");
    if (rank == set.end())
      throw UsageError(fmt::format("X: {} is beyond the largest number of {}", *word, job.format.name));
    numbers.push_back(set.at(rank));
  }
  std::optional<AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  std::vector<Shown> all;
  std::string lines;
  for (const Argument& x : numbers)
    lines += record(job, all.emplace_back(show_one(job, x))).dump() + "\n";
  if (json)
    json->commit(lines);
  for (const Shown& shown : all)
    print(job, shown, spec.bits);
  return 0;
}

} // namespace tmd::app
