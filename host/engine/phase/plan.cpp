// A plan's batches and points: from entries of the kernels' lists to arguments, and from windows to the arguments that
// are near them. How a plan is made is in planner.cpp, what the kernels get of a batch in groups.cpp.
#include "engine/phase/plan.hpp"

#include "engine/phase/groups.hpp"
#include "engine/phase/residues.hpp"

#include <algorithm>
#include <cmath>

namespace tmd::engine::phase {

// Exceeds the sum of omega's rounding errors, in units of 2^−phase_bits.
constexpr int direct_slack_bits = 70;

PlanReport PhasePlan::report() const {
  if (is_listed || is_empty)
    return {phase_method, {}, {}, {}};
  const auto log2_of = [](double x) { return static_cast<int>(std::lround(std::log2(x))); };
  return {phase_method,
          {{"phase_window_bits", "windows of phase", true, log2_of(2 * half_width), log2_of(2 * half_width)},
           {"phase_degree", "degree", false, static_cast<int>(parameters.degree), static_cast<int>(parameters.degree)}},
          ledger.lines(),
          {}};
}

std::vector<std::uint64_t> PhasePlan::arguments_near(const number::Integer& phase, const number::Integer& radius,
                                                     bool of_companion) const {
  number::Integer modulus;
  fmpz_one(modulus);
  fmpz_mul_2exp(modulus, modulus, phase_bits);
  number::Integer slack;
  fmpz_one(slack);
  fmpz_mul_2exp(slack, slack, direct_slack_bits);
  const number::Integer reach = radius + slack;
  std::vector<std::uint64_t> result;
  const int first_sign = of_companion && field->is_mirrored() ? -1 : 1;
  for (int sign = first_sign; sign >= (field->is_folded() ? -1 : first_sign); sign -= 2) { // phases near ±phase
    number::Integer offset;
    fmpz_set(offset, phase);
    fmpz_mul_si(offset, offset, -sign);
    fmpz_add(offset, offset,
             of_companion && field->is_folded() ? field->first_phase_of_companion() : field->first_phase());
    fmpz_add(offset, offset, reach);
    fmpz_mod(offset, offset, modulus);
    const auto some =
        multiples_within(field->omega(), offset, reach * 2, modulus, static_cast<std::uint64_t>(field->span()));
    result.insert(result.end(), some.begin(), some.end());
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

bool PhasePlan::is_told_in_part() const { // near the ends of m's range, which boxes exceed a little
  return field->span() > uint128(1) << (layout::found_bits - 1 - static_cast<int>(parameters.binade_bits));
}

std::uint64_t PhasePlan::entry_of(const PhasePoint& point) const {
  const std::uint64_t binades = (std::uint64_t(1) << parameters.binade_bits) - 1;
  const std::uint64_t told = static_cast<std::uint64_t>(point.m) << parameters.binade_bits |
                             (static_cast<std::uint64_t>(point.binade) & binades);
  return layout::found_entry(static_cast<std::int64_t>(told), point.target);
}

void PhasePlan::add_points(std::uint64_t entry, const PhaseBatch& batch, std::vector<PhasePoint>& points) const {
  const auto binade_bits = static_cast<int>(parameters.binade_bits);
  const int m_bits = layout::found_bits - binade_bits;
  PhasePoint point{static_cast<std::int64_t>(entry) >> (64 - m_bits), static_cast<int>(entry % layout::most_targets)};
  if (binade_bits > 0)
    point.binade = static_cast<int>(static_cast<std::int64_t>(entry << m_bits) >> (64 - binade_bits));
  if (!is_told_in_part()) {
    points.push_back(point);
    return;
  }
  // From −2^62 to 2^62, both included, or as far as points in the batch's windows are.
  const std::int64_t period = std::int64_t(1) << m_bits;
  int128 least = -(int128(1) << (layout::found_bits));
  int128 most = -least;
  if (field->is_logarithm()) {
    const auto middle = static_cast<int128>(field->span() / 2);
    const auto place = [&](std::uint64_t window) { // of the window's beginning
      return static_cast<int128>((first + uint128(window) * width) >> field->place_bits()) - middle;
    };
    const auto slack = static_cast<int128>(width >> field->place_bits()) + 2;
    least = place(batch.first_window) - slack;
    most = place(batch.first_window + batch.windows) + slack;
  }
  const auto told = static_cast<int128>(point.m);
  for (int128 m = told + (least - told) / period * period - period; m <= most; m += period) {
    point.m = static_cast<std::int64_t>(m);
    if (m >= least && argument_of(point))
      points.push_back(point);
  }
}

std::optional<PhaseArgument> PhasePlan::argument_of(const PhasePoint& point) const {
  const auto count = static_cast<int128>(field->span());
  const bool is_mirrored = !field->is_logarithm() && point.target % 2 != 0;
  const int128 index = count / 2 + (is_mirrored ? -int128(point.m) : int128(point.m));
  if (index < 0 || index >= count)
    return std::nullopt;
  const auto place = static_cast<std::uint64_t>(index);
  const LogarithmRuns* runs = field->runs();
  if (runs == nullptr)
    return PhaseArgument{place, point.target >= field->own_targets() ? std::size_t(1) : 0};
  const auto number = runs->number_of(runs->middle(point.target) + point.binade, place);
  return number ? std::optional(PhaseArgument{place - runs->run(*number).first, *number}) : std::nullopt;
}

PhasePoint PhasePlan::point_of(const PhaseArgument& argument) const {
  const auto middle = static_cast<std::int64_t>(field->span() / 2);
  const std::int64_t m = static_cast<std::int64_t>(argument.index) - middle;
  if (const LogarithmRuns* runs = field->runs()) {
    const LogarithmRun& run = runs->run(argument.owner);
    const int target = runs->target_of(run.exponent);
    return {m + static_cast<std::int64_t>(run.first), target, run.exponent - runs->middle(target)};
  }
  const bool is_other = argument.owner > 0;
  return {is_other && field->is_mirrored() ? -m : m, is_other ? field->own_targets() : 0};
}

std::vector<std::uint64_t> PhasePlan::owned(std::vector<std::uint64_t> places, std::size_t owner) const {
  if (const LogarithmRuns* runs = field->runs()) {
    const LogarithmRun& run = runs->run(owner);
    std::erase_if(places, [&](std::uint64_t place) { return place - run.first >= run.count; });
    for (std::uint64_t& place : places)
      place -= run.first;
  }
  return places;
}

std::vector<std::uint64_t> PhasePlan::all_arguments(bool of_companion) const {
  // From a step before to a step after, as windows reach: values may change their binade in a plan's last step, and
  // then the next plan must find what lies behind that. There is nothing before or behind a direct zone.
  const number::Integer from = zone->is_direct ? PhaseField::phase(*zone, first) : start;
  number::Integer radius = zone->step() * (zone->is_direct ? count : count + 2);
  fmpz_fdiv_q_2exp(radius, radius, 1); // a step is an even number
  return arguments_near(from + radius, radius, of_companion);
}

std::vector<std::uint64_t> PhasePlan::arguments_in(std::uint64_t window, std::uint64_t count, bool of_companion) const {
  const number::Integer radius = zone->step() * (width / 2) * count;
  return arguments_near(zone->step() * width * window + radius + start, radius, of_companion);
}

double PhasePlan::farthest(const layout::phase_parameters& tested) const {
  // Points that pass are within the tolerance as far as the walk knows them; each term of the ledger may be missing.
  const double known = static_cast<double>(tested.tolerance) + static_cast<double>(tested.fourth) +
                       static_cast<double>(tested.most_error);
  return 2 * known * scale_z;
}

std::unique_ptr<Batch> PhasePlan::batch(std::uint64_t done) const {
  auto result = std::make_unique<PhaseBatch>();
  PhaseBatch& batch = *result;
  batch.plan = std::make_shared<const PhasePlan>(*this);
  batch.steps = count - done;
  if (is_empty || is_listed)
    return result;
  // Windows begin a step before the plan does.
  batch.first_window = done == 0 ? 0 : (done + 1) / width;
  const std::uint64_t most = std::max<std::uint64_t>(batch_windows >> parameters.group_bits, 1)
                             << parameters.group_bits;
  batch.windows = std::min(windows - batch.first_window, most);
  batch.parameters = parameters;
  if (batch.first_window + batch.windows < windows)
    batch.steps = (batch.first_window + batch.windows) * width - 1 - done;
  if (!meets_border)
    batch.max_distance = farthest(parameters);
  write_groups(batch);
  return result;
}

PhaseBatch PhasePlan::shifted_batch(PhaseShifts by) const {
  PhasePlan shifted = *this;
  PhaseBatch batch;
  batch.first_window = by.first_window;
  batch.windows = std::min(static_cast<std::uint64_t>(by.of_groups.size()) << by.group_bits, windows - by.first_window);
  shifted.parameters.group_bits = static_cast<std::uint32_t>(by.group_bits);
  shifted.parameters.chunk_bits = std::min(parameters.chunk_bits, shifted.parameters.group_bits);
  batch.parameters = shifted.parameters;
  shifted.shifts = std::make_shared<const PhaseShifts>(std::move(by));
  batch.plan = std::make_shared<const PhasePlan>(std::move(shifted));
  write_groups(batch);
  return batch;
}

} // namespace tmd::engine::phase
