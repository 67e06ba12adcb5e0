// The comments come first, with all that is needed to check the list: the job, its request, ranges, what was left out.
// Then comes a line for each case.
#include "result/wc.hpp"

#include "job/scaling.hpp"
#include "request/spec_json.hpp"
#include "verify/rounded_value.hpp"

#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tmd::result {

namespace {

constexpr std::size_t most_exact_cases = 1000; // limit for exact cases named

std::string describe_between(const job::Job& job, std::string_view from, std::string_view to, Symmetry symmetry) {
  const std::string_view values = job.values == Values::format ? ", values as the format has them" : "";
  return fmt::format("{} on [{}, {}), {} with arguments of {} bits, breakpoints: {}{}, K = {}", job.function->name,
                     from, to, job.format.name, job.argument_precision, to_string(job.rounding), values, job.K) +
         describe_reduction(job, symmetry);
}

std::string describe_not_searched(const job::Job& job, const job::Coverage::Interval& ranks, std::string_view why) {
  return fmt::format("[{}, {}]: {} arguments not searched, {}", to_hex(job.arguments().at(ranks.first)),
                     to_hex(job.arguments().at(ranks.last - 1)),
                     tmd::to_string(static_cast<uint128>(ranks.last - ranks.first)), why);
}

} // namespace

std::string describe(const job::Job& job) {
  const format::ArgumentSet arguments = job.arguments();
  return describe_between(job, to_hex(arguments.at(job.first)), to_hex(arguments.at(job.last)), Symmetry::none);
}

std::string describe(const request::SearchRequest& request) {
  return describe_between(request.job, request.from, request.to, request.symmetry);
}

std::string describe(const job::Job& job, const RunDescription& run) {
  return describe_between(job, run.from, run.to, run.symmetry);
}

std::string describe_reduction(const job::Job& job, Symmetry symmetry) {
  std::string text;
  if (symmetry != Symmetry::none)
    text += fmt::format("; x >= 0 only: f(-x) = {}f(x)", symmetry == Symmetry::odd ? "-" : "");
  if (job.by_scaling) {
    std::string ranges;
    for (const auto& [first, last] : job::decisive_ranks(job).intervals())
      ranges += fmt::format("{}{} <= x < {}", ranges.empty() ? "" : " or ", to_hex(job.arguments().at(first)),
                            to_hex(job.arguments().at(last)));
    text += fmt::format("; {} only: {}", ranges, function::to_string(job.function->scaling.value()));
  }
  return text;
}

std::string describe(const job::Job& job, const job::RegimeRange& range) {
  const format::ArgumentSet arguments = job.arguments();
  std::string text = fmt::format("[{}, {}]: {} arguments, ", to_hex(arguments.at(range.ranks.first)),
                                 to_hex(arguments.at(range.ranks.last - 1)), tmd::to_string(range.size()));
  if (const auto& some = range.regime.some)
    return text +
           fmt::format("{} of them cases, those of {} in every binade", tmd::to_string(range.cases()), some->beside);
  const auto& rule = range.regime.rule;
  if (!rule)
    return text + "none a case" +
           (range.regime.is_exact  ? ": every one is exact"
            : range.regime.is_pole ? ": every one is a pole"
                                   : "");
  const bool is_open = rule->side == job::Side::undecided;
  text += fmt::format("every one a case: f(x) {} {}*x + {}{}",
                      is_open                          ? "beside"
                      : rule->side == job::Side::above ? ">"
                                                       : "<",
                      rule->slope, rule->offset, is_open ? ", on which side is not decided" : "");
  if (rule->breakpoint)
    text += fmt::format(", a {}", *rule->breakpoint == Breakpoint::midpoint ? "midpoint" : "representable number");
  return text;
}

std::string describe_fully(const job::Job& job, const job::RegimeRange& range) {
  const auto& some = range.regime.some;
  return describe(job, range) +
         (some ? fmt::format(", with the significands {}", fmt::join(some->significands(), " ")) : "");
}

std::string describe_left_out(const job::Job& job, const job::Coverage::Interval& ranks) {
  return describe_not_searched(job, ranks, "for values change too fast there");
}

std::string describe_gap(const job::Job& job, const job::Coverage::Interval& ranks) {
  return describe_not_searched(job, ranks, "for it is in none of the parts");
}

std::string right_results(const job::Job& job, const Argument& x) {
  const auto value = verify::rounded_value(*job.function, job.format, format::to_mpfr(x));
  std::string text;
  for (const Direction direction : directions) {
    const auto& number = value ? value->in(direction) : std::nullopt;
    text += fmt::format("{}{} {}", text.empty() ? "# " : ", ", to_string(direction),
                        number ? verify::to_hex(*number) : "unknown");
  }
  return text + "\n";
}

void write_wc(const support::TextSink& sink, const job::Job& job, const RunDescription& run, const SearchResult& result,
              CaseOrder order, Expected expected) {
  const Program& made_by = run.program;
  sink(fmt::format("# Hard-to-round cases of {}.\n"
                   "# {}: every argument closer than 2^-{} spacings to a breakpoint is listed{}{}.\n"
                   "# {} arguments covered; {} cases, {} exact cases.\n"
                   "# Made by tmd {}{} with: {}\n"
                   "# Kernels: {}\n",
                   describe(job, run), result.is_partial() ? "Partial" : "Complete", job.K,
                   result.arguments_of_regimes(true) > 0 ? " or in a range below" : "",
                   result.is_partial() ? ", but for what is named as not searched" : "",
                   tmd::to_string(result.arguments()), result.cases.size(), result.exact.size(), made_by.version,
                   made_by.commit.empty() ? "" : fmt::format(" (commit {})", made_by.commit), run.command,
                   to_string(made_by.kernels)));
  for (const Program& one : run.other_programs)
    sink(fmt::format("# Also found by {}\n", to_string(one)));
  if (!run.request.functions.empty())
    sink(fmt::format("# Request: {}\n", request::to_json(run.request).dump()));
  for (const job::RegimeRange& range : result.regimes)
    sink(fmt::format("# Range {}\n", describe_fully(job, range)));
  for (const job::Coverage::Interval& ranks : result.left_out.intervals())
    sink(fmt::format("# Range {}\n", describe_left_out(job, ranks)));
  for (const job::Coverage::Interval& ranks : result.gaps.intervals())
    sink(fmt::format("# Range {}\n", describe_gap(job, ranks)));
  std::size_t named = 0;
  for (const Case& found : result.exact) {
    if (named == most_exact_cases) {
      sink(fmt::format("# Exact: {} more{}\n", result.exact.size() - named,
                       job.function->exact_cases.empty() ? ""
                                                         : fmt::format("; all where {}", job.function->exact_cases)));
      break;
    }
    sink(fmt::format("# Exact: {}\n", to_hex(found.x)));
    ++named;
  }
  for (const Case& found : result.undecided)
    sink(fmt::format("# Undecided: {}\n", to_hex(found.x)));
  for (const Case& found : result.cases.in(order)) {
    if (expected == Expected::told)
      sink(right_results(job, found.x));
    sink(to_hex(found.x) + "\n");
  }
}

std::string wc_file(const job::Job& job, const RunDescription& run, const SearchResult& result, CaseOrder order) {
  std::string text;
  write_wc([&](std::string_view piece) { text += piece; }, job, run, result, order);
  return text;
}

} // namespace tmd::result
