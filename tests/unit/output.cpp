// Confirmation, and what surrounds a search: launch sizes, result files, the choice of a device.
#include "error.hpp"
#include "opencl/device.hpp"
#include "report/report.hpp"
#include "engine/domains/search.hpp"
#include "verify/confirm.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

using namespace tmd;

namespace {

Argument number(const char* text, int precision = 53) {
  const ArgumentSet set(find_format("binary64"), precision);
  return set.at(set.parse(text, "x"));
}

std::optional<Case> confirm(const char* function, Rounding grid, int bits, const char* x, int p = 53, int q = 53) {
  return Confirmation(find_function(function), {grid, p}, bits).confirm(number(x, q));
}

} // namespace

TEST_CASE("confirmation: distances of published cases, to four decimals") {
  struct Row {
    const char* function;
    const char* x;
    double bits;
    Breakpoint breakpoint;
  };
  constexpr auto M = Breakpoint::midpoint;
  constexpr auto R = Breakpoint::representable;
  for (const Row& row :
       {Row{"exp", "0x1.aca7ae8da5a7bp+0", 53.9922, M}, Row{"exp", "0x1.d6336a88077aap+0", 53.4418, R},
        Row{"exp", "0x1.8ae823850230bp-5", 53.7787, M}, Row{"exp2", "0x1.25dd9eedac79ap+0", 53.1573, R},
        Row{"exp2", "0x1.8b53b7620da8bp+0", 51.9518, M}, Row{"log", "0x1.0000000000001p+0", 51.5850, R},
        Row{"log", "0x1.b9f1fa4587967p+0", 50.7519, M}, Row{"sin", "0x1.d98c4c612718dp-1", 54.5087, M},
        Row{"sin", "-0x1.921fb54442d18p+0", 54.7170, R}, Row{"cbrt", "0x1.00357fdfa5412p+0", 50.3257, M},
        Row{"cbrt", "-0x1.0000000000003p+0", 51.0000, R}}) {
    const auto found = confirm(row.function, Rounding::all, 40, row.x);
    CAPTURE(row.x);
    REQUIRE(found);
    CHECK(std::fabs(found->bits - row.bits) < 6e-5);
    CHECK(found->breakpoint == row.breakpoint);
    CHECK_FALSE(found->is_exact());
    // In whole ulps the distance is half as many spacings; the other grid's breakpoints are far away.
    const Rounding own = row.breakpoint == M ? Rounding::nearest : Rounding::directed;
    const Rounding other = row.breakpoint == M ? Rounding::directed : Rounding::nearest;
    const auto in_ulps = confirm(row.function, own, 40, row.x);
    REQUIRE(in_ulps);
    CHECK(std::fabs(in_ulps->bits - row.bits - 1) < 6e-5);
    CHECK(in_ulps->breakpoint == row.breakpoint);
    CHECK_FALSE(confirm(row.function, other, 40, row.x));
  }
  const auto wide = confirm("exp", Rounding::directed, 33, "0x1.00019836660308p+0", 53, 54);
  REQUIRE(wide);
  CHECK(std::fabs(wide->bits - 45.4923) < 6e-5);
}

TEST_CASE("confirmation: the bound is strict, and decided however close it is") {
  // dist = 2^−53.9922…
  CHECK(confirm("exp", Rounding::all, 53, "0x1.aca7ae8da5a7bp+0"));
  CHECK_FALSE(confirm("exp", Rounding::all, 54, "0x1.aca7ae8da5a7bp+0"));
  // exp2(x) at p = 2: 2^(1/2) = 1.0110…b, F = 5.66 in half-ulps: dist = 0.34 = 2^−1.54.
  CHECK(confirm("exp2", Rounding::all, 1, "0.5", 2));
  CHECK_FALSE(confirm("exp2", Rounding::all, 2, "0.5", 2));
  // cbrt(27) = 3 at p = 2 … exact; 1.1b needs two bits, with one less it is exactly a quarter from a
  // breakpoint.
  CHECK(confirm("cbrt", Rounding::directed, 1, "27", 2)->is_exact());
  CHECK_FALSE(confirm("cbrt", Rounding::nearest, 1, "27", 2)); // exactly half a spacing away: no case, for any K ≥ 1
  // Tiny distances: exp(2^−1000) is 2^(53 − 1000) half-ulps above 1.
  const auto tiny = confirm("exp", Rounding::all, 44, "0x1p-1000");
  REQUIRE(tiny);
  CHECK(std::fabs(tiny->bits - 947) < 1e-4);
}

