// The planner's costs: fitted to measurements, kept or dropped, written into profiles and read back.
#include "device/profile.hpp"
#include "host/engine/domains/tunables.hpp"
#include "host/engine/registry.hpp"
#include "host/engine/wide/tunables.hpp"
#include "tmd/error.hpp"
#include "tune/measure_costs.hpp"
#include "tune/report.hpp"
#include "tune/tune_costs.hpp"
#include "unit/tune/made_up_device.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

using namespace tmd;
using namespace tmd::tune;

namespace {

// Groups of several sizes, as a kernel with these times would do them. Lines go by M^1.5, candidates by M^3; where
// lines are few, the filter looks at half of them.
std::vector<GroupSample> samples_of(const GroupSeconds& exact, double noise = 0) {
  std::vector<GroupSample> samples;
  std::uint32_t state = 1;
  for (int size = -2; size <= 3; ++size)
    for (const double factor : {0.75, 1.0, 1.5}) {
      const double lines = 20 * factor * std::exp2(1.5 * size);
      const double filtered = lines < 10 ? lines / 2 : lines;
      GroupSample sample{lines - filtered, filtered, 0.05 / factor * std::exp2(3 * size), 0};
      state = state * 1664525 + 1013904223;
      const double luck = 1 + noise * (static_cast<double>(state >> 8) / 0x1p23 - 1);
      sample.seconds = luck * (exact.group + exact.line * sample.lines + exact.filtered_line * sample.filtered_lines +
                               exact.candidate * sample.candidates);
      samples.push_back(sample);
    }
  return samples;
}

// Answers with costs, and with searches whose times by both algorithms have these ratios.
struct CostsWorker {
  Costs costs;
  double wide = 1;
  double automatic = 1;
  int asked = 0;

  Answer operator()(const Message& request) {
    ++asked;
    if (request.contains("costs"))
      return {Answer::Kind::message, {{"costs", to_json(costs)}}, {}};
    Message first = Message::array();
    Message second = Message::array();
    for (int i = 0; i < request["cost-pairs"].get<int>(); ++i) {
      const double disturbed = 1 + 0.001 * (i % 3);
      first.push_back({1.0, 2.0});
      second.push_back({disturbed * wide, 2 * disturbed * automatic});
    }
    return {Answer::Kind::message, {{"first", first}, {"second", second}, {"message", ""}}, {}};
  }
};

Costs some_costs() {
  Costs costs;
  costs.set(domain_cost("polynomial"), 0.123);
  costs.set(shared_cost("interval"), 2.5e7);
  costs.set(wide_cost("wide.line"), 0.0875);
  return costs;
}

TuningDescription description() {
  return {"0.1.0", {"0123456789abcdef", true}, some_gpu(), opencl::CpuMode::automatic,
          "a job", "built-in default",         Tunables(), {}};
}

TuningResult result_with(const CostTuning& costs) {
  TuningResult result;
  result.costs = costs;
  return result;
}

} // namespace

TEST_CASE("a fit recovers what groups are made of") {
  const GroupSeconds exact{3e-8, 5e-9, 2e-9, 5e-8};
  const GroupSeconds fitted = fit_groups(samples_of(exact));
  CHECK(fitted.group == doctest::Approx(exact.group));
  CHECK(fitted.line == doctest::Approx(exact.line));
  CHECK(fitted.filtered_line == doctest::Approx(exact.filtered_line));
  CHECK(fitted.candidate == doctest::Approx(exact.candidate));
  const GroupSeconds noisy = fit_groups(samples_of(exact, 0.03));
  CHECK(noisy.group == doctest::Approx(exact.group).epsilon(0.2));
  CHECK(noisy.filtered_line == doctest::Approx(exact.filtered_line).epsilon(0.1));
}

TEST_CASE("a fit never goes negative") {
  for (const GroupSeconds& exact : {GroupSeconds{-2e-8, 8e-9, 4e-9, 5e-8}, GroupSeconds{3e-8, 4e-9, 2e-9, -4e-9},
                                    GroupSeconds{-1e-9, 8e-9, 4e-9, -1e-9}, GroupSeconds{3e-8, 0, 0, 0}}) {
    const GroupSeconds fitted = fit_groups(samples_of(exact, 0.01));
    CHECK(fitted.group >= 0);
    CHECK(fitted.line >= 0);
    CHECK(fitted.filtered_line >= 0);
    CHECK(fitted.candidate >= 0);
    CHECK(fitted.group + fitted.line + fitted.filtered_line + fitted.candidate > 0);
  }
  // Without candidates nothing can be said of them; without samples of nothing.
  std::vector<GroupSample> samples = samples_of({3e-8, 5e-9, 2e-9, 0});
  for (GroupSample& sample : samples)
    sample.candidates = 0;
  CHECK(fit_groups(samples).filtered_line == doctest::Approx(2e-9));
  CHECK(fit_groups(samples).candidate == 0);
  CHECK(fit_groups({}).group == 0);
}

