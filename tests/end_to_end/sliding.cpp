// A known case at every place of a domain, of its sub-domains and of a batch, and at both ends of a range:
// always found.
#include "end_to_end/enumeration.hpp"

namespace {

using namespace tmd;
using namespace tmd::test;

// From the lists of CORE-MATH: bits as doc/method.md defines them, grid `all`.
struct KnownCase {
  const char* function;
  double x;
  double bits;
};
constexpr KnownCase cases[] = {{"exp", 0x1.aca7ae8da5a7bp+0, 53.9922},
                               {"sin", 0x1.921fb54442d18p+0, 54.7170}, // beside π/2, where sin is not monotone
                               {"log", 0x1.47408cb9583cep+0, 50.8773},
                               {"cbrt", 0x1.7b1f68fdf7307p+0, 50.4607},
                               {"sin", -0x1.d98c4c612718dp-1, 54.5087}}; // odd

SearchJob job_around(const KnownCase& known, int128 before, int128 behind) {
  SearchJob job;
  job.function = &find_function(known.function);
  job.format = find_format("binary64");
  job.plan.bits = 49;
  job.plan.costs = test_eagerly();
  char text[64];
  (void)std::snprintf(text, sizeof text, "%a", known.x);
  const auto rank = job.arguments().parse(text, "x");
  job.first = rank - before;
  job.last = rank + behind;
  return job;
}

bool has(const SearchResult& result, const SearchJob& job, const KnownCase& known) {
  return result.arguments == job.size() && result.cases.size() >= 1 && to_double(result.cases[0].x) == known.x &&
         std::fabs(result.cases[0].bits - known.bits) < 6e-5 &&
         std::count_if(result.cases.begin(), result.cases.end(),
                       [&](const Case& c) { return to_double(c.x) == known.x; }) == 1;
}

bool finds(const SearchJob& job, DeviceSearch& device, const KnownCase& known) {
  return has(run_search(job, device, 1), job, known);
}

} // namespace

TEST_CASE("sliding: every index of a domain, for batches of one, two and three domains") {
  for (const std::int64_t batch_domains : {1, 2, 3}) {
    Tunables tunables;
    tunables.batch_domains = batch_domains;
    tunables.survivor_capacity = 8;
    DeviceSearch device(test_device(), tunables);
    Work work;
    std::uint64_t missed = 0;
    std::uint64_t direct = 0;
    for (const KnownCase& known : cases)
      for (int domain_bits = 5; domain_bits <= 8; ++domain_bits) {
        if (domain_bits == 8 && batch_domains != 3)
          continue;
        const int128 size = int128(1) << domain_bits;
        for (int128 place = 0; place < size; ++place) {
          // Domain 1, of three and a bit; or the last, partial or whole, with the case at the range's very
          // end.
          SearchJob job = place % 2 == 0 ? job_around(known, size + place, 3 * size - place + 5)
                                         : job_around(known, size + place, 1);
          job.plan.domain_bits = domain_bits;
          job.plan.split_bits = 1 + static_cast<int>(place % 4);
          const SearchResult result = run_search(job, device, 1);
          work.add(result);
          direct += static_cast<std::uint64_t>(result.direct);
          missed += !has(result, job, known);
        }
      }
    CHECK(missed == 0);
    CHECK(direct == 0); // it was the device's work
    work.check();
  }
}

TEST_CASE("sliding: first and last argument of ranges of every length") {
  DeviceSearch& device = phases();
  std::uint64_t missed = 0;
  for (const KnownCase& known : cases)
    for (int128 length = 1; length < 100; length += length < 40 ? 1 : 7) {
      missed += !finds(job_around(known, 0, length), device, known);
      missed += !finds(job_around(known, length - 1, 1), device, known);
      // One short of it, on either side.
      for (const SearchJob& job : {job_around(known, length, 0), job_around(known, -1, length + 1)})
        for (const Case& found : run_search(job, device, 1).cases)
          missed += to_double(found.x) == known.x;
    }
  CHECK(missed == 0);
}

TEST_CASE("sliding: the domains of a usual search") {
  DeviceSearch& device = phases();
  std::uint64_t missed = 0;
  for (const KnownCase& known : cases)
    for (const int domain_bits : {12, 15, 18})
      for (int i = 0; i < 24; ++i) {
        const int128 size = int128(1) << domain_bits;
        // At the ends of domains and of sub-domains, and elsewhere.
        const int128 part = size >> (1 + i % 5);
        const int128 place = i < 12 ? part * (i % 4) - i % 3 + 1 : size * i / 24 + i;
        SearchJob job = job_around(known, 2 * size + place, i % 2 == 0 ? 1 : 2 * size);
        job.plan.bits = 44;
        job.plan.domain_bits = domain_bits;
        job.plan.split_bits = 1 + i % 5;
        missed += !finds(job, device, known);
      }
  CHECK(missed == 0);
}
