// tmd show: shows values at single arguments, around the bits that decide how they are rounded.
#include "commands.hpp"
#include "options.hpp"
#include "search_options.hpp"
#include "search_pairs.hpp"
#include "standard_streams.hpp"

#include "format/encoding.hpp"
#include "function/expression.hpp"
#include "function/pair_expression.hpp"
#include "pairs/pair_job.hpp"
#include "report/value_report.hpp"
#include "result/record.hpp"
#include "support/text.hpp"

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

// Reads numbers: bits with --raw, and the nearest number if a text is none of the format's.
class OperandReader {
public:
  OperandReader(const job::Job& job, bool raw) : job_(job), raw_(raw) {}

  [[nodiscard]] report::Operand read(const std::string& shielded, std::string_view what) const {
    const std::string word = support::trimmed(shielded);
    report::Operand operand =
        report::read_operand(job_, raw_ ? format::number_of_encoding(job_.format, word, what) : word, what);
    if (!operand.is_exact)
      fmt::print(stderr, "tmd: note: {} is not a number of {} with {} bits; {} is the nearest\n", word,
                 job_.format.name, job_.argument_precision, operand.text);
    return operand;
  }

private:
  const job::Job& job_;
  bool raw_;
};

report::Operand integer_operand(const function::PairFunction& function, const job::Job& job, const std::string& text) {
  return {text, format::to_mpfr(pairs::read_operand(function, 1, text, job.arguments(), "N")), true};
}

// A result has the precision of the format, even if arguments have another.
std::optional<report::Operand> result_of(const cxxopts::ParseResult& parsed, job::Job job) {
  if (parsed.count("result") == 0)
    return std::nullopt;
  job.argument_precision = job.format.precision;
  return OperandReader(job, parsed.count("raw") != 0).read(parsed["result"].as<std::string>(), "--result");
}

} // namespace

cxxopts::Options show_options() {
  cxxopts::Options options("tmd show", "Shows f(x) around the bits that decide how it is rounded, and every rounding.");
  options.custom_help("FUNCTION X ... [OPTION ...]").positional_help("").set_width(120);
  add_options_of(options, {request::OptionGroup::format});
  add_option(options, "bits", "say whether it is a K-bit case");
  auto add = options.add_options();
  add("result", "what a library has returned: its error in ulps", cxxopts::value<std::string>(), "Y");
  add("raw", "numbers are the format's bits, such as 0x3f7ffff7; also print them");
  add_option(options, "json", "write a record per argument to FILE (JSON Lines)");
  options.add_options()("h,help", "this text");
  options.add_options("positional")("words", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"words"});
  return options;
}

int show(const Arguments& arguments) {
  cxxopts::Options options = show_options();
  const auto parsed = parse(options, "show", shield_negative_numbers(arguments));
  if (parsed.count("help") != 0) {
    fmt::print("{}\nFunctions of two variables: pow X Y, powr X Y, hypot X Y, atan2 Y X, atan2pi Y X, pown X N, "
               "compoundn X N, "
               "rootn X N;\nand expressions of x and y, such as 'exp(x)*y' X Y.\n"
               "examples:\n  tmd show exp 0x1.0000000050418p+0\n  tmd show pow 0x1.8p+0 2\n",
               options.help({""}));
    return 0;
  }
  const std::vector<std::string> words = values_of(parsed, "words");
  if (words.empty())
    throw UsageError("no function given; `tmd functions` lists them");
  const function::PairFunction* pair = function::find_pair_function(words.front());
  std::optional<function::PairExpression> expression;
  if (pair == nullptr && is_of_two_variables(words.front()))
    pair = &expression.emplace(function::make_pair_expression(words.front())).function;
  if (words.size() == 1)
    throw UsageError(pair != nullptr
                         ? fmt::format("give {} and {} after {}", pair->operands[0], pair->operands[1], pair->name)
                         : "give one or more values of x after the function");
  if (pair != nullptr && words.size() != 3)
    throw UsageError(fmt::format("{} takes two numbers, {} and {}", pair->name, pair->operands[0], pair->operands[1]));
  const auto function = pair != nullptr ? nullptr : function::function_of(words.front());
  const SearchSpec spec = spec_of(parsed);
  job::Job job = request::job_of_format(spec);
  job.values = Values::format;
  job.function = function.get();
  const bool raw = parsed.count("raw") != 0;
  if (raw && job.argument_precision != job.format.precision)
    throw UsageError("--raw and --argument-precision exclude each other");
  if (raw && pair != nullptr && pair->takes_integer)
    throw UsageError(fmt::format("--raw is not for {}, which takes an integer", pair->name));
  const std::optional<report::Operand> result = result_of(parsed, job);
  if (result && pair == nullptr && words.size() > 2)
    throw UsageError("--result needs exactly one x");
  const OperandReader reader(job, raw);
  std::vector<report::Operand> numbers;
  for (auto word = words.begin() + 1; word != words.end(); ++word)
    numbers.push_back(pair != nullptr && pair->takes_integer && word != words.begin() + 1
                          ? integer_operand(*pair, job, support::trimmed(*word))
                          : reader.read(*word, "X"));
  std::optional<support::AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  std::vector<report::ShownValue> all;
  if (pair != nullptr)
    all.push_back(report::show_value(job, *pair, numbers[0], numbers[1], result));
  else
    for (const report::Operand& x : numbers)
      all.push_back(report::show_value(job, x, result));
  const std::string_view name = pair != nullptr ? pair->name : function->name;
  std::string lines;
  for (const report::ShownValue& shown : all)
    lines += result::record_line(report::value_record(job, name, shown));
  if (json)
    json->commit(lines);
  for (const report::ShownValue& shown : all)
    fmt::print("{}", report::value_table(job, name, shown, spec.bits, raw));
  return 0;
}

} // namespace tmd::app
