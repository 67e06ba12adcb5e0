#include "report/misrounded_report.hpp"

#include "result/record.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::report {

namespace {

using Counts = std::array<std::uint64_t, directions.size()>;

std::uint64_t sum_of(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), std::uint64_t(0)); }

std::vector<Direction> called(const library::LibraryFindings& findings) {
  std::vector<Direction> list;
  std::copy_if(directions.begin(), directions.end(), std::back_inserter(list),
               [&](Direction direction) { return findings.in(direction).calls != 0; });
  return list;
}

class Table {
public:
  Table(std::string_view title, std::vector<Direction> columns) : columns_(std::move(columns)) {
    text_ = fmt::format("{:<24}", title);
    for (const Direction direction : columns_)
      text_ += fmt::format(" {:>12}", to_string(direction));
    text_ += '\n';
  }
  // Adds nothing if the counts are all 0.
  void add(std::string_view name, const Counts& counts) {
    if (sum_of(counts) == 0)
      return;
    has_rows_ = true;
    text_ += fmt::format("{:<24}", name);
    for (const Direction direction : columns_)
      text_ += fmt::format(" {:>12}", counts.at(static_cast<std::size_t>(direction)));
    text_ += '\n';
  }
  [[nodiscard]] std::string text() const { return has_rows_ ? text_ : ""; }

private:
  std::vector<Direction> columns_;
  std::string text_;
  bool has_rows_ = false;
};

std::string bin_name(std::size_t bin) {
  const auto& bins = library::MisroundedCounts::bins;
  return bin + 1 == bins.size() ? fmt::format("from {} ulp on", bins.at(bin))
                                : fmt::format("{} to {} ulp", bins.at(bin), bins.at(bin + 1));
}

result::Json by_direction(const Counts& counts, const std::vector<Direction>& called) {
  result::Json keys = result::Json::object();
  for (const Direction direction : called)
    keys[std::string(to_string(direction))] = counts.at(static_cast<std::size_t>(direction));
  return keys;
}

// Counts by degree, up to the last nonzero one; null if all are zero.
result::Json as_list(const library::MisroundedCounts::Degrees& degrees,
                     std::uint64_t (*count)(const library::MisroundedCounts::Degree&)) {
  std::vector<std::uint64_t> list;
  for (const library::MisroundedCounts::Degree& degree : degrees)
    list.push_back(count(degree));
  while (!list.empty() && list.back() == 0)
    list.pop_back();
  return list.empty() ? result::Json(nullptr) : result::Json(list);
}

} // namespace

std::string misrounded_tables(const library::LibraryFindings& findings) {
  const std::vector<Direction> columns = called(findings);
  Table errors("misrounded by error", columns);
  for (std::size_t bin = 0; bin < library::MisroundedCounts::bins.size(); ++bin) {
    Counts counts{};
    for (const Direction direction : directions)
      counts.at(static_cast<std::size_t>(direction)) = findings.misrounded.sizes(direction).at(bin);
    errors.add(bin_name(bin), counts);
  }
  Table bits("misrounded by bits", columns);
  const library::MisroundedCounts::Degrees sum = findings.misrounded.sum();
  for (std::size_t degree = 0; degree < sum.size(); ++degree)
    bits.add(fmt::format("{}", degree), sum.at(degree).misrounded);
  return errors.text() + bits.text();
}

void add_misrounded(result::Json& summary, const library::LibraryFindings& findings) {
  const std::vector<Direction> columns = called(findings);
  for (std::size_t i = 0; i < columns.size(); ++i)
    summary["directions"][i]["errors"] = findings.misrounded.sizes(columns[i]);
  summary["error_bins"] = library::MisroundedCounts::bins;
  summary["degrees"] = result::Json::array();
  const library::MisroundedCounts::Degrees sum = findings.misrounded.sum();
  for (std::size_t bits = 0; bits < sum.size(); ++bits)
    if (const auto& [results, misrounded] = sum.at(bits); results != 0 || sum_of(misrounded) != 0)
      summary["degrees"].push_back({{"bits", bits},
                                    {"results", results != 0 ? result::Json(results) : result::Json(nullptr)},
                                    {"misrounded", by_direction(misrounded, columns)}});
}

std::string binade_records(const library::LibraryFindings& findings, const Format& format) {
  std::string text;
  for (const auto& [binade, degrees] : findings.misrounded.places()) {
    const result::Json misrounded =
        as_list(degrees, [](const library::MisroundedCounts::Degree& degree) { return sum_of(degree.misrounded); });
    if (!misrounded.is_null())
      text += result::record_line(result::plain_record(
          "binade", {{"exponent", binade < format.min_exponent ? result::Json(nullptr) : result::Json(binade)},
                     {"results",
                      as_list(degrees, [](const library::MisroundedCounts::Degree& degree) { return degree.results; })},
                     {"misrounded", misrounded}}));
  }
  return text;
}

} // namespace tmd::report
