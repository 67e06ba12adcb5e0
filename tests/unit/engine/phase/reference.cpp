// The walk's text on the host: refused windows are searched in another way, a thousand times as slowly.
#include "host/engine/phase/reference.hpp"
#include "host/engine/phase/planner.hpp"
#include "host/function/catalogue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace tmd::engine::phase {

TEST_CASE("phase walk: of a binade of binary64 or binary80 hardly a chunk is refused, nor a start") {
  constexpr std::uint64_t windows = 1 << 15; // number of windows of each plan
  for (const auto& [name, precision, exponent, width] :
       {std::tuple(std::string("sin"), 53, 600, 2.0), std::tuple(std::string("cos"), 53, 50, 3.0),
        std::tuple(std::string("tan"), 53, 1000, 2.0), std::tuple(std::string("exp"), 53, 8, 2.0),
        std::tuple(std::string("sin"), 64, 16000, 2.0), std::tuple(std::string("tan"), 64, 100, 2.0),
        std::tuple(std::string("exp"), 64, 12, 2.0)}) {
    INFO(name, ", p = ", precision, ", 2^", exponent);
    job::Job job;
    job.function = &function::find_function(name);
    job.K = precision - 9;
    job.format = find_format(precision == 53 ? "binary64" : "binary80");
    job.argument_precision = precision;
    const uint128 first = uint128(1) << (precision - 1);
    const auto field =
        std::make_shared<const PhaseField>(job, job::Stretch{false, exponent - precision + 1, first, first});
    PhaseOptions options;
    options.width = width;
    options.batch_windows = windows;
    PhasePlanner planner(field, options);
    std::uint64_t chunks = 0;
    std::uint64_t refused = 0;
    std::uint64_t not_begun = 0;
    // Some plans of each zone, except those next to a pole, where a window has very few arguments.
    const unsigned places = field->zones().size() > 3 ? 1 : 16;
    for (const PhaseZone& zone : field->zones())
      for (unsigned place = 0; place < places; ++place) {
        if (zone.is_direct || field->arguments_at(zone.first, zone.extent) < uint128(1) << 24)
          continue;
        const uint128 at = zone.first + zone.extent / places * place;
        const auto plan = planner.plan(at, zone.first + zone.extent - at);
        REQUIRE(plan);
        if (plan->is_empty)
          continue;
        const auto any = plan->batch(0);
        PhaseBatch batch = dynamic_cast<const PhaseBatch&>(*any);
        batch.windows = std::min(batch.windows, windows);
        std::vector<std::uint64_t> made;
        const std::vector<std::uint64_t> starts = starts_on_host(batch, made);
        const std::uint64_t in_group = std::uint64_t(1) << (batch.parameters.group_bits - batch.parameters.chunk_bits);
        std::vector<std::uint64_t> begun;
        const std::uint64_t all = ((batch.windows - 1) >> batch.parameters.chunk_bits) + 1;
        for (std::uint64_t chunk = 0; chunk < all; ++chunk)
          if (chunk % in_group < made[chunk / in_group])
            begun.push_back(chunk);
        std::vector<std::uint64_t> some;
        (void)walk_on_host(batch, PhaseUnits::plain, begun, starts, some);
        chunks += all;
        refused += some.size();
        not_begun += all - begun.size();
      }
    MESSAGE(name, ", p = ", precision, ": ", refused, " of ", chunks, " chunks refused, ", not_begun, " not begun");
    CHECK(chunks > 500);
    CHECK(refused <= chunks / 50);
    CHECK(not_begun <= chunks / 50);
  }
}

} // namespace tmd::engine::phase
