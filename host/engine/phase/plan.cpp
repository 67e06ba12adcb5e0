// A plan is made step by step (PhasePlanner::Making): the binade of the values, the width of windows, the units of the
// lattice's coordinates, the groups, and then the ledger, which bounds by how much the lattice may differ from F. Each
// step uses what the steps before it have decided; doc/theory/phase-walk.md derives the bounds.
#include "engine/phase/plan.hpp"

#include "engine/phase/lattice.hpp"
#include "engine/phase/residues.hpp"
#include "number/in_parallel.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tmd::engine::phase {

namespace {

constexpr int most_degree = 16;
constexpr int most_group_bits = 18;
constexpr std::uint64_t fewest_groups_of_thread = 8;
constexpr int few_groups_bits = 8;
constexpr int many_chunks_bits = 16;
constexpr int fewest_chunk_bits = 5;
constexpr long enclosure_precision = 64;
constexpr long series_precision = 384;
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
constexpr int direct_slack_bits = 70;   // in 2^−phase_bits: above the sum of omega's rounding

double to_double(const number::Integer& phase) { return std::ldexp(fmpz_get_d(phase), -phase_bits); }

number::Integer difference(const number::Integer& x, const number::Integer& y) {
  number::Integer result;
  fmpz_sub(result, x, y);
  return result;
}

number::Integer step_of(const PhaseZone& zone) {
  number::Integer result;
  fmpz_one(result);
  fmpz_mul_2exp(result, result, static_cast<unsigned long>(phase_bits - zone.step_bits));
  return result;
}

number::Integer times(const number::Integer& x, std::uint64_t n) {
  number::Integer result;
  fmpz_mul_ui(result, x, n);
  return result;
}

number::Integer sum(const number::Integer& x, const number::Integer& y) {
  number::Integer result;
  fmpz_add(result, x, y);
  return result;
}

// The distance from 0, or from the pole, which decides how fast F changes.
double scale_at(const PhaseZone& zone, const number::Integer& phase) {
  if (zone.is_even)
    return 1;
  return zone.ends_at_pole ? 0.5 - to_double(phase) : to_double(phase);
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
  [[nodiscard]] double listed() const {
    return static_cast<double>(plan_->field->arguments_at(plan_->first, plan_->count)) *
           (plan_->field->has_companion() ? 2 : 1);
  }

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
        most_(std::min({most, zone_.first + zone_.extent - first, uint128(1) << 62})), step_(step_of(zone_)),
        step_size_(to_double(step_)), from_(PhaseField::phase(zone_, first)), scale_(scale_at(zone_, from_)),
        epsilon_(std::exp2(-field->K())), plan_(std::make_unique<PhasePlan>()) {
    plan_->field = field;
    plan_->zone = &zone_;
    plan_->first = first;
    plan_->batch_windows = options.batch_windows;
    plan_->host_threads = options.host_threads;
    plan_->m_words = options.long_m || field->significand_bits() > most_bits_of_a_word ? 2 : 1;
  }

  // Null if no window serves.
  std::unique_ptr<PhasePlan> made() {
    if (zone_.is_direct) {
      plan_->count = 1;
      plan_->is_listed = true;
      return std::move(plan_);
    }
    stay_in_a_binade();
    if (plan_->is_empty)
      return std::move(plan_);
    if (!choose_width() || !choose_units())
      return nullptr;
    lay_windows();
    if (has_few_arguments()) {
      plan_->windows = 0;
      plan_->is_listed = true;
      return std::move(plan_);
    }
    choose_groups();
    write_ledger();
    write_parameters();
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
    plan_->start = difference(from_, step_);
  }

  // Chooses the widths of windows, of segments, and of the plan if there are many windows.
  bool choose_width() {
    arguments_ = std::exp2(std::max(1, bit_length(field_.arguments().count - 1) - 1));
    points_ = std::pow(options_.width, 3);
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
      bounds_ = derivative_bounds(field_, plan_->exponent, plan_->start, sum(to, beyond), most_degree + 2);
      if (!std::isfinite(bounds_[5]))
        return false;
      half_width_ = std::min(std::cbrt(points_ / (4 * arguments_ * bounds_[2])), most_half);
      if (const double all = many_windows * 2 * half_width_;
          round == 0 && static_cast<double>(plan_->count) * step_size_ > all)
        plan_->count = static_cast<std::uint64_t>(std::min<uint128>(
            plan_->count, limited(std::max(scale_ * (zone_.ends_at_pole ? even_plan_at_pole : even_plan), all))));
      number::Arb reach;
      arb_set_d(reach, std::ldexp(8 * half_width_, 80));
      number::Integer whole;
      arf_get_fmpz(whole, arb_midref(static_cast<arb_ptr>(reach)), ARF_RND_CEIL);
      fmpz_mul_2exp(whole, whole, phase_bits - 80);
      if (fmpz_cmp(whole, beyond) < 0)
        beyond = whole;
    }
    half_width_ = std::min(half_width_, to_double(beyond) / 4);
    // Chooses segments so short that the terms of degree 5 are harmless, and narrower windows if even two are too many.
    segment_bits_ = options_.segment_bits;
    while (segment_bits_ > 0 && taylor(segment_bits_) > epsilon_ / 16)
      --segment_bits_;
    while (taylor(0) > epsilon_ / 16)
      half_width_ *= 0.8;
    int exponent = 0;
    (void)std::frexp(half_width_, &exponent);
    const int finest = std::max(1, zone_.step_bits + exponent - layout::robust_bits);
    plan_->width = static_cast<std::uint64_t>(2 * half_width_ / step_size_) >> finest << finest;
    half_width_ = static_cast<double>(plan_->width) * step_size_ / 2;
    plan_->half_width = half_width_;
    return plan_->width > 0;
  }

