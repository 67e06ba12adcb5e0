// Audits by time, by a worker that searches nothing.
#include "host/search/audit.hpp"
#include "tmd/error.hpp"
#include "unit/ranges.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include <unistd.h>

namespace tmd::searches {

namespace {

// Is done with short parts at once, and with longer ones never.
class StuckWorker : public Worker {
public:
  void work(const job::Job& /*job*/, PartExchange& exchange) override {
    constexpr uint128 most = uint128(1) << 24;
    while (const auto assignment = exchange.take()) {
      for (int i = 0; assignment->part.count > most; ++i) {
        if (exchange.interrupted())
          throw Interrupted();
        REQUIRE(i < 60'000); // a minute
        ::usleep(1000);
      }
      result::PartResult result;
      result.part = assignment->part;
      exchange.deliver(result);
    }
  }
};

} // namespace

TEST_CASE("an audit by time gives up a step that takes far longer than those before") {
  const job::Job job = job_on("exp", "binary64", "1", "2");
  Auditable what;
  what.tested = {job.first, job.last};
  std::vector<std::unique_ptr<Worker>> workers;
  workers.push_back(std::make_unique<StuckWorker>());
  const AuditWay way{AuditWay::Means::test, "regular"};
  const AuditComparison comparison = search_again(job, {}, what, workers, way, {.seconds = 0.2}, 1, {});
  CHECK_FALSE(comparison.differs());
  CHECK(comparison.report.arguments >= uint128(1) << 26);
  CHECK(comparison.report.arguments <= uint128(1) << 29);
}

} // namespace tmd::searches
