// Names of the variants.
#include "host/engine/domains/tunables.hpp"
#include "host/engine/settings.hpp"
#include "unit/message_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace tmd::device {

TEST_CASE("names are found by position; unknown ones are answered with the list") {
  for (std::size_t i = 0; i < engine::domains::division_names.size(); ++i) {
    CHECK(find_name("division", engine::domains::division_names[i], engine::domains::division_names) == i);
    CHECK(engine::domains::to_string(static_cast<engine::domains::Division>(i + 1)) ==
          engine::domains::division_names[i]);
  }
  for (std::size_t i = 0; i < engine::domains::test_names.size(); ++i)
    CHECK(engine::domains::to_string(static_cast<engine::domains::Test>(i + 1)) == engine::domains::test_names[i]);
  CHECK(to_string(Compaction::scan) == "scan");
  CHECK(to_string(Deployment::one) == "one");
  for (const char* bad : {"", "Native", "nativ", "native "}) {
    const std::string message = message_of([&] { (void)find_name("division", bad, engine::domains::division_names); });
    CHECK(message.find("division '" + std::string(bad) + "'") != std::string::npos);
    for (const std::string_view name : engine::domains::division_names)
      CHECK(message.find(name) != std::string::npos);
  }
  for (std::size_t i = 0; i < engine::domains::division_names.size(); ++i)
    CHECK(engine::domains::length_bits(static_cast<engine::domains::Division>(i + 1)) == (i < 4 ? 64 : 52));
}

} // namespace tmd::device
