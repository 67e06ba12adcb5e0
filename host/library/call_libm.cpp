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
library::LibraryCalls calls_at(const std::vector<std::string>& arguments, const job::Job& job) {
  result::CaseList list;
  const format::ArgumentSet set = job.arguments();
  for (const std::string& x : arguments) {
    if (const format::ArgumentSet::Rank rank = set.parse(x, "x"); rank == set.end())
      throw UsageError(fmt::format("x: {} is beyond the largest number of {}", x, job.format.name));
    result::ListedArgument& entry = list.entries.emplace_back();
    entry.x = to_hex(set.at(set.parse(x, "x")));
    entry.line = list.entries.size();
  }
  library::LibraryCalls calls = library::library_calls(list, job);
  if (!calls.poles.empty())
    throw UsageError(fmt::format("{} has no value at {}", job.function->name, arguments[calls.poles.front() - 1]));
  return calls;
}

LibmResult judged(const library::LibraryCall& call, const library::LibraryAnswer& answer,
                  const verify::RoundedValue& value, const Format& format) {
  using Verdict = LibmResult::Verdict;
  LibmResult result{call.x, call.direction, Verdict::failed, answer.text, {}, 0, {}};
  const std::optional<number::Mpfr>& rounded = value.in(call.direction);
  if (rounded)
    result.expected = verify::to_hex(mpfr_srcptr(*rounded));
  if (answer.kind != library::LibraryAnswer::Kind::returned)
    return result;
  const library::JudgedResult judgement = library::judge_result(answer.text, call.direction, value, format);
  result.verdict = !rounded ? Verdict::undecided : judgement.is_right ? Verdict::correct : Verdict::misrounded;
  result.error = judgement.error;
  return result;
}

} // namespace

std::vector<LibmResult> call_libm(const LibmSpec& spec, const std::vector<std::string>& arguments) {
  const auto program = support::own_program();
  if (!program)
    throw UsageError("cannot call a math library: the program tmd is not installed beside this library");
  const auto function = function::function_of(spec.function);
  job::Job job;
  job.function = function.get();
  job.format = find_format(spec.format);
  job.argument_precision = job.format.precision;
  const library::LibraryCalls calls = calls_at(arguments, job);
  library::LibraryTarget target{spec.library, spec.symbol, job.format};
  if (target.symbol.empty())
    target.symbol = library::c_name(*function, job.format);
  target.returned = library::returned_by(target.symbol, function->name);
  target.nearest_only = spec.nearest_only;
  target.patience = spec.patience;
  const library::LibraryAnswers answers =
      library::call_library(*library::open_library(target, program->string())(), calls, job.format);
  std::vector<std::string> besides(calls.calls.size());
  for (const auto& [i, answer] : answers.besides)
    besides[i] = answer.text;
  std::vector<LibmResult> results;
  for (std::size_t i = 0; i < calls.calls.size(); ++i)
    if (const library::LibraryAnswer& answer = answers.answers[i];
        answer.kind != library::LibraryAnswer::Kind::not_called) {
      results.push_back(judged(calls.calls[i], answer, calls.values[i / directions.size()], job.format));
      results.back().besides = std::move(besides[i]);
    }
  return results;
}

} // namespace tmd