  // Chooses the units of y and z.
  bool choose_units() {
    int exponent = 0;
    const double share = std::frexp(half_width_, &exponent);
    y_exponent_ = share == 0.5 ? 1 - exponent : -exponent;
    slope_shift_ = std::max(0, y_exponent_ - layout::slope_shift);
    // The height of a box, as a float.
    plan_->scale_z = number::float_above(
        std::max(bounds_[2] * half_width_ * half_width_ / 2, points_ / (8 * arguments_ * half_width_)));
    (void)std::frexp(plan_->scale_z, &exponent);
    z_exponent_ = -exponent;
    return bounds_[1] * std::exp2(-slope_shift_) < 0x1p62;
  }

  void lay_windows() {
    number::Integer length = difference(PhaseField::phase(zone_, first_ + plan_->count), plan_->start);
    fmpz_add(length, length, step_);
    width_ = times(step_, plan_->width);
    number::Integer windows;
    fmpz_cdiv_q(windows, length, width_);
    plan_->windows = fmpz_get_ui(windows);
    // Points a little outside a window are found, too.
    const auto has_values_of = [&](const number::Integer& phase) {
      return field_.value_exponent(phase) == plan_->exponent;
    };
    plan_->meets_border = !has_values_of(difference(plan_->start, width_)) ||
                          !has_values_of(sum(plan_->start, times(width_, plan_->windows + 1)));
  }

  // By exact counts: the arguments of a stretch that is shorter than a period crowd together.
  [[nodiscard]] bool has_few_arguments() const {
    const auto arguments = static_cast<double>(field_.arguments_at(first_, plan_->count));
    return arguments<most_listed&& static_cast<double>(plan_->windows)> windows_of_argument * arguments;
  }

  // Chooses groups of windows, each with one polynomial.
  void choose_groups() {
    span_ = (2 * std::exp2(segment_bits_) + 2) * half_width_;
    degree_ = most_degree;
    // If there are few windows, many work-items share them, at the price of more starts.
    const int windows_bits = bit_length(plan_->windows - 1);
    group_bits_ = std::clamp(windows_bits - few_groups_bits, fewest_chunk_bits, most_group_bits);
    chunk_bits_ = std::min(std::max(windows_bits - many_chunks_bits, fewest_chunk_bits), options_.chunk_bits);
    while (group_bits_ > 0 && std::exp2(group_bits_) * 2 * half_width_ > scale_ / 32)
      --group_bits_;
    while (group_bits_ > 0 && !(group(group_bits_, degree_) <= epsilon_ / 32))
      --group_bits_;
    while (degree_ > 5 && group(group_bits_, degree_ - 1) <= epsilon_ / 32)
      --degree_;
    chunk_bits_ = std::min(chunk_bits_, group_bits_);
  }

