#include "publish/page.hpp"

#include "number/arb.hpp"
#include "result/wc.hpp"
#include "support/shell_words.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr std::size_t most_rows = 64;   // of the table of binades
constexpr std::size_t most_named = 20;  // exact cases, undecided arguments
constexpr std::size_t most_ranges = 50; // of each kind

// A binade, or several side by side, with all that was searched in them one by one.
struct Row {
  bool negative = false;
  int first = 0; // exponents of the binades; of subnormal numbers the first is the least
  int last = 0;
  bool is_subnormal = false;
  uint128 arguments = 0;
  std::uint64_t cases = 0;
  std::uint64_t midpoints = 0;
  std::uint64_t exact = 0;
  double expected = 0;
  bool is_fair = true;

  void add(const Row& other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
    is_subnormal = is_subnormal || other.is_subnormal;
    arguments += other.arguments;
    cases += other.cases;
    midpoints += other.midpoints;
    exact += other.exact;
    expected += other.expected;
    is_fair = is_fair && other.is_fair;
  }
};

Row row_of(const Job& job, const BinadeTally& tally) {
  const Stretch& of = tally.arguments;
  const uint128 least_normal = uint128(1) << (job.argument_precision - 1);
  Row row;
  row.negative = of.negative;
  row.first = row.last = of.unit_exponent + job.argument_precision - 1;
  row.is_subnormal = of.first < least_normal;
  if (row.is_subnormal)
    row.first = row.last = job.format.min_exponent - 1;
  row.arguments = of.count;
  row.cases = tally.cases;
  row.midpoints = tally.midpoints;
  row.exact = tally.exact;
  row.expected = tally.expected(job);
  row.is_fair = tally.is_fair;
  return row;
}

// A row a binade, in the order of |x|, positive ones first.
std::vector<Row> rows_of(const Publication& published) {
  std::vector<Row> rows;
  for (const PublishedBlock& block : published.blocks)
    for (const BinadeTally& one : block.binades)
      rows.push_back(row_of(published.job(), one));
  std::stable_sort(rows.begin(), rows.end(), [](const Row& left, const Row& right) {
    return std::pair(left.negative, left.first) < std::pair(right.negative, right.first);
  });
  std::vector<Row> result;
  for (const Row& row : rows)
    if (!result.empty() && result.back().negative == row.negative && result.back().first == row.first)
      result.back().add(row);
    else
      result.push_back(row);
  return result;
}

// The chance that as many counts as there are degrees of freedom are together as far from their expectation.
struct ChiSquare {
  double sum = 0;
  std::size_t degrees = 0;
  double p = 1;
};

ChiSquare chi_square(std::span<const Row> rows) {
  constexpr long precision = 128;
  ChiSquare result;
  for (const Row& row : rows)
    if (row.is_fair && row.expected > 0) {
      const double off = static_cast<double>(row.cases) - row.expected;
      result.sum += off * off / row.expected;
      ++result.degrees;
    }
  if (result.degrees == 0)
    return result;
  Arb half_degrees;
  Arb half_sum;
  Arb tail;
  arb_set_d(half_degrees, static_cast<double>(result.degrees) / 2);
  arb_set_d(half_sum, result.sum / 2);
  arb_hypgeom_gamma_upper(tail, half_degrees, half_sum, 1, precision);
  result.p = arf_get_d(arb_midref(static_cast<arb_srcptr>(tail)), ARF_RND_NEAR);
  return result;
}

std::string chi_square_text(const ChiSquare& test) {
  if (test.degrees == 0)
    return "no binade is a fair sample";
  return fmt::format("χ² = {:.1f} of {} binade{}, p = {:.3g}", test.sum, test.degrees, test.degrees == 1 ? "" : "s",
                     test.p);
}

// Expected in all, fair sample or not.
double expected_of(std::span<const Row> rows) {
  double sum = 0;
  for (const Row& row : rows)
    sum += row.expected;
  return sum;
}

std::vector<Row> in_groups(const std::vector<Row>& rows) {
  std::size_t size = 1;
  while (rows.size() / size > most_rows)
    size *= 2;
  std::vector<Row> groups;
  std::size_t in_group = 0;
  for (const Row& row : rows) {
    if (in_group == size || groups.empty() || groups.back().negative != row.negative ||
        groups.back().is_fair != row.is_fair || groups.back().last + 1 != row.first) {
      groups.push_back(row);
      in_group = 1;
    } else {
      groups.back().add(row);
      ++in_group;
    }
  }
  return groups;
}

std::string binades_text(const Row& row) {
  const std::string sign = row.negative ? "-" : "";
  if (row.is_subnormal && row.first == row.last)
    return sign + "subnormal";
  return fmt::format("{}[{}, 2^{})", sign, row.is_subnormal ? "subnormal" : fmt::format("2^{}", row.first),
                     row.last + 1);
}

