// Where cases are planted: an argument anywhere in some windows, and the shift of F that makes it one.
#include "engine/phase/plants.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tmd::engine::phase {

namespace {

constexpr int planted_group_bits = 5;       // log2 of the windows of a planted group: a work-item walks them in no time
constexpr std::uint64_t planted_groups = 8; // each needs a start and a polynomial, which the host makes
constexpr long planting_precision = 384;

// Phases of a batch's windows whose numbers in the plan are in a half-open interval.
struct PhaseRange {
  number::Integer first;
  number::Integer width;
};

PhaseRange windows_of(const PhasePlan& plan, std::uint64_t first, std::uint64_t count) {
  number::Integer width;
  number::set(width, uint128(plan.width) * first);
  fmpz_mul_2exp(width, width, static_cast<ulong>(phase_bits - plan.zone->step_bits));
  PhaseRange range;
  fmpz_add(range.first, plan.start, width);
  number::set(range.width, uint128(plan.width) * count);
  fmpz_mul_2exp(range.width, range.width, static_cast<ulong>(phase_bits - plan.zone->step_bits));
  return range;
}

// A phase anywhere in the range, or next to one of its ends.
number::Integer phase_in(const PhaseRange& range, number::Random& random) {
  constexpr int bits = 60;
  std::uint64_t share = random.next() >> (64 - bits);
  if (const std::uint64_t place = random.below(4); place < 2)
    share = place == 0 ? share >> 10 : (std::uint64_t(1) << bits) - 1 - (share >> 10);
  number::Integer result;
  fmpz_mul_ui(result, range.width, share);
  fmpz_fdiv_q_2exp(result, result, bits);
  fmpz_add(result, result, range.first);
  return result;
}

// Chooses an argument with a phase in the range; false if none was found.
bool choose_argument(const PhasePlan& plan, const PhaseRange& range, number::Random& random, PhaseArgument& chosen) {
  const PhaseField& field = *plan.field;
  number::Integer radius; // wide enough for a few arguments
  fmpz_one(radius);
  fmpz_mul_2exp(radius, radius,
                static_cast<ulong>(static_cast<long>(fmpz_bits(field.end())) - bit_length(field.span())));
  chosen.owner = random.below(field.others() + 1);
  const bool of_companion = field.has_other_phases(chosen.owner);
  for (const std::uint64_t index : plan.arguments_near(phase_in(range, random), radius, of_companion)) {
    number::Integer within = field.phase_of(index, of_companion);
    fmpz_sub(within, within, range.first);
    if (fmpz_sgn(within) < 0 || fmpz_cmp(within, range.width) >= 0)
      continue;
    if (const auto owned = plan.owned({index}, chosen.owner); !owned.empty()) {
      chosen.index = owned.front();
      return true;
    }
  }
  return false;
}

// Chooses the shift of F that moves the argument to less than 2^-K beside an integer.
void choose_shift(const PhasePlan& plan, const PhaseArgument& argument, number::Random& random, arb_ptr shift) {
  constexpr int bits = 50;
  number::Arb phase;
  number::ArbVector value(1);
  const PhaseField& field = *plan.field;
  const LogarithmRuns* runs = field.runs();
  set_phase(phase, field.phase_of(argument.index + (runs != nullptr ? runs->run(argument.owner).first : 0),
                                  field.has_other_phases(argument.owner)));
  field.series(value.data(), phase, plan.exponent, 1, planting_precision);
  if (runs != nullptr)
    field.lift(value[0], field.lifted(runs->run(argument.owner).exponent), plan.exponent, planting_precision);
  number::Integer nearest;
  arf_get_fmpz(nearest, arb_midref(value[0]), ARF_RND_NEAR);
  arb_sub_fmpz(shift, value[0], nearest, planting_precision);
  arb_neg(shift, shift);
  number::Arb distance;
  arb_set_si(distance, static_cast<slong>(random.around_zero(std::uint64_t(1) << bits)));
  arb_mul_2exp_si(distance, distance, -bits - plan.field->K());
  arb_add(shift, shift, distance, planting_precision);
  mag_zero(arb_radref(shift));
}

} // namespace

std::vector<PhaseArgument> arguments_of(const PhasePlan& plan, const std::vector<PhasePoint>& points) {
  std::vector<PhaseArgument> arguments;
  for (const PhasePoint& point : points)
    if (const auto argument = plan.argument_of(point))
      arguments.push_back(*argument);
  std::sort(arguments.begin(), arguments.end());
  arguments.erase(std::unique(arguments.begin(), arguments.end()), arguments.end());
  return arguments;
}

PlantedWindows planted_windows(const PhaseBatch& among, number::Random& random) {
  const PhasePlan& plan = *among.plan;
  PhaseShifts shifts;
  shifts.group_bits = std::min(static_cast<int>(among.parameters.group_bits), planted_group_bits);
  const std::uint64_t groups = std::min(planted_groups, ((among.windows - 1) >> shifts.group_bits) + 1);
  shifts.first_window =
      among.first_window + random.below(among.windows - std::min(among.windows - 1, groups << shifts.group_bits));
  shifts.of_groups = number::ArbVector(static_cast<long>(groups));
  PlantedWindows planted;
  for (std::uint64_t group = 0; group < groups; ++group) {
    const std::uint64_t first = shifts.first_window + (group << shifts.group_bits);
    const std::uint64_t end = among.first_window + among.windows;
    if (first >= end)
      break;
    PhaseArgument argument;
    const std::uint64_t count = std::min(end - first, std::uint64_t(1) << shifts.group_bits);
    if (!choose_argument(plan, windows_of(plan, first, count), random, argument))
      continue;
    choose_shift(plan, argument, random, shifts.of_groups[static_cast<long>(group)]);
    planted.cases.push_back(argument);
  }
  planted.batch = plan.shifted_batch(std::move(shifts));
  return planted;
}

BatchResult PlantingWalk::result(const PhaseBatch& batch, const Interrupt& interrupt) {
  Stage planted = planted_stage;
  const AuditShare::Timed all = share_.batch();
  if (batch.windows > 0 && share_.is_due())
    plant_in(batch, planted);
  BatchResult result = search_.result(batch, interrupt);
  result.stages.push_back(planted);
  return result;
}

void PlantingWalk::plant_in(const PhaseBatch& batch, Stage& planted) {
  constexpr std::uint64_t usual_walks = 8; // for each walk in the units of refused chunks
  const AuditShare::Timed time = share_.audit();
  const PlantedWindows windows = planted_windows(batch, random_);
  const auto found = arguments_of(*windows.batch.plan, search_.walk(windows.batch, random_.below(usual_walks) == 0));
  for (const PhaseArgument& one : windows.cases)
    if (!std::binary_search(found.begin(), found.end(), one))
      throw search_.launcher()->fault(fmt::format(
          "it has missed a case that was planted at {}{}", to_hex(batch.plan->field->argument(one.index, one.owner)),
          one.owner > 0 && batch.plan->field->companions() > 0 ? " for the companion" : ""));
  planted.tested = windows.cases.size();
  planted.kept = planted.tested;
}

} // namespace tmd::engine::phase
