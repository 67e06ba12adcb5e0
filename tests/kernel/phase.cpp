// The phase walk's kernels on a device against the same text on the host, and terms that are wrong on purpose: each of
// them costs cases, or the walk refuses.
#include "device.hpp"
#include "host/engine/phase/engine.hpp"
#include "host/engine/phase/plants.hpp"
#include "host/engine/phase/reference.hpp"
#include "host/engine/phase/residues.hpp"
#include "host/engine/phase/search.hpp"
#include "host/engine/registry.hpp"
#include "host/function/catalogue.hpp"
#include "host/verify/confirm.hpp"
#include "planted_error.hpp"
#include "thorough.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace tmd::test {

namespace {

job::Job job_of(const std::string& function, int precision, int bits) {
  job::Job job;
  job.function = &function::find_function(function);
  job.format = {"p", precision, -1022, 1023};
  job.argument_precision = precision;
  job.K = bits;
  return job;
}

std::vector<const function::Function*> companions_of(const job::Job& job, bool with_companion) {
  return with_companion ? function::companions_of(*job.function) : std::vector<const function::Function*>();
}

// Batches of windows of a field, in the order of their phases.
std::vector<engine::phase::PhaseBatch> batches_of(const std::shared_ptr<const engine::phase::PhaseField>& field,
                                                  const engine::phase::PhaseOptions& options, std::size_t most = 1000) {
  engine::phase::PhasePlanner planner(field, options);
  std::vector<engine::phase::PhaseBatch> batches;
  for (uint128 at = 0; at < field->extent();) {
    const auto plan = planner.plan(at, field->extent() - at);
    REQUIRE(plan);
    for (std::uint64_t done = 0; done < plan->count && batches.size() < most;) {
      const auto batch = plan->batch(done);
      done += batch->count();
      if (const auto& one = dynamic_cast<const engine::phase::PhaseBatch&>(*batch); one.windows > 0)
        batches.push_back(one);
    }
    at += plan->count;
  }
  return batches;
}

// Batches of windows from a whole binade.
std::vector<engine::phase::PhaseBatch> batches_of(const job::Job& job, int exponent,
                                                  const engine::phase::PhaseOptions& options, std::size_t most = 1000,
                                                  bool with_companion = false, bool is_mirrored = false,
                                                  bool is_negative = false) {
  const int precision = job.argument_precision;
  const uint128 first = uint128(1) << (precision - 1);
  const job::Stretch stretch{is_negative, exponent - precision + 1, first, first};
  const auto field = std::make_shared<const engine::phase::PhaseField>(job, stretch, companions_of(job, with_companion),
                                                                       is_mirrored ? std::vector{stretch.mirrored()}
                                                                                   : std::vector<job::Stretch>());
  return batches_of(field, options, most);
}

const engine::phase::PhaseBatch& longest(const std::vector<engine::phase::PhaseBatch>& batches) {
  REQUIRE(!batches.empty());
  return *std::max_element(
      batches.begin(), batches.end(),
      [](const engine::phase::PhaseBatch& x, const engine::phase::PhaseBatch& y) { return x.windows < y.windows; });
}

std::vector<std::uint64_t> all_chunks(const engine::phase::PhaseBatch& batch) {
  std::vector<std::uint64_t> chunks(((batch.windows - 1) >> batch.parameters.chunk_bits) + 1);
  for (std::uint64_t i = 0; i < chunks.size(); ++i)
    chunks[i] = i;
  return chunks;
}

// box: less than 1, so that points beyond the boxes are found by neither.
void set_tolerance(engine::phase::PhaseBatch& batch, float thickness, float tolerance, float box) {
  batch.parameters.box = box;
  batch.parameters.tolerance = tolerance;
  batch.parameters.thickness = thickness + tolerance;
}

struct HostWalk {
  std::set<engine::phase::PhasePoint> found;
  std::uint64_t refused = 0; // chunks, including those that could not be begun
};

HostWalk walk_on_host(const engine::phase::PhaseBatch& batch, engine::phase::PhaseUnits units) {
  HostWalk result;
  std::vector<std::uint64_t> made;
  std::vector<std::uint64_t> refused;
  const std::vector<std::uint64_t> starts = engine::phase::starts_on_host(batch, made);
  const int in_group_bits = static_cast<int>(batch.parameters.group_bits - batch.parameters.chunk_bits);
  std::vector<std::uint64_t> begun;
  for (const std::uint64_t chunk : all_chunks(batch))
    if (chunk - (chunk >> in_group_bits << in_group_bits) < made[chunk >> in_group_bits])
      begun.push_back(chunk);
    else
      ++result.refused;
  const auto found = engine::phase::walk_on_host(batch, units, begun, starts, refused);
  result.found.insert(found.begin(), found.end());
  result.refused += refused.size();
  return result;
}

// Leaves out points that are found only because an entry does not distinguish m from others that are multiples of 2^62
// away.
std::set<engine::phase::PhasePoint> without_twins(const std::vector<engine::phase::PhasePoint>& found,
                                                  const std::set<engine::phase::PhasePoint>& known) {
  std::set<engine::phase::PhasePoint> result;
  for (const engine::phase::PhasePoint& one : found) {
    const auto is_known_at = [&](int periods) {
      const int128 m = one.m + periods * (int128(1) << engine::phase::layout::found_bits);
      const auto word = static_cast<std::int64_t>(m);
      return word == m && known.count({word, one.target}) > 0;
    };
    if (is_known_at(0) || !(is_known_at(1) || is_known_at(-1) || is_known_at(2) || is_known_at(-2)))
      result.insert(one);
  }
  return result;
}

// The function's own arguments that are listed in place of a window.
std::vector<std::uint64_t> listed_in(const engine::phase::PhaseBatch& batch, std::uint64_t window) {
  std::vector<std::uint64_t> indices;
  for (const engine::phase::PhaseArgument& one : engine::phase::near_integers(batch, window))
    if (one.owner == 0)
      indices.push_back(one.index);
  return indices;
}

template <typename Set> bool includes(const Set& all, const Set& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// The cases of a binade that its walk on the host finds, as a search would take them, of the function and of its
// companion.
class Binade {
public:
  Binade(const std::string& function, int precision, int exponent, int bits, const engine::phase::PhaseOptions& options,
         bool with_companion = false)
      : job_(job_of(function, precision, bits)), batches_(batches_of(job_, exponent, options, 1000, with_companion)),
        confirmation_(*job_.function, job_.grid(), job_.K),
        confirmation_of_companion_(with_companion ? *function::companions_of(*job_.function).front() : *job_.function,
                                   job_.grid(), job_.K),
        cases_(cases_with([](engine::phase::PhaseBatch&) {}, refused_)) {}

  [[nodiscard]] std::size_t cases() const { return cases_.size(); }
  [[nodiscard]] std::size_t cases_of_companion() const { return count_of_companion(cases_); }

  // Whether a walk with something wrong finds fewer cases, or refuses more.
  template <typename Error> [[nodiscard]] bool notices(const Error& error) {
    std::uint64_t refused = 0;
    return !includes(cases_with(error, refused), cases_) || refused > refused_;
  }
  template <typename Error> [[nodiscard]] bool loses(const Error& error) {
    std::uint64_t refused = 0;
    return !includes(cases_with(error, refused), cases_);
  }

  // The numbers of cases still found, of the function and of its companion.
  template <typename Error> [[nodiscard]] std::pair<std::size_t, std::size_t> left(const Error& error) {
    std::uint64_t refused = 0;
    const std::set<CasePlace> cases = cases_with(error, refused);
    const std::size_t of_companion = count_of_companion(cases);
    return {cases.size() - of_companion, of_companion};
  }

private:
  using CasePlace = std::pair<std::uint64_t, bool>; // an argument's index, and whether it is the companion's

  [[nodiscard]] static std::size_t count_of_companion(const std::set<CasePlace>& cases) {
    return static_cast<std::size_t>(
        std::count_if(cases.begin(), cases.end(), [](const CasePlace& one) { return one.second; }));
  }

  template <typename Error> std::set<CasePlace> cases_with(const Error& error, std::uint64_t& refused) {
    std::set<CasePlace> cases;
    for (engine::phase::PhaseBatch batch : batches_) {
      error(batch);
      const HostWalk walk = walk_on_host(batch, engine::phase::PhaseUnits::plain);
      refused += walk.refused;
      const job::Stretch& arguments = batch.plan->field->arguments();
      for (const engine::phase::PhasePoint& point : walk.found) {
        const auto argument = batch.plan->argument_of(point);
        if (!argument)
          continue;
        const bool of_companion = argument->owner > 0;
        const CasePlace place{argument->index, of_companion};
        const auto [known, is_new] = judged_.try_emplace(place, false);
        if (is_new)
          known->second = (of_companion ? confirmation_of_companion_ : confirmation_)
                              .judge(arguments.argument(argument->index))
                              .found.has_value();
        if (known->second)
          cases.insert(place);
      }
    }
    return cases;
  }

  job::Job job_;
  std::vector<engine::phase::PhaseBatch> batches_;
  verify::Confirmation confirmation_;
  verify::Confirmation confirmation_of_companion_;
  std::map<CasePlace, bool> judged_;
  std::uint64_t refused_ = 0;
  std::set<CasePlace> cases_;
};

// Words of a batch's tables: a coefficient of a polynomial, in every group. Row 0 is F, 1 F', and 2 to 4 are F''/2,
// F'''/6, F''''/24.
template <typename Change>
void change_coefficients(engine::phase::PhaseBatch& batch, unsigned row, unsigned k, const Change& change) {
  const unsigned degree = batch.parameters.degree;
  const std::size_t size = degree + 1;
  for (std::size_t at = TMD_TABLE_POLYNOMIALS; at < batch.tables.size();
       at += engine::phase::layout::table_words(degree))
    change(batch.tables.data() + at + (row < 2 ? 3 * (row * size + k) : (row + 4) * size + k));
}

// Adds 2^bit to a number of some words, the first of them the highest.
void add_bit(std::uint64_t* words, int count, int bit) {
  REQUIRE(bit < 64 * count);
  int word = count - 1 - bit / 64;
  const std::uint64_t added = std::uint64_t(1) << (bit % 64);
  words[word] += added;
  for (bool carry = words[word] < added; carry && word > 0;)
    carry = ++words[--word] == 0;
}

} // namespace

TEST_CASE("phase walk: a device finds what the host finds with nearly the same tolerance") {
  engine::phase::PhaseSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 16), {});
  std::uint64_t found_on_host = 0;
  std::uint64_t found_of_companions = 0;
  for (const auto& [function, precision, exponent, with_companion] :
       {std::tuple("sin", 24, 40, false), std::tuple("cos", 20, 10, false), std::tuple("tan", 22, 1000, false),
        std::tuple("sin", 53, 1000, false), std::tuple("tan", 53, 5, false), std::tuple("exp", 22, 8, false),
        std::tuple("exp10", 53, 7, false), std::tuple("sin", 24, 40, true), std::tuple("cos", 20, 10, true),
        std::tuple("sin", 53, 1000, true), std::tuple("sin", 64, 300, true), std::tuple("exp", 58, 8, false)}) {
    engine::phase::PhaseOptions options;
    options.batch_windows = 1 << 10;
    const job::Job job = job_of(function, precision, precision - 9);
    const auto batches = batches_of(job, exponent, options, 2000, with_companion);
    REQUIRE(!batches.empty());
    for (std::size_t i = 0; i < batches.size(); i += batches.size() / 3 + 1)
      for (const bool robust : {false, true}) {
        INFO(function, with_companion ? " and its companion" : "", ", p = ", precision, ", batch ", i,
             robust ? ", robust" : "");
        engine::phase::PhaseBatch batch = batches[i];
        batch.windows = std::min<std::uint64_t>(batch.windows, std::uint64_t(1) << batch.parameters.group_bits);
        batch.windows = std::min<std::uint64_t>(batch.windows, 2048);
        batch.tables.resize(engine::phase::layout::table_words(batch.parameters.degree));
        batch.starts.resize(engine::phase::layout::start_words);
        const float thickness = batch.parameters.thickness;
        const float tolerance = std::max(batch.parameters.tolerance, 0x1p-4F);
        const engine::phase::PhaseUnits units =
            robust ? engine::phase::PhaseUnits::robust : engine::phase::PhaseUnits::plain;
        set_tolerance(batch, thickness, tolerance * (1 - 0x1p-8F), 1 - 0x1p-8F);
        const HostWalk less = walk_on_host(batch, units);
        set_tolerance(batch, thickness, tolerance * (1 + 0x1p-8F), 1 - 0x1p-10F);
        const HostWalk more = walk_on_host(batch, units);
        set_tolerance(batch, thickness, tolerance, 1 - 0x1p-9F);
        const std::set<engine::phase::PhasePoint> found = without_twins(device.walk(batch, robust), more.found);
        CHECK(includes(found, less.found));
        if (more.refused == 0 && !device.has_listed())
          CHECK(includes(more.found, found));
        found_on_host += less.found.size();
        found_of_companions += static_cast<std::uint64_t>(
            std::count_if(less.found.begin(), less.found.end(), [&](const engine::phase::PhasePoint& point) {
              return point.target >= batch.plan->field->own_targets();
            }));
      }
  }
  CHECK(found_on_host > 1000);
  CHECK(found_of_companions > 300);
}

