// Each argument or pair of a list is computed by MPFR once and called in every direction, in blocks that fill the
// memory shared with the calling process.
#include "library/library_calls.hpp"

#include "library/c_type.hpp"
#include "support/text.hpp"
#include "tmd/error.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::library {

namespace {

constexpr std::size_t most_lines = 10; // limit for the lines named

std::string lines_text(const std::vector<std::size_t>& lines) {
  const std::vector<std::size_t> first(lines.begin(),
                                       lines.begin() + static_cast<long>(std::min(lines.size(), most_lines)));
  const std::string more = lines.size() > most_lines ? fmt::format(" and {} more", lines.size() - most_lines) : "";
  return fmt::format("({} {}{})", lines.size() == 1 ? "line" : "lines", fmt::join(first, ", "), more);
}

// Conversions depend on the rounding direction: this is called while it is to nearest. Arguments are exact in the type,
// and every result is exact in MPFR.
template <typename Real> Real to_real(mpfr_srcptr x) {
  if constexpr (sizeof(Real) > sizeof(double))
    return mpfr_get_ld(x, MPFR_RNDN);
  else
    return static_cast<Real>(mpfr_get_d(x, MPFR_RNDN));
}

template <typename Real> std::string to_text(Real y) {
  number::Mpfr value(max_precision);
  if constexpr (sizeof(Real) > sizeof(double))
    mpfr_set_ld(value, y, MPFR_RNDN);
  else
    mpfr_set_d(value, static_cast<double>(y), MPFR_RNDN);
  return verify::to_hex(mpfr_srcptr(value));
}

// Makes the calls from the call `begin` on, as many as fit into a block.
template <typename Real>
void call_block(CalledFunction& function, const LibraryCalls& all, std::size_t begin, const UseOfBlock& use,
                LibraryAnswers& result) {
  const std::vector<LibraryCall>& calls = all.calls;
  const SharedCalls& block = function.block();
  const std::size_t count = std::min((calls.size() - begin) / directions.size(), SharedCalls::most);
  for (std::size_t i = 0; i < count; ++i) {
    const LibraryCall& call = calls[begin + directions.size() * i];
    block.arguments<Real>()[i] = to_real<Real>(format::to_mpfr(call.x));
    if (call.second)
      block.arguments<Real>(1)[i] = to_real<Real>(format::to_mpfr(*call.second));
  }
  const std::vector<LostCall> lost = function.call(count, CalledFunction::any_number);
  for (std::size_t i = 0; i < count; ++i)
    for (const Direction direction : directions) {
      result.results.push_back(code_of(block.results<Real>(direction)[i]));
      result.flags.push_back(block.flags(direction)[i]);
      if (!function.rounds(direction)) {
        result.answers.push_back({LibraryAnswer::Kind::not_called, {}});
        continue;
      }
      result.answers.push_back({LibraryAnswer::Kind::returned, to_text(block.results<Real>(direction)[i])});
      for (const LibraryAnswer& answer : answers_of_note(block.notes(direction)[i]))
        result.besides.emplace_back(result.answers.size() - 1, answer);
    }
  if (use)
    use(function, begin / directions.size(), count, lost);
  for (const LostCall& one : lost)
    result.answers[begin + directions.size() * one.index + static_cast<std::size_t>(one.direction)] = one.answer;
}

} // namespace

std::string LibraryCall::text() const { return second ? to_hex(x) + "," + to_hex(*second) : to_hex(x); }

job::RankInterval usual_range(const job::Job& job) {
  constexpr int most_bits = 40;
  const format::ArgumentSet set = job.arguments();
  const int binade_bits = job.argument_precision - 1;
  const job::RankInterval domain = job::ranks_in_domain(job.function->domain, set);
  const auto size = int128(1) << std::min(binade_bits, most_bits);
  const bool is_whole = binade_bits <= most_bits;
  for (const char* start : {is_whole ? "1" : "1.25", is_whole ? "0.5" : "0.625", is_whole ? "2" : "2.5"})
    if (const format::ArgumentSet::Rank first = set.parse(start, "--from");
        first >= domain.first && first + size <= domain.last)
      return {first, first + size};
  throw UsageError(fmt::format("{} has no values around 1: choose a range with --from and --to, or give a list",
                               job.function->name));
}

