// Kernels that do not do their work: each must be noticed by the evidence that the device itself gives.
#include "device.hpp"
#include "host/engine/arithmetic_test.hpp"
#include "host/engine/domains/engine.hpp"
#include "host/engine/domains/plants.hpp"
#include "host/engine/domains/self_test.hpp"
#include "host/engine/wide/engine.hpp"
#include "host/engine/wide/plants.hpp"
#include "host/engine/wide/self_test.hpp"
#include "planted_error.hpp"
#include "tmd/error.hpp"

#include <string>

namespace tmd::test {
namespace {

std::string fault_of(const auto& search) {
  try {
    search();
    return "";
  } catch (const FaultError& error) {
    return error.what();
  }
}

} // namespace

TEST_CASE("evidence: operations beyond OpenCL's bounds are found") {
  {
    engine::Launcher launcher(test_device(), 1024);
    CHECK(engine::arithmetic_failure(launcher).empty());
    if (test_device().has_fp64())
      CHECK(engine::fp64_failure(launcher).empty());
  }
  for (const auto& [text, replacement, name] :
       {std::tuple("= a / b", "= (a / b) * 1.000001f", "division in float"),
        std::tuple("= 1.0f / b", "= (1.0f / b) * 1.000001f", "a reciprocal in float"),
        std::tuple("= sqrt(b)", "= sqrt(b) * 1.000001f", "a square root in float"),
        std::tuple("= rsqrt(b)", "= rsqrt(b) * 1.000001f", "a reciprocal square root"),
        std::tuple("= fma(a, b, c)", "= fma(a, b, c) * 1.0000002f", "fma in float"),
        std::tuple("= a * b;", "= item % 997 == 5 ? INFINITY : a * b;", "multiplication"),
        std::tuple("= a + c", "= nextafter(a + c, 0.0f)", "addition"),
        std::tuple("= fmax(x[item], y[item])", "= x[item] < y[item] ? y[item] : x[item]", "fmax in float"),
        std::tuple("= fmin(y[item], x[item])", "= y[item] < x[item] ? y[item] : x[item]", "fmin in float"),
        std::tuple("(float)of;", "(float)(of & ~(u64)1023);", "conversion of the integer"),
        std::tuple("unsigned_high_half(of,", "unsigned_high_half(of ^ 1,", "the upper half")}) {
    CAPTURE(std::string(replacement));
    const PlantedError planted("self_test/arithmetic.clh", text, replacement);
    engine::Launcher launcher(test_device(), 1024);
    CHECK(engine::arithmetic_failure(launcher).find(name) != std::string::npos);
  }
}

TEST_CASE("evidence: OpenCL's embedded profile and unrounded float do not get the wide test") {
  opencl::DeviceDescription device = test_device();
  CHECK(engine::why_no_wide_test(device).empty());
  device.profile = "EMBEDDED_PROFILE";
  CHECK(!engine::why_no_wide_test(device).empty());
  device.profile = "FULL_PROFILE";
  device.fp32_is_ieee = false;
  CHECK(!engine::why_no_wide_test(device).empty());
}

TEST_CASE("evidence: the wide test's kernels answer for their items, their lists and their records") {
  const engine::wide::WideBatch batch = engine::wide::wide_self_test_batch();
  const auto fault = [&](bool audits) {
    return fault_of([&] {
      engine::wide::WideSearch device(test_device(), device::Tunables());
      engine::wide::PlantingGroups planting(device, 1);
      const auto search = [&](const engine::wide::WideBatch& of) {
        audits ? (void)planting.search(of) : (void)device.search(of);
      };
      engine::wide::WideBatch refusing = batch;
      refusing.parameters.part_bits = 1;
      refusing.parameters.most_lines = 2;
      search(batch);
      search(refusing);
      refusing.parameters.error = 0x1p15F;
      refusing.sub_intervals = 1;
      refusing.argument_limit = std::uint64_t(1) << refusing.parameters.sub_bits;
      search(refusing);
    });
  };
  CHECK(fault(false).empty());
  CHECK(fault(true).empty());
  for (const auto& [file, text, replacement, what] :
       {std::tuple("wide/groups.cl", "u32 item = (u32)get_global_id(0);",
                   "u32 item = (u32)get_global_id(0);\n  if (item == 7) return;", "answer"),
        std::tuple("wide/parts.cl", "if (item < slice.count)", "if (item < slice.count && item != 3)", "answer"),
        std::tuple("wide/check.clh", "if (item >= slice.count)", "if (item >= slice.count || item == slice.count - 1)",
                   "answer"),
        std::tuple("wide/shift_kernel.clh", "if (item >= slice.count)", "if (item >= slice.count || item == 1)",
                   "answer"),
        std::tuple("wide/groups.cl", "to->list[slot] = part;", "to->list[slot] = part ^ 1;", ""),
        std::tuple("common/evidence.clh", "(position + ticket)", "(position + 1)", "does not answer for"),
        std::tuple("common/append.clh", "kept[slot] = value", "kept[slot / 2] = value", "the entries of a list"),
        std::tuple("wide/shift_kernel.clh", "(item - (u32)source[0])", "((item == 1 ? 2 : item) - (u32)source[0])",
                   "do not meet"),
        std::tuple("wide/shift.clh", "u32 f2 = as_uint(scaled_float(b[2], 2, scale))",
                   "u32 f2 = as_uint(1.001f * scaled_float(b[2], 2, scale))", "do not meet")}) {
    CAPTURE(std::string(file));
    CAPTURE(std::string(replacement));
    const PlantedError planted(file, text, replacement);
    const std::string found = fault(false);
    CAPTURE(found);
    CHECK(found.find(what) != std::string::npos);
    if (*what != 0)
      CHECK(!found.empty());
  }
}

TEST_CASE("evidence: planted hits notice roots, quotients and bounds that are a little off") {
  engine::wide::WideBatch batch = engine::wide::wide_self_test_batch();
  const bool by_reciprocals = engine::wide::wide_reciprocals(test_device()).value == 1;
  for (const auto& [file, text, replacement] :
       {by_reciprocals ? std::tuple("wide/lines.clh", "return x * rsqrt", "return 1.0000076f * x * rsqrt")
                       : std::tuple("wide/lines.clh", "return sqrt(x);", "return 1.0000076f * sqrt(x);"),
        by_reciprocals ? std::tuple("wide/fraction.clh", "return x * (1.0f / y);", "return 1.0005f * x * (1.0f / y);")
                       : std::tuple("wide/fraction.clh", "return x / y;", "return 1.0005f * (x / y);"),
        std::tuple("wide/lines.clh", "l.twice_g = g * (2.0001f * m)", "l.twice_g = g * (1.0f * m)"),
        std::tuple("wide/lines.clh", "* (1.0001f * m); // infinite", "* (0.7f * m); // infinite")}) {
    CAPTURE(std::string(replacement));
    const PlantedError planted(file, text, replacement);
    const std::string found = fault_of([&] {
      engine::wide::WideSearch device(test_device(), device::Tunables());
      (void)engine::wide::PlantingGroups(device, 1).search(batch);
    });
    CHECK(found.find("hits that were planted") != std::string::npos);
  }
}

TEST_CASE("evidence: the existence tests' kernels answer for their items and their lists") {
  const engine::domains::DomainBatch batch = engine::domains::self_test_batch(engine::domains::Test::regular, 64, 64);
  const auto fault = [&](bool audits, Deployment deployment = Deployment::three) {
    return fault_of([&] {
      engine::domains::DomainSearch device(test_device(), device::Tunables(), deployment, Compaction::atomic);
      audits ? (void)engine::domains::PlantingDomains(device, 1).search(batch) : (void)device.search(batch);
    });
  };
  CHECK(fault(false).empty());
  CHECK(fault(true).empty());
  CHECK(fault(true, Deployment::one).empty());
  for (const auto& [file, text, replacement, what] :
       {std::tuple("domains/phase1.cl", "u32 item = (u32)get_global_id(0);",
                   "u32 item = (u32)get_global_id(0);\n  if (item == 77) return;", "answer"),
        std::tuple("domains/phase2.cl", "u32 item = (u32)get_global_id(0);",
                   "u32 item = (u32)get_global_id(0);\n  if (item == 77) return;", "answer"),
        std::tuple("domains/phase3.cl", "if (item >= slice.count)", "if (item >= slice.count || item == 5)", "answer"),
        std::tuple("domains/phase1.cl", "survivors[slot] = survivor", "survivors[slot] = survivor & ~7u",
                   "the entries of a list"),
        std::tuple("domains/phase2.cl", "kept[slot] = sub_domain", "kept[slot] = slot % 50 == 3 ? 0 : sub_domain",
                   "the entries of a list"),
        std::tuple("common/append.clh", "kept[slot] = value", "kept[slot] = value + 1", "the entries of a list")}) {
    CAPTURE(std::string(replacement));
    const PlantedError planted(file, text, replacement);
    const std::string found = fault(false);
    CAPTURE(found);
    CHECK(found.find(what) != std::string::npos);
  }
  // Faults that only planted hits notice.
  for (const auto& [file, text, replacement] :
       {std::tuple("domains/phase1.cl", "finished(&e, position,",
                   "keep = domain % 100 == 9 ? 0 : keep;\n      finished(&e, position,"),
        std::tuple("domains/phase3.cl", "t.value < limit && argument + m + i < p.argument_limit",
                   "t.value < limit / 2 && argument + m + i < p.argument_limit")}) {
    CAPTURE(std::string(replacement));
    const PlantedError planted(file, text, replacement);
    CHECK(fault(true).find("planted") != std::string::npos);
  }
}

} // namespace tmd::test
