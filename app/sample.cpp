// tmd sample: a set of arguments at which to test a function, of every binade and every degree of hardness.
#include "commands.hpp"
#include "options.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "function/expression.hpp"
#include "library/graded_set.hpp"
#include "request/numbers.hpp"
#include "request/resolve.hpp"
#include "result/case_list.hpp"
#include "result/program.hpp"
#include "result/raw_list.hpp"
#include "result/wc.hpp"
#include "support/shell_words.hpp"
#include "support/text.hpp"

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

std::vector<library::Code> codes_of(const result::CaseList& list, const Format& format) {
  const library::Encodings encodings(format);
  std::vector<library::Code> codes;
  for (const result::ListedArgument& entry : list.entries) {
    const auto nearest = encodings.set().nearest(entry.x, "x");
    if (!nearest.is_exact)
      throw UsageError(fmt::format("{}:{}: {} is not a number of {}", list.name, entry.line, entry.x, format.name));
    codes.push_back(encodings.code(encodings.set().at(nearest.rank)));
  }
  return codes;
}

std::string header(const library::GradedRequest& request, const library::GradedSet& set, const Arguments& arguments) {
  const result::Program program = result::running_program();
  std::string text = fmt::format(
      "# {} at which to test {} in {}: {} of a list, {} at which something changes, and from {} of {} "
      "binades\n# {} near breakpoints. Closer to one than 2^-k spacings, and not than 2^-(k + 1):\n",
      support::counted(set.arguments.size(), "argument", "arguments"), request.function->name, request.format.name,
      set.listed, set.fixed, set.binades, set.binades_of_function, set.arguments.size() - set.listed - set.fixed);
  std::string counts;
  for (std::size_t bits = library::least_graded_bits; bits < set.by_bits.size(); ++bits)
    if (set.by_bits[bits] != 0)
      counts += fmt::format("{}k = {}{}: {}", counts.empty() ? "# " : ", ", bits,
                            bits == library::hardest_bits ? " or more, or exact" : "", set.by_bits[bits]);
  return text + counts +
         fmt::format("\n# Made by tmd {} (commit {}), seed {}, with: {}\n", program.version, program.commit,
                     request.seed, support::as_shell_line("tmd sample", arguments));
}

} // namespace

cxxopts::Options sample_options() {
  cxxopts::Options options("tmd sample", "Makes a set of arguments at which to test a function: numbers at which "
                                         "something changes, and some of every binade and every degree of hardness.");
  options.custom_help("FUNCTION [LIST] [OPTION ...]").positional_help("").set_width(120);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("count", "how many arguments", text()->default_value("10000"), "N");
  add("seed", "seed of the choice, 0 to 2147483647", text()->default_value("1"), "N");
  for (const char* option : {"format", "from", "to"})
    add_option(options, option);
  add_option(options, "wc", "write them to FILE (default: standard output)");
  add("bin", "write them to FILE as raw numbers of the format, little-endian", text(), "FILE");
  add("expected", "in the list, before each argument the right results as a comment");
  add("h,help", "this text");
  options.add_options("positional")("words", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"words"});
  return options;
}

int sample(const Arguments& arguments) {
  cxxopts::Options options = sample_options();
  const auto parsed = parse(options, "sample", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}\nThe first entries of LIST, a list of hard cases, become a quarter of the set.\n\nexample:\n  tmd "
               "sample exp results/binary64/exp.wc.xz --count 100 --expected\n",
               options.help({""}));
    return 0;
  }
  const std::vector<std::string> words = values_of(parsed, "words");
  if (words.empty())
    throw UsageError("no function given; `tmd functions` lists them");
  if (words.size() > 2)
    throw UsageError(fmt::format("unexpected argument '{}': one list at a time", words[2]));
  constexpr int most = 10'000'000;
  const auto integer = [&](const char* name, int least, int greatest) {
    return request::parse_integer(parsed[name].as<std::string>(), fmt::format("--{}", name), least, greatest);
  };
  const SearchSpec spec = spec_of(parsed);
  const auto function = function::function_of(words[0]);
  job::Job job = request::job_of_format(spec);
  job.function = function.get();
  library::GradedRequest request;
  request.function = job.function;
  request.format = job.format;
  request.ranks = range_asked(spec, job.arguments());
  request.count = static_cast<std::size_t>(integer("count", 1, most));
  request.seed = static_cast<std::uint64_t>(integer("seed", 0, std::numeric_limits<int>::max()));
  const std::optional<support::AtomicFile> wc = open_file(parsed, "wc");
  const std::optional<support::AtomicFile> bin = open_file(parsed, "bin");
  if (wc && bin && wc->same_target(*bin))
    throw UsageError("--wc and --bin name the same file");
  if (words.size() == 2)
    request.listed = codes_of(result::read_case_list(words[1]), job.format);

  const library::GradedSet set = library::graded_set(request);
  const library::Encodings encodings(job.format);
  std::vector<Case> cases;
  for (const library::Code code : set.arguments)
    cases.push_back({encodings.argument(code), 0});
  const auto write = [&](const support::TextSink& sink) {
    sink(header(request, set, arguments));
    for (const Case& one : cases) {
      if (parsed.count("expected") != 0)
        sink(result::right_results(job, one.x));
      sink(to_hex(one.x) + "\n");
    }
  };
  if (wc)
    wc->commit(write);
  else if (!bin)
    write([](std::string_view piece) { fmt::print("{}", piece); });
  if (bin)
    bin->commit([&](const support::TextSink& sink) { result::write_raw(sink, job, cases); });
  flush_output();
  if (cases.size() < request.count)
    print_remark(Remark::note, fmt::format("{} of {} arguments: no more were found", cases.size(), request.count));
  return static_cast<int>(Status::done);
}

} // namespace tmd::app