TEST_CASE("confirmation: exact cases") {
  for (const char* function : {"exp", "exp2"})
    for (const Rounding grid : {Rounding::all, Rounding::directed}) {
      const auto one = confirm(function, grid, 20, "0");
      REQUIRE(one);
      CHECK(one->is_exact());
      CHECK(one->breakpoint == Breakpoint::representable);
    }
  for (const char* function : {"sin", "cbrt"}) {
    REQUIRE(confirm(function, Rounding::all, 20, "0"));
    CHECK(confirm(function, Rounding::directed, 20, "0")->is_exact());
    CHECK_FALSE(confirm(function, Rounding::nearest, 20, "0"));
  }
  CHECK(confirm("log", Rounding::all, 20, "1")->is_exact());
  CHECK(confirm("exp2", Rounding::all, 20, "-7")->is_exact());
  CHECK_FALSE(confirm("exp2", Rounding::nearest, 20, "-7"));
  // The cube root 5/4 is a midpoint at two bits, representable at three.
  CHECK(confirm("cbrt", Rounding::all, 20, "1.953125", 2)->breakpoint == Breakpoint::midpoint);
  CHECK(confirm("cbrt", Rounding::nearest, 20, "1.953125", 2)->is_exact());
  CHECK_FALSE(confirm("cbrt", Rounding::directed, 20, "1.953125", 2));
  CHECK(confirm("cbrt", Rounding::all, 20, "1.953125", 3)->breakpoint == Breakpoint::representable);
  // What MPFR makes 0, or the largest number, is not exact.
  CHECK_THROWS_AS((void)confirm("exp", Rounding::all, 20, "-0x1p+70"), UsageError);
  CHECK_THROWS_AS((void)confirm("exp", Rounding::all, 20, "0x1p+70"), UsageError);
  CHECK_THROWS_AS((void)confirm("exp", Rounding::all, 20, "0x1p+40"), UsageError);
}

TEST_CASE("cases are sorted by hardness, then by argument") {
  const Case a{number("2"), 50, Breakpoint::midpoint};
  const Case b{number("-3"), 50, Breakpoint::midpoint};
  const Case c{number("1"), 51, Breakpoint::midpoint};
  CHECK(is_harder(c, a));
  CHECK_FALSE(is_harder(a, c));
  CHECK(is_harder(b, a));
  CHECK_FALSE(is_harder(a, b));
  CHECK_FALSE(is_harder(a, a));
}

TEST_CASE("launch sizes approach the time they are given, four times larger at most at a step") {
  LaunchSizer sizer(1000, 0.2);
  CHECK(sizer.items() == 1000);
  sizer.observe(1000, 1e-6);
  CHECK(sizer.items() == 4000);
  sizer.observe(1000, 1e-6); // a partial launch says nothing about a whole one
  CHECK(sizer.items() == 4000);
  sizer.observe(4000, 0.1);
  CHECK(sizer.items() == 8000);
  sizer.observe(8000, 0.4);
  CHECK(sizer.items() == 4000);
  sizer.observe(4, 0.15); // slow: 4 items take almost all of the time
  CHECK(sizer.items() == 5);
  sizer.observe(5, 1000);
  CHECK(sizer.items() == 1); // never none
  sizer.observe(0, 1000);
  CHECK(sizer.items() == 1);
  for (int i = 0; i < 20; ++i)
    sizer.observe(sizer.items(), 1e-3 * static_cast<double>(sizer.items()));
  CHECK(sizer.items() == 200);
}