TEST_CASE("phase walk: a walk for sin and cos finds what two walks find") {
  engine::phase::PhaseSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 16), {});
  for (const auto& [function, companion, precision, exponent] :
       {std::tuple("sin", "cos", 20, 10), std::tuple("cos", "sin", 20, 1000), std::tuple("sin", "cos", 22, 40)}) {
    const auto alone = batches_of(job_of(function, precision, precision - 9), exponent, {});
    const auto of_companion = batches_of(job_of(companion, precision, precision - 9), exponent, {});
    const auto both = batches_of(job_of(function, precision, precision - 9), exponent, {}, 1000, true);
    REQUIRE(both.size() == alone.size());
    REQUIRE(both.size() == of_companion.size());
    std::size_t found = 0;
    std::size_t found_of_companion = 0;
    for (std::size_t i = 0; i < both.size(); ++i) {
      INFO(function, ", p = ", precision, ", batch ", i);
      CHECK(both[i].first_window == alone[i].first_window);
      CHECK(both[i].windows == alone[i].windows);
      const engine::phase::PhaseSearch::Indices indices = device.search(both[i]);
      CHECK(indices.at(0) == device.search(alone[i]).front());
      CHECK(indices.at(1) == device.search(of_companion[i]).front());
      found += indices.at(0).size();
      found_of_companion += indices.at(1).size();
    }
    CHECK(found > 300);
    CHECK(found_of_companion > 300);
  }
}

