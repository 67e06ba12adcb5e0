#include "report/scan_report.hpp"

#include "report/library_report.hpp"
#include "result/record.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::report {

namespace {

constexpr std::size_t most_sentences = 12; // the JSON Lines have all

// All subnormal numbers count as one binade, which is named as such.
std::string binades_text(const library::FaultGroup& group, const Format& format) {
  const std::string x = group.has_both_signs ? "|x|" : group.negative ? "-x" : "x";
  const std::string end = fmt::format("2^{}", group.last_binade + 1);
  return group.first_binade < format.min_exponent ? fmt::format("{} below {}", x, end)
                                                  : fmt::format("{} from 2^{} to {}", x, group.first_binade, end);
}

// "above a representable number", "beside a midpoint".
std::string sides_text(const library::FaultGroup& group) {
  const auto text = [&](std::size_t first, const char* breakpoint) {
    const bool above = group.sides.at(first);
    const bool below = group.sides.at(first + 1);
    return !above && !below ? std::string()
                            : fmt::format("{} {}",
                                          above && below ? "beside"
                                          : above        ? "above"
                                                         : "below",
                                          breakpoint);
  };
  const std::string number = text(0, "a representable number");
  const std::string midpoint = text(2, "a midpoint");
  return number + (number.empty() || midpoint.empty() ? "" : " or ") + midpoint;
}

// The distance in ulps; spacings are half an ulp here.
std::string distance_text(const library::FaultGroup& group) {
  constexpr std::uint64_t few = 16; // harder results, which may be right by chance
  const int most = -(group.least_bits + 1);
  return group.harder < few ? fmt::format("within 2^{} ulp", most)
                            : fmt::format("2^{} to 2^{} ulp", -(group.most_bits + 2), most);
}

std::string share_text(double rate) { return rate > 0.5 ? "most" : fmt::format("one in {:.2g}", 1 / rate); }

// Directions with equal findings are named together.
std::vector<std::string> sentences_of(const std::vector<library::FaultGroup>& groups, const Format& format) {
  std::vector<std::pair<std::string, std::string>> parts; // the directions, and their finding
  for (const library::FaultGroup& group : groups) {
    const std::string what =
        fmt::format("{}: results {} {}, {} of these, {} of all", binades_text(group, format), distance_text(group),
                    sides_text(group), share_text(group.rate), share_text(group.rate_of_all));
    const std::string direction(to_string(group.direction));
    const auto same = std::find_if(parts.begin(), parts.end(), [&](const auto& part) { return part.second == what; });
    if (same == parts.end())
      parts.emplace_back(direction, what);
    else
      same->first += " and " + direction;
  }
  std::vector<std::string> sentences;
  sentences.reserve(parts.size());
  for (const auto& [which, what] : parts)
    sentences.push_back(fmt::format("wrong {}, {}\n", which, what));
  return sentences;
}

} // namespace

std::string scan_verdict(const library::ScanFindings& findings, const Format& format) {
  std::string text;
  const std::vector<std::string> sentences = sentences_of(findings.groups, format);
  const std::size_t shown = std::min(sentences.size(), most_sentences);
  for (std::size_t i = 0; i < shown; ++i)
    text += sentences[i];
  if (shown < sentences.size())
    text += fmt::format("and in {}\n", support::counted(sentences.size() - shown, "more place", "more places"));
  if (findings.not_judged != 0)
    text += fmt::format("{} not judged, because the right results are unknown\n",
                        support::counted(findings.not_judged, "argument", "arguments"));
  if (findings.gave_up)
    text += "too many calls were lost: no more were made\n";
  if (findings.faults.empty() && (!findings.flags || findings.flags->are_right()))
    text += fmt::format("nothing wrong found at {}\n", support::counted(findings.arguments, "argument", "arguments"));
  return text;
}

std::string scan_records(const result::Json& head, const library::ScanFindings& findings, const Format& format) {
  result::Json groups = result::Json::array();
  for (const library::FaultGroup& group : findings.groups) {
    result::Json sides = result::Json::array();
    const std::array<const char*, 4> names{"above a representable number", "below a representable number",
                                           "above a midpoint", "below a midpoint"};
    for (std::size_t side = 0; side < names.size(); ++side)
      if (group.sides.at(side))
        sides.push_back(names.at(side));
    groups.push_back({{"rounding", to_string(group.direction)},
                      {"negative", group.has_both_signs ? result::Json(nullptr) : result::Json(group.negative)},
                      {"from_exponent", group.first_binade < format.min_exponent ? result::Json(nullptr)
                                                                                 : result::Json(group.first_binade)},
                      {"to_exponent", group.last_binade + 1},
                      {"least_bits", group.least_bits},
                      {"most_bits", group.most_bits},
                      {"sides", sides},
                      {"calls", group.calls},
                      {"misrounded", group.faults},
                      {"harder", group.harder},
                      {"share", group.rate},
                      {"share_of_all", group.rate_of_all}});
  }
  return library_records(head, findings, format,
                         {{"arguments", findings.arguments},
                          {"not_judged", findings.not_judged},
                          {"by_mpfr", findings.by_mpfr},
                          {"most_bits", findings.most_bits},
                          {"gave_up", findings.gave_up},
                          {"faults", findings.faults.size() + findings.more_faults},
                          {"places", groups}});
}

} // namespace tmd::report
