#include "library/library_findings.hpp"

#include "library/samples.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace tmd::library {

namespace {

void count_misrounded(const verify::RoundedValue& value, const Encodings& encodings, const Argument& x,
                      const LibraryFault& fault, MisroundedCounts& counts) {
  counts.add_size(fault.direction, std::fabs(fault.error));
  if (const auto right = right_result(value, encodings); right && !std::isnan(right->fraction))
    ++counts.at(binade_of_argument(x, encodings.format()), nearest_breakpoint(right->fraction).bits)
          .misrounded.at(static_cast<std::size_t>(fault.direction));
}

} // namespace

JudgedResult judge_result(const std::string& text, Direction direction, const verify::RoundedValue& value,
                          const Format& format) {
  number::Mpfr result(64);
  mpfr_set_str(result, text.c_str(), 0, MPFR_RNDN);
  const std::optional<number::Mpfr>& rounded = value.in(direction);
  const bool no_number = rounded && mpfr_nan_p(mpfr_srcptr(result)) != 0 && mpfr_nan_p(mpfr_srcptr(*rounded)) != 0;
  const bool right = no_number || (rounded && mpfr_equal_p(mpfr_srcptr(result), mpfr_srcptr(*rounded)) != 0);
  // Beyond the largest number there is no ulp to measure a right result by.
  const std::optional<number::Mpfr>& nearest = value.in(Direction::nearest);
  const bool overflow = nearest && mpfr_inf_p(mpfr_srcptr(*nearest)) != 0;
  return {right, right && overflow ? 0 : verify::error_in_ulps(value, format, result)};
}

std::optional<LibraryFault> judge_result(const std::string& x, Direction direction, const std::string& text,
                                         const verify::RoundedValue& value, const Format& format, LibraryTally& tally) {
  const std::optional<number::Mpfr>& rounded = value.in(direction);
  if (!rounded) {
    ++tally.undecided;
    return std::nullopt;
  }
  const auto [right, error] = judge_result(text, direction, value, format);
  // A right result of a directed rounding may err by nearly an ulp, which is no fault of the library.
  const bool counts = !right || direction == Direction::nearest;
  if (counts && (!tally.largest_error || std::fabs(error) > std::fabs(*tally.largest_error))) {
    tally.largest_error = error;
    tally.at = x;
  }
  if (right)
    return std::nullopt;
  ++tally.misrounded;
  LibraryFault fault;
  fault.x = x;
  fault.direction = direction;
  fault.answer.text = text;
  fault.expected = verify::to_hex(mpfr_srcptr(*rounded));
  fault.error = error;
  return fault;
}

void sort_faults(std::vector<LibraryFault>& faults) {
  const auto weight = [](const LibraryFault& fault) {
    const auto kind = fault.answer.kind;
    const bool is_lost = kind == LibraryAnswer::Kind::crashed || kind == LibraryAnswer::Kind::hung ||
                         kind == LibraryAnswer::Kind::unreadable;
    return std::pair(is_lost ? 2 : kind == LibraryAnswer::Kind::returned ? 0 : 1, std::fabs(fault.error));
  };
  std::stable_sort(faults.begin(), faults.end(),
                   [&](const LibraryFault& left, const LibraryFault& right) { return weight(left) > weight(right); });
}

LibraryFindings judge_library(const LibraryCalls& calls, const LibraryAnswers& answers, const Format& format,
                              const std::optional<Promise>& promise) {
  LibraryFindings findings;
  const Encodings encodings(format);
  std::set<std::size_t> broken; // arguments
  const auto value_of = [&](std::size_t call) -> const verify::RoundedValue& {
    return calls.values[call / directions.size()];
  };
  const auto expected_of = [&](std::size_t call) {
    const std::optional<number::Mpfr>& rounded = value_of(call).in(calls.calls[call].direction);
    return rounded ? verify::to_hex(mpfr_srcptr(*rounded)) : std::string();
  };
  for (std::size_t i = 0; i < calls.calls.size(); ++i) {
    const LibraryCall& call = calls.calls[i];
    const Direction direction = call.direction;
    if (answers.answers[i].kind == LibraryAnswer::Kind::not_called)
      continue;
    LibraryTally& tally = findings.tallies.at(static_cast<std::size_t>(direction));
    ++tally.calls;
    if (answers.answers[i].kind != LibraryAnswer::Kind::returned) {
      ++tally.lost;
      broken.insert(i / directions.size());
      findings.faults.push_back({call.text(), direction, answers.answers[i], expected_of(i)});
    } else if (auto fault = judge_result(call.text(), direction, answers.answers[i].text, value_of(i), format, tally)) {
      if (promise && !promise->allows(fault->error, direction))
        broken.insert(i / directions.size());
      if (!call.second) // pairs of arguments have no binades
        count_misrounded(value_of(i), encodings, call.x, *fault, findings.misrounded);
      findings.faults.push_back(*std::move(fault));
    }
  }
  for (const auto& [i, answer] : answers.besides)
    findings.faults.push_back({calls.calls[i].text(), calls.calls[i].direction, answer, expected_of(i)});
  sort_faults(findings.faults);
  const auto argument = [&](std::size_t i) -> const LibraryCall& { return calls.calls[directions.size() * i]; };
  const auto first = std::min_element(broken.begin(), broken.end(), [&](std::size_t left, std::size_t right) {
    return compare(argument(left).x, argument(right).x) < 0;
  });
  if (promise)
    findings.promise = {promise->text(), broken.size(), first != broken.end() ? argument(*first).text() : ""};
  return findings;
}

} // namespace tmd::library
