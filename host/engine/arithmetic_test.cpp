// A kernel applies each operation to random operands of both signs and of many sizes; the host computes the same in
// long double. Correctly rounded operations must agree bit by bit, others within the ulps that OpenCL allows.
#include "engine/arithmetic_test.hpp"

#include "number/random.hpp"
#include "opencl/drivers.hpp"
#include "tmd/integer.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <string_view>

#include <fmt/format.h>

namespace tmd::engine {

namespace {

constexpr std::size_t work_group_size = 64;

// Few for Oclgrind, which takes seconds for the work of milliseconds; its arithmetic is the host's.
std::uint32_t operands_for(const opencl::DeviceDescription& device) {
  return std::uint32_t(1) << (opencl::is_oclgrind(device.platform) ? 10 : 16);
}

// The spacing of T's numbers around x.
template <typename T> double ulp(long double x) {
  constexpr int digits = std::numeric_limits<T>::digits;
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  return std::ldexp(1.0, exponent - digits);
}

template <typename T> struct Operation {
  std::string_view name;
  double ulps; // what OpenCL allows; 0.5: correctly rounded
  std::function<long double(T, T, T)> exact;
};

// A random number of any sign, of a size for which all results are normal numbers.
template <typename T> T operand(number::Random& random, int exponents) {
  const auto exponent = static_cast<int>(random.below(2 * static_cast<std::uint64_t>(exponents))) - exponents;
  const auto fraction = static_cast<T>(random.next() >> 11) * static_cast<T>(0x1p-53);
  const T magnitude = std::ldexp(1 + fraction, exponent);
  return (random.next() & 1) != 0 ? -magnitude : magnitude;
}

// Runs one kernel over all operands.
template <typename T> class Comparison {
public:
  Comparison(Launcher& launcher, number::Random& random, int exponents)
      : launcher_(launcher), operands_(operands_for(launcher.device())) {
    for (std::vector<T>* values : {&x_, &y_, &z_})
      for (std::uint32_t i = 0; i < operands_; ++i)
        values->push_back(operand<T>(random, exponents));
    for (T& y : y_)
      y = std::fabs(y);
  }

  [[nodiscard]] std::string failure(opencl::Kernel& kernel, std::string_view kernel_name, std::string_view type,
                                    std::span<const Operation<T>> operations) {
    opencl::Compute& compute = launcher_.compute();
    const auto upload = [&](const std::vector<T>& values) {
      opencl::Buffer buffer = compute.allocate(sizeof(T) * values.size());
      compute.write(buffer, values.data(), sizeof(T) * values.size());
      return buffer;
    };
    const std::array<opencl::Buffer, 3> buffers{upload(x_), upload(y_), upload(z_)};
    std::vector<T> results(operations.size() * operands_);
    const opencl::Buffer made = compute.allocate(sizeof(T) * results.size());
    (void)launcher_.start({kernel}, kernel_name, operands_, work_group_size, buffers[0], buffers[1], buffers[2], made)
        .finish();
    compute.read(made, results.data(), sizeof(T) * results.size());
    for (std::size_t k = 0; k < operations.size(); ++k)
      for (std::uint32_t i = 0; i < operands_; ++i) {
        const T result = results[k * operands_ + i];
        const long double exact = operations[k].exact(x_[i], y_[i], z_[i]);
        // Correctly rounded results are most often equal, which is cheaper to check first.
        const bool right =
            result == static_cast<T>(exact) ||
            (operations[k].ulps > 0.5 && std::fabs(result - exact) <= operations[k].ulps * ulp<T>(exact));
        if (!right)
          return fmt::format("{} in {} is wrong: of {:a}, {:a} and {:a} it makes {:a}, not {:a}", operations[k].name,
                             type, x_[i], y_[i], z_[i], result, static_cast<T>(exact));
      }
    return {};
  }

private:
  Launcher& launcher_;
  std::uint32_t operands_;
  std::vector<T> x_;
  std::vector<T> y_;
  std::vector<T> z_;
};

std::string float_failure(Launcher& launcher, opencl::Kernel& kernel, number::Random& random) {
  constexpr int exponents = 30;
  // The exact value if long double holds it, else one that rounds to the same float.
  const std::array<Operation<float>, 7> operations{
      {{"division", 2.5, [](float x, float y, float) { return static_cast<long double>(x) / y; }},
       {"a reciprocal", 2.5, [](float, float y, float) { return 1 / static_cast<long double>(y); }},
       {"a square root", 3, [](float, float y, float) { return std::sqrt(static_cast<long double>(y)); }},
       {"a reciprocal square root", 2,
        [](float, float y, float) { return 1 / std::sqrt(static_cast<long double>(y)); }},
       {"fma", 0.5, [](float x, float y, float z) -> long double { return std::fma(x, y, z); }},
       {"multiplication", 0.5, [](float x, float y, float) -> long double { return x * y; }},
       {"addition", 0.5, [](float x, float, float z) -> long double { return x + z; }}}};
  return Comparison<float>(launcher, random, exponents).failure(kernel, "operations_in_float", "float", operations);
}

std::string double_failure(Launcher& launcher, opencl::Kernel& kernel, number::Random& random) {
  constexpr int exponents = 52;
  const std::array<Operation<double>, 6> operations{
      {{"division", 0.5, [](double x, double y, double) -> long double { return x / y; }},
       {"fma", 0.5, [](double x, double y, double z) -> long double { return std::fma(x, y, z); }},
       {"multiplication", 0.5, [](double x, double y, double) -> long double { return x * y; }},
       {"addition", 0.5, [](double x, double, double z) -> long double { return x + z; }},
       {"floor", 0.5, [](double x, double, double) -> long double { return std::floor(x); }},
       {"conversion", 0.5, [](double, double y, double) -> long double { return std::trunc(y); }}}};
  return Comparison<double>(launcher, random, exponents).failure(kernel, "operations_in_double", "FP64", operations);
}

// fmax and fmin of a number and a NaN must be the number: the wide test, boxes and the phase walk rely on it where a
// quotient is 0/0.
std::string extremes_failure(Launcher& launcher, opencl::Kernel& kernel, number::Random& random) {
  constexpr int exponents = 100;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  constexpr std::array special{none, -none, infinity, -infinity};
  opencl::Compute& compute = launcher.compute();
  const std::uint32_t operands = operands_for(launcher.device());
  std::vector<float> x(operands);
  std::vector<float> y(operands);
  for (std::uint32_t i = 0; i < operands; ++i) {
    x[i] = i % 2 == 0 ? special.at(i / 2 % special.size()) : operand<float>(random, exponents);
    y[i] = operand<float>(random, exponents);
  }
  const std::size_t bytes = sizeof(float) * operands;
  const opencl::Buffer from_x = compute.allocate(bytes);
  const opencl::Buffer from_y = compute.allocate(bytes);
  compute.write(from_x, x.data(), bytes);
  compute.write(from_y, y.data(), bytes);
  std::vector<float> results(4 * std::size_t(operands));
  const opencl::Buffer made = compute.allocate(4 * bytes);
  (void)launcher.start({kernel}, "extremes_in_float", operands, work_group_size, from_x, from_y, made).finish();
  compute.read(made, results.data(), 4 * bytes);
  for (std::uint32_t i = 0; i < operands; ++i)
    for (std::size_t k = 0; k < 4; ++k) {
      const float exact = k % 2 == 0 ? std::fmax(x[i], y[i]) : std::fmin(x[i], y[i]);
      const float result = results[k * operands + i];
      if (!(result == exact))
        return fmt::format("f{} in float is wrong: of {:a} and {:a} it makes {:a}, not {:a}",
                           k % 2 == 0 ? "max" : "min", k < 2 ? x[i] : y[i], k < 2 ? y[i] : x[i], result, exact);
    }
  return {};
}

std::string conversion_failure(Launcher& launcher, opencl::Kernel& kernel, number::Random& random) {
  opencl::Compute& compute = launcher.compute();
  const std::uint32_t operands = operands_for(launcher.device());
  std::vector<std::uint64_t> n(operands);
  for (std::uint64_t& value : n)
    value = random.next() >> random.below(64);
  const opencl::Buffer from = compute.allocate(sizeof(std::uint64_t) * n.size());
  compute.write(from, n.data(), sizeof(std::uint64_t) * n.size());
  std::vector<float> floats(4 * std::size_t(operands));
  std::vector<std::uint64_t> integers(2 * std::size_t(operands));
  const opencl::Buffer made_floats = compute.allocate(sizeof(float) * floats.size());
  const opencl::Buffer made_integers = compute.allocate(sizeof(std::uint64_t) * integers.size());
  (void)launcher.start({kernel}, "conversions", operands, work_group_size, from, made_floats, made_integers).finish();
  compute.read(made_floats, floats.data(), sizeof(float) * floats.size());
  compute.read(made_integers, integers.data(), sizeof(std::uint64_t) * integers.size());
  for (std::uint32_t i = 0; i < operands; ++i) {
    const auto low = static_cast<std::uint32_t>(n[i]);
    const auto low_signed = static_cast<std::int32_t>(low);
    const std::array<float, 4> as_float{static_cast<float>(n[i]), static_cast<float>(static_cast<std::int64_t>(n[i])),
                                        static_cast<float>(low), static_cast<float>(low_signed)};
    for (std::size_t k = 0; k < as_float.size(); ++k)
      if (floats[k * operands + i] != as_float[k])
        return fmt::format("the conversion of the integer {} to float is wrong: it makes {:a}, not {:a}", n[i],
                           floats[k * operands + i], as_float[k]);
    const auto half = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(as_float[3] * 0.5F)});
    if (integers[i] != half)
      return fmt::format("the conversion of the float {:a} to an integer is wrong", as_float[3] * 0.5F);
    const std::uint64_t next = n[i + 1 < operands ? i + 1 : 0];
    if (integers[operands + i] != static_cast<std::uint64_t>((uint128(n[i]) * next) >> 64))
      return fmt::format("the upper half of {}·{} is wrong", n[i], next);
  }
  return {};
}

