// The phase walk over all binades of a logarithm with values in the same binade: compared with MPFR at every argument,
// by devices and where the host lists windows; with cases planted anywhere; and with one term after the other changed.
#include "device.hpp"
#include "host/engine/phase/engine.hpp"
#include "host/engine/phase/groups.hpp"
#include "host/engine/phase/planner.hpp"
#include "host/engine/phase/plants.hpp"
#include "host/engine/phase/search.hpp"
#include "host/function/catalogue.hpp"
#include "host/verify/confirm.hpp"
#include "planted_error.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tmd {

namespace {

job::Job logarithm_job(const char* function, int precision, int bits, int least, int greatest) {
  job::Job job;
  job.function = &function::find_function(function);
  job.format = {"p", precision, -1022, 1023};
  job.argument_precision = precision;
  job.K = bits;
  const auto rank = [&](int exponent) {
    return job.arguments().rank({false, uint128(1) << (precision - 1), exponent - precision + 1});
  };
  job.first = rank(least);
  job.last = rank(greatest);
  return job;
}

// The runs that one walk serves, by their families.
std::map<std::string, std::vector<job::Stretch>> families_of(const job::Job& job) {
  Choices choices;
  choices.algorithm = engine::phase::phase_method;
  choices.joins_claims = true;
  std::map<std::string, std::vector<job::Stretch>> families;
  for (job::Stretch stretch : job::stretches(job.arguments(), job.first, job.last))
    while (stretch.count > 0) {
      const auto field = engine::phase::phase_engine.claim(job, choices, stretch);
      if (!field)
        break;
      families[field->claim()->family].push_back(field->arguments);
      stretch.first += field->arguments.count;
      stretch.count -= field->arguments.count;
    }
  return families;
}

std::vector<engine::phase::PhaseBatch> batches_of_family(const job::Job& job, const std::vector<job::Stretch>& runs) {
  const auto field =
      std::make_shared<const engine::phase::PhaseField>(job, runs.front(), std::vector<const function::Function*>(),
                                                        std::vector<job::Stretch>(runs.begin() + 1, runs.end()));
  engine::phase::PhasePlanner planner(field, {});
  std::vector<engine::phase::PhaseBatch> batches;
  for (uint128 at = 0; at < field->extent();) {
    const auto plan = planner.plan(at, field->extent() - at);
    REQUIRE(plan);
    for (std::uint64_t done = 0; done < plan->count;) {
      const auto batch = plan->batch(done);
      batches.push_back(dynamic_cast<const engine::phase::PhaseBatch&>(*batch));
      done += batch->count();
    }
    at += plan->count;
  }
  return batches;
}

using Places = std::set<engine::phase::PhaseArgument>;

// The cases among a family's arguments.
Places cases_of_family(const job::Job& job, const std::vector<job::Stretch>& runs) {
  const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
  Places cases;
  for (std::size_t owner = 0; owner < runs.size(); ++owner)
    for (std::uint64_t index = 0; index < runs[owner].count; ++index)
      if (confirmation.judge(runs[owner].argument(index)).found)
        cases.insert({index, owner});
  return cases;
}

// What a device finds in batches with something wrong, and whether it has listed windows that were not walked.
struct FoundPlaces {
  Places all;
  bool has_listed = false;
};
template <typename Error>
FoundPlaces found_in(engine::phase::PhaseSearch& device, std::vector<engine::phase::PhaseBatch> batches,
                     const Error& error) {
  FoundPlaces places;
  for (engine::phase::PhaseBatch& batch : batches) {
    if (batch.windows > 0)
      error(batch);
    const engine::phase::PhaseSearch::Indices found = device.search(batch);
    for (std::size_t owner = 0; owner < found.size(); ++owner)
      for (const std::uint64_t index : found[owner])
        places.all.insert({index, owner});
    places.has_listed |= device.has_listed();
  }
  return places;
}

bool includes_all(const Places& all, const Places& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

const auto no_error = [](engine::phase::PhaseBatch&) {};

} // namespace

TEST_CASE("logarithm walk: it finds every case of all binades, on both sides of 1") {
  engine::phase::PhaseSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 16), {});
  std::size_t cases = 0;
  std::size_t found = 0;
  std::size_t both_sides = 0;
  for (const auto& [function, precision, bits, least, greatest] :
       {std::tuple("log", 11, 7, -70, 70), std::tuple("log10", 10, 6, -60, 70), std::tuple("log1p", 9, 4, -20, 120),
        std::tuple("asinh", 10, 6, -10, 90), std::tuple("acosh", 10, 5, 1, 90), std::tuple("log10p1", 9, 4, 0, 100),
        std::tuple("log", 5, 3, -200, 200)}) {
    const job::Job job = logarithm_job(function, precision, bits, least, greatest);
    const auto families = families_of(job);
    CHECK(families.size() > 1);
    for (const auto& [family, runs] : families) {
      INFO(function, ", ", family, ", ", runs.size(), " runs");
      const Places expected = cases_of_family(job, runs);
      const auto batches = batches_of_family(job, runs);
      both_sides += batches.front().plan->field->targets() == 2 ? 1 : 0;
      const Places places = found_in(device, batches, no_error).all;
      CHECK(includes_all(places, expected));
      cases += expected.size();
      found += places.size();
      // Windows that neither the device nor the host walks are listed, with few others.
      const Places listed =
          found_in(device, batches, [](engine::phase::PhaseBatch& batch) { batch.parameters.most_error = 0; }).all;
      CHECK(includes_all(listed, expected));
      CHECK(listed.size() < 5 * expected.size() + 1000);
    }
  }
  CHECK(cases > 10000);
  CHECK(found < 2 * cases);
  CHECK(both_sides > 5);
}