TEST_CASE("phase walk: a walk of an exponential finds the cases of both signs, as two walks do") {
  engine::phase::PhaseSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 16), {});
  for (const auto& [function, precision, exponent] :
       {std::tuple("exp", 20, 8), std::tuple("exp10", 20, 4), std::tuple("exp", 22, 7)})
    for (const bool is_negative : {false, true}) {
      INFO(function, ", p = ", precision, is_negative ? ", below 0" : "");
      const job::Job job = job_of(function, precision, precision - 9);
      const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
      // The cases among candidates, which depend on the lattices.
      const auto cases_of = [&](const std::vector<std::uint64_t>& indices, job::Stretch arguments, bool is_opposite) {
        if (is_opposite)
          arguments = arguments.mirrored();
        std::set<std::uint64_t> cases;
        for (const std::uint64_t index : indices)
          if (confirmation.judge(arguments.argument(index)).found)
            cases.insert(index);
        return cases;
      };
      std::set<std::uint64_t> found[2];
      std::set<std::uint64_t> expected[2];
      for (const auto& batch : batches_of(job, exponent, {}, 1000, false, true, is_negative)) {
        const engine::phase::PhaseSearch::Indices indices = device.search(batch);
        found[0].merge(cases_of(indices.at(0), batch.plan->field->arguments(), false));
        found[1].merge(cases_of(indices.at(1), batch.plan->field->arguments(), true));
      }
      for (const bool is_opposite : {false, true})
        for (const auto& batch : batches_of(job, exponent, {}, 1000, false, false, is_negative != is_opposite))
          expected[is_opposite ? 1 : 0].merge(
              cases_of(device.search(batch).front(), batch.plan->field->arguments(), false));
      for (const int i : {0, 1}) {
        CHECK(found[i] == expected[i]);
        CHECK(found[i].size() > 300);
      }
    }
}

TEST_CASE("phase walk: with two words for m it finds what it finds with one") {
  engine::phase::PhaseSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 16), {});
  engine::phase::PhaseOptions long_m;
  long_m.long_m = true;
  for (const auto& [function, precision, exponent] : {std::tuple("sin", 20, 10), std::tuple("tan", 20, 1000)}) {
    const job::Job job = job_of(function, precision, precision - 9);
    const auto with_one = batches_of(job, exponent, {});
    const auto with_two = batches_of(job, exponent, long_m);
    REQUIRE(with_one.size() == with_two.size());
    std::size_t found = 0;
    for (std::size_t i = 0; i < with_one.size(); ++i) {
      INFO(function, ", batch ", i);
      REQUIRE(with_one[i].plan->m_words == 1);
      REQUIRE(with_two[i].plan->m_words == 2);
      for (const bool robust : {false, true}) {
        auto one = device.walk(with_one[i], robust);
        auto two = device.walk(with_two[i], robust);
        std::sort(one.begin(), one.end());
        std::sort(two.begin(), two.end());
        CHECK(one == two);
        found += one.size();
      }
    }
    CHECK(found > 600);
  }
}

