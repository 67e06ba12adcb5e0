// A plan is made step by step (PhasePlanner::Making): the binade of the values, the width of windows, the units of the
// lattice's coordinates, the groups, and then the ledger, which bounds by how much the lattice may differ from F. Each
// step uses what the steps before it have decided; doc/theory/phase-walk.md derives the bounds.
#include "engine/phase/planner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace tmd::engine::phase {

namespace {

constexpr int most_degree = 16;
constexpr int most_group_bits = 18;
constexpr int few_groups_bits = 8;
constexpr int many_chunks_bits = 16;
constexpr int fewest_chunk_bits = 5;
constexpr long enclosure_precision = 64;
constexpr double longest_plan = 0.5;         // longest plan, as a share of a zone's scale
constexpr double even_plan = 0.125;          // with many windows, equal plans of this share
constexpr double even_plan_at_pole = 0.0625; // or of this one towards a pole
constexpr double many_windows = 0x1p26;
// If there are more windows than this many times the arguments, as next to a pole, the arguments are listed: MPFR
// decides one while a core walks through so many windows, and there the vectors of a window may be too long for a
// device.
constexpr double windows_of_argument = 16;
constexpr double most_listed = 0x1p18;   // most arguments listed at once
constexpr int most_half_width_bits = -5; // log2 of a window's largest share of the scale
constexpr int slope_bits = 40;           // limits a window so that F' times its width has so many bits
constexpr double float_slack = 0x1p-18;  // share of the cubic term that floats may lose
constexpr double rounding_up = 1 + 0x1p-40;
constexpr double most_error = 0x1p-10;
constexpr float box = 1 + 0x1p-9F;      // exceeds 1 by more than the errors of the coordinates and of floats
constexpr int most_bits_of_a_word = 57; // m of vectors 256 boxes long have 64 bits

double to_double(const number::Integer& phase) { return std::ldexp(fmpz_get_d(phase), -phase_bits); }

// The distance from 0, or from the pole, which decides how fast F changes; all phases if it hardly does.
double scale_at(const PhaseField& field, const PhaseZone& zone, const number::Integer& phase) {
  if (zone.is_even)
    return to_double(field.end());
  return zone.ends_at_pole ? 0.5 - to_double(phase) : to_double(phase);
}

// The arguments with phases in this part of the coordinate, with those of all others.
double all_arguments_at(const PhaseField& field, uint128 first, uint128 count) {
  const auto own = static_cast<double>(field.arguments_at(first, count));
  if (field.has_other_phases())
    return own + static_cast<double>(field.arguments_at(first, count, true));
  return field.runs() != nullptr ? static_cast<double>(field.arguments_of_runs(first, count)) : own;
}

class PhaseOffer : public Offer {
public:
  explicit PhaseOffer(std::unique_ptr<PhasePlan> plan, double window_cost) : plan_(std::move(plan)) {
    count = plan_->count;
    const double windows = plan_->is_listed ? windows_of_argument * listed() : static_cast<double>(plan_->windows);
    cost = (windows + 1) * window_cost / static_cast<double>(count);
    prices = {{phase_method, cost}};
  }
  [[nodiscard]] std::unique_ptr<Plan> plan() const override { return std::make_unique<PhasePlan>(*plan_); }

private:
  [[nodiscard]] double listed() const { return all_arguments_at(*plan_->field, plan_->first, plan_->count); }

  std::unique_ptr<PhasePlan> plan_;
};

// Bounds of |F^(j)|/j! between two phases, j < count.
std::vector<double> derivative_bounds(const PhaseField& field, int exponent, const number::Integer& from,
                                      const number::Integer& to, int count) {
  number::Arb ball;
  number::Integer middle;
  number::Integer radius;
  fmpz_add(middle, from, to);
  fmpz_sub(radius, to, from);
  arb_set_fmpz(ball, middle);
  number::Arb half;
  arb_set_fmpz(half, radius);
  arb_add_error(ball, half);
  arb_mul_2exp_si(ball, ball, -phase_bits - 1);
  number::ArbVector coefficients(count);
  field.series(coefficients.data(), ball, exponent, count, enclosure_precision);
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(count));
  for (int j = 0; j < count; ++j)
    result.push_back(number::Bound::of(coefficients[j]).value());
  return result;
}

// (n over k)·x^(n − k)
double term(int n, int k, double x) {
  double binomial = 1;
  for (int i = 0; i < k; ++i)
    binomial = binomial * (n - i) / (i + 1);
  return binomial * std::pow(x, n - k);
}