  void write_ledger() {
    PhaseLedger& ledger = plan_->ledger;
    ledger.epsilon = number::Bound::power_of_two(-field_.K());
    ledger.taylor = bound_of(taylor(segment_bits_) * rounding_up);
    ledger.group = bound_of(group(group_bits_, degree_) * rounding_up);
    // The error is 2^-128 of F, 2^-64 of the slope as it comes, 2^-57 z's of the others, and a few for each step of
    // Horner's scheme.
    const double steps = degree_ + 4;
    ledger.coefficients =
        bound_of(rounding_up * steps * 4 *
                 (std::exp2(-120) + std::ldexp(span_, slope_shift_ - 63) +
                  std::ldexp(std::pow(std::exp2(segment_bits_) + 2, 4), -layout::coefficient_bits - z_exponent_)));
    ledger.omega = bound_of(bounds_[1] * std::exp2(field_.significand_bits() - phase_bits) * rounding_up);
    ledger.rounding = bound_of(most_error * plan_->scale_z);
  }

  void write_parameters() {
    const double y_box = std::ldexp(half_width_, y_exponent_);
    const double z_box = std::ldexp(plan_->scale_z, z_exponent_);
    const double cubic = bounds_[3] * std::pow(half_width_, 3) / plan_->scale_z;
    const double fourth = bounds_[4] * std::pow(half_width_, 4) / plan_->scale_z;
    const double tolerance =
        (plan_->ledger.test().value() / plan_->scale_z + float_slack * (cubic + fourth)) * (1 + 0x1p-18);
    layout::phase_parameters& to = plan_->parameters;
    number::write_words(field_.omega(), 3, to.omega);
    number::write_words(width_, 3, to.width);
    to.targets = !field_.is_folded() ? 1 : field_.has_companion() ? layout::most_targets : layout::targets_of_one;
    number::Integer middle;
    number::set(middle, field_.arguments().first + field_.arguments().count / 2);
    fmpz_mul(middle, middle, field_.omega());
    number::Integer half_turn;
    fmpz_one(half_turn);
    fmpz_mul_2exp(half_turn, half_turn, phase_bits - 1);
    number::Integer origin;
    for (int target = 0; target < layout::most_targets; ++target) {
      fmpz_mul_si(origin, middle, target % 2 == 0 ? 1 : -1);
      if (target >= layout::targets_of_one)
        fmpz_sub(origin, origin, half_turn);
      fmpz_fdiv_r_2exp(origin, origin, phase_bits);
      number::write_words(origin, 3, to.origin[target]);
    }
    to.inverse_width = static_cast<std::uint64_t>(std::ldexp(1 / (2 * static_cast<long double>(y_box)), 63));
    to.inverse_square = static_cast<std::uint64_t>(std::ldexp(1 / (4 * static_cast<long double>(y_box) * y_box), 63));
    to.y_exponent = y_exponent_;
    to.z_exponent = z_exponent_;
    to.group_bits = static_cast<std::uint32_t>(group_bits_);
    to.degree = static_cast<std::uint32_t>(degree_);
    to.chunk_bits = static_cast<std::uint32_t>(chunk_bits_);
    to.segment_bits = static_cast<std::uint32_t>(segment_bits_);
    to.robust_segment_bits = static_cast<std::uint32_t>(std::min(segment_bits_, 3));
    to.x_scale = static_cast<float>(1 / arguments_);
    to.y_scale = static_cast<float>(1 / y_box);
    to.z_scale = static_cast<float>(1 / z_box);
    to.determinant = static_cast<float>(1 / (arguments_ * half_width_ * plan_->scale_z));
    to.box = box;
    to.tolerance = number::float_above(tolerance);
    to.thickness = number::float_above(tolerance + cubic + fourth);
    to.fourth = number::float_above(fourth);
    to.most_error = static_cast<float>(most_error);
  }

  // A bound of the terms of degree 5 and more, for segments of so many windows.
  [[nodiscard]] double taylor(int bits) const {
    return bounds_[5] * std::pow((2 * std::exp2(bits) + 2) * half_width_, 5);
  }