TEST_CASE("phase walk: a window of 2^24 arguments that cannot be walked is listed" * doctest::skip(!tries_all)) {
  job::Job job = job_of("exp", 64, 55);
  job.format = {"p", 64, -16382, 16383};
  engine::phase::PhaseOptions options;
  options.width = 2.7;
  engine::phase::PhaseBatch batch = batches_of(job, 10, options, 1).front();
  engine::phase::PhaseSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 16), {});
  // Not the first one: at the phase 0 points lie on few planes, none of which passes.
  constexpr std::uint64_t window = 40;
  batch.windows = window + 1;
  set_tolerance(batch, batch.parameters.thickness, 0x1p-2F, batch.parameters.box);
  const std::vector<std::uint64_t> inside = batch.plan->arguments_in(window, 1);
  CHECK(inside.size() > 10'000'000);
  const std::vector<std::uint64_t> listed = listed_in(batch, window);
  CHECK(listed.size() < 100);
  std::size_t walked = 0;
  for (const std::uint64_t index : device.search(batch).front())
    if (std::binary_search(inside.begin(), inside.end(), index)) {
      CHECK(std::binary_search(listed.begin(), listed.end(), index));
      ++walked;
    }
  CHECK(walked > 2);
  CHECK_FALSE(device.has_listed());
  batch.windows = 1;
  batch.parameters.most_error = 0; // no term of rounding is allowed
  (void)device.search(batch);
  CHECK(device.has_listed());
}

TEST_CASE("phase walk: of windows that cannot be walked planted cases are listed, of a companion, too") {
  number::Random random(1);
  std::array<std::size_t, 2> planted{};
  for (const auto& [function, exponent, is_mirrored] : {std::tuple("exp", 8, false), std::tuple("exp", 8, true),
                                                        std::tuple("sin", 100, false), std::tuple("cos", 8, false)})
    for (const engine::phase::PhaseBatch& batch :
         batches_of(job_of(function, 24, 15), exponent, {}, 20, !is_mirrored, is_mirrored)) {
      const engine::phase::PlantedWindows windows = engine::phase::planted_windows(batch, random);
      std::array<std::set<std::uint64_t>, 2> listed;
      for (std::uint64_t window = 0; window < windows.batch.windows; ++window)
        for (const engine::phase::PhaseArgument& one : engine::phase::near_integers(windows.batch, window))
          listed.at(one.owner).insert(one.index);
      for (const engine::phase::PhaseArgument& one : windows.cases) {
        CHECK(listed.at(one.owner).count(one.index) == 1);
        ++planted.at(one.owner);
      }
    }
  CHECK(planted[0] > 20);
  CHECK(planted[1] > 5);
}

// Windows anywhere in a binade, also those that reach beyond its ends.
TEST_CASE("phase walk: of a window that cannot be walked no case is lost, and few other arguments are listed") {
  constexpr int bits = 6;
  for (const auto& [function, exponent] : {std::pair("exp", 8), std::pair("exp10", 7), std::pair("cosh", 8),
                                           std::pair("sin", 100), std::pair("cos", 8), std::pair("tan", 100)}) {
    INFO(function);
    const job::Job job = job_of(function, 24, bits);
    engine::phase::PhaseOptions options;
    options.width = 10; // windows of many arguments
    const verify::Confirmation confirmation(*job.function, job.grid(), bits);
    std::size_t cases = 0;
    std::size_t others = 0;
    for (const engine::phase::PhaseBatch& batch : batches_of(job, exponent, options))
      for (const std::uint64_t window : {std::uint64_t(0), batch.windows / 2, batch.windows - 1}) {
        const std::vector<std::uint64_t> listed = listed_in(batch, window);
        for (const std::uint64_t index : batch.plan->arguments_in(batch.first_window + window, 1)) {
          const bool is_listed = std::binary_search(listed.begin(), listed.end(), index);
          if (confirmation.judge(batch.plan->field->arguments().argument(index)).found) {
            ++cases;
            CHECK(is_listed);
          } else {
            others += is_listed ? 1 : 0;
          }
        }
      }
    CHECK(cases > 500);
    CHECK(others < 3 * cases / 2); // of 64 times as many arguments
  }
}

TEST_CASE("phase walk: chunks that a device refuses are walked again, and then by the host") {
  engine::phase::PhaseSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 16), {});
  engine::phase::PhaseOptions options;
  const auto batches = batches_of(job_of("cos", 20, 10), 100, options);
  const engine::phase::PhaseBatch& whole = longest(batches);
  const std::vector<std::uint64_t> all = device.search(whole).front();
  CHECK(all.size() > 100);
  engine::phase::PhaseBatch refusing = whole;
  refusing.parameters.most_error = 0; // no term of rounding is allowed
  device.reset_stages();
  const std::vector<std::uint64_t> again = device.search(refusing).front();
  const engine::Stages stages = device.stages();
  CHECK(stages[2].tested == refusing.windows);
  CHECK(stages[3].tested == refusing.windows);
  CHECK(device.has_listed());
  CHECK(std::includes(again.begin(), again.end(), all.begin(), all.end()));
  // Next to a pole there are fewer arguments than windows: those of all windows are listed at once.
  std::size_t poles = 0;
  for (const engine::phase::PhaseBatch& batch : batches_of(job_of("tan", 20, 10), 100, options)) {
    if (!batch.plan->zone->ends_at_pole || batch.windows == 0 || ++poles % 4 != 0)
      continue;
    refusing = batch;
    refusing.parameters.most_error = 0;
    const std::vector<std::uint64_t> cases = device.search(batch).front();
    const std::vector<std::uint64_t> listed = device.search(refusing).front();
    CHECK(std::includes(listed.begin(), listed.end(), cases.begin(), cases.end()));
    CHECK(device.has_listed());
  }
  CHECK(poles > 8);
  // Lists that are too short lose nothing.
  engine::phase::PhaseSearch short_of_room(std::make_shared<engine::Launcher>(test_device(), 8), {});
  CHECK(short_of_room.search(whole).front() == all);
}

