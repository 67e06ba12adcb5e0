// A search as a figure: what is drawn, where arguments stand, and that gnuplot takes it.
#include "host/report/plot.hpp"
#include "host/report/plot_axis.hpp"
#include "host/support/installed_files.hpp"
#include "unit/contains.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

using namespace tmd;
using Rank = ArgumentSet::Rank;

namespace {

constexpr std::array<Panel, 3> all_panels{Panel::cases, Panel::range, Panel::time};

Job job_on(const char* format, const char* from, const char* to) {
  Job job = some_job();
  job.format = find_format(format);
  job.argument_precision = job.format.precision;
  job.first = job.arguments().parse(from, "");
  job.last = job.arguments().parse(to, "");
  return job;
}

// Every number of a format.
Job whole_job(const char* format) {
  Job job = job_on(format, "1", "2");
  job.values = Values::format;
  job.first = 1 - job.arguments().end();
  job.last = job.arguments().end();
  return job;
}

// The numbers in the lines of a table of the script; nothing without it.
std::vector<std::vector<double>> table(const std::string& script, const std::string& name) {
  std::vector<std::vector<double>> rows;
  const std::size_t begin = script.find("$" + name + " << END\n");
  if (begin == std::string::npos)
    return rows;
  std::istringstream lines(script.substr(begin, script.find("\nEND\n", begin) - begin));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::vector<double>& row = rows.emplace_back();
    for (std::string word; words >> word;)
      row.push_back(std::strtod(word.c_str(), nullptr));
  }
  return rows;
}

std::vector<std::string> labels(const Job& job) {
  std::vector<std::string> result;
  for (const ArgumentAxis::Tick& tick : ArgumentAxis(job).ticks())
    result.push_back(tick.label);
  return result;
}

// Cases of `count` bits each, evenly over the range.
SearchResult many_cases(const Job& job, std::size_t count) {
  SearchResult result;
  result.covered = job.range();
  for (std::size_t i = 0; i < count; ++i) {
    const Rank rank = job.first + (job.last - job.first) / static_cast<Rank>(count) * static_cast<Rank>(i);
    result.cases.push_back({job.arguments().at(rank), job.bits + static_cast<double>(i % 64) / 8,
                            i % 2 == 0 ? Breakpoint::midpoint : Breakpoint::representable});
  }
  result.sort();
  return result;
}

} // namespace

TEST_CASE("arguments stand as far along as there are arguments before them") {
  const Job job = job_on("binary64", "0x1p-3", "8");
  const ArgumentAxis axis(job);
  CHECK(axis.binades() == 6);
  CHECK(axis.position(job.first) == 0);
  CHECK(axis.position(job.last) == 1);
  CHECK(axis.position(job.arguments().parse("1", "")) == 0.5);
  CHECK(axis.position(job.arguments().parse("0x1.8p-1", "")) == doctest::Approx(2.5 / 6));
  const Job whole = whole_job("binary64");
  CHECK(ArgumentAxis(whole).position(0) == doctest::Approx(0.5));
}

TEST_CASE("ticks are powers of two, or hex floats where the range is short") {
  CHECK(labels(job_on("binary64", "0x1p-3", "8")) ==
        std::vector<std::string>{"2^{−3}", "2^{−2}", "2^{−1}", "1", "2^{1}", "2^{2}", "2^{3}"});
  CHECK(labels(job_on("binary64", "1", "2")) ==
        std::vector<std::string>{"0x1p+0", "0x1.4p+0", "0x1.8p+0", "0x1.cp+0", "0x1p+1"});
  CHECK(labels(job_on("binary64", "-2", "-1")).front() == "-0x1p+1");
  CHECK(labels(whole_job("binary64")) == std::vector<std::string>{"−2^{1000}", "−2^{500}", "−1", "−2^{−500}", "0",
                                                                  "2^{−500}", "1", "2^{500}", "2^{1000}"});
  for (const char* format : {"binary16", "bfloat16", "binary32", "binary64", "binary80", "p2"}) {
    CAPTURE(std::string(format));
    const auto ticks = ArgumentAxis(whole_job(format)).ticks();
    CHECK(ticks.size() >= 5);
    CHECK(ticks.size() <= 14);
    for (std::size_t i = 1; i < ticks.size(); ++i)
      CHECK(ticks[i].position - ticks[i - 1].position >= 0.02);
  }
  Job one = job_on("binary64", "1", "2");
  one.last = one.first + 1;
  CHECK(labels(one) == std::vector<std::string>{"0x1p+0", "0x1.0000000000001p+0"});
}

