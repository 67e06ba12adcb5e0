// tmd/library.hpp: a list of arguments, called and judged as `tmd libm LIST` does.
#include "tmd/library.hpp"

#include "function/expression.hpp"
#include "library/c_type.hpp"
#include "library/library_findings.hpp"
#include "library/library_target.hpp"
#include "support/installed_files.hpp"

#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

// The calls of all arguments: what a list would leave out is refused.
LibraryCalls calls_at(const std::vector<std::string>& arguments, const Job& job) {
  CaseList list;
  const ArgumentSet set = job.arguments();
  for (const std::string& x : arguments) {
    if (const ArgumentSet::Rank rank = set.parse(x, "x"); rank == set.end())
      throw UsageError(fmt::format("x: {} is beyond the largest number of {}", x, job.format.name));
    ListedArgument& entry = list.entries.emplace_back();
    entry.x = to_hex(set.at(set.parse(x, "x")));
    entry.line = list.entries.size();
  }
  LibraryCalls calls = library_calls(list, job);
  if (!calls.poles.empty())
    throw UsageError(fmt::format("{} has no value at {}", job.function->name, arguments[calls.poles.front() - 1]));
  return calls;
}

LibmResult judged(const LibraryCall& call, const LibraryAnswer& answer, const RoundedValue& value,
                  const Format& format) {
  using Verdict = LibmResult::Verdict;
  LibmResult result{call.x, call.direction, Verdict::failed, answer.text, {}, 0, {}};
  const std::optional<Mpfr>& rounded = value.in(call.direction);
  if (rounded)
    result.expected = to_hex(mpfr_srcptr(*rounded));
  if (answer.kind != LibraryAnswer::Kind::returned)
    return result;
  const JudgedResult judgement = judge_result(answer.text, call.direction, value, format);
  result.verdict = !rounded ? Verdict::undecided : judgement.is_right ? Verdict::correct : Verdict::misrounded;
  result.error = judgement.error;
  return result;
}

} // namespace

std::vector<LibmResult> call_libm(const LibmSpec& spec, const std::vector<std::string>& arguments) {
  const auto program = own_program();
  if (!program)
    throw UsageError("a math library is called by the program tmd, which is not where this library is installed");
  const auto function = function_of(spec.function);
  Job job;
  job.function = function.get();
  job.format = find_format(spec.format);
  job.argument_precision = job.format.precision;
  const LibraryCalls calls = calls_at(arguments, job);
  LibraryTarget target{spec.library, spec.symbol, job.format};
  if (target.symbol.empty())
    target.symbol = c_name(*function, job.format);
  target.returned = returned_by(target.symbol, function->name);
  target.nearest_only = spec.nearest_only;
  target.patience = spec.patience;
  const LibraryAnswers answers = call_library(*open_library(target, program->string())(), calls, job.format);
  std::vector<std::string> besides(calls.calls.size());
  for (const auto& [i, answer] : answers.besides)
    besides[i] = answer.text;
  std::vector<LibmResult> results;
  for (std::size_t i = 0; i < calls.calls.size(); ++i)
    if (const LibraryAnswer& answer = answers.answers[i]; answer.kind != LibraryAnswer::Kind::not_called) {
      results.push_back(judged(calls.calls[i], answer, calls.values[i / directions.size()], job.format));
      results.back().besides = std::move(besides[i]);
    }
  return results;
}

} // namespace tmd