std::string binade_table(const Job& job, const std::vector<Row>& rows) {
  const bool has_both = job.rounding == Rounding::all;
  std::string text =
      fmt::format("| binades of x | arguments | cases | expected | in σ |{} exact |\n|---|--:|--:|--:|--:|{}--:|\n",
                  has_both ? " midpoints |" : "", has_both ? "--:|" : "");
  for (const Row& row : in_groups(rows)) {
    const std::string off =
        row.is_fair ? fmt::format("{:+.2f}", (static_cast<double>(row.cases) - row.expected) / std::sqrt(row.expected))
                    : "";
    text += fmt::format("| {} | {} | {} | {:.1f} | {} |{} {} |\n", binades_text(row), to_string(row.arguments),
                        row.cases, row.expected, off, has_both ? fmt::format(" {} |", row.midpoints) : "", row.exact);
  }
  return text;
}

std::uint64_t sum_of(const Publication& published, std::uint64_t PublishedBlock::*counted) {
  std::uint64_t sum = 0;
  for (const PublishedBlock& block : published.blocks)
    sum += block.*counted;
  return sum;
}

// "3: `0x1p+0`, `0x1p+1`, …"
std::string named(const Publication& published, Case::Kind kind, std::uint64_t count) {
  std::string text = std::to_string(count);
  std::size_t written = 0;
  for (const PublishedBlock& block : published.blocks)
    for (const Case& one : block.named)
      if (one.kind == kind && written < most_named)
        text += fmt::format("{}`{}`", written++ == 0 ? ": " : ", ", to_hex(one.x));
  return text + (written < count && written > 0 ? ", …" : "");
}

Coverage missing(const Publication& published) {
  const Coverage whole = published.job().range();
  return published.covered().intersection(whole).complement_in(whole);
}

std::string interval_text(const Job& job, const Coverage::Interval& ranks) {
  return fmt::format("[{}, {}]", to_hex(job.arguments().at(ranks.first)), to_hex(job.arguments().at(ranks.last - 1)));
}

// A list of ranges under a heading, as far as they are not too many.
template <typename Ranges, typename Describe>
std::string range_list(std::string_view heading, const Ranges& ranges, const Describe& text_of) {
  if (ranges.empty())
    return "";
  std::string text = fmt::format("\n## {}\n\n", heading);
  std::size_t written = 0;
  for (const auto& one : ranges) {
    if (written++ == most_ranges) {
      text += fmt::format("- and {} more\n", ranges.size() - most_ranges);
      break;
    }
    text += fmt::format("- {}\n", text_of(one));
  }
  return text;
}

std::string seconds_text(const PublishedBlock& block) {
  return block.seconds ? fmt::format("{:.1f}", *block.seconds) : "";
}

std::string program_text(const Program& program) {
  return fmt::format("tmd {}, {}{}{}", program.version, program.commit.empty() ? "" : program.commit + ", ",
                     program.kernels.digest, program.kernels.foreign ? " (foreign)" : "");
}

std::string programs_text(const PublishedBlock& block) {
  std::string text = program_text(block.program);
  for (const Program& one : block.other_programs)
    text += "<br>" + program_text(one);
  return text;
}

std::string search_table(const Publication& published) {
  const Job& job = published.job();
  std::string text = "\n## Searches\n\n| range | arguments | cases | seconds | device | version, commit, kernels |\n"
                     "|---|--:|--:|--:|---|---|\n";
  for (const PublishedBlock& block : published.blocks)
    text += fmt::format("| [{}, {}) | {} | {} | {} | {} | {} |\n", to_hex(job.arguments().at(block.range.first)),
                        to_hex(job.arguments().at(block.range.last)), to_string(block.covered.size()), block.cases(),
                        seconds_text(block), block.devices, programs_text(block));
  return text;
}

std::string command_text(const Job& job) {
  std::string text =
      fmt::format("tmd search {} --format {} --bits {}", as_shell_word(job.function->name), job.format.name, job.bits);
  if (job.rounding != Rounding::all)
    text += fmt::format(" --rounding {}", to_string(job.rounding));
  if (job.values != Values::format)
    text += fmt::format(" --values {}", to_string(job.values));
  if (job.argument_precision != job.format.precision)
    text += fmt::format(" --argument-precision {}", job.argument_precision);
  return text;
}

std::string title(const Job& job) {
  std::string text = fmt::format("{} in {}", job.function->name, job.format.name);
  if (job.argument_precision != job.format.precision)
    text += fmt::format(", arguments of {} bits", job.argument_precision);
  if (job.rounding != Rounding::all)
    text += fmt::format(", {}", to_string(job.rounding));
  return job.values == Values::format ? text : text + ", values without bounds";
}

} // namespace

