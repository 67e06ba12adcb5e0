#include "report/verification.hpp"

#include "result/record.hpp"
#include "result/records.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace tmd::report {

namespace {

constexpr std::size_t most_failures = 100; // rows of the table; the records have all

std::string_view word_of(VerifyCheck::Verdict verdict) {
  switch (verdict) {
  case VerifyCheck::Verdict::failed:
    return "FAILED";
  case VerifyCheck::Verdict::note:
    return "note";
  case VerifyCheck::Verdict::not_done:
    return "not done";
  case VerifyCheck::Verdict::good:
    break;
  }
  return "ok";
}

} // namespace

void VerifyReport::add(std::string_view name, std::string looked_at, const std::vector<Objection>& objections,
                       std::string remark) {
  for (const Objection& one : objections)
    failures.push_back({name, one});
  const auto verdict = !objections.empty() ? VerifyCheck::Verdict::failed
                       : remark.empty()    ? VerifyCheck::Verdict::good
                                           : VerifyCheck::Verdict::note;
  checks.push_back({name, std::move(looked_at), verdict, std::move(remark)});
}

void VerifyReport::leave_out(std::string_view name, std::string why) {
  checks.push_back({name, "-", VerifyCheck::Verdict::not_done, std::move(why)});
}

std::string verification_records(const VerifyReport& report, const VerifiedFile& file,
                                 const searches::CountVerdict& counts) {
  std::string lines = result::record_line(
      result::first_record("verification", result::running_program(),
                           {{"file", file.name},
                            {"job", file.job},
                            {"made_by", file.program.version},
                            {"made_by_commit", file.program.commit},
                            {"kernels", file.program.kernels.digest}, // of the verified file, like the next
                            {"foreign_kernels", file.program.kernels.foreign}}));
  for (const VerifyCheck& check : report.checks)
    lines += result::record_line(result::plain_record("check", {{"name", check.name},
                                                                {"looked_at", check.looked_at},
                                                                {"verdict", word_of(check.verdict)},
                                                                {"remark", check.remark}}));
  for (const auto& [check, objection] : report.failures)
    lines += result::record_line(result::plain_record(
        "failure", {{"check", check},
                    {"line", objection.line == 0 ? result::Json(nullptr) : result::Json(objection.line)},
                    {"x", objection.x.empty() ? result::Json(nullptr) : result::Json(objection.x)},
                    {"message", objection.sentence}}));
  for (const searches::BinadeCount& one : counts.counts)
    lines += result::record_line(result::plain_record(
        "count", {{"first", to_hex(one.arguments.argument(0))},
                  {"last", to_hex(one.arguments.argument(one.arguments.count - 1))},
                  {"breakpoint", one.breakpoint ? result::Json(to_string(*one.breakpoint)) : result::Json(nullptr)},
                  {"cases", one.cases},
                  {"expected", result::four_decimals(one.expected)},
                  {"p", one.p}}));
  result::Json summary = result::plain_record(
      "summary", {{"failures", report.failures.size()},
                  {"partial", file.is_partial},
                  {"counts", counts.counts.size()},
                  {"smallest_p", counts.counts.empty() ? result::Json(nullptr) : result::Json(counts.counts.front().p)},
                  {"corrected_p", counts.counts.empty() ? result::Json(nullptr) : result::Json(counts.corrected_p())},
                  {"again", nullptr},
                  {"searched_again", result::Json::array()}});
  if (!report.searched_again.empty())
    summary["again"] = result::to_record(report.searched_again.front()); // for readers of 0.1.0
  for (const result::AuditReport& again : report.searched_again)
    summary["searched_again"].push_back(result::to_record(again));
  return lines + result::record_line(summary);
}

std::string verification_table(const VerifyReport& report) {
  std::string text = fmt::format("{:<15} {:<9} {}\n", "check", "verdict", "what was looked at");
  for (const VerifyCheck& check : report.checks)
    text += fmt::format("{:<15} {:<9} {}\n", check.name, word_of(check.verdict),
                        check.remark.empty() ? check.looked_at
                        : check.verdict == VerifyCheck::Verdict::not_done
                            ? check.remark
                            : fmt::format("{}: {}", check.looked_at, check.remark));
  for (std::size_t i = 0; i < std::min(report.failures.size(), most_failures); ++i) {
    const auto& [check, objection] = report.failures[i];
    text += fmt::format("{}{}{}: {}\n", check, objection.line == 0 ? "" : fmt::format(", line {}", objection.line),
                        objection.x.empty() ? "" : fmt::format(", {}", objection.x), objection.sentence);
  }
  if (report.failures.size() > most_failures)
    text += fmt::format("and {} more\n", report.failures.size() - most_failures);
  return text;
}

} // namespace tmd::report
