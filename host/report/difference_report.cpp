#include "report/difference_report.hpp"

#include "result/record.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

namespace tmd::report {

namespace {

constexpr std::size_t most_shown = 10; // the JSON Lines have more
// The names in records.
constexpr std::array<std::string_view, library::who_may_be_right> names{"neither", "library", "other", "both",
                                                                        "unknown"};

std::string_view name_of(library::WhoIsRight who) { return names.at(static_cast<std::size_t>(who)); }

std::uint64_t sum_of(const library::DifferenceTally& tally) {
  return std::accumulate(tally.differ.begin(), tally.differ.end(), std::uint64_t(0));
}

std::string sentence_of(const library::Difference& one) {
  const std::string expected = one.expected.empty() ? "" : fmt::format(", right {}", one.expected);
  return fmt::format("differ {} {}: {}, the other {}{}\n", one.x, to_string(one.direction), one.result, one.other,
                     one.who == library::WhoIsRight::neither ? expected + ": neither"
                     : one.who == library::WhoIsRight::both  ? ": both are right"
                                                             : expected);
}

} // namespace

std::string difference_table(const library::Differences& differences, const std::string& other) {
  std::string text =
      fmt::format("against {}\n{:<12} {:>9} {:>10} {:>10} {:>12} {:>8} {:>7} {:>10} {:>5}\n", other, "rounding",
                  "compared", "differ", "right", "other right", "neither", "both", "not known", "lost");
  for (const Direction direction : directions) {
    const library::DifferenceTally& tally = differences.tallies.at(static_cast<std::size_t>(direction));
    const auto count = [&](library::WhoIsRight who) { return tally.differ.at(static_cast<std::size_t>(who)); };
    if (tally.compared + tally.lost != 0)
      text += fmt::format("{:<12} {:>9} {:>10} {:>10} {:>12} {:>8} {:>7} {:>10} {:>5}\n", to_string(direction),
                          tally.compared, sum_of(tally), count(library::WhoIsRight::library),
                          count(library::WhoIsRight::other), count(library::WhoIsRight::neither),
                          count(library::WhoIsRight::both), count(library::WhoIsRight::unknown), tally.lost);
  }
  for (std::size_t i = 0; i < std::min(differences.some.size(), most_shown); ++i)
    text += sentence_of(differences.some[i]);
  return text;
}

std::string difference_records(const library::Differences& differences) {
  std::string text;
  for (const library::Difference& one : differences.some)
    text += result::record_line(result::plain_record(
        "difference", {{"x", one.x},
                       {"rounding", to_string(one.direction)},
                       {"result", one.result},
                       {"other", one.other},
                       {"expected", one.expected.empty() ? result::Json(nullptr) : result::Json(one.expected)},
                       {"right", name_of(one.who)}}));
  return text;
}

result::Json difference_counts(const library::Differences& differences) {
  result::Json list = result::Json::array();
  for (const Direction direction : directions) {
    const library::DifferenceTally& tally = differences.tallies.at(static_cast<std::size_t>(direction));
    if (tally.compared + tally.lost == 0)
      continue;
    result::Json keys{{"rounding", to_string(direction)},
                      {"compared", tally.compared},
                      {"lost", tally.lost},
                      {"differ", sum_of(tally)}};
    for (std::size_t who = 0; who < names.size(); ++who)
      keys[std::string(names.at(who))] = tally.differ.at(who);
    list.push_back(keys);
  }
  return list;
}

} // namespace tmd::report
