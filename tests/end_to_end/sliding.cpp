// A known case at every place of a domain, of its sub-domains and of a batch, and at both ends of a range:
// always found.
#include "end_to_end/enumeration.hpp"
#include "end_to_end/known_cases.hpp"

namespace tmd::test {
namespace {

constexpr KnownCase cases[] = {{"exp", 0x1.aca7ae8da5a7bp+0, 53.9922},
                               {"sin", 0x1.921fb54442d18p+0, 54.7170}, // beside π/2, where sin is not monotone
                               {"log", 0x1.47408cb9583cep+0, 50.8773},
                               {"cbrt", 0x1.7b1f68fdf7307p+0, 50.4607},
                               {"sin", -0x1.d98c4c612718dp-1, 54.5087}}; // odd

Task eager_task_around(const KnownCase& known, int128 before, int128 behind) {
  Task task = task_around(known, before, behind);
  task.costs = test_eagerly();
  return task;
}

bool has(const result::SearchResult& result, const Task& task, const KnownCase& known) {
  return result.covered == task.range() && has(result, known);
}

bool finds(const Task& task, TestDevice& device, const KnownCase& known) { return has(device.run(task), task, known); }

} // namespace

TEST_CASE("sliding: every index of a domain, for batches of one, two and three domains") {
  for (const std::int64_t batch_domains : {1, 2, 3}) {
    device::Tunables tunables;
    tunables.set(device::shared_tunable("batch-domains"), batch_domains);
    tunables.set(device::shared_tunable("survivor-capacity"), 8);
    TestDevice device(tunables);
    Work work;
    std::uint64_t missed = 0;
    std::uint64_t direct = 0;
    for (const KnownCase& known : cases)
      for (int domain_bits = 5; domain_bits <= 8; ++domain_bits) {
        if (domain_bits == 8 && batch_domains != 3)
          continue;
        const int128 size = int128(1) << domain_bits;
        for (int128 place = 0; place < size; ++place) {
          // The case is in domain 1 of three and a bit, or in the last, partial or whole, at the very end of the range.
          Task task = place % 2 == 0 ? eager_task_around(known, size + place, 3 * size - place + 5)
                                     : eager_task_around(known, size + place, 1);
          task.choices.domain_bits = domain_bits;
          task.choices.split_bits = 1 + static_cast<int>(place % 4);
          const result::SearchResult result = device.run(task);
          work.add(result);
          direct += static_cast<std::uint64_t>(result.direct);
          missed += !has(result, task, known);
        }
      }
    CHECK(missed == 0);
    CHECK(direct == 0); // the device found it
    work.check();
  }
}

TEST_CASE("sliding: first and last argument of ranges of every length") {
  TestDevice& device = usual_device();
  std::uint64_t missed = 0;
  for (const KnownCase& known : cases)
    for (int128 length = 1; length < 100; length += length < 40 ? 1 : 7) {
      missed += !finds(eager_task_around(known, 0, length), device, known);
      missed += !finds(eager_task_around(known, length - 1, 1), device, known);
      // A range that ends one short of it, on either side.
      for (const Task& task : {eager_task_around(known, length, 0), eager_task_around(known, -1, length + 1)})
        for (const Case& found : device.run(task).cases)
          missed += to_double(found.x) == known.x;
    }
  CHECK(missed == 0);
}

TEST_CASE("sliding: the domains of a usual search") {
  TestDevice& device = usual_device();
  std::uint64_t missed = 0;
  for (const KnownCase& known : cases)
    for (const int domain_bits : {12, 15, 18})
      for (int i = 0; i < 24; ++i) {
        const int128 size = int128(1) << domain_bits;
        // At the ends of domains and of sub-domains, and elsewhere.
        const int128 part = size >> (1 + i % 5);
        const int128 place = i < 12 ? part * (i % 4) - i % 3 + 1 : size * i / 24 + i;
        Task task = eager_task_around(known, 2 * size + place, i % 2 == 0 ? 1 : 2 * size);
        task.K = 44;
        task.choices.domain_bits = domain_bits;
        task.choices.split_bits = 1 + i % 5;
        missed += !finds(task, device, known);
      }
  CHECK(missed == 0);
}

} // namespace tmd::test