TEST_CASE("phase walk: every term counts") {
  engine::phase::PhaseOptions options;
  options.segment_bits = 2; // the greatest number that leaves segments inside of groups
  for (const char* function : {"sin", "tan"}) {
    Binade binade(function, 20, 1000, 8, options);
    INFO(function);
    CHECK(binade.cases() > 1500);
    CHECK_FALSE(binade.notices([](engine::phase::PhaseBatch&) {}));
    const auto scaled = [&](float engine::phase::layout::phase_parameters::*which, float factor) {
      return [which, factor](engine::phase::PhaseBatch& batch) { batch.parameters.*which *= factor; };
    };
    CHECK(binade.loses(scaled(&engine::phase::layout::phase_parameters::tolerance, 0.5F)));
    CHECK(binade.loses(scaled(&engine::phase::layout::phase_parameters::thickness, 0.5F)));
    CHECK(binade.notices(scaled(&engine::phase::layout::phase_parameters::x_scale, 1.004F)));
    CHECK(binade.notices(scaled(&engine::phase::layout::phase_parameters::y_scale, 1.004F)));
    CHECK(binade.notices(scaled(&engine::phase::layout::phase_parameters::z_scale, 1.25F)));
    CHECK(binade.notices(scaled(&engine::phase::layout::phase_parameters::determinant, 2)));
    CHECK(binade.notices([](engine::phase::PhaseBatch& batch) {
      batch.parameters.inverse_square -= batch.parameters.inverse_square / 16;
    }));
    CHECK(binade.notices([](engine::phase::PhaseBatch& batch) {
      batch.parameters.inverse_width -= batch.parameters.inverse_width / 64;
    }));
    CHECK(binade.notices([](engine::phase::PhaseBatch& batch) {
      batch.parameters.origin[0][0] += std::uint64_t(1) << 54; // the phases of 2^9 arguments lie as far apart
    }));
    for (const int bit : {10, 20, 30, 40}) {
      INFO("bit ", bit);
      CHECK(binade.notices(
          [&](engine::phase::PhaseBatch& batch) { batch.parameters.omega[0] ^= std::uint64_t(1) << (64 - bit); }));
    }
    CHECK(binade.notices(
        [&](engine::phase::PhaseBatch& batch) { batch.parameters.width[0] ^= std::uint64_t(1) << (64 - 30); }));
    // The last window of every batch is left out.
    CHECK(binade.loses([&](engine::phase::PhaseBatch& batch) { batch.windows -= batch.windows > 1 ? 1 : 0; }));
    for (unsigned k = 0; k <= 2; ++k) {
      INFO("coefficient ", k);
      // Shifts F by 1/4 spacing, and F' by 1/4 times the width.
      CHECK(binade.notices([&](engine::phase::PhaseBatch& batch) {
        change_coefficients(batch, 0, k, [](std::uint64_t* at) { add_bit(at, 3, 126); });
      }));
      CHECK(binade.notices([&](engine::phase::PhaseBatch& batch) {
        const int shift = std::max(0, batch.parameters.y_exponent - engine::phase::layout::slope_shift);
        const int bit = 126 - shift + batch.parameters.y_exponent;
        change_coefficients(batch, 1, k, [&](std::uint64_t* at) { add_bit(at, 3, bit); });
      }));
      CHECK(binade.notices([&](engine::phase::PhaseBatch& batch) {
        const int bit = engine::phase::layout::coefficient_bits + batch.parameters.z_exponent - 2;
        change_coefficients(batch, 2, k, [&](std::uint64_t* at) { add_bit(at, 1, bit); });
      }));
    }
  }
}

TEST_CASE("phase walk: the companion's targets count, each of them") {
  Binade binade("sin", 20, 1000, 8, {}, true);
  const std::size_t of_companion = binade.cases_of_companion();
  const std::size_t own = binade.cases() - of_companion;
  CHECK(own > 1500);
  CHECK(of_companion > 1500);
  CHECK(binade.left([](engine::phase::PhaseBatch&) {}) == std::pair(own, of_companion));
  for (const std::size_t target : {2U, 3U})
    for (const int bit : {1, 2, 10, 18}) { // units of the phase, in which arguments are 2^−19 apart
      INFO("target ", target, ", bit ", bit);
      const auto [left, left_of_companion] = binade.left([&](engine::phase::PhaseBatch& batch) {
        batch.parameters.origin[target][0] ^= std::uint64_t(1) << (64 - bit);
      });
      CHECK(left == own);
      CHECK(left_of_companion < 3 * of_companion / 4);
      CHECK(left_of_companion > of_companion / 4);
    }
  const auto [left, left_of_companion] =
      binade.left([](engine::phase::PhaseBatch& batch) { batch.parameters.targets = 3; });
  CHECK(left == own);
  CHECK(left_of_companion < 3 * of_companion / 4);
}

TEST_CASE("phase walk: terms of degree three and four count") {
  Binade binade("tan", 20, 1000, 10, {});
  CHECK(binade.cases() > 300);
  CHECK_FALSE(binade.notices([](engine::phase::PhaseBatch&) {}));
  for (const unsigned row : {2U, 3U, 4U}) {
    INFO("row ", row);
    CHECK(binade.notices([&](engine::phase::PhaseBatch& batch) {
      for (unsigned k = 0; k <= batch.parameters.degree; ++k)
        change_coefficients(batch, row, k, [](std::uint64_t* at) { *at = 0; });
    }));
  }
}