  // A bound of the terms missing in polynomials of a degree, for groups of so many windows.
  [[nodiscard]] double group(int bits, int degree) const {
    const double reach = std::exp2(bits) * 2 * half_width_;
    double error = 0;
    for (int k = 0; k <= 4; ++k)
      error += term(degree + 1, k, reach) * std::pow(span_, k);
    return bounds_[static_cast<std::size_t>(degree) + 1] * error;
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
  double arguments_ = 0; // arguments of a box unit
  double points_ = 0;    // lattice points in a box
  std::vector<double> bounds_;
  double half_width_ = 0; // half width of a window
  int segment_bits_ = 0;
  int y_exponent_ = 0;
  int z_exponent_ = 0;
  int slope_shift_ = 0;
  number::Integer width_;
  double span_ = 0; // span of a segment
  int degree_ = 0;
  int group_bits_ = 0;
  int chunk_bits_ = 0;
};

std::unique_ptr<PhasePlan> PhasePlanner::plan(uint128 first, uint128 most) {
  return Making(field_, options_, first, most).made();
}

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
  const job::Stretch& arguments = field->arguments();
  number::Integer modulus;
  fmpz_one(modulus);
  fmpz_mul_2exp(modulus, modulus, phase_bits);
  number::Integer slack;
  fmpz_one(slack);
  fmpz_mul_2exp(slack, slack, direct_slack_bits);
  const number::Integer reach = sum(radius, slack);
  std::vector<std::uint64_t> result;
  for (int sign = 1; sign >= (field->is_folded() ? -1 : 1); sign -= 2) { // phases near ±phase
    number::Integer offset;
    fmpz_set(offset, phase);
    fmpz_mul_si(offset, offset, -sign);
    fmpz_add(offset, offset, of_companion ? field->first_phase_of_companion() : field->first_phase());
    fmpz_add(offset, offset, reach);
    fmpz_mod(offset, offset, modulus);
    const auto some =
        multiples_within(field->omega(), offset, times(reach, 2), modulus, static_cast<std::uint64_t>(arguments.count));
    result.insert(result.end(), some.begin(), some.end());
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

bool PhasePlan::is_told_in_part() const { // near the ends of m's range, which boxes exceed a little
  return field->arguments().count > uint128(1) << (layout::found_bits - 1);
}

void PhasePlan::add_points(std::uint64_t entry, std::vector<PhasePoint>& points) const {
  const PhasePoint point{static_cast<std::int64_t>(entry) >> (64 - layout::found_bits),
                         static_cast<int>(entry % layout::most_targets)};
  if (!is_told_in_part()) {
    points.push_back(point);
    return;
  }
  // From −2^62 to 2^62, both included.
  for (int periods = -1; periods <= 1; ++periods)
    if (const PhasePoint one{point.m + periods * (std::int64_t(1) << layout::found_bits), point.target}; index_of(one))
      points.push_back(one);
}

std::optional<std::uint64_t> PhasePlan::index_of(const PhasePoint& point) const {
  const auto count = static_cast<int128>(field->arguments().count);
  const int128 m = point.m;
  const int128 index = count / 2 + (point.target % 2 == 0 ? m : -m);
  if (index < 0 || index >= count)
    return std::nullopt;
  return static_cast<std::uint64_t>(index);
}

PhasePoint PhasePlan::point_at(std::uint64_t index, bool of_companion) const {
  const auto middle = static_cast<std::int64_t>(field->arguments().count / 2);
  return {static_cast<std::int64_t>(index) - middle, of_companion ? layout::targets_of_one : 0};
}

std::vector<std::uint64_t> PhasePlan::all_arguments(bool of_companion) const {
  // From a step before to a step after, as windows reach: values may change their binade in a plan's last step, and
  // then the next plan must find what lies behind that. There is nothing before or behind a direct zone.
  const number::Integer from = zone->is_direct ? PhaseField::phase(*zone, first) : start;
  number::Integer radius = times(step_of(*zone), zone->is_direct ? count : count + 2);
  fmpz_fdiv_q_2exp(radius, radius, 1); // a step is an even number
  return arguments_near(sum(from, radius), radius, of_companion);
}

std::vector<std::uint64_t> PhasePlan::arguments_in(std::uint64_t window, std::uint64_t count, bool of_companion) const {
  const number::Integer radius = times(times(step_of(*zone), width / 2), count);
  return arguments_near(sum(sum(times(times(step_of(*zone), width), window), radius), start), radius, of_companion);
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
  if (!meets_border) {
    // Points that pass are within the tolerance as far as the walk knows them; each term of the ledger may be missing.
    const double farthest =
        static_cast<double>(parameters.tolerance) + static_cast<double>(parameters.fourth) + most_error;
    batch.max_distance = 2 * farthest * scale_z;
  }
  fill(batch);
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
  batch.plan->fill(batch);
  return batch;
}

PhasePlan::Middle PhasePlan::middle_of(std::uint64_t window, long length) const {
  Middle result(length);
  const number::Integer step_width = times(step_of(*zone), width);
  number::Integer half;
  fmpz_fdiv_q_2exp(half, step_width, 1);
  result.phase = sum(sum(times(step_width, window), half), start);
  number::Arb at;
  set_phase(at, result.phase);
  field->series(result.f.data(), at, exponent, length, series_precision);
  if (shifts) {
    const auto group = static_cast<long>((window - shifts->first_window) >> shifts->group_bits);
    arb_add(result.f[0], result.f[0], shifts->of_groups[group], series_precision);
  }
  fmpz_set(result.of_argument, result.phase);
  if (field->is_shifted()) {
    fmpz_one(half);
    fmpz_mul_2exp(half, half, phase_bits - 1);
    fmpz_sub(result.of_argument, result.phase, half);
  }
  fmpz_fdiv_r_2exp(result.of_argument, result.of_argument, phase_bits);
  return result;
}

std::array<std::uint64_t, layout::start_words> PhasePlan::start_at(const Middle& middle) const {
  PhaseLattice lattice{};
  lattice.omega = &field->omega();
  lattice.phase = &middle.of_argument;
  lattice.value = middle.f[0];
  lattice.slope = middle.f[1];
  lattice.half_width = half_width;
  lattice.spacings = scale_z;
  lattice.middle = arf_get_d(arb_midref(middle.f[2]), ARF_RND_NEAR) * half_width * half_width / scale_z / 2;
  lattice.arguments_bits = -std::ilogb(parameters.x_scale);
  lattice.m_words = m_words;
  lattice.parameters = &parameters;
  return lattice_start(lattice);
}

std::array<std::uint64_t, layout::start_words> PhasePlan::start_at(std::uint64_t window) const {
  return start_at(middle_of(window, 3));
}

// Makes the tables and starts of a batch's groups.
void PhasePlan::fill(PhaseBatch& batch) const {
  const int group_bits = static_cast<int>(parameters.group_bits);
  const std::uint64_t groups = ((batch.windows - 1) >> group_bits) + 1;
  const auto degree = static_cast<long>(parameters.degree);
  batch.tables.assign(groups * layout::table_words(parameters.degree), 0);
  batch.starts.resize(groups * layout::start_words);
  // Powers of the widths with which coefficients are scaled.
  number::ArbVector widths(5);
  number::ArbVector reaches(degree + 1);
  number::Arb full_width;
  number::Arb reach; // width of a group
  set_phase(full_width, times(step_of(*zone), width));
  arb_mul_2exp_si(reach, full_width, group_bits);
  _arb_vec_set_powers(widths.data(), full_width, 5, series_precision);
  _arb_vec_set_powers(reaches.data(), reach, degree + 1, series_precision);
  const std::uint64_t threads = std::min<std::uint64_t>(host_threads, groups / fewest_groups_of_thread);
  number::in_parallel(groups, static_cast<unsigned>(threads),
                      [&](std::uint64_t group, unsigned) { fill_group(batch, group, widths, reaches); });
}

void PhasePlan::fill_group(PhaseBatch& batch, std::uint64_t group, const number::ArbVector& widths,
                           const number::ArbVector& reaches) const {
  const auto degree = static_cast<long>(parameters.degree);
  const int slope_shift = std::max(0, parameters.y_exponent - layout::slope_shift);
  const auto size = static_cast<std::size_t>(degree) + 1;
  const Middle middle = middle_of(batch.first_window + (group << parameters.group_bits), degree + 1);
  const auto start_words = start_at(middle);
  std::copy(start_words.begin(), start_words.end(),
            batch.starts.begin() + static_cast<std::ptrdiff_t>(group * layout::start_words));
  std::uint64_t* table = batch.tables.data() + group * layout::table_words(parameters.degree);
  number::write_words(middle.of_argument, 3, table);
  table += TMD_TABLE_POLYNOMIALS;
  number::Arb value;
  number::Integer rounded;
  for (long order = 0; order <= 4; ++order)
    for (long k = 0; k + order <= degree; ++k) {
      fmpz_bin_uiui(rounded, static_cast<unsigned long>(k + order), static_cast<unsigned long>(order));
      arb_mul_fmpz(value, middle.f[k + order], rounded, series_precision);
      arb_mul(value, value, reaches[k], series_precision);
      if (order > 1)
        arb_mul(value, value, widths[order], series_precision);
      arb_mul_2exp_si(value, value,
                      order == 0   ? 128
                      : order == 1 ? 128 - slope_shift
                                   : layout::coefficient_bits + parameters.z_exponent);
      arf_get_fmpz(rounded, arb_midref(static_cast<arb_ptr>(value)), ARF_RND_NEAR);
      const auto at = static_cast<std::size_t>(k);
      const auto row = static_cast<std::size_t>(order);
      if (order <= 1)
        number::write_words(rounded, 3, table + 3 * (row * size + at));
      else
        number::write_words(rounded, 1, table + (row + 4) * size + at);
    }
}

} // namespace tmd::engine::phase
