// Coefficients that a device makes itself against the host's, bit for bit, and what is found with them.
#include "device.hpp"
#include "host/engine/domains/plan.hpp"
#include "host/engine/domains/reference.hpp"
#include "host/engine/domains/search.hpp"
#include "host/engine/domains/tunables.hpp"
#include "host/function/catalogue.hpp"
#include "host/job/pieces.hpp"
#include "planted_error.hpp"
#include "thorough.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <set>
#include <string>

namespace tmd::test {

namespace {

// The first interval of a piece, with the existence tests wherever they can be used.
std::unique_ptr<engine::domains::DomainPlan> make_plan(const function::Function& f, int p, const job::Piece& piece,
                                                       int bits, engine::domains::DomainOptions options) {
  options.costs.set(engine::domains::domain_cost("argument"), 1000);
  options.costs.set(device::shared_cost("confirmation"), 1e7);
  return engine::domains::DomainPlanner(polynomial::ScaledFunction(f, {Rounding::all, p}, piece), bits, options)
      .plan(0, piece.count);
}

// The largest piece among the `count` arguments of q bits from a random one on.
job::Piece random_piece(const function::Function& f, int p, int q, std::uint64_t count, std::mt19937_64& random) {
  const format::ArgumentSet set(find_format("p" + std::to_string(p)), q);
  const bool negative = f.name != "log" && random() % 2 == 0;
  const int exponent = static_cast<int>(random() % 5) - 2;
  const format::ArgumentSet::Rank one = set.parse("1", "one");
  const format::ArgumentSet::Rank binade = set.parse("2", "two") - one;
  format::ArgumentSet::Rank first =
      one + exponent * binade + static_cast<format::ArgumentSet::Rank>(random() % static_cast<std::uint64_t>(binade));
  format::ArgumentSet::Rank last = first + static_cast<format::ArgumentSet::Rank>(count);
  if (negative) {
    std::swap(first, last);
    first = -first;
    last = -last;
  }
  const auto pieces = job::find_pieces(f, set, first, last);
  REQUIRE(!pieces.empty());
  return *std::max_element(pieces.begin(), pieces.end(),
                           [](const job::Piece& left, const job::Piece& right) { return left.count < right.count; });
}

device::Tunables in_vectors(std::int64_t vector_bits) {
  device::Tunables tunables;
  tunables.set(engine::domains::domain_tunable("polynomials.vector-width"), vector_bits);
  return tunables;
}

// Treats the device as if it were no CPU: one program makes many rows there.
opencl::DeviceDescription no_cpu() {
  opencl::DeviceDescription device = test_device();
  device.is_cpu = false;
  return device;
}

// A device that has each of its coefficients compared.
class CheckedDevice : public engine::domains::DomainSearch {
public:
  explicit CheckedDevice(const device::Tunables& tunables, Deployment deployment = Deployment::three,
                         const opencl::DeviceDescription& device = test_device())
      : engine::domains::DomainSearch(device, tunables, deployment) {
    coefficients().check_all(true);
  }
};

// The number of findings, so that comparisons of nothing with nothing are noticed.
struct Found {
  std::uint64_t tested = 0;
  std::uint64_t domains = 0;
  std::uint64_t sub_domains = 0;
  std::uint64_t candidates = 0;
};

// Compares the domains first … first + count − 1 of a plan, made by the device, with those made by the host.
void compare(const engine::domains::DomainPlan& plan, std::uint64_t first, std::uint64_t count,
             engine::domains::DomainSearch& device, Found& found) {
  const engine::domains::HierarchicalPolynomial& polynomial = *plan.polynomial;
  const engine::domains::DomainBatch hybrid = engine::domains::make_hybrid_batch(plan, first, count);
  const engine::domains::DomainBatch plain = engine::domains::make_batch(plan, first, count);
  INFO("N = 2^", plan.domain_bits, ", packets of 2^", polynomial.packet_bits(), ", ", polynomial.words(), " words, ",
       polynomial.differences(0), " differences, from ", first, ", ", count, " of ", polynomial.domain_count());
  REQUIRE(hybrid.domain_count() >= count);
  REQUIRE(hybrid.domain_count() < count + polynomial.packet_size());
  REQUIRE(hybrid.parameters.argument_limit == plain.parameters.argument_limit);
  engine::domains::PhaseTrace expected;
  auto candidates = engine::domains::search_on_host(plain, &expected);
  std::sort(candidates.begin(), candidates.end());

  device.reset_stages();
  engine::domains::PhaseTrace trace;
  std::vector<std::uint64_t> made;
  REQUIRE_NOTHROW(made = device.search(hybrid, &trace)); // compares all coefficients
  CHECK(made == candidates);
  CHECK((made.empty() || made.back() < plain.parameters.argument_limit));
  CHECK(engine::stage(device.stages(), "polynomials_on_device").tested == hybrid.domain_count());
  found.candidates += candidates.size();
  if (plan.exhaustive)
    return;
  CHECK(engine::stage(device.stages(), "phase1").tested == hybrid.domain_count());
  if (device.deployment() == Deployment::three) {
    // Domains beyond `count` fill the last packet; they are tested, too.
    const auto split_bits = static_cast<unsigned>(plan.split_bits);
    std::erase_if(trace.domains, [&](std::uint32_t domain) { return domain >= count; });
    std::erase_if(trace.sub_domains, [&](std::uint32_t id) { return id >> split_bits >= count; });
    CHECK(trace.domains == expected.domains);
    CHECK(trace.sub_domains == expected.sub_domains);
  }
  found.tested += count;
  found.domains += expected.domains.size();
  found.sub_domains += expected.sub_domains.size();
}

void check_found(const Found& found) {
  CHECK(found.domains > 100);
  CHECK(found.domains < found.tested);
  CHECK(found.sub_domains > 100);
  CHECK(found.candidates > 100);
}

engine::domains::DomainPlan exp_plan(int packet_bits, bool exhaustive = false) {
  const job::Piece piece{{false, -26, 0x1234567 << 2, 100000}, false, 1}; // exp from 1.1378 on, 27 bits
  engine::domains::DomainOptions options;
  options.domain_bits = 7;
  options.split_bits = 2;
  options.packets.most_bits = packet_bits;
  options.exhaustive_only = exhaustive;
  const auto plan = make_plan(function::find_function("exp"), 27, piece, 11, options);
  REQUIRE(plan);
  REQUIRE(plan->count == 100000);
  REQUIRE(plan->domain_bits == 7);
  REQUIRE(plan->polynomial->packet_bits() == packet_bits);
  return *plan;
}

} // namespace

TEST_CASE("polynomials: as the host makes them, for every number of words and size of packets") {
  std::mt19937_64 random(7);
  // Packets are made one by one, and in vectors.
  std::deque<CheckedDevice> devices;
  for (const int vector_bits : {0, 1, 0, 3})
    devices.emplace_back(in_vectors(vector_bits));
  devices.emplace_back(in_vectors(0), Deployment::three, no_cpu());
  Found found;
  std::set<int> words;
  std::set<int> packet_bits;
  std::set<int> differences;
  std::set<int> binomial_words;
  int overhanging = 0; // intervals that end inside a packet
  int far = 0;         // batches whose first domain's binomials have many bits
  int turn = 0;
  for (int fewest_words = 2; fewest_words <= 7; ++fewest_words)
    for (int one = 0; one < (tries_all ? 3 : 2); ++one) { // functions in turn; each has kernels of its own
      static constexpr const char* names[] = {"cbrt", "exp", "exp2", "log", "sin"};
      const function::Function& f = function::find_function(names[turn % 5]);
      static constexpr int precisions[] = {53, 24, 32, 60, 42};
      static constexpr int all_domain_bits[] = {12, 4, 7, 10, 5, 9};
      const int p = precisions[(turn + turn / 5) % 5];
      engine::domains::DomainOptions options;
      options.domain_bits = p == 24 ? 4 : std::min(all_domain_bits[turn % 6], p == 32 ? 6 : 24);
      options.test = engine::domains::Test::regular; // rather than search exhaustively
      options.split_bits = 1 + turn % 3;
      options.packets = {4 + (turn + turn / 6) % 6, fewest_words};
      // The number of packets grows from a few to many more than a batch has.
      const int size_bits = std::min(*options.domain_bits + 10 + static_cast<int>(random() % 14), p - 3);
      const std::uint64_t size = (std::uint64_t(1) << size_bits) + random() % (std::uint64_t(1) << size_bits);
      const auto plan = make_plan(f, p, random_piece(f, p, p, size, random), *options.domain_bits + 4, options);
      INFO(f.name, ", ", p, " bits");
      REQUIRE(plan);
      REQUIRE_FALSE(plan->exhaustive);
      const engine::domains::HierarchicalPolynomial& polynomial = *plan->polynomial;
      const std::uint64_t packet = polynomial.packet_size();
      const std::uint64_t domains = polynomial.domain_count();
      const std::uint64_t last_packet = (domains - 1) / packet;
      CheckedDevice& device = devices[static_cast<std::size_t>(turn / 2 % 5)];
      CHECK(polynomial.words() >= fewest_words);
      words.insert(polynomial.words());
      packet_bits.insert(polynomial.packet_bits());
      for (int row = 0; row < engine::domains::HierarchicalPolynomial::row_count; ++row)
        differences.insert(polynomial.differences(row));
      binomial_words.insert(polynomial.binomial_words());
      overhanging += domains % packet != 0;
      // Batches have the first packets, the last ones, or some that end anywhere.
      compare(*plan, 0, std::min(domains, 5 * packet), device, found);
      const std::uint64_t last = (last_packet - std::min<std::uint64_t>(last_packet, random() % 4)) * packet;
      compare(*plan, last, domains - last, device, found);
      const std::uint64_t begin = random() % (last_packet + 1) * packet;
      compare(*plan, begin, 1 + random() % std::min(domains - begin, 4 * packet), device, found);
      far += last_packet > 100;
      ++turn;
    }
  check_found(found);
  for (int count = 2; count <= 7; ++count)
    CHECK(words.count(count) == 1);
  for (int bits = 4; bits <= 9; ++bits)
    CHECK(packet_bits.count(bits) == 1);
  CHECK(*differences.begin() <= 1);
  CHECK(*differences.rbegin() >= 5);
  CHECK(binomial_words.size() >= 3);
  CHECK(overhanging > turn / 2 + 1);
  CHECK(far > turn / 4 + 1);
}

TEST_CASE("polynomials: curvatures of every scale") {
  struct Shape {
    const char* function;
    const char* from;
    int p;
    int q;
    int domain_bits;
    unsigned scale;
    bool exhaustive;
  };
  // exp with 65 bits has a second difference far below 2^−64, sin with 13 bits about π/2 one of an eighth.
  for (const Shape& shape : {Shape{"exp", "1", 53, 65, 14, 63, false},
                             {"exp", "1", 53, 53, 12, 47, false},
                             {"sin", "1.5", 20, 13, 3, 0, true}}) {
    const function::Function& f = function::find_function(shape.function);
    const format::ArgumentSet set(find_format("p" + std::to_string(shape.p)), shape.q);
    const auto first = set.parse(shape.from, "from");
    const auto pieces = job::find_pieces(f, set, first, first + (shape.exhaustive ? 600 : 1 << 26));
    const int bits = shape.exhaustive ? 5 : shape.domain_bits + 3;
    engine::domains::DomainOptions options;
    options.domain_bits = shape.domain_bits;
    options.split_bits = 2;
    options.packets.most_bits = 5;
    options.exhaustive_only = shape.exhaustive;
    const auto plan = make_plan(f, shape.p, pieces.at(0), bits, options);
    INFO(shape.p, " and ", shape.q, " bits");
    REQUIRE(plan);
    REQUIRE(plan->exhaustive == shape.exhaustive);
    CHECK(plan->polynomial->scale() == shape.scale);
    CheckedDevice device{device::Tunables()};
    Found found;
    compare(*plan, 0, std::min<std::uint64_t>(plan->polynomial->domain_count(), 1000), device, found);
    CHECK(found.candidates > 10);
  }
}

TEST_CASE("polynomials: one kernel, exhaustive search, work-groups, lists of one place") {
  const engine::domains::DomainPlan filtered = exp_plan(5);
  const engine::domains::DomainPlan exhaustive = exp_plan(5, true);
  REQUIRE_FALSE(filtered.exhaustive);
  REQUIRE(exhaustive.exhaustive);
  const std::uint64_t domains = filtered.polynomial->domain_count();
  REQUIRE(domains % filtered.polynomial->packet_size() != 0);
  for (const Deployment deployment : {Deployment::three, Deployment::one})
    for (const std::int64_t capacity : {1, 7, 1 << 20}) {
      INFO(to_string(deployment), ", capacity ", capacity);
      device::Tunables tunables;
      tunables.set(device::shared_tunable("survivor-capacity"), capacity);
      tunables.set(engine::domains::domain_tunable("polynomials.work-group-size"), capacity == 7   ? 3
                                                                                   : capacity == 1 ? 1024
                                                                                                   : 1);
      CheckedDevice device(tunables, deployment);
      for (int run = 0; run < 2; ++run) { // nothing is left from the run before
        Found found;
        compare(filtered, 0, domains, device, found);
        check_found(found);
        compare(filtered, 96, 333, device, found);
        found = {};
        compare(exhaustive, 32, 200, device, found);
        CHECK(found.candidates > 10);
        compare(exhaustive, 0, domains, device, found);
        // A batch in plain order follows one in packets.
        const engine::domains::DomainBatch plain = engine::domains::make_batch(filtered, 5, 77);
        CHECK(device.search(plain) == engine::domains::search_on_host(plain));
      }
    }
}

TEST_CASE("polynomials: the usual sample of comparisons notices planted errors") {
  const engine::domains::DomainPlan plan = exp_plan(5);
  const engine::domains::DomainBatch first =
      engine::domains::make_hybrid_batch(plan, 0, 10 * plan.polynomial->packet_size());
  const engine::domains::DomainBatch second =
      engine::domains::make_hybrid_batch(plan, 64, 5 * plan.polynomial->packet_size());
  for (const engine::domains::DomainBatch* batch : {&first, &second})
    CHECK_NOTHROW((void)engine::domains::DomainSearch(test_device(), device::Tunables()).search(*batch));

  struct Error {
    const char* file;
    const char* text;
    const char* replacement;
  };
  for (const Error& error :
       {Error{"domains/polynomials.cl", "(k - j) & 0xffffffffu, j + 1", "k & 0xffffffffu, j + 1"},
        Error{"domains/polynomials.cl", "first_packet + packet) << packet_bits", "packet) << packet_bits"},
        Error{"domains/polynomials.cl", "l + j < size", "l + j + 1 < size"},
        Error{"domains/polynomials.cl", "state[l][w] = sum[l][w]", "state[l][w] = sum[l][w] + (l == 1 && w == 0)"},
        Error{"domains/polynomials.cl", "add_words(state[l], state[l + 1])",
              "if (s != packet_size / 2) add_words(state[l], state[l + 1])"},
        Error{"domains/polynomials.cl", "(u64)s * packets + packet", "(u64)packet * packet_size + s"},
        Error{"domains/polynomials.cl", "window_of(state[0], window)",
              "window_of(state[0], window) + (packet == packets - 1 && s == packet_size - 1)"},
        Error{"domains/polynomials.cl", "window_of(state[0], window)", "window_of(state[0], 0)"},
        Error{"common/multiword.clh", "carry = ONE_IF(sum < y[i]) |", "carry ="},
        Error{"common/multiword.clh", "carry = high + ONE_IF(sum < low)", "carry = high"}}) {
    CAPTURE(std::string(error.replacement));
    const PlantedError planted(error.file, error.text, error.replacement);
    CHECK_THROWS_AS((void)engine::domains::DomainSearch(test_device(), device::Tunables()).search(second), FaultError);
  }
  {
    // Errs only where the sample is not compared: all must be compared.
    const PlantedError planted("domains/polynomials.cl", "window_of(state[0], window)",
                               "window_of(state[0], window) + (packet == 1 && s == 3)");
    CHECK_THROWS_AS((void)CheckedDevice(device::Tunables()).search(first), FaultError);
  }
  {
    // An error that begins later is noticed later.
    const PlantedError planted("domains/polynomials.cl", "first_packet + packet) << packet_bits",
                               "first_packet + packet + (first_packet == 2 ? 1 : 0)) << packet_bits");
    engine::domains::DomainSearch device(test_device(), device::Tunables());
    CHECK_NOTHROW((void)device.search(first));
    const auto search_on = [&] {
      for (int batch = 0; batch < 100; ++batch)
        (void)device.search(second);
    };
    CHECK_THROWS_AS(search_on(), FaultError);
  }
}

} // namespace tmd::test
