#include "report/list_report.hpp"

#include "result/record.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tmd::report {

namespace {

constexpr std::size_t most_mistakes = 100; // rows of the table; the JSON Lines have all
constexpr std::array<result::Mistake::Kind, 4> kinds{result::Mistake::Kind::missing, result::Mistake::Kind::superfluous,
                                                     result::Mistake::Kind::misclassed,
                                                     result::Mistake::Kind::unusable};

result::Json record(const result::Mistake& mistake) {
  return result::plain_record("mistake",
                              {{"kind", result::to_string(mistake.kind)},
                               {"line", mistake.line == 0 ? result::Json(nullptr) : result::Json(mistake.line)},
                               {"x", mistake.x},
                               {"message", mistake.sentence}});
}

result::Json record(const result::BinadeCheck& binade) {
  return result::plain_record("binade", {{"negative", binade.negative},
                                         {"exponent", binade.exponent},
                                         {"cases", binade.cases},
                                         {"missing", binade.missing},
                                         {"complete_from", result::four_decimals(binade.complete_from)}});
}

std::string mistakes_table(const std::vector<result::Mistake>& mistakes) {
  std::string text;
  for (std::size_t i = 0; i < std::min(mistakes.size(), most_mistakes); ++i) {
    const result::Mistake& mistake = mistakes[i];
    text += fmt::format("{:<12}{}{}: {}\n", result::to_string(mistake.kind), support::on_one_line(mistake.x),
                        mistake.line == 0 ? "" : fmt::format(", line {}", mistake.line), mistake.sentence);
  }
  if (mistakes.size() > most_mistakes)
    text += fmt::format("and {} more\n", mistakes.size() - most_mistakes);
  return text;
}

} // namespace

void ListFindings::add(const std::vector<result::Mistake>& of_list, bool allow_extra, bool missing_only) {
  for (const result::Mistake& one : of_list)
    if (allow_extra && one.kind == result::Mistake::Kind::superfluous)
      ++allowed;
    else if (!missing_only)
      mistakes.push_back(one);
}

std::string list_table(const ListFindings& findings, const job::Job& job) {
  std::string text = mistakes_table(findings.mistakes);
  if (findings.compared) {
    for (const result::BinadeCheck& binade : findings.compared->binades)
      text += fmt::format("binade of {}2^{}: {} of {} listed, complete from {:.4f} bits on\n",
                          binade.negative ? "-" : "", binade.exponent, binade.cases - binade.missing,
                          support::counted(binade.cases, "case"), binade.complete_from);
    if (const std::size_t extra = findings.compared->extra.size(); extra != 0)
      text += fmt::format("{} {}-bit {} of the list not in {}\n", extra, job.K, extra == 1 ? "case" : "cases",
                          findings.against.value_or(""));
  }
  text += fmt::format("{} in the range, {} outside; {}",
                      support::counted(findings.list.arguments.size(), "entry", "entries"), findings.list.outside,
                      support::counted(findings.mistakes.size(), "mistake", "mistakes"));
  std::string_view before = ": ";
  for (const result::Mistake::Kind kind : kinds)
    if (const std::size_t number = result::count(findings.mistakes, kind); number != 0) {
      text += fmt::format("{}{} {}", before, number, result::to_string(kind));
      before = ", ";
    }
  return text + (findings.allowed == 0 ? "\n" : fmt::format("; {} superfluous, as allowed\n", findings.allowed));
}

std::string list_records(const result::Json& head, const ListFindings& findings) {
  std::string lines = result::record_line(head);
  for (const result::Mistake& mistake : findings.mistakes)
    lines += result::record_line(record(mistake));
  if (findings.compared)
    for (const result::BinadeCheck& binade : findings.compared->binades)
      lines += result::record_line(record(binade));
  result::Json summary = result::plain_record(
      "summary", {{"arguments", findings.list.arguments.size()}, {"outside", findings.list.outside}});
  for (const result::Mistake::Kind kind : kinds)
    summary[std::string(result::to_string(kind))] = result::count(findings.mistakes, kind);
  summary["allowed"] = findings.allowed;
  summary["not_in_reference"] =
      findings.compared ? result::Json(findings.compared->extra.size()) : result::Json(nullptr);
  return lines + result::record_line(summary);
}

} // namespace tmd::report
