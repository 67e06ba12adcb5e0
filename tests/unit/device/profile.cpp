// Profiles: reading, writing, damage of every kind.
#include "host/device/profile.hpp"
#include "host/engine/registry.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace tmd::device {

namespace {

std::string complaint(const std::string& text) {
  try {
    (void)parse_profile(text, engine::engine_tuning());
  } catch (const UsageError& error) {
    return error.what();
  }
  FAIL("no complaint about: " << text);
  return {};
}

} // namespace

TEST_CASE("patterns") {
  for (const auto& [pattern, text] : {std::pair("", "anything"),
                                      {"*", ""},
                                      {"*", "x"},
                                      {"abc", "ABC"},
                                      {"a*c", "ac"},
                                      {"a*c", "aXXc"},
                                      {"*avx512*", "pthread-skylake-avx512-AMD EPYC"},
                                      {"a?c", "abc"},
                                      {"*a*b", "aab"},
                                      {"a**", "a"},
                                      {"*ab*ab", "abxabab"},
                                      {"a*b", "a*b"},
                                      {"?", "\xc3"}})
    CHECK_MESSAGE(fits(pattern, text), pattern << " " << text);
  for (const auto& [pattern, text] : {std::pair("a", ""),
                                      {"a", "ab"},
                                      {"a?c", "ac"},
                                      {"*b", "abc"},
                                      {"a*c*e", "abcd"},
                                      {"?*", ""},
                                      {"avx512", "pthread-skylake-avx512"}})
    CHECK_FALSE_MESSAGE(fits(pattern, text), pattern << " " << text);
}

TEST_CASE("a profile is read as it was written") {
  Profile profile;
  profile.match = {.device_class = opencl::DeviceClass::cpu,
                   .platform = "a \"quoted\" \\ name",
                   .vendor = "v",
                   .device = "tab\there*",
                   .driver = "1.2",
                   .cpu_mode = CpuMode::vector};
  profile.tuned = ProfileOrigin{.date = "2026-11-21",
                                .version = "0.1.0",
                                .job = "a job",
                                .against = "built-in default",
                                .default_seconds = {{"phase1", 0.123456}, {"whole", 12345.6}},
                                .tuned_seconds = {{"phase1", 1e-5}, {"whole", 2}},
                                .gain = 1.5};
  for (const Tunable& tunable : engine::engine_tuning().tunables())
    profile.tunables.emplace_back(tunable.name, to_string(tunable, tunable.greatest));
  const std::string text = to_toml(profile, engine::engine_tuning());
  const Profile read = parse_profile(text, engine::engine_tuning());
  CHECK(to_toml(read, engine::engine_tuning()) == text);
  CHECK(read.match.device_class == profile.match.device_class);
  CHECK(read.match.platform == profile.match.platform);
  CHECK(read.match.vendor == profile.match.vendor);
  CHECK(read.match.device == profile.match.device);
  CHECK(read.match.driver == profile.match.driver);
  CHECK(read.match.cpu_mode == profile.match.cpu_mode);
  REQUIRE(read.tuned);
  CHECK(read.tuned->date == "2026-11-21");
  CHECK(read.tuned->default_seconds.at("phase1") == doctest::Approx(0.123)); // rounded to three digits
  CHECK(read.tuned->gain == 1.5);
  Tunables tunables;
  apply(read, tunables, engine::engine_tuning());
  for (const Tunable& tunable : engine::engine_tuning().tunables())
    CHECK(tunables[tunable] == tunable.greatest);
  // Times that are equal to three digits make equal files.
  profile.tuned->default_seconds["phase1"] = 0.12341;
  CHECK(to_toml(profile, engine::engine_tuning()) == text);
}