number::Bound bound_of(double x) {
  mag_t value;
  mag_init(value);
  mag_set_d(value, x);
  number::Arb ball;
  mag_set(arb_radref(static_cast<arb_ptr>(ball)), value);
  mag_clear(value);
  return number::Bound::radius_of(ball);
}

// The windows of a plan that is being made, and the terms of F that their polynomials leave out.
struct Windows {
  double arguments = 0;       // arguments of a box unit
  double points = 0;          // lattice points in a box
  std::vector<double> bounds; // of |F^(j)|/j! wherever windows reach
  double half_width = 0;      // phase of half a window
  int segment_bits = 0;

  // The span of a segment.
  [[nodiscard]] double span() const { return (2 * std::exp2(segment_bits) + 2) * half_width; }

  // A bound of the terms of degree 5 and more, for segments of so many windows.
  [[nodiscard]] double taylor(int bits) const {
    return bounds[5] * std::pow((2 * std::exp2(bits) + 2) * half_width, 5);
  }

  // A bound of the terms missing in polynomials of a degree, for groups of so many windows.
  [[nodiscard]] double group(int bits, int degree) const {
    const double reach = std::exp2(bits) * 2 * half_width;
    double error = 0;
    for (int k = 0; k <= 4; ++k)
      error += term(degree + 1, k, reach) * std::pow(span(), k);
    return bounds[static_cast<std::size_t>(degree) + 1] * error;
  }
};

// Binary exponents of the units in which lattices have their coordinates.
struct Units {
  int y = 0;
  int z = 0;
  int slope_shift = 0;
};

// Groups of windows, each with one polynomial.
struct Groups {
  int degree = 0;
  int bits = 0;
  int chunk_bits = 0;
};

PhaseLedger ledger_of(const PhasePlan& plan, const Windows& windows, const Units& units, const Groups& groups) {
  const PhaseField& field = *plan.field;
  PhaseLedger ledger;
  ledger.epsilon = number::Bound::power_of_two(-field.K());
  ledger.taylor = bound_of(windows.taylor(windows.segment_bits) * rounding_up);
  ledger.group = bound_of(windows.group(groups.bits, groups.degree) * rounding_up);
  // The error is 2^-128 of F, 2^-64 of the slope as it comes, 2^-57 z's of the others, and a few for each step of
  // Horner's scheme.
  const double steps = groups.degree + 4;
  ledger.coefficients =
      bound_of(rounding_up * steps * 4 *
               (std::exp2(-120) + std::ldexp(windows.span(), units.slope_shift - 63) +
                std::ldexp(std::pow(std::exp2(windows.segment_bits) + 2, 4), -layout::coefficient_bits - units.z)));
  // For a logarithm ω is exact; rounded are what F grows by from one binade to the next, and up to a target's middle
  // one.
  ledger.omega =
      bound_of((field.runs() != nullptr ? std::ldexp(field.runs()->reach() + 1, -phase_bits)
                                        : windows.bounds[1] * std::exp2(field.significand_bits() - phase_bits)) *
               rounding_up);
  ledger.beside = field.beside(plan.exponent);
  ledger.rounding = bound_of(most_error * plan.scale_z);
  return ledger;
}

// Writes what F of a logarithm grows by over so many binades, modulo 1, rounded down.
void write_lift(const PhaseField& field, int exponent, long binades, std::uint64_t (&words)[3]) {
  constexpr long precision = 2L * phase_bits;
  number::Arb lift;
  field.lift(lift, binades, exponent, precision);
  arb_mul_2exp_si(lift, lift, phase_bits);
  number::Integer rounded;
  arf_get_fmpz(rounded, mid(lift), ARF_RND_FLOOR);
  fmpz_fdiv_r_2exp(rounded, rounded, phase_bits);
  number::write_words(rounded, 3, words);
}

