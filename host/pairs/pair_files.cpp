// The three forms have the same cases and families. How pairs were searched differs from run to run: the list has none
// of it, records only without --reproducible. A result of a part of the pairs says so in each form.
#include "pairs/pair_files.hpp"

#include "result/records.hpp"
#include "support/text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

// "27 entries are exact: x^2 + y^2 is …", "an uncounted number of entries are cases: the nearest breakpoint is …".
std::string family_text(const PairFamily& family) {
  return fmt::format("{} entries are {}: {}", family.entries ? to_string(*family.entries) : "an uncounted number of",
                     family.is_exact ? "exact" : "cases and not listed", family.rule);
}

bool is_empty(const PairFamily& family) { return family.entries == uint128(0); }

// Says whether the list has all cases or those of a part.
std::string what_it_is(const PairResult& result) {
  return result.boxes && !result.boxes->part.empty() ? "Complete for " + result.boxes->part : "Complete";
}

// Where and how pairs were searched depends on devices and interruptions; the cases found do not.
void write_boxes(result::Json& summary, const BoxesDone& boxes) {
  summary["searched"] = result::to_json(boxes.searched);
  summary["empty"] = result::to_json(boxes.empty);
  summary["beside_one"] = result::to_json(boxes.beside_one);
  summary["given"] = result::to_json(boxes.given);
  summary["expected"] = boxes.expected;
  summary["planted"] = boxes.planted;
  summary["stages"] = result::Json::object();
  for (const engine::Stage& stage : boxes.stages)
    summary["stages"][std::string(stage.name)] = {
        {std::string(stage.key), stage.tested}, {"kept", stage.kept}, {"seconds", stage.seconds}};
  if (!boxes.audits.empty())
    summary["audit"] = result::to_record(boxes.audits.front());
  for (const result::AuditReport& audit : boxes.audits)
    summary["audits"].push_back(result::to_record(audit));
}

std::string boxes_table(const BoxesDone& boxes, const PairJob& job) {
  const std::string special = job.ranges
                                  ? std::string()
                                  : fmt::format(", {} beside 1, {} with {} = 1", to_string(boxes.beside_one),
                                                to_string(boxes.given), job.function->takes_integer ? "n" : "x or y");
  std::string text = fmt::format("{} pairs: {} searched, {} without cases by their values{}; {:.1f} cases expected by "
                                 "chance, {} planted ones found\n",
                                 to_string(boxes.pairs), to_string(boxes.searched), to_string(boxes.empty), special,
                                 boxes.expected, boxes.planted);
  for (const engine::Stage& stage : boxes.stages)
    text += fmt::format("  {:<14} {:.4g} {}, {:.4g} kept, {:.1f} s\n", stage.title, static_cast<double>(stage.tested),
                        stage.unit, static_cast<double>(stage.kept), stage.seconds);
  for (const result::AuditReport& audit : boxes.audits)
    text +=
        fmt::format("  {:<14} {} pairs ({:.2g} of all) searched again {}: the same {}{}, {:.1f} s\n", "audit",
                    to_string(audit.arguments), static_cast<double>(audit.arguments) / static_cast<double>(boxes.pairs),
                    audit.way, support::counted(audit.cases, "case"),
                    audit.planted > 0 ? fmt::format(", and {} planted", audit.planted) : "", audit.seconds);
  return text;
}

result::Json pair_record(std::string_view type, const PairJob& job, const Operands& operands) {
  result::Json record = result::plain_record(type);
  const std::string text = to_text(*job.function, operands);
  const std::size_t comma = text.find(',');
  record[std::string(job.function->operands[0])] = text.substr(0, comma);
  record[std::string(job.function->operands[1])] = text.substr(comma + 1);
  return record;
}

result::Json case_record(const PairJob& job, const PairCase& one) {
  result::Json record = pair_record("case", job, one.operands);
  record["bits"] = result::four_decimals(one.found.bits);
  record["breakpoint"] = to_string(one.found.breakpoint);
  record["pairs"] = result::to_json(one.pairs);
  return record;
}

} // namespace

