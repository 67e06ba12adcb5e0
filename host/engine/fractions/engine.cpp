#include "engine/fractions/engine.hpp"

#include "engine/registry.hpp"
#include "engine/wide/tunables.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace tmd::engine::fractions {

namespace {

constexpr int most_bits = 20; // log2 of the most fractions, each a function to be planned
constexpr int parts_bits = 8; // log2 of the parts that threads plan

// Claims binades that have more units than fractions: each one of either is a function to be planned.
std::optional<Field> claim(const job::Job& job, const Choices& /*choices*/, const job::Stretch& stretch) {
  if (!job.function->at_fraction || !stretch.negative || stretch.unit_exponent >= 0)
    return std::nullopt;
  const int bits = -stretch.unit_exponent;
  const int exponent = bit_length(stretch.first) - 1 - bits;
  if (bits > std::min(most_bits, exponent))
    return std::nullopt;
  const job::Stretch units = FractionField::whole_units(stretch);
  if (units.count == 0)
    return std::nullopt;
  const FractionField field(units);
  return Field{units, Claim{.engine = fractions_method,
                            .extent = units.count,
                            .arguments_at = [](uint128 /*first*/, uint128 count) { return count; },
                            .coordinate = "fractions, then units",
                            .place_of = [field](std::uint64_t index) { return field.place_of(index); },
                            .longest_part = field.units() << std::max(bits - parts_bits, 0)}};
}

// An engine with those of all kinds that claim nothing themselves.
template <typename Open> std::unique_ptr<Engine> open_with(const EngineSettings& settings, const Open& open) {
  EngineSettings any = settings;
  any.choices.algorithm = "auto";
  Engines engines;
  for (const EngineKind* kind : tmd::engine::engines())
    if (kind->claim == nullptr)
      if (auto engine = open(*kind, any))
        engines.push_back(std::move(engine));
  return std::make_unique<FractionEngine>(std::move(engines), settings.costs);
}

std::unique_ptr<Engine> open_fractions(const std::shared_ptr<Launcher>& launcher, const EngineSettings& settings) {
  return open_with(settings,
                   [&](const EngineKind& kind, const EngineSettings& any) { return kind.open(launcher, any); });
}

std::unique_ptr<Engine> open_to_plan(const EngineSettings& settings) {
  return open_with(settings, [](const EngineKind& kind, const EngineSettings& any) {
    return kind.open_to_plan != nullptr ? kind.open_to_plan(any) : nullptr;
  });
}

// Tunables for an audit: groups of another size, with other fractions.
device::Setting varied(const device::Tunables& used, number::Random& random) {
  constexpr std::int64_t least_percent = 80;
  constexpr std::uint64_t percents = 60;
  const std::int64_t offset = used[wide::wide_tunable("wide.group-bits-offset")];
  return {
      {"wide.group-bits-offset", std::to_string(offset > 0 ? offset - 1 : offset + 1)},
      {"wide.denominator-percent", std::to_string(least_percent + static_cast<std::int64_t>(random.below(percents)))}};
}

} // namespace

std::unique_ptr<Planner> FractionEngine::planner(const job::Job& job, const Field& field) {
  if (!field.is_claimed_by(engine_name))
    return nullptr;
  return std::make_unique<FractionPlanner>(job, field.arguments, engines_, costs_);
}

void FractionEngine::expect(const Batch& batch) {
  for (const FractionStep& step : dynamic_cast<const FractionBatch&>(batch).steps)
    if (step.inner)
      engines_.at(step.engine)->expect(*step.inner);
}

BatchResult FractionEngine::search(const Batch& batch, const Interrupt& interrupt) {
  BatchResult result;
  result.max_distance = 0;
  const auto take = [&result](std::vector<std::uint64_t> candidates, const Indices& indices) {
    indices.apply(candidates);
    result.candidates.insert(result.candidates.end(), candidates.begin(), candidates.end());
  };
  for (const FractionStep& step : dynamic_cast<const FractionBatch&>(batch).steps) {
    if (step.inner) {
      BatchResult found = engines_.at(step.engine)->search(*step.inner, interrupt);
      take(std::move(found.candidates), step.indices.front());
      for (std::size_t i = 0; i < found.of_joined.size(); ++i)
        take(std::move(found.of_joined[i]), step.indices.at(i + 1));
      add(result.stages, found.stages);
      result.max_distance = std::max(result.max_distance, found.max_distance);
    } else if (step.listed > 0) {
      std::vector<std::uint64_t> listed(step.listed);
      std::iota(listed.begin(), listed.end(), step.first_listed);
      take(std::move(listed), step.indices.front());
      result.max_distance = std::numeric_limits<double>::infinity();
    }
  }
  return result;
}

const EngineKind fractions_engine{.name = FractionEngine::engine_name,
                                  .algorithms = fractions_methods,
                                  .stages = {},
                                  .claim = claim,
                                  .open = open_fractions,
                                  .open_to_plan = open_to_plan,
                                  .is_general = false,
                                  .trial = {"lgamma", "-0x1.1p18", "-0x1p18", "p20", 8},
                                  .varied = varied};

} // namespace tmd::engine::fractions