layout::phase_parameters parameters_of(const PhasePlan& plan, const Windows& windows, const Units& units,
                                       const Groups& groups) {
  const double y_box = std::ldexp(windows.half_width, units.y);
  const double z_box = std::ldexp(plan.scale_z, units.z);
  const double cubic = windows.bounds[3] * std::pow(windows.half_width, 3) / plan.scale_z;
  const double fourth = windows.bounds[4] * std::pow(windows.half_width, 4) / plan.scale_z;
  const double tolerance = (plan.ledger.test().value() / plan.scale_z + float_slack * (cubic + fourth)) * (1 + 0x1p-18);
  const PhaseField& field = *plan.field;
  layout::phase_parameters to{};
  number::write_words(field.omega(), 3, to.omega);
  number::write_words(plan.zone->step() * plan.width, 3, to.width);
  to.targets = field.targets();
  number::Integer middle;
  number::set(middle, (field.is_logarithm() ? 0 : field.arguments().first) + field.span() / 2);
  fmpz_mul(middle, middle, field.omega());
  number::Integer half_turn;
  fmpz_one(half_turn);
  fmpz_mul_2exp(half_turn, half_turn, phase_bits - 1);
  number::Integer origin;
  for (int target = 0; target < layout::most_targets; ++target) {
    fmpz_mul_si(origin, middle, target % 2 == 0 || field.is_logarithm() ? 1 : -1);
    if (target >= layout::targets_of_one)
      fmpz_sub(origin, origin, half_turn);
    fmpz_fdiv_r_2exp(origin, origin, phase_bits);
    number::write_words(origin, 3, to.origin[target]);
  }
  if (const LogarithmRuns* runs = field.runs()) {
    // Boxes have room for one more binade on either side, and exceed that a little.
    const int farthest = runs->reach() + 2 + (runs->reach() >> 8);
    to.binade_bits = static_cast<std::uint32_t>(bit_length(static_cast<uint128>(farthest)) + 1);
    write_lift(field, plan.exponent, 1, to.rise);
    for (int target = 0; target < runs->targets(); ++target)
      write_lift(field, plan.exponent, field.lifted(runs->middle(target)), to.lift[target]);
  }
  to.inverse_width = static_cast<std::uint64_t>(std::ldexp(1 / (2 * static_cast<long double>(y_box)), 63));
  to.inverse_square = static_cast<std::uint64_t>(std::ldexp(1 / (4 * static_cast<long double>(y_box) * y_box), 63));
  to.y_exponent = units.y;
  to.z_exponent = units.z;
  to.group_bits = static_cast<std::uint32_t>(groups.bits);
  to.degree = static_cast<std::uint32_t>(groups.degree);
  to.chunk_bits = static_cast<std::uint32_t>(groups.chunk_bits);
  to.segment_bits = static_cast<std::uint32_t>(windows.segment_bits);
  to.robust_segment_bits = static_cast<std::uint32_t>(std::min(windows.segment_bits, 3));
  to.x_scale = static_cast<float>(1 / windows.arguments);
  to.y_scale = static_cast<float>(1 / y_box);
  to.z_scale = static_cast<float>(1 / z_box);
  to.determinant = static_cast<float>(1 / (windows.arguments * windows.half_width * plan.scale_z));
  to.box = box;
  to.tolerance = number::float_above(tolerance);
  to.thickness = number::float_above(tolerance + cubic + fourth);
  to.fourth = number::float_above(fourth);
  to.most_error = static_cast<float>(most_error);
  return to;
}

} // namespace

PhasePlanner::PhasePlanner(std::shared_ptr<const PhaseField> field, const PhaseOptions& options)
    : field_(std::move(field)), options_(options) {}

std::unique_ptr<Offer> PhasePlanner::offer(uint128 first, uint128 most) {
  auto made = plan(first, most);
  if (!made)
    return nullptr;
  return std::make_unique<PhaseOffer>(std::move(made), options_.window_cost);
}

// A plan that is being made: each step needs the results of those before it.
class PhasePlanner::Making {
public:
  Making(const std::shared_ptr<const PhaseField>& field, const PhaseOptions& options, uint128 first, uint128 most)
      : field_(*field), options_(options), zone_(field->zone(first)), first_(first),
        most_(std::min({most, zone_.first + zone_.extent - first, uint128(1) << 62})), step_(zone_.step()),
        step_size_(to_double(step_)), from_(PhaseField::phase(zone_, first)), scale_(scale_at(*field, zone_, from_)),
        epsilon_(std::exp2(-field->K())), plan_(std::make_unique<PhasePlan>()) {
    plan_->field = field;
    plan_->zone = &zone_;
    plan_->first = first;
    plan_->batch_windows = options.batch_windows;
    plan_->host_threads = options.host_threads;
    plan_->m_words = options.long_m || field->is_logarithm() || field->significand_bits() > most_bits_of_a_word ? 2 : 1;
  }