TEST_CASE("slices are the whole range, at binades where there are enough") {
  for (const Job& job : {job_on("binary64", "1", "2"), job_on("binary64", "-3", "0x1.8p+7"), whole_job("binary64"),
                         whole_job("binary80"), whole_job("binary16"), job_on("binary16", "1", "0x1.008p+0")}) {
    CAPTURE(job.identity());
    const auto slices = ArgumentAxis(job).slices();
    CHECK(slices.front().first == job.first);
    CHECK(slices.back().last == job.last);
    CHECK(slices.size() <= 520);
    for (std::size_t i = 0; i < slices.size(); ++i) {
      CHECK(slices[i].first < slices[i].last);
      CHECK((i == 0 || slices[i].first == slices[i - 1].last));
    }
  }
  const Job job = job_on("binary64", "-3", "0x1.8p+7");
  const auto slices = ArgumentAxis(job_on("binary64", "0x1.8p-1", "0x1.8p+9")).slices();
  CHECK(slices.size() == 11);
  CHECK(slices[1].first == job.arguments().parse("1", ""));
  CHECK(ArgumentAxis(job_on("binary64", "1", "2")).slices().size() == 64);
  CHECK(ArgumentAxis(job_on("binary16", "1", "0x1.008p+0")).slices().size() == 2);
}

TEST_CASE("the cases with at least k bits, beside what chance gives to the arguments that were tested") {
  const Job job = some_job(); // 2^52 arguments, K = 44
  SearchResult result = some_result(job);
  std::string script = plot_of(job, result, {}, all_panels).script;
  const auto steps = table(script, "cases");
  REQUIRE(steps.size() == 4);
  CHECK(steps[0] == std::vector<double>{44, 2});
  CHECK(steps[1][1] == 2); // the easier case is the last of two
  CHECK(steps[1][0] == doctest::Approx(45).epsilon(1e-4));
  CHECK(steps[2][1] == 1);
  CHECK(steps[2][0] == doctest::Approx(53.9922).epsilon(1e-4));
  CHECK(steps[3][1] == 0.5);
  auto chance = table(script, "band");
  REQUIRE(chance.size() > 100);
  CHECK(chance[0][0] == 44);
  CHECK(chance[0][1] == 512); // 2·2^52·2^-44
  CHECK(chance[0][2] == doctest::Approx(512 - 2 * std::sqrt(512)).epsilon(1e-4));
  CHECK(chance[0][3] == doctest::Approx(512 + 2 * std::sqrt(512)).epsilon(1e-4));
  for (const auto& row : chance)
    CHECK(row[2] <= std::max(row[1], 0.5));
  CHECK(contains(script, "N = 4.50·10^{15} arguments"));
  // What is known of ranges is not chance's.
  const Rank half = (job.first + job.last) / 2;
  result.regimes = {{{job.first, half}, {}}};
  script = plot_of(job, result, {}, all_panels).script;
  chance = table(script, "band");
  REQUIRE_FALSE(chance.empty());
  CHECK(chance[0][1] == 256);
}

TEST_CASE("where the cases are, of which kind, and what is true of ranges") {
  const Job job = some_job();
  SearchResult result = some_result(job);
  result.exact = {{number("0x1.4p+0"), INFINITY, Breakpoint::representable, Case::Kind::exact}};
  result.undecided = {{number("0x1.2p+0"), INFINITY, Breakpoint::representable, Case::Kind::undecided}};
  const std::array<Panel, 1> range{Panel::range};
  std::string script = plot_of(job, result, {}, range).script;
  const auto found = table(script, "found");
  REQUIRE(found.size() == 2);
  CHECK(found[0][0] == doctest::Approx(0.5)); // the hardest last
  CHECK(found[0][2] == 0x2060a0);             // representable
  CHECK(found[1][0] == doctest::Approx(0.6744).epsilon(1e-3));
  CHECK(found[1][1] == doctest::Approx(53.9922).epsilon(1e-5));
  CHECK(found[1][2] == 0xc05020);
  CHECK(table(script, "exact").at(0).at(0) == doctest::Approx(0.25));
  CHECK(table(script, "undecided").at(0).at(0) == doctest::Approx(0.125));
  CHECK(table(script, "missing").empty());
  CHECK(table(script, "all").empty());
  CHECK_FALSE(contains(script, "not searched"));

  const Rank quarter = (job.last - job.first) / 4;
  result.regimes = {{{job.first, job.first + quarter}, {}},
                    {{job.first + quarter, job.first + 2 * quarter}, {BreakpointRule{"0x1p+0", "0x0p+0", true, {}}}}};
  result.covered = Coverage(job.first, job.first + 3 * quarter);
  script = plot_of(job, result, {}, range).script;
  const auto box = [&](const char* name) {
    const auto rows = table(script, name);
    REQUIRE(rows.size() == 1);
    return std::pair(rows[0][2], rows[0][3]);
  };
  CHECK(box("none") == std::pair(0.0, 0.25));
  CHECK(box("all") == std::pair(0.25, 0.5));
  CHECK(box("missing") == std::pair(0.75, 1.0));
  CHECK(contains(script, "75.00 % covered, 25.00 % in ranges of cases; 1 undecided"));
}