TEST_CASE("logarithm walk: every term of a binade counts") {
  engine::phase::PhaseSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 16), {});
  const job::Job job = logarithm_job("log", 12, 8, -92, 92);
  const auto families = families_of(job);
  const std::vector<job::Stretch>& runs = families.at("values from 2^5 on");
  CHECK(runs.size() == 2 * 46); // on either side of 1; in the innermost one are also others
  const auto batches = batches_of_family(job, runs);
  const Places cases = cases_of_family(job, runs);
  CHECK(cases.size() > 1000);
  const auto loses = [&](const auto& error) { return !includes_all(found_in(device, batches, error).all, cases); };
  const auto notices = [&](const auto& error) { return found_in(device, batches, error).has_listed || loses(error); };
  CHECK_FALSE(notices(no_error));
  CHECK(loses([](engine::phase::PhaseBatch& batch) { batch.parameters.rise[0] += std::uint64_t(1) << 55; }));
  for (const int target : {0, 1}) {
    INFO("target ", target);
    CHECK(loses([&](engine::phase::PhaseBatch& batch) { batch.parameters.lift[target][0] += std::uint64_t(1) << 58; }));
    CHECK(loses([&](engine::phase::PhaseBatch& batch) { batch.parameters.origin[target][0] += 64; }));
  }
  CHECK(loses([](engine::phase::PhaseBatch& batch) { --batch.parameters.binade_bits; }));
  CHECK(loses([](engine::phase::PhaseBatch& batch) {
    batch.parameters.x_scale *= 1.1F;
    batch.parameters.determinant *= 1.1F;
  }));
  CHECK(loses([](engine::phase::PhaseBatch& batch) { batch.parameters.targets = 1; }));
  CHECK(notices([](engine::phase::PhaseBatch& batch) { batch.parameters.omega[0] ^= 1; }));
}

TEST_CASE("logarithm walk: planted cases are found in all binades, and listed") {
  engine::phase::PhaseSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 16), {});
  number::Random random(7);
  std::size_t planted = 0;
  std::set<std::size_t> owners;
  for (const auto& [function, precision] :
       {std::pair("log", 24), std::pair("log10", 53), std::pair("asinh", 40), std::pair("log", 64)}) {
    const job::Job job = logarithm_job(function, precision, precision - 9, 90, 200);
    const std::vector<job::Stretch> runs =
        families_of(job).at(function == std::string("log10") ? "values from 2^5 on" : "values from 2^6 on");
    const auto field =
        std::make_shared<const engine::phase::PhaseField>(job, runs.front(), std::vector<const function::Function*>(),
                                                          std::vector<job::Stretch>(runs.begin() + 1, runs.end()));
    engine::phase::PhaseOptions options;
    options.batch_windows = 1 << 12;
    engine::phase::PhasePlanner planner(field, options);
    for (int place = 0; place < 8; ++place) {
      const uint128 at = field->extent() / 8 * static_cast<unsigned>(place);
      const auto plan = planner.plan(at, field->extent() - at);
      REQUIRE(plan);
      const auto batch = plan->batch(0);
      const engine::phase::PlantedWindows windows =
          engine::phase::planted_windows(dynamic_cast<const engine::phase::PhaseBatch&>(*batch), random);
      planted += windows.cases.size();
      for (const bool robust : {false, true}) {
        INFO(function, ", p = ", precision, ", place ", place, robust ? ", robust" : "");
        const auto found = engine::phase::arguments_of(*windows.batch.plan, device.walk(windows.batch, robust));
        for (const engine::phase::PhaseArgument& one : windows.cases) {
          owners.insert(one.owner);
          CHECK(std::binary_search(found.begin(), found.end(), one));
        }
      }
      if (precision > 24)
        continue;
      std::set<engine::phase::PhaseArgument> listed;
      for (std::uint64_t window = 0; window < windows.batch.windows; ++window)
        for (const engine::phase::PhaseArgument& one : engine::phase::near_integers(windows.batch, window))
          listed.insert(one);
      for (const engine::phase::PhaseArgument& one : windows.cases)
        CHECK(listed.contains(one));
    }
  }
  CHECK(planted > 150);
  CHECK(owners.size() > 60);
}

TEST_CASE("logarithm walk: a device with kernels that are wrong about binades is not trusted") {
  const job::Job job = logarithm_job("log", 30, 21, 93, 184);
  const auto batches = batches_of_family(job, families_of(job).at("values from 2^6 on"));
  const auto search = [&] {
    const auto engine = engine::phase::phase_engine.open(std::make_shared<engine::Launcher>(test_device(), 1 << 16),
                                                         engine::EngineSettings());
    (void)engine->search(batches.front(), {});
  };
  CHECK_NOTHROW(search());
  for (const auto& [text, replacement] :
       {std::pair("wide_signed_product(upper, wide_of(p->rise))", "wide_product((u64)upper & 0xff, wide_of(p->rise))"),
        std::pair("z = wide_sum(z, wide_of(p->lift[target]))", "z = wide_sum(z, wide_of(p->rise))"),
        std::pair("((u64)1 << p->binade_bits) - 1", "((u64)1 << p->binade_bits) - 2"),
        std::pair("(u64)q.m << p->binade_bits", "(u64)q.m << (p->binade_bits + 1)")}) {
    CAPTURE(std::string(text));
    const PlantedError planted("phase/walk.clh", text, replacement);
    CHECK_THROWS_AS(search(), DeviceError);
  }
}

} // namespace tmd
