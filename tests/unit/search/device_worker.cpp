// The place where a device's coefficients are made by default.
#include "host/search/device_worker.hpp"
#include "unit/captured_devices.hpp"

#include <doctest/doctest.h>

namespace tmd::searches {
using namespace tmd::captured;

TEST_CASE("accelerators make coefficients as GPUs do, CPUs in searches that are not short") {
  const DeviceDescription xeon = machine({"Intel(R) Xeon(R) Platinum 8480C"}).front();
  CHECK(choose_polynomials(Polynomials::automatic, describe(all[0]), 1000) == Polynomials::hybrid);
  CHECK(choose_polynomials(Polynomials::automatic, machine({"NVIDIA H200"}).front(), 1000) == Polynomials::hybrid);
  CHECK(choose_polynomials(Polynomials::automatic, xeon, 1000) == Polynomials::host);
  CHECK(choose_polynomials(Polynomials::automatic, xeon, uint128(1) << 60) == Polynomials::hybrid);
  for (const Polynomials asked : {Polynomials::host, Polynomials::hybrid})
    for (const uint128 arguments : {uint128(1000), uint128(1) << 60})
      CHECK(choose_polynomials(asked, xeon, arguments) == asked);
}

} // namespace tmd::searches
