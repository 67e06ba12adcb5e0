// Entries are read as they are; their claims are compared with what MPFR and Arb compute now.
#include "pairs/recorded_pairs.hpp"

#include "number/in_parallel.hpp"
#include "pairs/pair_check.hpp"
#include "pairs/power_lines.hpp"
#include "pairs/ranges.hpp"
#include "result/records.hpp"
#include "tmd/error.hpp"

#include <map>
#include <set>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

PairJob job_of_first(const result::Json& record) {
  result::require_schema(record);
  PairJob job = job_of_record(record, find_format(record.at("format").get<std::string>()),
                              parse_rounding(record.at("rounding").get<std::string>()));
  job.K = result::to_int(record.at("bits"));
  return job;
}

Operands operands_of_record(const PairJob& job, const format::ArgumentSet& numbers, const result::Json& record) {
  Operands result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::string name(job.function->operands.at(i));
    result.at(i) = read_operand(*job.function, i, record.at(name), numbers, name);
  }
  return result;
}

PairCase case_of_record(const PairJob& job, const format::ArgumentSet& numbers, const result::Json& record) {
  PairCase result{operands_of_record(job, numbers, record), {}};
  const bool is_midpoint = record.at("breakpoint") == to_string(Breakpoint::midpoint);
  result.found.breakpoint = is_midpoint ? Breakpoint::midpoint : Breakpoint::representable;
  result.found.bits = result::to_amount(record.at("bits"));
  result.pairs = result::to_integer(record.at("pairs"));
  return result;
}

class PairsReader {
public:
  void read(const result::Json& record, std::size_t line) {
    const std::string type = record.at("type");
    if (!numbers_) {
      if (type != "pairs")
        throw UsageError("it is not the beginning of a search of pairs");
      file_.program = result::read_program(record);
      file_.job = job_of_first(record);
      numbers_.emplace(file_.job.format, file_.job.format.precision);
    } else if (has_ended_) {
      throw UsageError("it follows the summary");
    } else if (type == "case") {
      file_.entries.push_back({line, case_of_record(file_.job, *numbers_, record)});
    } else if (type == "undecided") {
      file_.undecided.push_back({line, {operands_of_record(file_.job, *numbers_, record), {}}});
    } else if (type == "family") {
      const result::Json& entries = record.at("entries");
      file_.families.push_back({record.at("exact"), record.at("rule"),
                                entries.is_null() ? std::nullopt : std::optional(result::to_integer(entries))});
    } else if (type == "summary") {
      file_.cases = result::to_count(record.at("cases"));
      file_.part = record.value("part", "");
      has_ended_ = true;
    } else {
      throw UsageError("it is a record of an unknown type");
    }
  }
  RecordedPairs finish() && {
    if (!has_ended_)
      throw UsageError("its end is missing");
    return std::move(file_);
  }

private:
  RecordedPairs file_;
  std::optional<format::ArgumentSet> numbers_;
  bool has_ended_ = false;
};

} // namespace

RecordedPairs read_pairs(const result::ResultText& text) {
  PairsReader reader;
  support::each_line(text.text, [&](const support::Line& line) {
    const auto sentence = [&](const char* what) {
      return fmt::format("'{}', line {}: {}", text.name, line.number, what);
    };
    try {
      reader.read(result::Json::parse(line.text), line.number);
    } catch (const result::Json::exception&) {
      throw UsageError(sentence("it is not a valid record, or a key is missing or has the wrong type"));
    } catch (const UsageError& error) {
      throw UsageError(sentence(error.what()));
    }
  });
  try {
    return std::move(reader).finish();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("'{}': {}", text.name, error.what()));
  }
}

std::vector<Objection> check_entries(const RecordedPairs& file, unsigned threads) {
  const PairJob& job = file.job;
  std::vector<std::string> wrong(file.entries.size());
  const std::optional<PowerLines> lines = job.ranges ? std::optional<PowerLines>(job) : std::nullopt;
  number::in_parallel(wrong.size(), threads, [&](std::uint64_t i, unsigned /*thread*/) {
    const PairCase& said = file.entries[i].said;
    const auto& [first, second] = said.operands;
    if (first.significand == 0 || second.significand == 0 ||
        job.function->special(format::to_mpfr(first), format::to_mpfr(second)).has_value()) {
      wrong[i] = "C23 prescribes the value";
      return;
    }
    if (lines && !lines->has(said.operands)) {
      wrong[i] = "it is outside the ranges";
      return;
    }
    const std::optional<Case> found = confirm_pair(job, said.operands);
    if (!found || found->kind != Case::Kind::hard)
      wrong[i] = found ? "the value is exact" : fmt::format("no {}-bit case", job.K);
    else if (result::four_decimals(found->bits) != result::four_decimals(said.found.bits))
      wrong[i] = fmt::format("{:.4f} bits, not {:.4f}", found->bits, said.found.bits);
    else if (found->breakpoint != said.found.breakpoint)
      wrong[i] = fmt::format("next to a {} breakpoint", to_string(found->breakpoint));
    else if (to_text(*job.function, entry_of(job, said.operands)) != to_text(*job.function, said.operands))
      wrong[i] = "another pair stands for it in a list";
  });
  std::vector<Objection> objections;
  for (std::size_t i = 0; i < wrong.size(); ++i)
    if (!wrong[i].empty())
      objections.push_back({file.entries[i].line, to_text(*job.function, file.entries[i].said.operands), wrong[i]});
  for (const auto& [line, said] : file.undecided)
    if (const auto found = confirm_pair(job, said.operands); !found || found->kind != Case::Kind::undecided)
      objections.push_back({line, to_text(*job.function, said.operands), "it is decided"});
  return objections;
}

std::vector<Objection> check_order(const RecordedPairs& file) {
  std::vector<Objection> objections;
  std::set<std::string> seen;
  double before = 0;
  for (const auto& [line, said] : file.entries) {
    const std::string text = to_text(*file.job.function, said.operands);
    if (!seen.insert(text).second)
      objections.push_back({line, text, "it is there twice"});
    if (line > file.entries.front().line && said.found.bits > before)
      objections.push_back({line, text, "it is harder than the one before"});
    before = said.found.bits;
  }
  if (file.cases != file.entries.size())
    objections.push_back({0, "", fmt::format("{} entries, where the summary has {}", file.entries.size(), file.cases)});
  return objections;
}

std::vector<Objection> compare_cases(const RecordedPairs& file, const std::vector<PairCase>& found,
                                     const std::function<bool(const Operands&)>& looked_at) {
  const function::PairFunction& function = *file.job.function;
  std::vector<Objection> objections;
  std::map<std::string, uint128> pairs; // of the cases found
  for (const PairCase& one : found)
    pairs[to_text(function, one.operands)] = one.pairs;
  for (const auto& [line, said] : file.entries) {
    if (!looked_at(said.operands))
      continue;
    const std::string text = to_text(function, said.operands);
    const auto same = pairs.find(text);
    if (same == pairs.end()) {
      objections.push_back({line, text, "it was not found again"});
      continue;
    }
    if (same->second != said.pairs)
      objections.push_back({line, text, fmt::format("it stands for {} pairs", to_string(same->second))});
    pairs.erase(same);
  }
  for (const auto& [text, count] : pairs)
    objections.push_back({0, text, "it is missing"});
  return objections;
}

} // namespace tmd::pairs