  // Null if no window serves.
  std::unique_ptr<PhasePlan> made() {
    if (zone_.is_direct) {
      plan_->count = 1;
      plan_->is_listed = true;
      return std::move(plan_);
    }
    stay_in_a_binade();
    if (field_.runs() != nullptr)
      stay_in_runs(*field_.runs());
    if (plan_->is_empty)
      return std::move(plan_);
    if (!choose_width() || !choose_segments() || !choose_units())
      return nullptr;
    lay_windows();
    if (has_few_arguments()) {
      plan_->windows = 0;
      plan_->is_listed = true;
      return std::move(plan_);
    }
    choose_groups();
    plan_->ledger = ledger_of(*plan_, windows_, units_, groups_);
    plan_->parameters = parameters_of(*plan_, windows_, units_, groups_);
    return std::move(plan_);
  }

private:
  [[nodiscard]] uint128 limited(double length) const {
    return std::min(static_cast<uint128>(std::max(1.0, length / step_size_)), most_);
  }

  // Shortens the plan up to the place where the values change their binade.
  void stay_in_a_binade() {
    plan_->exponent = field_.value_exponent(from_);
    uint128 count = limited(scale_ * (zone_.ends_at_pole ? longest_plan / 2 : longest_plan));
    const auto leaves = [&](uint128 steps) {
      return field_.value_exponent(PhaseField::phase(zone_, first_ + steps)) > plan_->exponent;
    };
    if (leaves(count)) {
      uint128 stays = 0;
      while (count - stays > 1) {
        const uint128 middle = stays + (count - stays) / 2;
        (leaves(middle) ? count : stays) = middle;
      }
    }
    plan_->is_empty = !field_.grid().reaches(plan_->exponent, field_.K());
    plan_->count = static_cast<std::uint64_t>(count);
    plan_->start = from_ - step_;
  }

  // Passes over what no run of a logarithm has.
  void stay_in_runs(const LogarithmRuns& runs) {
    const uint128 begin = uint128(runs.first()) << field_.place_bits();
    const uint128 end = uint128(runs.end()) << field_.place_bits();
    if (first_ >= begin && first_ < end) {
      plan_->count = static_cast<std::uint64_t>(std::min<uint128>(plan_->count, end - first_));
      return;
    }
    plan_->is_empty = true;
    plan_->count = static_cast<std::uint64_t>(first_ < begin ? std::min(most_, begin - first_) : most_);
  }

  // Chooses the width of windows, and of the plan if there are many.
  bool choose_width() {
    windows_.arguments = field_.runs() != nullptr
                             ? std::ldexp(field_.runs()->reach() + 1, 64)
                             : std::exp2(std::max(1, bit_length(field_.arguments().count - 1) - 1));
    windows_.points = std::pow(options_.width, 3);
    const double most_half =
        scale_ * std::exp2(std::min(most_half_width_bits, slope_bits - field_.grid().number_bits()));
    number::Integer beyond;                    // how far windows may reach beyond the plan's end
    if (zone_.ends_at_pole || zone_.is_even) { // an eighth of the way to the pole, or of all phases
      beyond = field_.end();
      if (zone_.ends_at_pole)
        fmpz_sub(beyond, beyond, from_);
    } else {
      fmpz_set(beyond, from_);
    }
    fmpz_fdiv_q_2exp(beyond, beyond, 3);
    for (int round = 0; round < 3; ++round) {
      const number::Integer to = PhaseField::phase(zone_, first_ + plan_->count);
      windows_.bounds = derivative_bounds(field_, plan_->exponent, plan_->start, to + beyond, most_degree + 2);
      if (!std::isfinite(windows_.bounds[5]))
        return false;
      windows_.half_width =
          std::min(std::cbrt(windows_.points / (4 * windows_.arguments * windows_.bounds[2])), most_half);
      if (const double all = many_windows * 2 * windows_.half_width;
          round == 0 && static_cast<double>(plan_->count) * step_size_ > all)
        plan_->count = static_cast<std::uint64_t>(std::min<uint128>(
            plan_->count, limited(std::max(scale_ * (zone_.ends_at_pole ? even_plan_at_pole : even_plan), all))));
      number::Arb reach;
      arb_set_d(reach, std::ldexp(8 * windows_.half_width, 80));
      number::Integer whole;
      arf_get_fmpz(whole, mid(reach), ARF_RND_CEIL);
      fmpz_mul_2exp(whole, whole, phase_bits - 80);
      if (fmpz_cmp(whole, beyond) < 0)
        beyond = whole;
    }
    windows_.half_width = std::min(windows_.half_width, to_double(beyond) / 4);
    return true;
  }