std::string pair_list(const PairJob& job, const PairResult& result, const std::string& command) {
  std::string text;
  const result::Program program = result::running_program();
  text +=
      fmt::format("# Hard-to-round cases of {}.\n# Entries: {}.\n"
                  "# {}: every pair closer than 2^-{} spacings to a breakpoint is listed or in a family below.\n"
                  "# {} cases listed; found {}.\n# Made by tmd {}{} with: {}\n",
                  describe(job), reduction_of(job), what_it_is(result), job.K, result.cases.size(), result.method,
                  program.version, program.commit.empty() ? "" : fmt::format(" (commit {})", program.commit), command);
  for (const PairFamily& family : result.families)
    if (!is_empty(family))
      text += fmt::format("# Family: {}\n", family_text(family));
  for (const Operands& pair : result.undecided)
    text += fmt::format("# Undecided: {}\n", to_text(*job.function, pair));
  for (const PairCase& one : result.cases)
    text += to_text(*job.function, one.operands) + "\n";
  return text;
}

std::string pair_records(const PairJob& job, const PairResult& result, const std::string& command, bool reproducible) {
  const function::PairFunction& function = *job.function;
  result::Json first = result::first_record("pairs", result::running_program(),
                                            {{"command", command},
                                             {"function", function.name},
                                             {"operands", {function.operands[0], function.operands[1]}},
                                             {"format", job.format.name},
                                             {"precision", job.format.precision},
                                             {"rounding", to_string(job.rounding)},
                                             {"bits", job.K},
                                             {"entries", reduction_of(job)},
                                             {"method", result.method}});
  if (job.ranges)
    first["ranges"] = *job.ranges;
  std::string text = result::record_line(first);
  for (const PairCase& one : result.cases)
    text += result::record_line(case_record(job, one));
  for (const Operands& pair : result.undecided)
    text += result::record_line(pair_record("undecided", job, pair));
  for (const PairFamily& family : result.families)
    text += result::record_line(result::plain_record(
        "family", {{"exact", family.is_exact},
                   {"rule", family.rule},
                   {"entries", family.entries ? result::to_json(*family.entries) : result::Json()}}));
  result::Json summary = result::plain_record("summary", {{"cases", result.cases.size()}});
  if (result.boxes)
    summary["pairs"] = result::to_json(result.boxes->pairs);
  if (result.boxes && !result.boxes->part.empty())
    summary["part"] = result.boxes->part;
  if (!result.boxes || !reproducible) {
    summary["tested"] = result::to_json(result.tested);
    summary["candidates"] = result.candidates;
  }
  if (result.boxes && !reproducible)
    write_boxes(summary, *result.boxes);
  if (!reproducible)
    summary["seconds"] = result.seconds;
  return text + result::record_line(summary);
}

std::string pair_table(const PairJob& job, const PairResult& result, std::size_t most) {
  std::string text = fmt::format("{}\n{}\n\n", describe(job), reduction_of(job));
  std::size_t width = 0;
  for (std::size_t i = 0; i < std::min(most, result.cases.size()); ++i)
    width = std::max(width, to_text(*job.function, result.cases[i].operands).size());
  for (std::size_t i = 0; i < std::min(most, result.cases.size()); ++i) {
    const PairCase& one = result.cases[i];
    text += fmt::format("{:<{}}  {:9.4f} bits  {:<13}  {}\n", to_text(*job.function, one.operands), width,
                        one.found.bits, to_string(one.found.breakpoint),
                        one.pairs == 1 ? "1 pair" : fmt::format("{} pairs", to_string(one.pairs)));
  }
  if (result.cases.size() > most)
    text += fmt::format("… {} more\n", result.cases.size() - most);
  text += fmt::format("\n{} in {:.1f} s, {}: {} tested, {} candidates\n", support::counted(result.cases.size(), "case"),
                      result.seconds, result.method, to_string(result.tested), result.candidates);
  for (const PairFamily& family : result.families)
    if (!is_empty(family))
      text += family_text(family) + "\n";
  if (!result.undecided.empty())
    text += fmt::format("{} undecided: {} bits do not tell whether the value is a breakpoint, the first is {}\n",
                        support::counted(result.undecided.size(), "pair is", "pairs are"), job.function->most_precision,
                        to_text(*job.function, result.undecided.front()));
  if (result.boxes)
    text += boxes_table(*result.boxes, job);
  return text;
}

} // namespace tmd::pairs