namespace {

SearchJob some_job() {
  SearchJob job;
  job.function = &find_function("exp");
  job.format = find_format("binary64");
  job.first = job.arguments().parse("1", "");
  job.last = job.arguments().parse("2", "");
  return job;
}

SearchResult some_result(const SearchJob& job) {
  SearchResult result;
  result.cases = {{number("0x1.aca7ae8da5a7bp+0"), 53.99216, Breakpoint::midpoint},
                  {number("0x1.8p+0"), 45.00004, Breakpoint::representable}};
  result.exact = {{number("-0x1.4p+0"), INFINITY, Breakpoint::representable}};
  result.arguments = job.size();
  result.candidates = 7;
  result.phases.phase1 = {100, 10, 0.5};
  result.phases.phase2 = {80, 5, 0.25};
  result.phases.phase3 = {5, 7, 0.125};
  result.devices = {{job.size(), result.phases, ""}};
  return result;
}

RunDescription some_run() {
  RunDescription run;
  run.version = "0";
  run.command = "tmd search exp";
  run.from = "1";
  run.to = "2";
  run.devices.resize(1);
  run.devices[0].device.name = "Phi";
  run.devices[0].profile = "some profile";
  return run;
}

} // namespace

TEST_CASE("JSON Lines: one record a line, read back") {
  const SearchJob job = some_job();
  std::istringstream text(json_lines(job, some_run(), some_result(job)));
  std::vector<nlohmann::json> records;
  for (std::string line; std::getline(text, line);)
    records.push_back(nlohmann::json::parse(line));
  REQUIRE(records.size() == 5);
  CHECK(records[0]["type"] == "search");
  CHECK(records[0]["function"] == "exp");
  CHECK(records[0]["format"] == "binary64");
  CHECK(records[0]["from"] == "0x1p+0");
  CHECK(records[0]["to"] == "0x1p+1");
  CHECK(records[0]["bits"] == 44);
  CHECK(records[0]["rounding"] == "all");
  CHECK(records[1] ==
        nlohmann::json{{"type", "case"}, {"x", "0x1.aca7ae8da5a7bp+0"}, {"bits", 53.9922}, {"breakpoint", "midpoint"}});
  CHECK(records[2]["bits"] == 45.0);
  CHECK(records[3] == nlohmann::json{{"type", "exact"}, {"x", "-0x1.4p+0"}, {"breakpoint", "representable"}});
  CHECK(records[4]["type"] == "summary");
  CHECK(records[4]["arguments"] == std::uint64_t(1) << 52);
  CHECK(records[4]["cases"] == 2);
  CHECK(records[4]["exact"] == 1);
  CHECK(records[4]["phase1"]["domains"] == 100);
  CHECK(records[4]["phase2"]["survivors"] == 5);
  CHECK(records[4]["phase3"]["seconds"] == 0.125);
  // Beyond 2^53 a number would lose bits in many readers.
  SearchResult wide = some_result(job);
  wide.arguments = (uint128(1) << 60) + 1;
  std::istringstream again(json_lines(job, some_run(), wide));
  std::string last;
  for (std::string line; std::getline(again, line);)
    last = line;
  CHECK(nlohmann::json::parse(last)["arguments"] == "1152921504606846977");
}