constexpr std::uint64_t seed = 54;

opencl::Kernel& kernel_of(Launcher& launcher, const ArithmeticProgram& program, const char* name) {
  return launcher.build("self-test", program.file, name, program.macros, program.options);
}

} // namespace

ArithmeticProgram arithmetic_in_fp64() {
  ArithmeticProgram program;
  program.macros = {{"TMD_FP64", 1, 0, 1}};
  return program;
}

void build_arithmetic_ahead(Launcher& launcher, const ArithmeticProgram& program) {
  launcher.build_ahead(program.file, program.macros, program.options);
}

std::string arithmetic_failure(Launcher& launcher, const ArithmeticProgram& program) {
  const Launcher::Unrecorded unrecorded(launcher);
  number::Random random(seed);
  std::string wrong = float_failure(launcher, kernel_of(launcher, program, "operations_in_float"), random);
  if (wrong.empty())
    wrong = extremes_failure(launcher, kernel_of(launcher, program, "extremes_in_float"), random);
  if (wrong.empty())
    wrong = conversion_failure(launcher, kernel_of(launcher, program, "conversions"), random);
  return wrong;
}

std::string fp64_failure(Launcher& launcher) {
  const Launcher::Unrecorded unrecorded(launcher);
  number::Random random(seed);
  return double_failure(launcher, kernel_of(launcher, arithmetic_in_fp64(), "operations_in_double"), random);
}

std::string why_no_wide_test(const opencl::DeviceDescription& device) {
  if (device.profile == "EMBEDDED_PROFILE")
    return "of OpenCL's embedded profile, whose divisions and roots may err by more than the proof allows";
  if (!device.fp32_is_ieee)
    return "its float does not round to nearest, or has no infinities";
  return {};
}

} // namespace tmd::engine
