// Names of the variants.
#include "host/engine/domains/tunables.hpp"
#include "host/engine/settings.hpp"
#include "unit/message_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace tmd;

TEST_CASE("names are found by position; unknown ones are answered with the list") {
  for (std::size_t i = 0; i < division_names.size(); ++i) {
    CHECK(find_name("division", division_names[i], division_names) == i);
    CHECK(to_string(static_cast<Division>(i + 1)) == division_names[i]);
  }
  for (std::size_t i = 0; i < test_names.size(); ++i)
    CHECK(to_string(static_cast<Test>(i + 1)) == test_names[i]);
  CHECK(to_string(Compaction::scan) == "scan");
  CHECK(to_string(Deployment::one) == "one");
  for (const char* bad : {"", "Native", "nativ", "native "}) {
    const std::string message = message_of([&] { (void)find_name("division", bad, division_names); });
    CHECK(message.find("division '" + std::string(bad) + "'") != std::string::npos);
    for (const std::string_view name : division_names)
      CHECK(message.find(name) != std::string::npos);
  }
  for (std::size_t i = 0; i < division_names.size(); ++i)
    CHECK(length_bits(static_cast<Division>(i + 1)) == (i < 4 ? 64 : 52));
}
