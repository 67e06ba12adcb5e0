// Every variant of a search finds the same cases: those of plain enumeration, and listed ones.
#include "end_to_end/enumeration.hpp"
#include "host/engine/domains/tunables.hpp"
#include "thorough.hpp"

#include <array>
#include <memory>
#include <vector>

namespace tmd::test {
namespace {

// A device with the settings of a variant, and the algorithm's name.
struct Variant {
  std::string_view algorithm;
  std::unique_ptr<TestDevice> device;

  // Searches with this variant, and with existence tests wherever they can filter.
  void prepare(Task& task) const {
    set_algorithm(task, algorithm);
    task.costs = test_eagerly();
  }
  [[nodiscard]] bool has_phases() const {
    return algorithm != "exhaustive" &&
           std::find(engine::domains::domain_methods.begin(), engine::domains::domain_methods.end(), algorithm) !=
               engine::domains::domain_methods.end();
  }
  [[nodiscard]] std::string name() const {
    const device::Tunables& tunables = device->tunables();
    return std::string(algorithm) + ", " + std::string(to_string(device->deployment())) + ", " +
           std::string(to_string(device->compaction())) + ", divisions " +
           std::to_string(tunables[engine::domains::domain_tunable("phase1.division")]) + " and " +
           std::to_string(tunables[engine::domains::domain_tunable("phase2.division")]);
  }
};

// A deployment and a compaction with which an algorithm is tried.
using Way = std::pair<Deployment, Compaction>;

// All four ways with TMD_TEST_ALL. Else two for the existence tests, so that one after the other has either deployment
// with either compaction; two for the wide test, which has no deployments; and one for the others, which have none of
// them.
std::vector<Way> ways_of(std::string_view algorithm, std::size_t number) {
  if (tries_all)
    return {{Deployment::three, Compaction::atomic},
            {Deployment::three, Compaction::scan},
            {Deployment::one, Compaction::atomic},
            {Deployment::one, Compaction::scan}};
  if (algorithm == "wide")
    return {{Deployment::three, Compaction::atomic}, {Deployment::three, Compaction::scan}};
  const auto& methods = engine::domains::domain_methods;
  if (std::find(methods.begin(), methods.end(), algorithm) == methods.end())
    return {{Deployment::three, Compaction::atomic}};
  if (number % 2 == 0)
    return {{Deployment::three, Compaction::atomic}, {Deployment::one, Compaction::scan}};
  return {{Deployment::three, Compaction::scan}, {Deployment::one, Compaction::atomic}};
}

// Every algorithm in some ways; the divisions in turn. (Not by subtraction alone: on the lines of a real function it
// may take for ever.)
std::vector<Variant> make_variants() {
  std::vector<engine::domains::Division> divisions{engine::domains::Division::native, engine::domains::Division::hybrid,
                                                   engine::domains::Division::reciprocal};
  if (test_device().has_fp64()) {
    divisions.push_back(engine::domains::Division::double_lengths);
    divisions.push_back(engine::domains::Division::double_reciprocal);
  }
  std::vector<Variant> result;
  std::size_t number = 0;
  std::size_t turn = 0;
  for (const std::string_view algorithm : engine::algorithm_names()) {
    if (algorithm == "auto")
      continue;
    for (const auto& [deployment, compaction] : ways_of(algorithm, number++)) {
      device::Tunables tunables;
      tunables.set(engine::domains::domain_tunable("phase1.division"),
                   static_cast<std::int64_t>(divisions[turn % divisions.size()]));
      tunables.set(engine::domains::domain_tunable("phase2.division"),
                   static_cast<std::int64_t>(divisions[(turn / 2 + 1) % divisions.size()]));
      tunables.set(engine::domains::domain_tunable("phase1.logms"), static_cast<std::int64_t>(turn % 6));
      tunables.set(device::shared_tunable("survivor-capacity"), turn % 3 == 0 ? 64 : 1 << 20);
      ++turn;
      result.push_back({algorithm, std::make_unique<TestDevice>(tunables, deployment, compaction)});
    }
  }
  return result;
}

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = make_variants();
  return all;
}

} // namespace