TEST_CASE("what is wrong with a profile is said") {
  const std::string head = "format = 1\ntuned = false\n[match]\nclass = \"cpu\"\n";
  CHECK_NOTHROW((void)parse_profile(head, engine::engine_tuning()));
  for (const auto& [text, part] :
       {std::pair<std::string, const char*>{"", "format is missing"},
        {"format = 2\n", "its format is not 1"},
        {"format = \"1\"\n", "its format is not 1"},
        {"format = 1\ntuned = false\n", "match is missing"},
        {"format = 1\n[match]\nclass = \"cpu\"\n", "tuned is missing"},
        {"format = 1\ntuned = 1\n[match]\nclass = \"cpu\"\n", "tuned must be true or false"},
        {"format = 1\ntuned = false\nmatch = 3\n", "match must be a table"},
        {"format = 1\ntuned = false\n[match]\n", "names no class"},
        {"format = 1\ntuned = false\n[match]\ndriver = \"1\"\n", "names no class"},
        {"format = 1\ntuned = false\n[match]\ndevice = 3\n", "match.device must be a string"},
        {"format = 1\ntuned = false\n[match]\nclass = \"toaster\"\n", "'toaster' is no class of devices"},
        {"format = 1\ntuned = false\n[match]\ndevcie = \"x\"\n", "unknown key match.devcie"},
        {head + "cpu-mode = \"fast\"\n", "unknown CPU mode 'fast'"},
        {head + "[tunables]\nphase4.items = 1\n", "unknown tunable 'phase4.items'"},
        {head + "[tunables]\nphase1.items = 0\n", "phase1.items must be an integer from 1 to 4096, not '0'"},
        {head + "[tunables]\nphase1.items = 9223372036854775807\n", "phase1.items must be an integer from"},
        {head + "[tunables]\nphase1.items = \"4\"\n", "phase1.items must be an integer"},
        {head + "[tunables]\nphase1.items = 4.0\n", "phase1.items must be an integer"},
        {head + "[tunables]\nphase1.items = [4]\n", "phase1.items must be an integer"},
        {head + "[tunables]\nphase1.division = 3\n", "phase1.division must be a string"},
        {head + "[tunables]\nphase1.division = \"guess\"\n", "unknown phase1.division 'guess'"},
        {head + "tunables = 3\n", "unknown key match.tunables"},
        {head + "[turntables]\n", "unknown key turntables"},
        {head + "[measured]\ndate = \"today\"\n", "measured.date must be a date"},
        {head + "[measured]\ngain = \"much\"\n", "measured.gain must be a number"},
        {head + "[measured]\ntuned-seconds = { whole = \"long\" }\n", "measured.tuned-seconds.whole must be a number"},
        {"format = 1\nformat = 1\n", "line 2: "},
        {"format = \n", "line 1: "},
        {"format = 1\n\n[match\n", "line 3: "},
        {"\x7f"
         "ELF\x01\x02\x03\x1b[31m",
         "line 1: "},
        {std::string("format = 1\0", 11), "line 1: "},
        {"format = 99999999999999999999\n", "line 1: "}}) {
    INFO(text);
    const std::string said = complaint(text);
    CHECK_MESSAGE(said.find(part) != std::string::npos, said);
    for (const char c : said)
      CHECK((c >= ' ' && c <= '~'));
  }
  // Deeply nested tables must not overflow the stack.
  CHECK_FALSE(complaint(head + "x = " + std::string(10000, '[')).empty());
  // People may add lines to a measured profile.
  CHECK_NOTHROW((void)parse_profile(head + "[measured]\nwatts = 3\n", engine::engine_tuning()));
}

TEST_CASE("a profile sets all of its tunables or none") {
  Profile profile;
  profile.tunables = {{"phase1.items", "7"}, {"phase2.items", "0"}};
  Tunables tunables;
  CHECK_THROWS_AS(apply(profile, tunables, engine::engine_tuning()), UsageError);
  CHECK(tunables == Tunables());
}

TEST_CASE("tunables of earlier versions are read, and have no effect") {
  const Profile profile = parse_profile("format = 1\ntuned = false\n[match]\nclass = \"cpu\"\n[tunables]\n"
                                        "polynomials.shift = \"host\"\nwide.root = \"rsqrt\"\n"
                                        "wide.reciprocal = \"reciprocal\"\nphase1.items = 7\n",
                                        engine::engine_tuning());
  CHECK(profile.tunables == Setting{{"phase1.items", "7"}});
  Tunables tunables;
  for (const char* name : {"polynomials.shift", "wide.root", "wide.reciprocal"})
    engine::engine_tuning().set(tunables, name, "whatever"); // by a name as journals have them
  CHECK(tunables == Tunables());
}

} // namespace tmd::device