std::string function_page(const PublishedPage& page) {
  const Publication& published = page.published;
  const Job& job = published.job();
  const std::vector<Row> rows = rows_of(published);
  const Coverage covered = published.covered();
  const Coverage rest = missing(published);
  uint128 all = 0;
  uint128 none = 0;
  std::vector<RegimeRange> ranges;
  for (const PublishedBlock& block : published.blocks)
    for (const RegimeRange& one : block.regimes) {
      (one.regime.rule ? all : none) += one.size();
      if (one.regime.rule)
        ranges.push_back(one);
    }
  std::string text = fmt::format(
      "# {}\n\nThe hard-to-round cases with K = {}, breakpoints: {}{}. Made by `tmd publish` "
      "from `{}`.\n\n| | |\n|---|---|\n",
      title(job), job.bits, to_string(job.rounding), describe_reduction(job, published.symmetry), command_text(job));
  const auto row = [&](std::string_view name, const std::string& value) {
    text += fmt::format("| {} | {} |\n", name, value);
  };
  row("arguments", fmt::format("{} of {}: {}", to_string(covered.size()), to_string(job.size()),
                               rest.empty() ? "complete" : "**partial**"));
  row("proven at once",
      fmt::format("{} in ranges without a case, {} in ranges of cases", to_string(none), to_string(all)));
  row("cases",
      fmt::format("{}, {:.1f} expected; {}", published.cases(), expected_of(rows), chi_square_text(chi_square(rows))));
  for (const auto& [breakpoint, one] : published.hardest())
    row(fmt::format("hardest, {}", to_string(breakpoint)), fmt::format("`{}`, {:.4f} bits", to_hex(one.x), one.bits));
  row("exact cases", named(published, Case::Kind::exact, sum_of(published, &PublishedBlock::exact)));
  row("undecided", named(published, Case::Kind::undecided, sum_of(published, &PublishedBlock::undecided)));
  row("list", fmt::format("[{0}.wc.xz]({0}.wc.xz): the {1} cases from K = {2} on", page.name, published.listed.size(),
                          published.listed_from));
  text +=
      fmt::format("\n## Cases by binade\n\n{}\nExpected are 2·N·2^-K of the N arguments that were searched one by one "
                  "and are not exact{}. Where chance does not say how many there\nshould be, as where f hardly bends, "
                  "no deviation is given.\n",
                  binade_table(job, rows), has_extrema(job) ? ", and those beside extrema that are breakpoints" : "");
  text += range_list("Ranges of cases", ranges, [&](const RegimeRange& one) { return describe(job, one); });
  text += range_list("Not searched", rest.intervals(),
                     [&](const Coverage::Interval& one) { return interval_text(job, one); });
  return text + search_table(published);
}

std::string results_page(const std::vector<PublishedPage>& pages) {
  std::string text =
      "# Results\n\nWhat searches of whole functions have found. A page says how far a function is searched, how many "
      "cases there are in\neach binade beside what chance gives, which are the hardest, and how they were found; "
      "beside "
      "it are the cases from the\nleast K on at which their list is small, as CORE-MATH has its lists, and the counts "
      "as records. `tmd publish` makes\nall of it from the results of `tmd run`.\n\n"
      "| function | breakpoints | K | arguments | cases | expected | p | hardest, in bits | exact | undecided | listed "
      "from | seconds |\n|---|---|--:|---|--:|--:|--:|---|--:|--:|--:|--:|\n";
  for (const PublishedPage& page : pages) {
    const Publication& published = page.published;
    const Job& job = published.job();
    const std::vector<Row> rows = rows_of(published);
    const ChiSquare test = chi_square(rows);
    std::string hardest;
    for (const auto& [breakpoint, one] : published.hardest())
      hardest += fmt::format("{}`{}` {:.4f} ({})", hardest.empty() ? "" : "<br>", to_hex(one.x), one.bits,
                             to_string(breakpoint));
    double seconds = 0;
    for (const PublishedBlock& block : published.blocks)
      seconds += block.seconds.value_or(0);
    text += fmt::format("| [{}]({}/{}.md) | {} | {} | {} | {} | {:.1f} | {} | {} | {} | {} | {} | {:.1f} |\n",
                        title(job), job.format.name, page.name, to_string(job.rounding), job.bits,
                        missing(published).empty() ? "all" : "**partial**", published.cases(), expected_of(rows),
                        test.degrees == 0 ? "" : fmt::format("{:.3g}", test.p), hardest,
                        sum_of(published, &PublishedBlock::exact), sum_of(published, &PublishedBlock::undecided),
                        published.listed_from, seconds);
  }
  return text;
}

} // namespace tmd