  // Chooses segments so short that the terms of degree 5 are harmless, and narrower windows if even two are too many.
  // Windows are then a whole number of steps wide.
  bool choose_segments() {
    windows_.segment_bits = options_.segment_bits;
    while (windows_.segment_bits > 0 && windows_.taylor(windows_.segment_bits) > epsilon_ / 16)
      --windows_.segment_bits;
    while (windows_.taylor(0) > epsilon_ / 16)
      windows_.half_width *= 0.8;
    int exponent = 0;
    (void)std::frexp(windows_.half_width, &exponent);
    const int finest = std::max(1, zone_.step_bits + exponent - layout::robust_bits);
    plan_->width = static_cast<std::uint64_t>(2 * windows_.half_width / step_size_) >> finest << finest;
    windows_.half_width = static_cast<double>(plan_->width) * step_size_ / 2;
    plan_->half_width = windows_.half_width;
    return plan_->width > 0;
  }

  // Chooses the units of y and z.
  bool choose_units() {
    int exponent = 0;
    const double share = std::frexp(windows_.half_width, &exponent);
    units_.y = share == 0.5 ? 1 - exponent : -exponent;
    units_.slope_shift = std::max(0, units_.y - layout::slope_shift);
    // The height of a box, as a float.
    plan_->scale_z = number::float_above(std::max(windows_.bounds[2] * windows_.half_width * windows_.half_width / 2,
                                                  windows_.points / (8 * windows_.arguments * windows_.half_width)));
    (void)std::frexp(plan_->scale_z, &exponent);
    units_.z = -exponent;
    return windows_.bounds[1] * std::exp2(-units_.slope_shift) < 0x1p62;
  }

  void lay_windows() {
    number::Integer length = PhaseField::phase(zone_, first_ + plan_->count) - plan_->start;
    fmpz_add(length, length, step_);
    const number::Integer width = step_ * plan_->width;
    number::Integer windows;
    fmpz_cdiv_q(windows, length, width);
    plan_->windows = fmpz_get_ui(windows);
    // Points a little outside a window are found, too.
    const auto has_values_of = [&](const number::Integer& phase) {
      return field_.value_exponent(phase) == plan_->exponent;
    };
    plan_->meets_border =
        !has_values_of(plan_->start - width) || !has_values_of(plan_->start + width * (plan_->windows + 1));
  }

  // By exact counts: the arguments of a stretch that is shorter than a period crowd together.
  [[nodiscard]] bool has_few_arguments() const {
    const double arguments = all_arguments_at(field_, first_, plan_->count);
    return arguments < most_listed && arguments * windows_of_argument < static_cast<double>(plan_->windows);
  }

  // Chooses groups of windows, each with one polynomial.
  void choose_groups() {
    groups_.degree = most_degree;
    // If there are few windows, many work-items share them, at the price of more starts.
    const int windows_bits = bit_length(plan_->windows - 1);
    groups_.bits = std::clamp(windows_bits - few_groups_bits, fewest_chunk_bits, most_group_bits);
    groups_.chunk_bits = std::min(std::max(windows_bits - many_chunks_bits, fewest_chunk_bits), options_.chunk_bits);
    while (groups_.bits > 0 && std::exp2(groups_.bits) * 2 * windows_.half_width > scale_ / 32)
      --groups_.bits;
    while (groups_.bits > 0 && !(windows_.group(groups_.bits, groups_.degree) <= epsilon_ / 32))
      --groups_.bits;
    while (groups_.degree > 5 && windows_.group(groups_.bits, groups_.degree - 1) <= epsilon_ / 32)
      --groups_.degree;
    groups_.chunk_bits = std::min(groups_.chunk_bits, groups_.bits);
  }

  const PhaseField& field_;
  const PhaseOptions& options_;
  const PhaseZone& zone_;
  const uint128 first_;
  const uint128 most_; // steps
  const number::Integer step_;
  const double step_size_;
  const number::Integer from_;
  const double scale_;
  const double epsilon_;
  std::unique_ptr<PhasePlan> plan_;
  Windows windows_;
  Units units_;
  Groups groups_;
};

std::unique_ptr<PhasePlan> PhasePlanner::plan(uint128 first, uint128 most) {
  return Making(field_, options_, first, most).made();
}

} // namespace tmd::engine::phase