TEST_CASE("variants: whole binades of 13 bits and a slice of exp on [128, 256) against plain enumeration") {
  struct Slice {
    const Known& f;
    Range range;
    int bits;
    int domain_bits;
    Enumeration expected;
  };
  std::vector<Slice> slices;
  const Range binade{"p13", 13, -1022, 13, 1, 2};
  for (const Known* f : {&known_exp, &known_sin})
    slices.push_back({*f, binade, 5, 5, enumerate(*f, {13, -1022}, 1, 2, 13, 5)[0]});
  const Range bent{"binary64", 53, -1022, 53, 200, 200 + std::ldexp(12345.0, -45)};
  slices.push_back(
      {known_exp, bent, 10, 7, enumerate_fast(known_exp, {53, -1022}, bent.from, bent.to, 53, Rounding::all, 10)});
  for (const Slice& slice : slices)
    CHECK(slice.expected.found.size() > 10);
  for (const Variant& variant : variants()) {
    INFO(variant.name());
    Work work;
    for (const Slice& slice : slices) {
      Task task = make_task(slice.f, slice.range, Rounding::all, slice.bits);
      task.choices.domain_bits = slice.domain_bits;
      task.choices.split_bits = 2;
      variant.prepare(task);
      compare(task, *variant.device, slice.expected, work);
    }
    if (variant.has_phases())
      work.check();
    else if (variant.algorithm == "wide")
      work.check_wide();
    else if (variant.algorithm == "exhaustive" || variant.algorithm == "differences")
      CHECK(work.counts("phase1").tested == 0);
  }
}

TEST_CASE("variants: slices of the papers' I0 around known cases hold these, and no others") {
  struct Known54 {
    const char* x;
    double bits;
  };
  for (const Known54& known : {Known54{"0x20003306ccc061p-53", 45.4923},
                               {"0x2000d78e6fbfb7p-53", 41.8882},
                               {"0x20000f0e36debdp-53", 40.7628},
                               {"0x2000675d753772p-53", 39.7632}}) {
    for (const Variant& variant : variants()) {
      INFO(known.x, ", ", variant.name());
      Task task = make_task(known_exp, {"binary64", 53, -1022, 54, 1, 2}, Rounding::directed, 33);
      const auto rank = task.arguments().parse(known.x, "x");
      task.first = rank - 54321;
      task.last = rank + 76543;
      task.choices.domain_bits = 10;
      variant.prepare(task);
      const result::SearchResult result = variant.device->run(task);
      CHECK(result.covered == task.range());
      REQUIRE(result.cases.size() == 1);
      CHECK(result.cases.front().x == task.arguments().at(rank));
      CHECK(result.cases.front().bits == doctest::Approx(known.bits).epsilon(1e-5));
      CHECK((engine::stage(result.stages, "phase1").tested > 100) == variant.has_phases());
    }
  }
}

TEST_CASE("variants: a known case at every place of a domain") {
  constexpr double known = 0x1.aca7ae8da5a7bp+0; // 53.99 bits
  constexpr int domain_bits = 4;
  constexpr int size = 1 << domain_bits;
  for (const Variant& variant : variants()) {
    INFO(variant.name());
    std::uint64_t missed = 0;
    engine::Stages stages;
    for (int place = 0; place < size; ++place) {
      Task task = make_task(known_exp, {"binary64", 53, -1022, 53, 1, 2}, Rounding::all, 49);
      char text[64];
      (void)std::snprintf(text, sizeof text, "%a", known);
      const auto rank = task.arguments().parse(text, "x");
      task.first = rank - size - place; // in the second of three domains
      task.last = task.first + 3 * size;
      task.choices.domain_bits = domain_bits;
      task.choices.split_bits = 1 + place % 3;
      variant.prepare(task);
      const result::SearchResult result = variant.device->run(task);
      missed += result.cases.size() != 1 || to_double(result.cases.front().x) != known;
      engine::add(stages, result.stages);
    }
    CHECK(missed == 0);
    if (variant.has_phases()) {
      CHECK(engine::stage(stages, "phase1").tested == 3 * size);
      CHECK(engine::stage(stages, "phase1").kept >= size);
      CHECK(engine::stage(stages, "phase1").kept < 2 * size);
    }
  }
}

} // namespace tmd::test