TEST_CASE("several devices: what each did, in JSON Lines and in a table") {
  const SearchJob job = some_job();
  SearchResult result = some_result(job);
  RunDescription run = some_run();
  const auto search_record = [&] {
    const std::string text = json_lines(job, run, result);
    return nlohmann::json::parse(text.substr(0, text.find('\n')));
  };
  const auto one = search_record();
  CHECK(one["device"]["name"] == "Phi");
  CHECK(one["profile"] == "some profile");
  CHECK(one["tunables"]["phase1.items"] == 1);
  CHECK_FALSE(one.contains("devices"));
  CHECK(device_table(run, result).empty());

  run.devices.push_back(run.devices[0]);
  run.devices[1].device.name = "Xeon";
  run.devices[1].device.index = 7;
  run.devices[1].tunables.phase1_items_per_work_item = 3;
  result.devices = {{job.size() / 4, {}, ""}, {job.size() / 4 * 3, result.phases, "it caught fire"}};
  const auto two = search_record();
  CHECK_FALSE(two.contains("device"));
  CHECK_FALSE(two.contains("tunables"));
  REQUIRE(two["devices"].size() == 2);
  CHECK(two["devices"][0]["device"]["name"] == "Phi");
  CHECK(two["devices"][0]["arguments"] == std::uint64_t(1) << 50);
  CHECK(two["devices"][0]["share"] == 0.25);
  CHECK_FALSE(two["devices"][0].contains("failure"));
  CHECK(two["devices"][1]["device"]["name"] == "Xeon");
  CHECK(two["devices"][1]["profile"] == "some profile");
  CHECK(two["devices"][1]["tunables"]["phase1.items"] == 3);
  CHECK(two["devices"][1]["phase1"]["domains"] == 100);
  CHECK(two["devices"][1]["phase3"]["survivors"] == 7);
  CHECK(two["devices"][1]["seconds"] == 0.875);
  CHECK(two["devices"][1]["failure"] == "it caught fire");
  const std::string table = device_table(run, result);
  CHECK(std::count(table.begin(), table.end(), '\n') == 2);
  CHECK(table.find("device 7") != std::string::npos);
  CHECK(table.find("3377699720527872 arguments") != std::string::npos);
  CHECK(table.find("75.00 %") != std::string::npos);
  CHECK(table.find("0.875 s") != std::string::npos);
  CHECK(table.find("lost") > table.find("device 7"));
  const std::string names = describe_devices(run);
  CHECK(names.find("device 0: Phi") != std::string::npos);
  CHECK(names.find("device 7: Xeon") != std::string::npos);
}

namespace {

// A piece of three intervals, two of which the wide test got.
SearchResult searched_both_ways(const SearchJob& job) {
  SearchResult result = some_result(job);
  result.phases.wide_groups = {1000, 30, 2};
  result.phases.wide_parts = {64, 3, 0.5};
  result.phases.wide_sweep = {4, 1, 0.25};
  result.phases.wide_check = {33, 2, 0.125};
  result.phases.polynomials = {7, 0, 0.0625};
  result.devices = {{job.size(), result.phases, ""}};
  PieceReport& piece = result.pieces.emplace_back();
  piece.piece.count = 4;
  piece.intervals = 3;
  piece.methods = {{"regular", 1}, {"wide", 2}};
  piece.costs = {.wide = 0.5, .regular = 0.25};
  piece.most_domain_bits = piece.fewest_domain_bits = 15;
  piece.split_bits = 3;
  piece.most_group_bits = 21;
  piece.fewest_group_bits = 18;
  piece.ledger.epsilon = piece.ledger.subinterval = piece.ledger.group = Bound::power_of_two(-44);
  return result;
}

bool contains(const std::string& text, const std::string& wanted) { return text.find(wanted) != std::string::npos; }

} // namespace

