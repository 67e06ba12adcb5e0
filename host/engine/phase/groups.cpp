// The middle of a window, from which a group's polynomials and its start are made, and the host's own look at the
// arguments of a window.
#include "engine/phase/groups.hpp"

#include "engine/phase/lattice.hpp"
#include "number/in_parallel.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>

namespace tmd::engine::phase {

namespace {

constexpr std::uint64_t fewest_groups_of_thread = 8;
constexpr long series_precision = 384;

struct Middle { // the middle of a window
  explicit Middle(long length) : f(length) {}
  number::Integer phase;       // phase for F
  number::Integer of_argument; // phase of mω
  number::ArbVector f;
};

Middle middle_of(const PhasePlan& plan, std::uint64_t window, long length) {
  Middle result(length);
  const number::Integer width = plan.zone->step() * plan.width;
  number::Integer half;
  fmpz_fdiv_q_2exp(half, width, 1);
  result.phase = width * window + half + plan.start;
  number::Arb at;
  set_phase(at, result.phase);
  plan.field->series(result.f.data(), at, plan.exponent, length, series_precision);
  if (plan.shifts)
    arb_add(result.f[0], result.f[0], plan.shifts->of_window(window), series_precision);
  fmpz_set(result.of_argument, result.phase);
  if (plan.field->is_shifted()) {
    fmpz_one(half);
    fmpz_mul_2exp(half, half, phase_bits - 1);
    fmpz_sub(result.of_argument, result.phase, half);
  }
  fmpz_fdiv_r_2exp(result.of_argument, result.of_argument, phase_bits);
  return result;
}

std::array<std::uint64_t, layout::start_words> start_at(const PhasePlan& plan, const Middle& middle) {
  PhaseLattice lattice{};
  lattice.omega = &plan.field->omega();
  lattice.phase = &middle.of_argument;
  lattice.value = middle.f[0];
  lattice.slope = middle.f[1];
  lattice.is_logarithm = plan.field->is_logarithm();
  lattice.half_width = plan.half_width;
  lattice.spacings = plan.scale_z;
  lattice.middle =
      arf_get_d(arb_midref(middle.f[2]), ARF_RND_NEAR) * plan.half_width * plan.half_width / plan.scale_z / 2;
  lattice.arguments_bits = -std::ilogb(plan.parameters.x_scale);
  lattice.m_words = plan.m_words;
  lattice.parameters = &plan.parameters;
  return lattice_start(lattice);
}

// Writes the tables and starts of a batch, a group at a time, in any order.
class GroupWriter {
public:
  explicit GroupWriter(PhaseBatch& batch) : batch_(batch), plan_(*batch.plan) {
    number::Arb width;
    number::Arb reach; // width of a group
    set_phase(width, plan_.zone->step() * plan_.width);
    arb_mul_2exp_si(reach, width, static_cast<long>(plan_.parameters.group_bits));
    _arb_vec_set_powers(widths_.data(), width, widths_.size(), series_precision);
    _arb_vec_set_powers(reaches_.data(), reach, reaches_.size(), series_precision);
  }

  void write(std::uint64_t group) {
    const layout::phase_parameters& parameters = plan_.parameters;
    const Middle middle = middle_of(plan_, batch_.first_window + (group << parameters.group_bits), degree_ + 1);
    const auto start_words = start_at(plan_, middle);
    std::copy(start_words.begin(), start_words.end(),
              batch_.starts.begin() + static_cast<std::ptrdiff_t>(group * layout::start_words));
    std::uint64_t* table = batch_.tables.data() + group * layout::table_words(parameters.degree);
    number::write_words(middle.of_argument, 3, table);
    write_polynomials(middle.f, table + TMD_TABLE_POLYNOMIALS);
  }

private:
  // Writes F and its derivatives up to the fourth.
  void write_polynomials(const number::ArbVector& f, std::uint64_t* table) const {
    const layout::phase_parameters& parameters = plan_.parameters;
    const int slope_shift = std::max(0, parameters.y_exponent - layout::slope_shift);
    const auto size = static_cast<std::size_t>(degree_) + 1;
    number::Arb value;
    number::Integer rounded;
    for (long order = 0; order <= 4; ++order)
      for (long k = 0; k + order <= degree_; ++k) {
        fmpz_bin_uiui(rounded, static_cast<unsigned long>(k + order), static_cast<unsigned long>(order));
        arb_mul_fmpz(value, f[k + order], rounded, series_precision);
        arb_mul(value, value, reaches_[k], series_precision);
        if (order > 1)
          arb_mul(value, value, widths_[order], series_precision);
        arb_mul_2exp_si(value, value,
                        order == 0   ? 128
                        : order == 1 ? 128 - slope_shift
                                     : layout::coefficient_bits + parameters.z_exponent);
        arf_get_fmpz(rounded, mid(value), ARF_RND_NEAR);
        const auto at = static_cast<std::size_t>(k);
        const auto row = static_cast<std::size_t>(order);
        if (order <= 1)
          number::write_words(rounded, 3, table + 3 * (row * size + at));
        else
          number::write_words(rounded, 1, table + (row + 4) * size + at);
      }
  }