TEST_CASE("costs as JSON: what is none of ours is told") {
  Costs read;
  CHECK(from_json(to_json(some_costs()), read));
  CHECK(read == some_costs());
  Message json = to_json(some_costs());
  json["wide.line"] = -1;
  CHECK_FALSE(from_json(json, read));
  json["wide.line"] = "fast";
  CHECK_FALSE(from_json(json, read));
  json.erase("wide.line");
  CHECK_FALSE(from_json(json, read));
  CHECK_FALSE(from_json("costs", read));
}

TEST_CASE("costs are kept unless searches are slower with them") {
  CostsWorker worker{some_costs()};
  const auto tuned = [&] { return tune_costs(Tunables(), Tunables(), Costs(), std::ref(worker)); };
  const CostTuning even = tuned();
  CHECK(even.kept());
  CHECK(even.measured == some_costs());
  CHECK(even.pairs > 2);
  CHECK(even.wide.ratio == doctest::Approx(1.001));
  worker.wide = 0.8;
  CHECK(tuned().wide.ratio == doctest::Approx(0.8008));
  CHECK(tuned().kept());
  worker.automatic = 1.1;
  const CostTuning slower = tuned();
  CHECK_FALSE(slower.kept());
  CHECK(slower.measured);
  CHECK(slower.note.find("searches by auto take 1.101") == 0);
}

TEST_CASE("a worker that fails leaves the costs out, with a sentence") {
  const auto tuned = [](const Ask& ask) { return tune_costs(Tunables(), Tunables(), Costs(), ask); };
  for (const Answer& answer : {Answer{Answer::Kind::timeout, {}, "measuring costs: the tests took too long"},
                               Answer{Answer::Kind::died, {}, "it was killed by SIGSEGV"},
                               Answer{Answer::Kind::message, {{"error", "the device failed"}, {"status", 3}}, {}},
                               Answer{Answer::Kind::message, {{"costs", {{"polynomial", 1}}}}, {}},
                               Answer{Answer::Kind::message, {1, 2}, {}}}) {
    const CostTuning costs = tuned([&](const Message&) { return answer; });
    CHECK_FALSE(costs.kept());
    CHECK_FALSE(costs.measured);
    CHECK_FALSE(costs.note.empty());
    CHECK(profile_of(description(), result_with(costs), "", "2026-11-21").costs.empty());
  }
  // The same while they are compared.
  CostsWorker worker{some_costs()};
  const CostTuning costs = tuned([&](const Message& request) {
    return request.contains("costs") ? worker(request) : Answer{Answer::Kind::died, {}, "it was killed by SIGSEGV"};
  });
  CHECK(costs.measured);
  CHECK(costs.note == "it was killed by SIGSEGV");
  CHECK_FALSE(costs.kept());
}

TEST_CASE("costs are reported, written into a profile and read back") {
  CostsWorker worker{some_costs()};
  TuningResult result = result_with(tune_costs(Tunables(), Tunables(), Costs(), std::ref(worker)));
  const std::string text = to_toml(profile_of(description(), result, "", "2026-11-21"), engine_tuning());
  CHECK(text.find("\n[costs]") != std::string::npos);
  CHECK(text.find("\nwide.line = 0.0875\n") != std::string::npos);
  Costs read;
  apply(parse_profile(text, engine_tuning()), read, engine_tuning());
  CHECK(read == some_costs());
  CHECK(gain_table(description(), result).find("\nkept: the measured costs\n") != std::string::npos);
  const auto record = [&] {
    std::istringstream lines(json_lines(description(), result));
    for (std::string line; std::getline(lines, line);)
      if (const Message json = Message::parse(line, nullptr, false); json["type"] == "costs")
        return json;
    return Message();
  };
  CHECK(record()["kept"] == true);
  CHECK(record()["measured"]["interval"] == 2.5e7);

  worker.wide = 1.5;
  result = result_with(tune_costs(Tunables(), Tunables(), Costs(), std::ref(worker)));
  CHECK(to_toml(profile_of(description(), result, "", "2026-11-21"), engine_tuning()).find("[costs]") ==
        std::string::npos);
  CHECK(gain_table(description(), result).find("\ndropped: the measured costs: searches by wide ") !=
        std::string::npos);
  CHECK(record()["kept"] == false);
}

TEST_CASE("a bad cost in a profile is one sentence") {
  const std::string head = "format = 1\ntuned = true\n[match]\ndevice = \"*\"\n[tunables]\n[costs]\n";
  const auto refused = [&](const std::string& line) -> std::string {
    try {
      (void)parse_profile(head + line, engine_tuning());
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refused("wide.line = 0.1").empty());
  CHECK(refused("interval = 100000").empty());
  CHECK(refused("wide.line = -0.1") == "cost wide.line must be a positive number, not -0.1");
  CHECK(refused("lefevre = 0") == "cost lefevre must be a positive number, not 0");
  CHECK(refused("lefevre = inf") == "cost lefevre must be a positive number, not inf");
  CHECK(refused("wide.lines = 1") == "unknown cost 'wide.lines'");
  CHECK(refused("argument = \"fast\"").find("argument") != std::string::npos);
}