TEST_CASE("the wide test in the summary, the ledger and JSON Lines") {
  const SearchJob job = some_job();
  SearchResult both = searched_both_ways(job);
  CHECK(both.phases.seconds() == 0.875 + 2.875 + 0.0625);
  std::string summary = summary_table(job, both);
  for (const char* words :
       {"\n  wide test ", " 1000 groups ", "\n    refused ", " 64 parts ", "\n    again ", " 4 runs ", "\n    check ",
        " 33 candidates ", "\n  phase 1 ", " 7 domains, sub-intervals "}) {
    INFO(summary);
    INFO(std::string(words));
    CHECK(contains(summary, words));
  }
  const std::string methods = method_table(both);
  CHECK(contains(methods, "  algorithm   regular on 1 interval, wide on 2 intervals\n"));
  CHECK(contains(methods, "regular on 1, wide on 2, expected per argument of the first interval, in regular tests: "
                          "wide 5.00e-01, regular 2.50e-01, lefevre -, exhaustive -\n"));
  std::string ledger = ledger_table(both);
  CHECK(contains(ledger, "3 intervals, degree 0, 0 words, groups of 2^21 down to 2^18, N = 2^15, kappa = 8\n"));
  for (const char* term : {"epsilon", "truncation1", "subinterval", "group", "= wide test", "= phase 3"})
    CHECK(contains(ledger, std::string("\n  ") + term + " "));
  const std::string text = json_lines(job, some_run(), both);
  const auto search = nlohmann::json::parse(text.substr(0, text.find('\n')));
  CHECK(search["ledger"][0]["group_bits"] == 21);
  CHECK(search["ledger"][0]["domain_bits"] == 15);
  CHECK(search["ledger"][0]["group"] == std::ldexp(1.0, -44));
  const auto last = nlohmann::json::parse(text.substr(text.rfind('\n', text.size() - 2) + 1));
  CHECK(last["wide"]["test"]["groups"] == 1000);
  CHECK(last["wide"]["refused"]["parts"] == 64);
  CHECK(last["wide"]["refused_again"]["survivors"] == 1);
  CHECK(last["wide"]["check"]["seconds"] == 0.125);

  // By the wide test alone.
  SearchResult alone = both;
  alone.phases.phase1 = alone.phases.phase2 = alone.phases.phase3 = {};
  alone.phases.wide_parts = alone.phases.wide_sweep = {};
  PieceReport& piece = alone.pieces[0];
  piece.most_domain_bits = piece.fewest_domain_bits = 0;
  piece.fewest_group_bits = piece.most_group_bits;
  piece.methods.erase("regular");
  summary = summary_table(job, alone);
  CHECK(contains(summary, " 7 sub-intervals "));
  for (const char* words : {"phase", "refused", "again", "domains"})
    CHECK_FALSE(contains(summary, words));
  CHECK(contains(method_table(alone), "]: expected per argument, in regular tests: wide 5.00e-01"));
  ledger = ledger_table(alone);
  CHECK(contains(ledger, "3 intervals, degree 0, 0 words, groups of 2^21\n"));
  for (const char* term : {"truncation", "fixedpoint", "phase", "kappa"})
    CHECK_FALSE(contains(ledger, term));
  const std::string lines = json_lines(job, some_run(), alone);
  const auto of_alone = nlohmann::json::parse(lines.substr(0, lines.find('\n')))["ledger"][0];
  CHECK(of_alone["domain_bits"].is_null());
  CHECK(of_alone["split_bits"].is_null());
  // No polynomial at all.
  piece.most_group_bits = 0;
  CHECK(contains(ledger_table(alone), "every argument in MPFR alone"));
  CHECK(contains(json_lines(job, some_run(), alone), "\"ledger\":[]"));
}

TEST_CASE(".wc: comments, then one hex float a line, hardest first") {
  const SearchJob job = some_job();
  std::istringstream text(wc_file(job, some_run(), some_result(job)));
  std::vector<std::string> numbers;
  std::size_t comments = 0;
  for (std::string line; std::getline(text, line);)
    if (line.rfind('#', 0) == 0) {
      ++comments;
      CHECK(numbers.empty());
    } else {
      numbers.push_back(line);
    }
  CHECK(comments >= 2);
  CHECK(numbers == std::vector<std::string>{"0x1.aca7ae8da5a7bp+0", "0x1.8p+0"});
}

namespace {

opencl::DeviceDescription device(std::size_t index, const char* name, const char* vendor, char kind) {
  opencl::DeviceDescription result;
  result.index = index;
  result.name = name;
  result.vendor = vendor;
  result.platform = "Platform of " + result.vendor;
  result.profile = "FULL_PROFILE";
  result.is_gpu = kind == 'g';
  result.is_cpu = kind == 'c';
  result.is_accelerator = kind == 'a';
  return result;
}

} // namespace