TEST_CASE("phase walk: a device with kernels that are wrong is not trusted") {
  engine::phase::PhaseOptions options;
  options.batch_windows = 1 << 12;
  const auto batches = batches_of(job_of("sin", 40, 31), 1000, options, 300);
  const auto search = [&] {
    engine::EngineSettings settings;
    const auto engine =
        engine::phase::phase_engine.open(std::make_shared<engine::Launcher>(test_device(), 1 << 16), settings);
    (void)engine->search(longest(batches), {});
  };
  CHECK_NOTHROW(search());
  for (const auto& [file, text, replacement] :
       {std::tuple("phase/walk.cl", "list->sum +=", "if ((told & 7) == 0)\n    return;\n  list->sum +="),
        std::tuple("phase/walk.cl", "append_while_few(", "if ((told & 7) != 0)\n    append_while_few("),
        std::tuple("phase/walk.clh", "next = at.n1 + 1;", "next = at.n1 + 2;"),
        std::tuple("phase/walk.clh", "near_integer(-2 * c0 * inverse)", "near_integer(2 * c0 * inverse)"),
        std::tuple("phase/walk.clh", "n0 += 1)", "n0 += 2)"),
        std::tuple("phase/lattice.clh", "r.z = (float)p.z * s.z", "r.z = 1.009f * (float)p.z * s.z"),
        std::tuple("phase/fixed_point.clh", "x.word[0] + y.word[0] + carry_out", "x.word[0] + y.word[0]")}) {
    CAPTURE(std::string(text));
    const PlantedError planted(file, text, replacement);
    CHECK_THROWS_AS(search(), DeviceError);
  }
  // With a companion there are other kernels, which the self-test without one does not cover.
  const auto with_companion = batches_of(job_of("sin", 40, 31), 1000, options, 300, true);
  const PlantedError planted("phase/walk.cl", "TMD_FOUND_ENTRY(told, target)", "TMD_FOUND_ENTRY(told, target & 1)");
  const auto engine = engine::phase::phase_engine.open(std::make_shared<engine::Launcher>(test_device(), 1 << 16),
                                                       engine::EngineSettings());
  CHECK_NOTHROW((void)engine->search(longest(batches), {}));
  CHECK_THROWS_AS((void)engine->search(longest(with_companion), {}), DeviceError);
}

TEST_CASE("phase walk: cases that are planted are found, and noticed where they are not") {
  std::uint64_t planted = 0;
  number::Random random(1);
  const auto launcher = std::make_shared<engine::Launcher>(test_device(), 1 << 16);
  engine::phase::PhaseSearch device(launcher, {});
  for (const auto& [function, precision, exponent, with_companion] :
       {std::tuple("sin", 24, 40, false), std::tuple("tan", 22, 1000, false), std::tuple("sin", 53, 1000, true),
        std::tuple("exp", 22, 8, false), std::tuple("exp10", 53, 7, false), std::tuple("sin", 64, 300, false),
        std::tuple("tan", 53, 5, false)}) {
    engine::phase::PhaseOptions options;
    options.batch_windows = 1 << 12;
    const auto batches =
        batches_of(job_of(function, precision, precision - 9), exponent, options, 2000, with_companion);
    for (std::size_t i = 0; i < batches.size(); i += batches.size() / 8 + 1) {
      const engine::phase::PlantedWindows windows = engine::phase::planted_windows(batches[i], random);
      planted += windows.cases.size();
      for (const bool robust : {false, true}) {
        INFO(function, ", p = ", precision, ", batch ", i, robust ? ", robust" : "");
        const auto found = engine::phase::arguments_of(*windows.batch.plan, device.walk(windows.batch, robust));
        for (const engine::phase::PhaseArgument& one : windows.cases)
          CHECK(std::binary_search(found.begin(), found.end(), one));
      }
    }
  }
  CHECK(planted > 150);
  // The kernels lose points, and no self-test comes first.
  engine::phase::PhaseOptions options;
  options.batch_windows = 1 << 12;
  const auto batches = batches_of(job_of("sin", 40, 31), 1000, options, 300);
  const auto missed = [&] {
    engine::phase::PhaseSearch search(std::make_shared<engine::Launcher>(test_device(), 1 << 16), {});
    std::size_t count = 0;
    for (std::size_t i = 0; i < batches.size(); i += batches.size() / 32 + 1) {
      try {
        (void)engine::phase::PlantingWalk(search).result(batches[i], {});
      } catch (const FaultError& error) {
        CAPTURE(std::string(error.what()));
        CHECK(std::string(error.what()).find("it has missed a case that was planted at 0x") != std::string::npos);
        ++count;
      }
    }
    return count;
  };
  CHECK(missed() == 0);
  for (const auto& [file, text, replacement] :
       {std::tuple("phase/walk.clh", "next = at.n1 + 1;", "next = at.n1 + 2;"),
        std::tuple("phase/walk.clh", "near_integer(-2 * c0 * inverse)", "near_integer(2 * c0 * inverse)"),
        std::tuple("phase/lattice.clh", "r.z = (float)p.z * s.z", "r.z = 1.009f * (float)p.z * s.z")}) {
    CAPTURE(std::string(text));
    const PlantedError error(file, text, replacement);
    CHECK(missed() > 0);
  }
  const engine::BatchResult right = engine::phase::PlantingWalk(device).result(longest(batches), {});
  CHECK(engine::stage(right.stages, engine::phase::planted_stage.name).tested > 0);
  CHECK(engine::stage(right.stages, engine::phase::phase_stages[1].name).tested ==
        longest(batches).windows); // planted ones do not count
}

