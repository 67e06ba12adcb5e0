// Whole formats, values as the format has them and with exponents of any size, against plain enumeration.
#include "end_to_end/subjects.hpp"
#include "thorough.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>

namespace tmd::test {
namespace {

// TMD_WHOLE_FORMATS=1 tries all functions and arguments on every grid. Otherwise each function has one grid, one in
// `every` is tried, slow functions get fewer arguments, and those that are even or odd have one sign, and some numbers
// of the other.
bool whole() { return std::getenv("TMD_WHOLE_FORMATS") != nullptr; }
// TMD_TEST_ALL: both signs, lower bounds, and every grid where arguments are small.
bool more() { return whole() || tries_all; }

// These have many pieces at large and negative arguments.
bool is_slow(const function::Function& function) {
  constexpr std::string_view slow[] = {"lgamma", "tgamma", "j0", "j1", "y0", "y1"};
  return std::find(std::begin(slow), std::end(slow), function.name) != std::end(slow);
}

void compare_whole(const std::string& format, int bits, std::size_t every) {
  const Format numbers = find_format(format);
  const int p = numbers.precision;
  const Exponents exponents{numbers.min_exponent, numbers.max_exponent};
  Work work;
  std::size_t turn = 0;
  bool has_ranges = false;
  for (const Subject& subject : subjects()) {
    const Known& f = subject.function;
    ++turn;
    if (!whole() && turn % every != 0)
      continue;
    INFO(std::string(f.name));
    Task task = make_task(f, {format, p, numbers.min_exponent, p, 1, 2}, Rounding::all, bits);
    const format::ArgumentSet arguments = task.arguments();
    const job::RankInterval domain = job::ranks_in_domain(task.function->domain, arguments);
    task.first = domain.first;
    task.last = domain.last;
    if (!whole() && is_slow(*task.function)) {
      task.first = std::max(task.first, arguments.parse("-4", ""));
      task.last = std::min(task.last, arguments.parse("32", ""));
    }
    if (!more() && task.function->symmetry != Symmetry::none)
      (turn % 2 == 0 ? task.first : task.last) = turn % 2 == 0 ? -16 : 16; // ranks: 0 is the number 0
    const Numbers all{p, numbers.min_exponent};
    const double from = to_double(arguments.at(task.first));
    const double to = all.next(to_double(arguments.at(task.last - 1)));
    const auto expected = enumerate(f, all, from, to, p, bits, exponents);
    for (std::size_t i = 0; i < std::size(grids); ++i) {
      if (!whole() && i != turn / every % std::size(grids))
        continue;
      task.values = Values::format;
      task.rounding = grids[i];
      const Task one = turn / every % 2 == 0 ? task : widely(task);
      const result::SearchResult result = usual_device().run(one);
      work.add(result);
      check_found(one, result, expected[i]);
      has_ranges |= result.arguments_of_regimes(true) > 0;
    }
  }
  CHECK(has_ranges);
  CHECK(work.candidates > 0);
}

} // namespace

TEST_CASE("whole formats: every function on all of binary16, values as the format has them") {
  compare_whole("binary16", more() ? 6 : 8, 1);
}

TEST_CASE("whole formats: every function on all of bfloat16, values as the format has them") {
  compare_whole("bfloat16", more() ? 4 : 6, more() ? 4 : 6);
}

// TMD_SLICES=N tries N longer slices of each function, or only of TMD_FUNCTION; half of them lie across a border of
// binades.
TEST_CASE("whole formats: slices of binary32, values as the format has them") {
  const char* asked = std::getenv("TMD_SLICES");
  const char* only = std::getenv("TMD_FUNCTION");
  const int slices = asked == nullptr ? 2 : std::atoi(asked);
  const format::ArgumentSet::Rank length = format::ArgumentSet::Rank(1) << (asked == nullptr ? 10 : 16);
  constexpr int bits = 8;
  constexpr int p = 24;
  const Format format = find_format("binary32");
  const Numbers numbers{p, format.min_exponent};
  const Exponents exponents{format.min_exponent, format.max_exponent};
  std::mt19937_64 random(1);
  Work work;
  for (const Subject& subject : subjects()) {
    const Known& f = subject.function;
    if (only != nullptr && f.name != std::string_view(only))
      continue;
    Task task = make_task(f, {"binary32", p, format.min_exponent, p, 1, 2}, Rounding::all, bits);
    task.values = Values::format;
    const format::ArgumentSet arguments = task.arguments();
    job::RankInterval domain = job::ranks_in_domain(task.function->domain, arguments);
    if (is_slow(*task.function)) {
      domain.first = std::max(domain.first, arguments.parse("-4", ""));
      domain.last = std::min(domain.last, arguments.parse("32", ""));
    }
    for (int i = 0; i < slices; ++i) {
      const format::ArgumentSet::Rank binade = format::ArgumentSet::Rank(1) << (p - 1);
      format::ArgumentSet::Rank middle =
          domain.first +
          static_cast<format::ArgumentSet::Rank>(random() % static_cast<std::uint64_t>(domain.last - domain.first));
      if (i % 2 == 0)
        middle = middle / binade * binade;
      task.first = std::clamp(middle - length / 2, domain.first, domain.last - length);
      task.last = task.first + length;
      const double from = to_double(arguments.at(task.first));
      const double to = numbers.next(to_double(arguments.at(task.last - 1)));
      INFO(std::string(f.name) << " from " << to_hex(arguments.at(task.first)));
      const std::size_t grid = random() % std::size(grids);
      task.rounding = grids[grid];
      Task searched = task;
      if (i % 3 < 2)
        set_algorithm(searched, i % 3 == 0 ? "wide" : "roots");
      const result::SearchResult result = usual_device().run(searched);
      work.add(result);
      check_found(task, result, enumerate(f, numbers, from, to, p, bits, exponents)[grid]);
    }
  }
  CHECK(work.candidates > 0);
}

// Near 0 values are subnormal, or would be: the two kinds of values differ.
TEST_CASE("whole formats: small arguments of binary16, values with exponents of any size") {
  Work work;
  std::size_t turn = 0;
  for (const Subject& subject : subjects()) {
    const Known& f = subject.function;
    ++turn;
    Task task = make_task(f, {"binary16", 11, -14, 11, 0x1p-24, 0x1p-8}, Rounding::all, 6);
    if (job::ranks_in_domain(task.function->domain, task.arguments()).first > task.first)
      continue; // acosh
    const auto expected = enumerate(f, {11, -14}, 0x1p-24, 0x1p-8, 11, 6);
    for (std::size_t i = 0; i < std::size(grids); ++i) {
      if (!whole() && !is_tried(grids[i], turn))
        continue;
      INFO(std::string(f.name));
      task.rounding = grids[i];
      compare(task, usual_device(), expected[i], work);
    }
  }
  CHECK(work.candidates > 0);
}

} // namespace tmd::test
