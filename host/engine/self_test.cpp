#include "engine/self_test.hpp"

#include "function/catalogue.hpp"
#include "tmd/error.hpp"

#include <fmt/format.h>

namespace tmd::engine::self_test {

namespace {

constexpr int precision = 27;
constexpr std::uint64_t known_significand = 0x1bace898 >> 2;
constexpr int known_unit_exponent = 1 - precision;
constexpr int value_exponent = 2;

} // namespace

polynomial::ScaledFunction function(std::uint64_t arguments) {
  const job::Piece piece{
      {false, known_unit_exponent, known_significand - self_test::known_index, arguments}, false, value_exponent};
  return {function::find_function("exp"), {Rounding::all, precision}, piece};
}

void require(const opencl::DeviceDescription& device, std::string_view wrong) {
  if (!wrong.empty())
    throw FaultError(fmt::format("device {} ({}) failed the self-test: {}; its OpenCL driver cannot be trusted",
                                 device.index, device.name, wrong),
                     Status::device);
}

} // namespace tmd::engine::self_test