TEST_CASE("phase walk: the first argument of a binade of 64 bits, which is the last where its opposite is walked") {
  constexpr int bits = 11;
  engine::phase::PhaseSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 16), {});
  const job::Job job = job_of("sin", 64, bits);
  const verify::Confirmation confirmation(*job.function, job.grid(), bits);
  // all of them are cases, with phases beyond 1/2
  for (const int exponent : {8806, 8982, 9491, 10203, 13006, 14044, 14311}) {
    const uint128 count = uint128(1) << 63;
    for (const uint128 searched : {count, count / 2}) {
      INFO("2^", exponent, ", ", to_string(searched), " arguments");
      const auto field =
          std::make_shared<const engine::phase::PhaseField>(job, job::Stretch{false, exponent - 63, count, searched});
      REQUIRE(confirmation.judge(field->arguments().argument(0)).found);
      number::Integer phase; // the folded phase
      fmpz_one(phase);
      fmpz_mul_2exp(phase, phase, engine::phase::phase_bits);
      fmpz_sub(phase, phase, field->first_phase());
      REQUIRE(fmpz_cmp(phase, field->end()) < 0);
      uint128 place = 0;
      for (const engine::phase::PhaseZone& zone : field->zones())
        if (fmpz_cmp(zone.start, phase) <= 0) {
          number::Integer steps;
          fmpz_sub(steps, phase, zone.start);
          fmpz_fdiv_q_2exp(steps, steps, static_cast<unsigned long>(engine::phase::phase_bits - zone.step_bits));
          place = zone.first + fmpz_get_ui(steps);
        }
      engine::phase::PhaseOptions options;
      options.width = 2;
      options.batch_windows = 1;
      const auto plan = engine::phase::PhasePlanner(field, options).plan(place, field->extent() - place);
      REQUIRE(plan);
      const auto any = plan->batch(0);
      engine::phase::PhaseBatch batch = dynamic_cast<const engine::phase::PhaseBatch&>(*any);
      batch.windows = 1; // of 2^22 arguments
      batch.tables.resize(engine::phase::layout::table_words(batch.parameters.degree));
      batch.starts.resize(engine::phase::layout::start_words);
      const std::vector<std::uint64_t> found = device.search(batch).front();
      CHECK(std::binary_search(found.begin(), found.end(), std::uint64_t(0)));
    }
  }
}

