// Searches whose coefficients the device makes find the same cases as with the host's.
#include "end_to_end/enumeration.hpp"
#include "host/engine/domains/tunables.hpp"
#include "thorough.hpp"

#include <deque>
#include <string>
#include <vector>

namespace tmd::test {
namespace {

result::SearchResult search(Task task, TestDevice& device, Polynomials polynomials) {
  task.choices.polynomials = polynomials;
  result::SearchResult result = device.run(task);
  CHECK(result.covered == task.range());
  const std::uint64_t made = engine::stage(result.stages, "polynomials_on_device").tested;
  if (polynomials == Polynomials::host)
    CHECK(made == 0);
  else
    CHECK(made >= engine::stage(result.stages, "phase1").tested);
  return result;
}

// A search with any device must find what `host` has found.
void compare(const Task& task, TestDevice& device, const result::SearchResult& host, Work& work) {
  const result::SearchResult hybrid = search(task, device, Polynomials::hybrid);
  INFO(task.identity(), "; ", to_string(device.deployment()), ", batches of ",
       device.tunables()[device::shared_tunable("batch-domains")], ", packets of 2^",
       device.tunables()[engine::domains::domain_tunable("polynomials.packet-bits")]);
  CHECK(same(hybrid.cases, host.cases));
  CHECK(same(hybrid.exact, host.exact));
  work.add(hybrid);
}

std::deque<TestDevice> make_devices(std::initializer_list<std::int64_t> batch_domains) {
  std::deque<TestDevice> result;
  int turn = 0;
  for (const std::int64_t domains : batch_domains)
    for (int twice = 0; twice < 2; ++twice) {
      device::Tunables tunables;
      tunables.set(device::shared_tunable("batch-domains"), domains);
      tunables.set(engine::domains::domain_tunable("polynomials.packet-bits"), 4 + turn % 2 * 2);
      result.emplace_back(tunables, turn % 3 == 2 ? Deployment::one : Deployment::three);
      result.back().check_all_polynomials(true);
      ++turn;
    }
  return result;
}

} // namespace

TEST_CASE("hybrid: whole binades of 13 and 16 bits, every function, batches smaller than a packet") {
  auto devices = make_devices({1, 7, 1 << 21});
  Work work;
  std::size_t cases = 0;
  std::size_t exact = 0;
  for (const Known* f : {&known_exp, &known_exp2, &known_log, &known_sin, &known_cbrt})
    for (const int p : {13, 16}) {
      if (!tries_all && p == 16 && f != &known_cbrt)
        continue;
      const Range range{"p" + std::to_string(p), p, -1022, p, 1, 2};
      for (const bool every : {false, true}) {
        Task task = make_task(*f, range, Rounding::all, 6);
        if (every) {
          task.costs = test_eagerly();
          task.choices.domain_bits = p == 13 ? 4 : 5;
          task.choices.split_bits = 2;
        }
        const result::SearchResult host = search(task, usual_device(), Polynomials::host);
        cases += host.cases.size();
        exact += host.exact.size();
        for (TestDevice& device : devices)
          compare(task, device, host, work);
      }
    }
  CHECK(cases > (tries_all ? 5000 : 1000));
  CHECK(exact > 3); // cbrt(1), exp2(1), log(1)
  work.check();
}

TEST_CASE("hybrid: a slice of the papers' I0 around its two nearest cases") {
  Task task = make_task(known_exp, {"binary64", 53, -1022, 54, 1, 2}, Rounding::directed, 33);
  const auto harder = task.arguments().parse("0x20002bf753d1a5p-53", "x"); // 36.1077 bits
  const auto easier = task.arguments().parse("0x20002bf86abb70p-53", "x"); // 35.0592 bits
  task.first = harder - 1234567;
  task.last = easier + 2345678;
  Work work;
  for (const int domain_bits : {9, 12}) {
    task.choices.domain_bits = domain_bits;
    const result::SearchResult host = search(task, usual_device(), Polynomials::host);
    REQUIRE(host.cases.size() == 2);
    CHECK(host.cases.front().x == task.arguments().at(harder));
    CHECK(host.cases.front().bits == doctest::Approx(36.1077).epsilon(1e-5));
    CHECK(std::next(host.cases.begin())->x == task.arguments().at(easier));
    CHECK(std::next(host.cases.begin())->bits == doctest::Approx(35.0592).epsilon(1e-5));
    for (const std::int64_t batch_domains : {std::int64_t(777), std::int64_t(1) << 21}) {
      for (TestDevice& device : make_devices({batch_domains}))
        compare(task, device, host, work);
    }
  }
  work.check();
}

} // namespace tmd::test
