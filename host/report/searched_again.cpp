#include "report/searched_again.hpp"

#include "engine/registry.hpp"
#include "engine/wide/plan.hpp"
#include "support/text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tmd::report {

namespace {

std::vector<Objection> objections_to(const searches::AuditComparison& compared, const result::RecordedSearch& file,
                                     const std::vector<Case>& cases) {
  std::vector<Objection> objections;
  for (const Case& one : compared.missing)
    if (file.lists_exact() || one.kind != Case::Kind::exact)
      objections.push_back({0, to_hex(one.x),
                            one.kind == Case::Kind::hard
                                ? fmt::format("a case of {:.4f} bits{}, {}, has no entry", one.bits,
                                              one.is_least ? " or more" : "", to_string(one.breakpoint))
                                : fmt::format("it is {} and has no entry", to_string(one.kind))});
  for (const Case& one : compared.superfluous)
    // The check `entries` has already reported entries that are no cases.
    if (std::any_of(cases.begin(), cases.end(), [&](const Case& other) { return other.x == one.x; }))
      objections.push_back({0, to_hex(one.x), "it is a case that this search has not found"});
  return objections;
}

} // namespace

std::string_view name_of(searches::AuditWay::Means means) {
  switch (means) {
  case searches::AuditWay::Means::varied:
    return "walked again";
  case searches::AuditWay::Means::runs:
    return "one by one";
  case searches::AuditWay::Means::test:
    break;
  }
  return "searched again";
}

std::string_view other_algorithm(const result::RecordedSearch& file, const result::SearchResult& result) {
  if (!file.methods.empty())
    return searches::auditing_algorithm(result);
  const std::string algorithm = file.asked ? file.asked->spec.choices.algorithm : "auto";
  const bool asked_for_domains = algorithm != "auto" && algorithm.find("wide") == std::string::npos;
  return asked_for_domains ? engine::wide::wide_methods[0] : "regular";
}

std::vector<searches::AuditWay> ways_by(const std::string& algorithm, const std::vector<searches::AuditWay>& ways,
                                        const searches::Auditable& what, VerifyReport& report) {
  std::vector<searches::AuditWay> kept;
  const auto is_claiming = [](const std::string& name) { return engine::engines_for(name).front()->claim != nullptr; };
  for (const searches::AuditWay& way : ways) {
    if (way.algorithm == algorithm && (way.means != searches::AuditWay::Means::test || !is_claiming(algorithm))) {
      kept.push_back(way);
      continue;
    }
    const uint128 arguments = (way.means == searches::AuditWay::Means::test ? what.tested : what.claimed_ranks).size();
    report.leave_out(name_of(way.means),
                     fmt::format("{} arguments, where --algorithm {} does not serve", to_string(arguments), algorithm));
    report.is_share_reached = false;
  }
  return kept;
}

void report_searched_again(VerifyReport& report, const result::RecordedSearch& file, const std::vector<Case>& cases,
                           const SearchedAgain& how, const searches::AuditComparison& compared) {
  const result::AuditReport& found = compared.report;
  if (found.arguments == 0) {
    report.leave_out(name_of(how.way.means), "no argument was selected, or time ran out");
    if (how.size.share > 0 || how.size.runs > 0)
      report.is_share_reached = false;
    return;
  }
  report.add(name_of(how.way.means),
             fmt::format("{} arguments {} on {}, {}{}", to_string(found.arguments), found.way, how.device,
                         support::counted(found.cases, "case"),
                         found.planted > 0 ? fmt::format(", and {} planted", found.planted) : ""),
             objections_to(compared, file, cases));
  report.searched_again.push_back(found);
}

void report_rest(VerifyReport& report, const result::RecordedSearch& file, const searches::Auditable& what) {
  const uint128 left_out = file.arguments_left_out();
  const uint128 proven = file.job().size() - what.size() - left_out;
  std::string why;
  if (proven > 0)
    why = fmt::format("{} arguments of ranges that were proven at once: see ranges", to_string(proven));
  if (left_out > 0)
    why += fmt::format("{}{} arguments that were not searched", why.empty() ? "" : "; ", to_string(left_out));
  if (!why.empty())
    report.leave_out(what.size() == 0 ? name_of(searches::AuditWay::Means::test) : "not again", why);
}

} // namespace tmd::report
