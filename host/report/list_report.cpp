#include "report/list_report.hpp"

#include "result/record.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr std::size_t most_mistakes = 100; // of the table; the JSON Lines have all
constexpr std::array<Mistake::Kind, 4> kinds{Mistake::Kind::missing, Mistake::Kind::superfluous,
                                             Mistake::Kind::misclassed, Mistake::Kind::unusable};

Json record(const Mistake& mistake) {
  return plain_record("mistake", {{"kind", to_string(mistake.kind)},
                                  {"line", mistake.line == 0 ? Json(nullptr) : Json(mistake.line)},
                                  {"x", mistake.x},
                                  {"message", mistake.sentence}});
}

Json record(const BinadeCheck& binade) {
  return plain_record("binade", {{"negative", binade.negative},
                                 {"exponent", binade.exponent},
                                 {"cases", binade.cases},
                                 {"missing", binade.missing},
                                 {"complete_from", four_decimals(binade.complete_from)}});
}

std::string mistakes_table(const std::vector<Mistake>& mistakes) {
  std::string text;
  for (std::size_t i = 0; i < std::min(mistakes.size(), most_mistakes); ++i) {
    const Mistake& mistake = mistakes[i];
    text += fmt::format("{:<12}{}{}: {}\n", to_string(mistake.kind), on_one_line(mistake.x),
                        mistake.line == 0 ? "" : fmt::format(", line {}", mistake.line), mistake.sentence);
  }
  if (mistakes.size() > most_mistakes)
    text += fmt::format("and {} more\n", mistakes.size() - most_mistakes);
  return text;
}

} // namespace

std::string list_table(const ListFindings& findings, const Job& job) {
  std::string text = mistakes_table(findings.mistakes);
  if (findings.compared) {
    for (const BinadeCheck& binade : findings.compared->binades)
      text += fmt::format("binade of {}2^{}: {} of {} listed, complete from {:.4f} bits on\n",
                          binade.negative ? "-" : "", binade.exponent, binade.cases - binade.missing,
                          counted(binade.cases, "case"), binade.complete_from);
    if (const std::size_t extra = findings.compared->extra.size(); extra != 0)
      text += fmt::format("{} {}-bit {} of the list not in {}\n", extra, job.bits, extra == 1 ? "case" : "cases",
                          findings.against.value_or(""));
  }
  text += fmt::format("{} in the range, {} outside; {}", counted(findings.list.arguments.size(), "entry", "entries"),
                      findings.list.outside, counted(findings.mistakes.size(), "mistake", "mistakes"));
  std::string_view before = ": ";
  for (const Mistake::Kind kind : kinds)
    if (const std::size_t number = count(findings.mistakes, kind); number != 0) {
      text += fmt::format("{}{} {}", before, number, to_string(kind));
      before = ", ";
    }
  return text + (findings.allowed == 0 ? "\n" : fmt::format("; {} superfluous, as allowed\n", findings.allowed));
}

std::string list_records(const Json& head, const ListFindings& findings) {
  std::string lines = record_line(head);
  for (const Mistake& mistake : findings.mistakes)
    lines += record_line(record(mistake));
  if (findings.compared)
    for (const BinadeCheck& binade : findings.compared->binades)
      lines += record_line(record(binade));
  Json summary =
      plain_record("summary", {{"arguments", findings.list.arguments.size()}, {"outside", findings.list.outside}});
  for (const Mistake::Kind kind : kinds)
    summary[std::string(to_string(kind))] = count(findings.mistakes, kind);
  summary["allowed"] = findings.allowed;
  summary["not_in_reference"] = findings.compared ? Json(findings.compared->extra.size()) : Json(nullptr);
  return lines + record_line(summary);
}

} // namespace tmd