LibraryCalls library_calls(const result::CaseList& list, const job::Job& job) {
  const format::ArgumentSet set = job.arguments();
  LibraryCalls result;
  for (const result::ListedArgument& entry : list.entries) {
    if (!entry.function.empty() && entry.function != job.function->name)
      continue;
    format::ArgumentSet::Rank rank = set.end();
    if (format::is_number(entry.x))
      if (const format::ArgumentSet::Nearest found = set.nearest(entry.x, "x"); found.is_exact)
        rank = found.rank;
    if (rank == set.end() || rank == -set.end()) {
      result.no_numbers.push_back(entry.line);
      continue;
    }
    const Argument x = set.at(rank);
    const auto value = verify::value_in_c(*job.function, job.format, format::to_mpfr(x));
    if (!value) {
      result.poles.push_back(entry.line);
      continue;
    }
    result.values.push_back(*value);
    for (const Direction direction : directions)
      result.calls.push_back({x, direction});
  }
  if (result.calls.empty())
    throw UsageError(
        fmt::format("the list has no number of {} at which {} can be called", job.format.name, job.function->name));
  return result;
}

LibraryCalls library_calls(const result::CaseList& list, const function::PairFunction& function, const Format& format) {
  const format::ArgumentSet set(format, format.precision);
  const auto number_of = [&](const std::string& text) -> std::optional<Argument> {
    if (!format::is_number(text))
      return std::nullopt;
    const format::ArgumentSet::Nearest found = set.nearest(text, "x");
    const bool is_in = found.is_exact && found.rank != 0 && found.rank != set.end() && found.rank != -set.end();
    return is_in ? std::optional(set.at(found.rank)) : std::nullopt;
  };
  LibraryCalls result;
  for (const result::ListedPair& entry : list.pairs) {
    const auto first = number_of(entry.first);
    const auto second = number_of(entry.second);
    if (!first || !second) {
      result.no_numbers.push_back(entry.line);
      continue;
    }
    const number::Mpfr x = format::to_mpfr(*first);
    const number::Mpfr y = format::to_mpfr(*second);
    if (const auto special = function.special(x, y)) { // 1^y, or outside the domain
      verify::RoundedValue value = verify::not_a_number(format);
      value.enclosure.lower = value.enclosure.upper = *special;
      value.in_format.fill(special);
      result.values.push_back(std::move(value));
    } else {
      result.values.push_back(*verify::rounded_value(function::at_operands(function, x, y), format, x));
    }
    for (const Direction direction : directions)
      result.calls.push_back({*first, direction, second});
  }
  if (result.calls.empty())
    throw UsageError(fmt::format("the list has no pair of {} at which {} can be called", format.name, function.name));
  return result;
}

LibraryAnswers call_library(CalledFunction& function, const LibraryCalls& calls, const Format& format,
                            const UseOfBlock& use) {
  LibraryAnswers result;
  while (result.answers.size() < calls.calls.size())
    with_c_type(format,
                [&](auto zero) { call_block<decltype(zero)>(function, calls, result.answers.size(), use, result); });
  return result;
}

std::vector<std::string> library_notes(const LibraryCalls& calls, const std::string& function, const Format& format) {
  std::vector<std::string> notes;
  if (const auto& lines = calls.no_numbers; !lines.empty())
    notes.push_back(lines.size() == 1
                        ? fmt::format("1 entry is not a {} number and was skipped {}", format.name, lines_text(lines))
                        : fmt::format("{} entries are not {} numbers and were skipped {}", lines.size(), format.name,
                                      lines_text(lines)));
  if (const auto& lines = calls.poles; !lines.empty())
    notes.push_back(fmt::format("{} has no value at {}, where it was not called {}", function,
                                support::counted(lines.size(), "entry", "entries"), lines_text(lines)));
  return notes;
}

} // namespace tmd::library