TEST_CASE("devices: classes, selectors, and why one cannot be used") {
  using opencl::DeviceClass;
  std::vector<opencl::DeviceDescription> devices{device(0, "Xeon", "GenuineIntel", 'c'),
                                                 device(1, "Old GPU", "Advanced Micro Devices, Inc.", 'g'),
                                                 device(2, "NVIDIA H200", "NVIDIA Corporation", 'g'),
                                                 device(3, "Arc", "Intel(R) Corporation", 'g'),
                                                 device(4, "Phi", "Intel", 'a'),
                                                 device(5, "Mali", "ARM", 'g')};
  const DeviceClass classes[] = {DeviceClass::cpu,       DeviceClass::amd_gpu,     DeviceClass::nvidia_gpu,
                                 DeviceClass::intel_gpu, DeviceClass::accelerator, DeviceClass::other_gpu};
  for (std::size_t i = 0; i < devices.size(); ++i)
    CHECK(devices[i].device_class() == classes[i]);
  CHECK(devices[2].simd_width() == 32);
  CHECK(devices[1].simd_width() == 64);

  const auto selected = [&](const char* selector) { return opencl::select_device(devices, selector).index; };
  CHECK(selected("") == 1); // the first GPU
  CHECK(selected("gpu") == 1);
  CHECK(selected("cpu") == 0);
  CHECK(selected("accelerator") == 4);
  CHECK(selected("3") == 3);
  CHECK(selected("h200") == 2);
  CHECK(selected("platform of arm") == 5);
  for (const char* selector : {"6", "99999999999999999999", "-1", "tpu"})
    CHECK_THROWS_AS((void)selected(selector), DeviceError);

  devices[1].compiler = false;
  CHECK_FALSE(devices[1].why_unusable().empty());
  CHECK(selected("") == 2); // one that can be used
  CHECK(selected("gpu") == 2);
  CHECK_THROWS_AS((void)selected("1"), DeviceError); // asked for by number: told why not
  CHECK_THROWS_AS((void)selected("old"), DeviceError);
  devices[2].available = false;
  CHECK(selected("") == 3);
  devices[3].profile = "EMBEDDED_PROFILE";
  CHECK_FALSE(devices[3].has_int64());
  CHECK(selected("") == 4);
  devices[3].extensions = "cl_khr_fp64 cles_khr_int64";
  CHECK(devices[3].why_unusable().empty());
  CHECK(devices[3].has_fp64());
  CHECK_FALSE(devices[3].has_extension("cl_khr_fp6")); // a whole word
  CHECK(selected("") == 3);
  for (auto& one : devices)
    one.available = false;
  CHECK_THROWS_AS((void)selected(""), DeviceError);
  CHECK_THROWS_AS((void)opencl::select_device({}, ""), DeviceError);
}

TEST_CASE("all devices: usable ones, each piece of hardware once") {
  std::vector<opencl::DeviceDescription> devices{
      device(0, "Xeon", "GenuineIntel", 'c'), device(1, "H200", "NVIDIA", 'g'), device(2, "H200", "NVIDIA", 'g'),
      device(3, "Old GPU", "AMD", 'g'),       device(4, "Xeon", "PoCL", 'c'),   device(5, "Xeon", "GenuineIntel", 'c'),
      device(6, "H200", "PoCL", 'g')};
  devices[1].uuid = "01";
  devices[2].uuid = "02";
  devices[6].uuid = "02";
  devices[3].available = false;
  std::vector<std::string> left_out;
  std::vector<std::size_t> indices;
  for (const auto& one : opencl::all_devices(devices, left_out))
    indices.push_back(one.index);
  // A platform lists a device of its own twice only when it is asked to.
  CHECK(indices == std::vector<std::size_t>{0, 1, 2, 5});
  REQUIRE(left_out.size() == 3);
  CHECK(left_out[0].find("device 3 (Old GPU, Platform of AMD) is left out: it reports itself") == 0);
  CHECK(left_out[1].find("device 4 (Xeon, Platform of PoCL) is left out: it is device 0 once more") == 0);
  CHECK(left_out[2].find("it is device 2 once more") != std::string::npos);
  for (auto& one : devices)
    one.compiler = false;
  CHECK_THROWS_AS((void)opencl::all_devices(devices, left_out), DeviceError);
}

TEST_CASE("a range outside the function's domain is refused, its end is not") {
  SearchJob job = some_job();
  job.function = &find_function("log");
  CHECK_NOTHROW(check_domain(job));
  job.first = 1;
  CHECK_NOTHROW(check_domain(job));
  for (const int first : {0, -5}) {
    job.first = first;
    CHECK_THROWS_AS(check_domain(job), UsageError);
  }
  job.last = -2;
  CHECK_THROWS_AS(check_domain(job), UsageError);
  job.function = &find_function("sin");
  CHECK_NOTHROW(check_domain(job));
  CHECK_THROWS_AS((void)find_function("sinh"), UsageError);
  CHECK(std::is_sorted(functions().begin(), functions().end(),
                       [](const Function& left, const Function& right) { return left.name < right.name; }));
}