TEST_CASE("a figure stays small, however many cases and ranges there are") {
  const Job job = whole_job("binary64");
  SearchResult result = many_cases(job, 100000);
  for (int i = 0; i < 100000; ++i) {
    const Rank first = job.first + (job.last - job.first) / 100000 * i;
    result.regimes.push_back({{first, first + 1000}, {}});
  }
  const std::string script = plot_of(job, result, {}, all_panels).script;
  CHECK(table(script, "cases").size() < 3000);
  const auto found = table(script, "found");
  CHECK(found.size() > 5000);
  CHECK(found.size() < 90000);
  CHECK(table(script, "none").size() < 1000);
  // Nothing is lost that can be seen: first and last are there.
  const auto [least, most] = std::minmax_element(found.begin(), found.end());
  CHECK((*least)[0] < 0.001);
  CHECK((*most)[0] > 0.999);
}

TEST_CASE("cases with a thousand bits do not press the others together") {
  const Job job = some_job();
  SearchResult result = some_result(job);
  std::vector<Case> cases = result.cases.to_vector();
  cases.front().bits = 1074;
  result.cases = cases;
  const std::string script = plot_of(job, result, {}, all_panels).script;
  const auto found = table(script, "found");
  REQUIRE(found.size() == 2);
  CHECK(found[1][1] < 70);
  CHECK(found[1][1] > 60); // 53 bits by chance, and some beyond
  CHECK(contains(script, "(at the edge: "));
}

TEST_CASE("time goes to the binades and the devices that have taken it") {
  const Job job = job_on("binary64", "1", "0x1p+10");
  const Rank binade = Rank(1) << 52;
  SearchResult result;
  result.covered = Coverage(job.first, job.first + 3 * binade);
  const std::vector<SearchedPart> parts{{{job.first, job.first + 2 * binade}, "0: fast", 3},
                                        {{job.first + 2 * binade, job.first + 3 * binade}, "1: slow", 5},
                                        {{job.first, job.first + 1}, "1: slow", 0}};
  const std::string script = plot_of(job, result, parts, all_panels).script;
  const auto fast = table(script, "time0");
  const auto slow = table(script, "time1");
  REQUIRE(fast.size() == 2);
  REQUIRE(slow.size() == 1);
  for (const auto& row : fast) {
    CHECK(row[4] == 0);
    CHECK(row[5] == doctest::Approx(1.5));
  }
  CHECK(fast[1][2] == doctest::Approx(0.1));
  CHECK(slow[0][2] == doctest::Approx(0.2));
  CHECK(slow[0][3] == doctest::Approx(0.3));
  CHECK(slow[0][5] == doctest::Approx(5));
  CHECK(contains(script, "Time: 8 s, all devices"));
  const auto rate = table(script, "rate0");
  REQUIRE(rate.size() == 2);
  CHECK(rate[0][1] == doctest::Approx(std::ldexp(1, 52) / 1.5 * 1e-15).epsilon(1e-4));
  CHECK(contains(script, "10^{15} arguments/s"));
}

TEST_CASE("gnuplot draws it all, without a complaint about a name") {
  if (!find_program("gnuplot"))
    return;
  for (const Job& job :
       {some_job(), whole_job("binary16"), whole_job("binary80"), job_on("binary16", "1", "0x1.008p+0")})
    for (const std::size_t count : {std::size_t(0), std::size_t(2), std::size_t(1000)}) {
      CAPTURE(job.identity());
      CAPTURE(count);
      SearchResult result = many_cases(job, count);
      std::vector<SearchedPart> parts;
      for (int device = 0; device < 12; ++device)
        parts.push_back(
            {{job.first, job.last}, std::to_string(device) + ": it's a {GPU}_1 @ 2^3 'GHz' \"x\" \\n", 0.5});
      const Plot plot = plot_of(job, result, parts, all_panels);
      const std::string svg = gnuplot_figure(plot.script, FigureFormat::svg, plot.size);
      CHECK(contains(svg, "Cases with at least k bits"));
      CHECK(contains(svg, "Rate of each device"));
      CHECK(contains(svg, "</svg>"));
      CHECK(contains(svg, "0: it's a {GP")); // as it stands, cut to the room that it has
      CHECK(contains(svg, ">others<"));
    }
  const Job job = some_job();
  const SearchResult nothing; // not even an argument covered
  const Plot plot = plot_of(job, nothing, {}, all_panels);
  CHECK(contains(gnuplot_figure(plot.script, FigureFormat::svg, plot.size), "not searched"));
}
