// Algorithms by name, and the stages of all engines.
#include "host/engine/registry.hpp"
#include "host/engine/domains/engine.hpp"
#include "host/engine/fractions/engine.hpp"
#include "host/engine/phase/engine.hpp"
#include "host/engine/wide/engine.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace tmd::engine {

namespace {

domains::DomainOptions options_for(std::string_view algorithm) {
  EngineSettings settings;
  settings.choices.algorithm = algorithm;
  return domains::domain_options(settings);
}

} // namespace

TEST_CASE("algorithms by name") {
  const auto serves = [](std::string_view algorithm, const EngineKind& kind) {
    const auto kinds = engines_for(algorithm);
    return std::find(kinds.begin(), kinds.end(), &kind) != kinds.end();
  };
  for (std::size_t i = 0; i < domains::test_names.size(); ++i) {
    const domains::DomainOptions options = options_for(domains::test_names[i]);
    REQUIRE(options.test);
    CHECK(*options.test == static_cast<domains::Test>(i + 1));
    CHECK_FALSE(options.exhaustive_only);
    CHECK(serves(domains::test_names[i], domains::domain_engine));
    CHECK_FALSE(serves(domains::test_names[i], wide::wide_engine));
  }
  CHECK(options_for("exhaustive").exhaustive_only);
  CHECK_FALSE(options_for("exhaustive").test);
  CHECK_FALSE(serves("exhaustive", wide::wide_engine));
  CHECK(engines_for("wide").front() == &wide::wide_engine);
  CHECK(serves("wide", domains::domain_engine)); // used where the other cannot be
  CHECK_FALSE(serves("regular", wide::wide_engine));
  CHECK(engines_for("phase").front() == &phase::phase_engine);
  CHECK(serves("phase", wide::wide_engine)); // used where the other cannot be
  CHECK_FALSE(serves("wide", phase::phase_engine));
  CHECK(engines_for("fractions").front() == &fractions::fractions_engine);
  CHECK_FALSE(serves("wide", fractions::fractions_engine));
  CHECK(engines_for("auto").size() == engines().size());
  for (const char* algorithm : {"wide", "auto"}) {
    CHECK_FALSE(options_for(algorithm).exhaustive_only);
    CHECK_FALSE(options_for(algorithm).test);
  }
  for (const char* bad : {"", "Regular", "lefèvre", "lefevre-", "direct"})
    CHECK_THROWS_AS((void)engines_for(bad), UsageError);
}

TEST_CASE("algorithms: their names, each once, `auto` first; unknown ones are answered with the list") {
  const std::vector<std::string_view> names = algorithm_names();
  CHECK(names.front() == "auto");
  CHECK(std::set<std::string_view>(names.begin(), names.end()).size() == names.size());
  for (const std::string_view name : domains::test_names)
    CHECK(names[device::find_name("algorithm", name, names)] == name);
  for (const std::string_view name : names)
    CHECK_FALSE(engines_for(name).empty());
  try {
    (void)engines_for("guess");
    FAIL("an unknown algorithm was taken");
  } catch (const UsageError& error) {
    const std::string said = error.what();
    CHECK(said.find("unknown algorithm 'guess'") == 0);
    for (const std::string_view name : names)
      CHECK(said.find(name) != std::string::npos);
  }
}

TEST_CASE("stages of all engines: names of their own, and nothing counted") {
  std::set<std::string_view> names;
  for (const Stage& one : all_stages()) {
    CHECK(names.insert(one.name).second);
    for (const std::string_view text : {one.title, one.unit, one.key})
      CHECK_FALSE(text.empty());
    CHECK(one.tested == 0);
    CHECK(one.kept == 0);
    CHECK(one.seconds == 0);
  }
  for (const char* name : {"polynomials_on_device", "phase1", "phase2", "phase3", "wide_polynomials", "wide_groups",
                           "wide_refused", "wide_refused_again", "wide_check", "phase_starts", "phase_walk",
                           "phase_again", "phase_host", "phase_planted", "roots", "differences"})
    CHECK(names.contains(name));
  CHECK(names.size() == 16);
}

} // namespace tmd::engine
