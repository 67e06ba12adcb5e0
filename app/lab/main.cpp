// tmd-lab measures parts of a search, for people who change them.
#include "app/executable.hpp"
#include "app/lab/lab.hpp"

#include <array>
#include <string_view>

namespace tmd::app {

namespace {

constexpr std::array<Command, 8> measurements{
    {{"phase1", run_phase1, "the existence tests by every division strategy"},
     {"polynomials", run_polynomials, "the ways to make the domains' coefficients"},
     {"divergence", run_divergence, "how long SIMD groups of existence tests wait for their longest"},
     {"wide", run_wide, "the wide test by the ways to compute it"},
     {"phase", run_phase, "the phase walk"},
     {"boxes", run_boxes, "boxes of pairs of pow"},
     {"division", run_division, "integer division, and emulated FP64 division"},
     {"dispatch", run_dispatch, "a search by very many devices, simulated"}}};

constexpr std::string_view help = R"(tmd-lab measures what a search of tmd is made of, on one device.

usage: tmd-lab phase1|polynomials|divergence|wide|phase FUNCTION --from X --to Y [OPTION ...]
       tmd-lab boxes|division|dispatch [OPTION ...]

  phase1            the existence tests by every division strategy
  polynomials       the ways to make the domains' coefficients, beside the test that uses them
  divergence        how long SIMD groups of existence tests wait for their longest
  wide              the wide test by the ways to compute it, and its steps
  phase             the phase walk for one function and for two, and its steps
  boxes             boxes of pairs of pow, on tiles of several kinds
  division          64-bit integer division by every strategy, and FP64 division emulated in integers
  dispatch          how many devices one rank 0 keeps at work; simulated, without a device

`tmd-lab WHAT --help` lists the options of a measurement. All write JSON Lines with --json FILE.
)";

} // namespace

} // namespace tmd::app

int main(int argc, char** argv) {
  return tmd::app::run_executable({"tmd-lab", "measurement", tmd::app::help, tmd::app::measurements}, argc, argv);
}
