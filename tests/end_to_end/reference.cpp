// Slices of binary64 against the reference lists and, where a list says nothing, against plain enumeration.
#include "end_to_end/enumeration.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace tmd::test {
namespace {

struct List {
  const char* file;
  const Known& f;
  double from; // the list's range
  double to;
  int complete; // from this hardness on
};

const List lists[] = {{"exp_1_2.tsv", known_exp, 1, 2, 44},     {"exp_2^-5_2^-4.tsv", known_exp, 0x1p-5, 0x1p-4, 44},
                      {"exp2_1_2.tsv", known_exp2, 1, 2, 44},   {"log_1_2.tsv", known_log, 1, 2, 47},
                      {"sin_0.5_1.tsv", known_sin, 0.5, 1, 43}, {"sin_1_2.tsv", known_sin, 1, 2, 43},
                      {"cbrt_1_2.tsv", known_cbrt, 1, 2, 44}};

struct Entry {
  double x;
  double bits;
  bool midpoint;
};

std::vector<Entry> read_list(const List& list) {
  std::ifstream stream(std::filesystem::path(TMD_TEST_DATA) / "reference" / list.file);
  std::string line;
  std::getline(stream, line);
  std::vector<Entry> entries;
  while (std::getline(stream, line)) {
    std::istringstream fields(line);
    std::string x;
    std::string kind;
    Entry entry{};
    fields >> x >> entry.bits >> kind;
    entry.x = std::strtod(x.c_str(), nullptr);
    entry.midpoint = kind == "M";
    if (entry.bits >= list.complete)
      entries.push_back(entry);
  }
  return entries;
}

} // namespace

TEST_CASE("reference: slices around listed cases hold the listed cases, and no others") {
  Work work;
  for (const List& list : lists) {
    const auto entries = read_list(list);
    REQUIRE(entries.size() > 60);
    std::set<double> found_cases;
    constexpr int slices = 12;
    for (int slice = 0; slice < slices; ++slice) {
      const Entry& centre = entries[slice < 4 ? static_cast<std::size_t>(slice)
                                              : entries.size() * static_cast<std::size_t>(slice) / slices];
      const double spacing = std::ldexp(1.0, std::ilogb(list.from) - 52);
      const double reach = std::ldexp(spacing, 20 + slice % 3 * 5);
      const Range range{
          "binary64", 53, -1022, 53, std::max(list.from, centre.x - reach), std::min(list.to, centre.x + reach)};
      const Task usual = make_task(list.f, range, Rounding::all, list.complete);
      for (const Task& task : {usual, widely(usual)}) {
        const result::SearchResult result = usual_device().run(task);
        work.add(result);
        INFO(list.file, ", slice around ", to_hex(task.arguments().at((task.first + task.last) / 2)));
        CHECK(result.covered == task.range());
        std::vector<Found> found;
        for (const Case& one : result.cases)
          found.push_back({to_double(one.x), one.bits, one.breakpoint == Breakpoint::midpoint});
        std::vector<Entry> expected;
        for (const Entry& entry : entries)
          if (entry.x >= range.from && entry.x < range.to)
            expected.push_back(entry);
        REQUIRE(found.size() == expected.size());
        CHECK(!expected.empty());
        for (std::size_t i = 0; i < found.size(); ++i) { // both hardest first
          CHECK(found[i].x == expected[i].x);
          CHECK(std::fabs(found[i].bits - expected[i].bits) < 6e-5);
          CHECK(found[i].midpoint == expected[i].midpoint);
          found_cases.insert(found[i].x);
        }
      }
    }
    CHECK(found_cases.size() >= 10);
  }
  work.check();
  work.check_wide();
}

TEST_CASE("reference: binary64 beside changes of binade, below zero and at an extremum, against enumeration") {
  struct Slice {
    const Known& f;
    double centre;
    Rounding grid;
  };
  Work work;
  std::size_t cases = 0; // of all bits: at π/2, all values but a few are the same
  for (const Slice& slice : {Slice{known_exp, 0x1.62e42fefa39efp+0, Rounding::all},       // ln 4
                             Slice{known_exp, -0x1.3p+0, Rounding::nearest},              //
                             Slice{known_exp, -0x1p-1, Rounding::directed},               // number of arguments
                             Slice{known_exp, 0x1p-13, Rounding::all},                    //
                             Slice{known_exp, 0x1.62e42fefa39efp+9, Rounding::all},       // 709.78
                             Slice{known_exp, 0x1.91234p+7, Rounding::all},               // 200.5
                             Slice{known_exp2, 2, Rounding::directed},                    // both
                             Slice{known_exp2, -0x1.00001p+0, Rounding::all},             //
                             Slice{known_sin, 0x1.921fb54442d18p+0, Rounding::nearest},   // π/2
                             Slice{known_sin, -0x1.2d97c7f3321d2p+2, Rounding::all},      // −3π/2
                             Slice{known_sin, 0x1.0c152382d7366p-1, Rounding::all},       // π/6
                             Slice{known_log, 0x1.5bf0a8b145769p+1, Rounding::directed},  // e
                             Slice{known_log, 0x1.fffffff0p-1, Rounding::all},            //
                             Slice{known_cbrt, 8, Rounding::all},                         // both
                             Slice{known_cbrt, -0x1.0000000001p+0, Rounding::nearest}}) { //
    const Numbers numbers{53, -1022};
    constexpr int bits = 9;
    constexpr int reach = 6000;
    double from = slice.centre;
    for (int i = 0; i < reach; ++i)
      from = -numbers.next(-from);
    double to = slice.centre;
    for (int i = 0; i < reach; ++i)
      to = numbers.next(to);
    const auto all = enumerate(slice.f, numbers, from, to, 53, bits);
    const auto grid =
        static_cast<std::size_t>(std::find(std::begin(grids), std::end(grids), slice.grid) - std::begin(grids));
    CHECK(all[grid].arguments == 2 * reach);
    cases += all[grid].found.size();
    Task task = make_task(slice.f, {"binary64", 53, -1022, 53, from, to}, slice.grid, bits);
    compare(task, usual_device(), all[grid], work);
    compare(widely(task), usual_device(), all[grid], work);
    compare(widely(task, 7), usual_device(), all[grid], work);
    task.costs = test_eagerly();
    compare(task, usual_device(), all[grid], work);
    task.choices.domain_bits = 5;
    compare(task, usual_device(), all[grid], work);
  }
  CHECK(cases > 300);
  work.check();
}

} // namespace tmd::test