namespace {

// 2^64 times the fraction of `words`·n, as two words; words: 192 bits, the most significant first.
std::array<std::uint64_t, 2> fraction_of_product(const std::uint64_t* words, std::uint64_t n) {
  uint128 sum = uint128(words[2]) * n >> 64;
  sum += uint128(words[1]) * n;
  const auto low = static_cast<std::uint64_t>(sum);
  return {words[0] * n + static_cast<std::uint64_t>(sum >> 64), low};
}

// The value of a variable of the environment, or the usual one.
std::uint64_t asked(const char* name, std::uint64_t usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

// Every argument of a batch's windows, by a Taylor series about their middle: its linear term, which may be 2^50,
// modulo 1 in integers, the others in long double.
class Audit {
public:
  explicit Audit(const engine::phase::PhaseBatch& batch) : plan_(*batch.plan) {
    const engine::phase::PhaseField& field = *plan_.field;
    number::Integer step; // extent of the coordinate
    fmpz_one(step);
    fmpz_mul_2exp(step, step, static_cast<unsigned long>(engine::phase::phase_bits - plan_.zone->step_bits));
    fmpz_mul_ui(width_, step, plan_.width);
    fmpz_mul_ui(from_, width_, batch.first_window);
    fmpz_add(from_, from_, plan_.start);
    fmpz_mul_ui(width_, width_, batch.windows);
    fmpz_fdiv_q_2exp(middle_, width_, 1);
    fmpz_add(middle_, middle_, from_);
    number::Arb at;
    engine::phase::set_phase(at, middle_);
    number::ArbVector f(degree + 1);
    field.series(f.data(), at, plan_.exponent, degree + 1, 512);
    number::Integer whole;
    for (int k = 0; k < 2; ++k) {
      arf_get_fmpz(whole, arb_midref(static_cast<arb_ptr>(f[k])), ARF_RND_FLOOR);
      arb_sub_fmpz(f[k], f[k], whole, 512);
    }
    fmpz_fdiv_r_2exp(whole, whole, 128);
    std::uint64_t words[3];
    to_words(whole, words);
    slope_ = uint128(words[1]) << 64 | words[2];
    for (int k = 0; k <= degree; ++k) {
      const double high = arf_get_d(arb_midref(static_cast<arb_ptr>(f[k])), ARF_RND_NEAR);
      number::Arb rest;
      arb_set_d(rest, high);
      arb_sub(rest, f[k], rest, 512);
      f_[static_cast<std::size_t>(k)] =
          high + static_cast<long double>(arf_get_d(arb_midref(static_cast<arb_ptr>(rest)), ARF_RND_NEAR));
    }
  }

  // The indices of arguments closer to a breakpoint than `within`, by the function's values or its companion's.
  std::vector<std::uint64_t> cases(double within, bool of_companion) {
    std::vector<std::uint64_t> result;
    const engine::phase::PhaseField& field = *plan_.field;
    number::Integer modulus;
    fmpz_one(modulus);
    fmpz_mul_2exp(modulus, modulus, engine::phase::phase_bits);
    const int first_sign = of_companion && field.is_mirrored() ? -1 : 1;
    for (int sign = first_sign; sign >= (field.is_folded() ? -1 : first_sign); sign -= 2) {
      // the phase sign·(first + n·omega) − from
      number::Integer factor;
      number::Integer offset;
      fmpz_mul_si(factor, field.omega(), sign);
      fmpz_mod(factor, factor, modulus);
      fmpz_mul_si(offset, of_companion && field.is_folded() ? field.first_phase_of_companion() : field.first_phase(),
                  sign);
      fmpz_sub(offset, offset, from_);
      fmpz_mod(offset, offset, modulus);
      std::uint64_t words[3];
      std::uint64_t begin[3];
      to_words(factor, words);
      fmpz_add(offset, offset, from_);
      fmpz_sub(offset, offset, middle_);
      fmpz_mod(offset, offset, modulus);
      to_words(offset, begin);
      fmpz_add(offset, offset, middle_);
      fmpz_sub(offset, offset, from_);
      fmpz_mod(offset, offset, modulus);
      for (const std::uint64_t n : engine::phase::multiples_within(
               factor, offset, width_, modulus, static_cast<std::uint64_t>(field.arguments().count))) {
        const auto product = fraction_of_product(words, n);
        const uint128 sum = (uint128(product[0]) << 64 | product[1]) + (uint128(begin[0]) << 64 | begin[1]);
        const auto fraction = [](uint128 x) {
          return std::ldexp(static_cast<long double>(static_cast<int128>(x)), -128);
        };
        const long double y = fraction(sum);
        long double value = f_[degree];
        for (int k = degree; k-- > 0;)
          value = value * y + f_[static_cast<std::size_t>(k)];
        value += fraction(slope_ * sum);
        if (std::fabs(value - std::rint(value)) < within)
          result.push_back(n);
        ++arguments_;
      }
    }
    return result;
  }

  [[nodiscard]] std::uint64_t arguments() const { return arguments_; }

private:
  static constexpr int degree = 6;

  static void to_words(const number::Integer& x, std::uint64_t* words) {
    number::Integer rest;
    for (int i = 0; i < 3; ++i) {
      fmpz_fdiv_q_2exp(rest, x, static_cast<unsigned long>(64 * (2 - i)));
      fmpz_fdiv_r_2exp(rest, rest, 64);
      words[i] = fmpz_get_ui(rest);
    }
  }

  const engine::phase::PhasePlan& plan_;
  number::Integer from_; // the phase at which the windows begin
  number::Integer width_;
  number::Integer middle_;
  uint128 slope_ = 0;                       // the integer part of F'
  std::array<long double, degree + 1> f_{}; // and the rest
  std::uint64_t arguments_ = 0;
};

} // namespace

// TMD_AUDIT_WINDOWS, some 2^19 arguments each, and TMD_AUDIT_PLACES of each of 29 binades make more of it.
TEST_CASE("phase walk: binary64 and binary80, every argument of windows here and there is looked at") {
  constexpr int bits = 15;
  const std::uint64_t windows = asked("TMD_AUDIT_WINDOWS", 1);
  const std::uint64_t places = asked("TMD_AUDIT_PLACES", 1);
  const auto launcher = std::make_shared<engine::Launcher>(test_device(), 1 << 16);
  engine::phase::PhaseSearch device(launcher, engine::engine_tuning().default_tunables(launcher->device()));
  std::mt19937_64 random(asked("TMD_AUDIT_SEED", 1));
  std::uint64_t arguments = 0;
  std::uint64_t cases = 0;
  std::uint64_t missed = 0;
  const std::vector<int> large{0, 3, 11, 60, 400, 1000, 1022};
  const std::vector<int> small{0, 3, 7, 8};
  for (const auto& [function, precision, exponents] :
       {std::tuple("sin", 53, large), std::tuple("cos", 53, large), std::tuple("tan", 53, large),
        std::tuple("exp", 53, small), std::tuple("exp10", 53, small), std::tuple("sin", 64, std::vector{60, 16383}),
        std::tuple("tan", 64, std::vector{7}), std::tuple("exp", 64, std::vector{8})})
    for (const int exponent : exponents) {
      engine::phase::PhaseOptions options;
      options.width = 2;
      options.chunk_bits = 6;
      options.batch_windows = 1; // at most one group
      const job::Job job = job_of(function, precision, bits);
      const uint128 count = uint128(1) << (precision - 1);
      const bool with_companion = function == std::string("sin");
      const bool is_mirrored = function == std::string("exp");
      const job::Stretch stretch{false, exponent - precision + 1, count, count};
      const auto field = std::make_shared<const engine::phase::PhaseField>(
          job, stretch, companions_of(job, with_companion),
          is_mirrored ? std::vector{stretch.mirrored()} : std::vector<job::Stretch>());
      engine::phase::PhasePlanner planner(field, options);
      for (std::uint64_t place = 0; place < places; ++place) {
        // Draws a plan, the ends of the coordinate more often than by chance, and a place in it: its begin, its end or
        // one between.
        const std::size_t direct = field->is_folded() ? 1 : 0; // the first plan
        const engine::phase::PhaseZone& zone = field->zones().at(direct + random() % (field->zones().size() - direct));
        const unsigned depth = random() % 40;
        const uint128 at = zone.first + (zone.extent >> depth) - 1;
        const auto plan = planner.plan(at, field->extent() - at);
        REQUIRE(plan);
        if (plan->windows == 0)
          continue;
        const std::uint64_t from = std::min(
            std::array{std::uint64_t(0), plan->count - 1, random() % plan->count}.at(place % 3), plan->count - 1);
        const auto any = plan->batch(from);
        engine::phase::PhaseBatch batch = dynamic_cast<const engine::phase::PhaseBatch&>(*any);
        batch.windows = std::min(batch.windows, windows);
        batch.tables.resize(engine::phase::layout::table_words(batch.parameters.degree));
        batch.starts.resize(engine::phase::layout::start_words);
        Audit audit(batch);
        const engine::phase::PhaseSearch::Indices indices = device.search(batch);
        for (const bool of_companion : {false, true}) {
          if (of_companion && !with_companion && !is_mirrored)
            continue;
          const auto known = audit.cases(std::ldexp(1 - 0x1p-12, -bits), of_companion);
          const auto& found = of_companion ? indices.at(1) : indices.at(0);
          missed += static_cast<std::uint64_t>(std::count_if(known.begin(), known.end(), [&](std::uint64_t n) {
            return !std::binary_search(found.begin(), found.end(), n);
          }));
          cases += known.size();
          INFO(job.function->name, of_companion ? "'s companion" : "", ", 2^", exponent, ", place ", place, ": ",
               known.size(), " of ", audit.arguments(), ", ", found.size(), " found");
          CHECK(missed == 0);
          CHECK(found.size() < 8 * known.size() + 1000);
        }
        arguments += audit.arguments();
      }
    }
  MESSAGE(arguments, " arguments, ", cases, " cases with K = ", bits, ", ", missed, " missed");
  CHECK(arguments > 1000000);
  CHECK(cases > 50);
}

} // namespace tmd::test