  PhaseBatch& batch_;
  const PhasePlan& plan_;
  const long degree_ = plan_.parameters.degree;
  // Powers of the widths of a window and of a group, with which coefficients are scaled.
  number::ArbVector widths_{5};
  number::ArbVector reaches_{degree_ + 1};
};

} // namespace

namespace {

// Whether numbers, known by their fractions' first 64 bits, may be within a limit of an integer.
class NearInteger {
public:
  explicit NearInteger(const number::Arb& limit) {
    constexpr double errors = 4;      // of fractions and sums, in units
    constexpr double all = 0x1.ffp62; // nearly a half: no case is as far from an integer
    most_ = static_cast<std::uint64_t>(std::min(std::ldexp(arf_get_d(mid(limit), ARF_RND_CEIL), 64) + errors, all));
  }
  [[nodiscard]] static std::uint64_t fraction(arb_srcptr number) {
    number::Arb scaled;
    arb_mul_2exp_si(scaled, number, 64);
    if (mag_cmp_2exp_si(arb_radref(static_cast<arb_ptr>(scaled)), 0) > 0)
      throw SoundnessError("a fraction is not known to 64 bits");
    number::Integer floor;
    arf_get_fmpz(floor, mid(scaled), ARF_RND_FLOOR);
    fmpz_fdiv_r_2exp(floor, floor, 64);
    return fmpz_get_ui(floor);
  }
  [[nodiscard]] bool operator()(std::uint64_t fraction) const { return fraction + most_ <= 2 * most_; }

private:
  std::uint64_t most_;
};

} // namespace

void write_groups(PhaseBatch& batch) {
  const layout::phase_parameters& parameters = batch.parameters;
  const std::uint64_t groups = ((batch.windows - 1) >> parameters.group_bits) + 1;
  batch.tables.assign(groups * layout::table_words(parameters.degree), 0);
  batch.starts.resize(groups * layout::start_words);
  GroupWriter writer(batch);
  const std::uint64_t threads = std::min<std::uint64_t>(batch.plan->host_threads, groups / fewest_groups_of_thread);
  number::in_parallel(groups, static_cast<unsigned>(threads),
                      [&](std::uint64_t group, unsigned) { writer.write(group); });
}

std::array<std::uint64_t, layout::start_words> start_at(const PhasePlan& plan, std::uint64_t window) {
  return start_at(plan, middle_of(plan, window, 3));
}

namespace {

// Calls look(index, F, found) for the arguments of a window whose indices are wanted, on the plan's threads, and
// returns what it finds.
template <typename Wanted, typename Look>
std::vector<PhaseArgument> found_in_window(const PhaseBatch& batch, std::uint64_t window, bool of_companion,
                                           long precision, const Wanted& is_wanted, const Look& look) {
  constexpr std::uint64_t at_a_time = std::uint64_t(1) << 12;
  const PhasePlan& plan = *batch.plan;
  const std::uint64_t number = batch.first_window + window;
  const std::vector<std::uint64_t> indices = plan.arguments_in(number, 1, of_companion);
  std::vector<std::vector<PhaseArgument>> found((indices.size() + at_a_time - 1) / at_a_time);
  const auto threads = std::clamp<std::uint64_t>(plan.host_threads, 1, std::max<std::uint64_t>(found.size(), 1));
  number::in_parallel(found.size(), static_cast<unsigned>(threads), [&](std::uint64_t part, unsigned) {
    number::Arb phase;
    number::ArbVector f(1);
    const std::uint64_t end = std::min<std::uint64_t>(indices.size(), (part + 1) * at_a_time);
    for (std::uint64_t i = part * at_a_time; i < end; ++i) {
      if (!is_wanted(indices[i]))
        continue;
      set_phase(phase, plan.field->phase_of(indices[i], of_companion));
      plan.field->series(f.data(), phase, plan.exponent, 1, precision);
      if (plan.shifts)
        arb_add(f[0], f[0], plan.shifts->of_window(number), precision);
      look(indices[i], f[0], found[part]);
    }
  });
  std::vector<PhaseArgument> all;
  for (const std::vector<PhaseArgument>& some : found)
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

} // namespace

std::vector<PhaseArgument> near_integers(const PhaseBatch& batch, std::uint64_t window) {
  const PhasePlan& plan = *batch.plan;
  const PhaseField& field = *plan.field;
  number::Arb limit;
  arb_set_d(limit, plan.farthest(batch.parameters));
  if (const LogarithmRuns* runs = field.runs()) {
    const NearInteger is_near(limit);
    std::vector<std::uint64_t> rises;
    number::Arb rise;
    for (std::size_t owner = 0; owner < runs->size(); ++owner) {
      arb_zero(rise);
      field.lift(rise, field.lifted(runs->run(owner).exponent), plan.exponent, series_precision);
      rises.push_back(NearInteger::fraction(rise));
    }
    return found_in_window(
        batch, window, false, series_precision,
        [&](std::uint64_t place) { return place >= runs->first() && place < runs->end(); },
        [&](std::uint64_t place, arb_srcptr f, std::vector<PhaseArgument>& found) {
          const std::uint64_t fraction = NearInteger::fraction(f);
          for (std::size_t owner = 0; owner < rises.size(); ++owner)
            if (const std::uint64_t index = place - runs->run(owner).first;
                index < runs->run(owner).count && is_near(fraction + rises[owner]))
              found.push_back({index, owner});
        });
  }
  constexpr long guard_bits = 48;
  const long precision = field.grid().number_bits() + guard_bits;
  std::vector<PhaseArgument> all;
  for (std::size_t owner = 0; owner <= field.others(); ++owner) {
    const auto some = found_in_window(
        batch, window, owner > 0, precision, [](std::uint64_t) { return true; },
        [&](std::uint64_t index, arb_srcptr f, std::vector<PhaseArgument>& found) {
          number::Integer nearest;
          number::Arb distance;
          arf_get_fmpz(nearest, arb_midref(f), ARF_RND_NEAR);
          arb_sub_fmpz(distance, f, nearest, precision);
          arb_abs(distance, distance);
          if (!arb_gt(distance, limit))
            found.push_back({index, owner});
        });
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

} // namespace tmd::engine::phase
