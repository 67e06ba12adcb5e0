// The phase of an argument is its number times omega = h/period modulo 1, in fixed point. Functions that are even or
// odd about the phases 0 and 1/2 need only phases up to 1/2, in zones with windows of their own width: octaves towards
// 0 and towards a pole. At either end MPFR decides a few arguments. Of a logarithm omega is 2^−64, and what the period
// does to its values is added to F.
#include "engine/phase/field.hpp"

#include "engine/phase/residues.hpp"
#include "number/hull.hpp"
#include "support/sha256.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::phase {

namespace {

constexpr int step_bits_of_zone = 62; // for zones near 0 and in the middle
// For longer significands, windows of the octaves from here on need steps that are finer than the octave by this much.
constexpr int longest_with_equal_steps = 57;
constexpr int octave_of_finer_steps = 16;
constexpr int finer_step_bits = 44;
constexpr int step_bits_in_half = 59; // in octaves towards the pole: these bits, and 2/3 of the octave's number
// log2 of the arguments that are listed at either end, twice as many with both signs: so few that MPFR decides them
// while a device would begin with the plans of some octaves; and near a pole there would be far more windows than
// arguments.
constexpr int fewest_direct_bits = 5;
constexpr int direct_share = 4;
constexpr int least_octave = 2; // 1/4 and the like

constexpr int binade_step_bits = 64; // log2 of the arguments of a logarithm, one after the other, in a whole phase

number::Integer power_of_two(int exponent) {
  number::Integer result;
  fmpz_one(result);
  fmpz_mul_2exp(result, result, static_cast<unsigned long>(exponent));
  return result;
}

std::string hexadecimal(const number::Integer& phase) {
  const std::unique_ptr<char, decltype(&flint_free)> text(fmpz_get_str(nullptr, 16, phase), flint_free);
  return text.get();
}

} // namespace

number::Integer PhaseZone::step() const {
  number::Integer result;
  fmpz_one(result);
  fmpz_mul_2exp(result, result, static_cast<unsigned long>(phase_bits - step_bits));
  return result;
}

void set_phase(arb_ptr ball, const number::Integer& phase) {
  arb_set_fmpz(ball, phase);
  arb_mul_2exp_si(ball, ball, -phase_bits);
}

LogarithmRun run_of(const job::Stretch& stretch) {
  const int bits = bit_length(stretch.first) - 1;
  return {stretch.unit_exponent + bits, static_cast<std::uint64_t>(stretch.first - (uint128(1) << bits)),
          static_cast<std::uint64_t>(stretch.count)};
}

LogarithmRuns::LogarithmRuns(std::vector<LogarithmRun> runs) : runs_(std::move(runs)), sorted_(runs_.size()) {
  std::iota(sorted_.begin(), sorted_.end(), std::size_t(0));
  std::ranges::sort(sorted_, {}, [this](std::size_t number) { return place(number); });
  const auto above = std::ranges::partition_point(sorted_, [&](std::size_t one) { return runs_[one].exponent < 0; });
  const auto add_target = [this](auto begin, auto end) {
    if (begin == end)
      return;
    const int low = runs_[*begin].exponent;
    const int high = runs_[*std::prev(end)].exponent;
    middles_.push_back(low + (high - low) / 2);
    reach_ = std::max(reach_, high - middles_.back());
  };
  add_target(above, sorted_.end());
  add_target(sorted_.begin(), above);
  for (const LogarithmRun& run : runs_) {
    first_ = std::min(first_, run.first);
    end_ = std::max(end_, run.first + run.count);
  }
}

std::optional<std::size_t> LogarithmRuns::number_of(int exponent, std::uint64_t i) const {
  const auto behind = std::ranges::upper_bound(sorted_, std::pair(exponent, i), {},
                                               [this](std::size_t number) { return place(number); });
  if (behind == sorted_.begin())
    return std::nullopt;
  const LogarithmRun& run = runs_[*std::prev(behind)];
  return run.exponent == exponent && i - run.first < run.count ? std::optional(*std::prev(behind)) : std::nullopt;
}

int PhaseField::lifted(int exponent) const { return exponent + (phase_->doubled ? 1 : 0); }

int value_exponent_of(const function::Phase& logarithm, const job::Stretch& stretch, uint128 index) {
  // No argument's logarithm is so near to a power of two; if it is one, either binade will do.
  constexpr long precision = 256;
  const Argument argument = stretch.argument(index);
  const int bits = bit_length(argument.significand) - 1;
  number::Integer significand;
  number::set(significand, argument.significand);
  number::Arb at;
  arb_set_fmpz(at, significand);
  arb_mul_2exp_si(at, at, -bits);
  number::ArbVector value(1);
  logarithm.of_phase(value.data(), at, 1, precision);
  logarithm.period(at, precision);
  arb_addmul_si(value[0], at, argument.unit_exponent + bits + (logarithm.doubled ? 1 : 0), precision);
  return static_cast<int>(number::exponent_above(arb_midref(value[0]))) - 1;
}

PhaseField::PhaseField(const job::Job& job, const job::Stretch& stretch,
                       std::vector<const function::Function*> companions, std::vector<job::Stretch> others)
    : phase_(&job.function->phase.value()), grid_(job.grid()), K_(job.K), arguments_(stretch),
      companions_(std::move(companions)), others_(std::move(others)) {
  if (is_logarithm()) {
    std::vector<LogarithmRun> runs{run_of(stretch)};
    for (const job::Stretch& other : others_)
      runs.push_back(run_of(other));
    runs_.emplace(std::move(runs));
    omega_ = power_of_two(phase_bits - binade_step_bits);
    zones_.push_back({0, span() << place_bits(), {}, binade_step_bits + place_bits(), false, true, false});
    return;
  }
  // Rounding of h/period modulo 1.
  constexpr long guard_bits = 64;
  const long precision = phase_bits + std::max(stretch.unit_exponent, 0) + guard_bits;
  number::Arb omega;
  phase_->period(omega, precision);
  arb_inv(omega, omega, precision);
  if (falls(*phase_, stretch))
    arb_neg(omega, omega);
  arb_mul_2exp_si(omega, omega, stretch.unit_exponent + phase_bits);
  // Its error is below a unit and the ball's radius; `rounding_up` of the plans' ledgers allows for that.
  if (mag_cmp_2exp_si(arb_radref(static_cast<arb_ptr>(omega)), -41) > 0)
    throw SoundnessError("the phase of a unit is not known to 2^-41 of its last bit");
  arf_get_fmpz(omega_, mid(omega), ARF_RND_FLOOR);
  fmpz_fdiv_r_2exp(omega_, omega_, phase_bits);

  number::set(first_phase_, arguments_.first);
  fmpz_mul(first_phase_, first_phase_, omega_);
  if (phase_->shifted)
    fmpz_add(first_phase_, first_phase_, power_of_two(phase_bits - 1));
  fmpz_fdiv_r_2exp(first_phase_, first_phase_, phase_bits);

  number::Integer start;
  if (!is_folded()) {
    zones_.push_back({0, uint128(1) << step_bits_of_zone, start, step_bits_of_zone, false, true, false});
    return;
  }
  // As many as there are; or, if the arguments do not span a period, as many as there would be if they went on with the
  // same density.
  number::Integer step; // from one argument to the next
  fmpz_sub(step, power_of_two(phase_bits), omega_);
  if (fmpz_cmp(omega_, step) < 0)
    step = omega_;
  const int count_bits = std::max(bit_length(arguments_.count - 1), phase_bits - static_cast<int>(fmpz_bits(step)));
  const int octaves = std::max(least_octave, count_bits - std::max(fewest_direct_bits, count_bits / direct_share));
  const auto add = [this](const number::Integer& start, int step_bits, uint128 extent, bool at_pole, bool direct) {
    const uint128 first = zones_.empty() ? 0 : this->extent();
    zones_.push_back({first, extent, start, step_bits, at_pole, false, direct});
  };
  add(start, octaves, 1, false, true);
  const int last_octave = phase_->has_pole ? 2 : 1;
  int equal_octaves = octaves;
  if (significand_bits() > longest_with_equal_steps)
    for (; equal_octaves > octave_of_finer_steps; --equal_octaves) // 2^−octave to 2^−(octave − 1)
      add(power_of_two(phase_bits - equal_octaves), equal_octaves + finer_step_bits, uint128(1) << finer_step_bits,
          false, false);
  if (equal_octaves > last_octave)
    add(power_of_two(phase_bits - equal_octaves), step_bits_of_zone,
        (uint128(1) << (step_bits_of_zone - last_octave)) - (uint128(1) << (step_bits_of_zone - equal_octaves)), false,
        false);
  if (!phase_->has_pole)
    return;
  for (int octave = least_octave; octave < octaves; ++octave) { // 1/2 − 2^−octave to 1/2 − 2^−(octave + 1)
    fmpz_sub(start, power_of_two(phase_bits - 1), power_of_two(phase_bits - octave));
    const int step_bits = step_bits_in_half + 2 * octave / 3;
    add(start, step_bits, uint128(1) << (step_bits - octave - 1), true, false);
  }
  fmpz_sub(start, power_of_two(phase_bits - 1), power_of_two(phase_bits - octaves));
  add(start, octaves, 1, true, true);
}

int PhaseField::significand_bits() const { return bit_length(arguments_.first + (arguments_.count - 1)); }

number::Integer PhaseField::first_phase_of_companion() const {
  number::Integer result;
  if (is_mirrored())
    fmpz_neg(result, first_phase_);
  else
    fmpz_add(result, power_of_two(phase_bits - 1), first_phase_);
  fmpz_fdiv_r_2exp(result, result, phase_bits);
  return result;
}

const PhaseZone& PhaseField::zone(uint128 at) const {
  return *std::prev(std::upper_bound(zones_.begin(), zones_.end(), at,
                                     [](uint128 place, const PhaseZone& zone) { return place < zone.first; }));
}

number::Integer PhaseField::phase(const PhaseZone& zone, uint128 at) {
  number::Integer result;
  number::set(result, at - zone.first);
  fmpz_mul_2exp(result, result, static_cast<unsigned long>(phase_bits - zone.step_bits));
  fmpz_add(result, result, zone.start);
  return result;
}

number::Integer PhaseField::end() const {
  const int of_binade = significand_bits() - 1 - binade_step_bits;
  return power_of_two(phase_bits + (is_folded() ? -1 : is_logarithm() ? of_binade : 0));
}

std::size_t PhaseField::others() const { return is_logarithm() ? runs_->size() - 1 : has_other_phases() ? 1 : 0; }

Argument PhaseField::argument(std::uint64_t index, std::size_t owner) const {
  return (owner == 0 || others_.empty() ? arguments_ : others_.at(owner - 1)).argument(index);
}

int PhaseField::place_bits() const {
  constexpr int finest = 16; // windows of short significands may be narrower than an argument's unit
  constexpr int most = 63;
  return std::min(finest, most - (significand_bits() - 1));
}

uint128 PhaseField::span() const { return is_logarithm() ? uint128(1) << (significand_bits() - 1) : arguments_.count; }

int PhaseField::targets() const {
  return is_logarithm() ? runs_->targets() : own_targets() * (has_other_phases() ? 2 : 1);
}

void PhaseField::lift(arb_ptr value, long binades, int exponent, long precision) const {
  number::Arb rise;
  phase_->period(rise, precision);
  arb_mul_2exp_si(rise, rise, -grid_.spacing_exponent(exponent));
  arb_addmul_si(value, rise, binades, precision);
}

uint128 PhaseField::arguments_of_run(const LogarithmRun& run, uint128 first, uint128 count) const {
  const auto at = [&](uint128 place) { return (place + ((uint128(1) << place_bits()) - 1)) >> place_bits(); };
  const uint128 from = std::max<uint128>(at(first), run.first);
  return std::max(std::min(at(first + count), uint128(run.first) + run.count), from) - from;
}

uint128 PhaseField::arguments_of_runs(uint128 first, uint128 count) const {
  uint128 sum = 0;
  for (std::size_t number = 0; number < runs_->size(); ++number)
    sum += arguments_of_run(runs_->run(number), first, count);
  return sum;
}

uint128 PhaseField::arguments_at(uint128 first, uint128 count, bool of_companion) const {
  if (count == 0)
    return 0;
  if (is_logarithm())
    return arguments_of_run(runs_->run(0), first, count);
  const number::Integer first_phase = of_companion ? first_phase_of_companion() : first_phase_;
  number::Integer omega = omega_;
  if (of_companion && is_mirrored())
    fmpz_sub(omega, power_of_two(phase_bits), omega_);
  const number::Integer from = phase(zone(first), first);
  const bool ends = first + count == extent();
  const number::Integer to = ends ? end() : phase(zone(first + count), first + count);
  // The phases φ in [from, to), or up to 1/2, and −φ: 0 and 1/2 are their own opposites.
  number::Integer sum;
  number::Integer width;
  number::Integer offset;
  const auto add = [&](const number::Integer& low, const number::Integer& high) {
    fmpz_sub(width, high, low);
    if (fmpz_sgn(width) < 0)
      return;
    fmpz_sub(offset, first_phase, low);
    fmpz_fdiv_r_2exp(offset, offset, phase_bits);
    fmpz_add(
        sum, sum,
        count_within(omega, offset, width, power_of_two(phase_bits), static_cast<std::uint64_t>(arguments_.count)));
  };
  number::Integer last;
  fmpz_sub_ui(last, to, ends && is_folded() ? 0 : 1);
  add(from, last);
  if (!is_folded())
    return fmpz_get_ui(sum);
  number::Integer least;
  number::Integer greatest;
  fmpz_sub_ui(least, to, 1);
  fmpz_neg(least, least);
  fmpz_neg(greatest, from);
  if (fmpz_is_zero(from) != 0)
    fmpz_sub_ui(greatest, greatest, 1);
  add(least, greatest);
  return fmpz_get_ui(sum);
}

number::Integer PhaseField::phase_of(std::uint64_t index, bool of_companion) const {
  number::Integer result;
  fmpz_set(result, of_companion ? first_phase_of_companion() : first_phase_);
  if (of_companion && is_mirrored())
    fmpz_submul_ui(result, omega_, index);
  else
    fmpz_addmul_ui(result, omega_, index);
  fmpz_fdiv_r_2exp(result, result, phase_bits);
  if (is_folded() && fmpz_cmp(result, end()) > 0)
    fmpz_sub(result, power_of_two(phase_bits), result);
  return result;
}

uint128 PhaseField::place_of(std::uint64_t index) const {
  if (is_logarithm())
    return (uint128(runs_->run(0).first) + index) << place_bits();
  const number::Integer at = phase_of(index);
  const auto next =
      std::upper_bound(zones_.begin(), zones_.end(), at, [](const number::Integer& phase, const PhaseZone& zone) {
        return fmpz_cmp(phase, zone.start) < 0;
      });
  const PhaseZone& zone = *std::prev(next);
  number::Integer steps;
  fmpz_sub(steps, at, zone.start);
  fmpz_fdiv_q_2exp(steps, steps, static_cast<ulong>(phase_bits - zone.step_bits));
  std::array<std::uint64_t, 2> words{};
  number::write_words(steps, static_cast<int>(words.size()), words.data());
  return zone.first + std::min(uint128(words[0]) << 64 | words[1], zone.extent - 1); // the end belongs to the last step
}

std::string PhaseField::coordinate() const {
  return hash_with(
      fmt::format("{} {} {} {}", phase_bits, hexadecimal(omega_), hexadecimal(first_phase_), is_shifted()));
}

std::string PhaseField::windows() const { return hash_with(hexadecimal(omega_)); }

std::string PhaseField::hash_with(const std::string& beginning) const {
  constexpr std::size_t digits = 16;
  std::string text = fmt::format("{} {} {}", beginning, to_string(arguments_.first), to_string(arguments_.count));
  for (const PhaseZone& zone : zones_)
    text += fmt::format("; {} {} {} {} {} {}", to_string(zone.first), to_string(zone.extent), hexadecimal(zone.start),
                        zone.step_bits, zone.ends_at_pole, zone.is_direct);
  return support::sha256(text).substr(0, digits);
}

number::Bound PhaseField::beside(int exponent) const {
  if (is_logarithm() && phase_->is_only_near())
    return number::Bound::power_of_two(-static_cast<long>(std::floor(phase_->agreement * runs_->least_exponent())) -
                                       grid_.spacing_exponent(exponent));
  double agreement = phase_->agreement; // the least that is not 0
  for (const function::Function* companion : companions_)
    if (const function::Phase& phase = companion->phase.value(); phase.is_only_near())
      agreement = agreement > 0 ? std::min(agreement, phase.agreement) : phase.agreement;
  if (agreement == 0)
    return {};
  constexpr int beyond = 1; // windows reach beyond the binade, where F has one bit more
  const double least = std::ldexp(static_cast<double>(arguments_.first), arguments_.unit_exponent);
  constexpr double rounding_down = 1 - 0x1p-40;
  const double bits = std::floor(std::min(agreement * least * rounding_down, 0x1p+40));
  return number::Bound::power_of_two(grid_.number_bits() + beyond - static_cast<long>(bits));
}

void PhaseField::series(arb_ptr coefficients, arb_srcptr phase, int exponent, long length, long precision) const {
  const long spacing = grid_.spacing_exponent(exponent);
  long per_phase = 0; // log2 of how far x goes in a whole phase
  number::Arb at;
  if (is_logarithm()) {
    per_phase = binade_step_bits + 1 - significand_bits();
    arb_mul_2exp_si(at, phase, per_phase);
    arb_add_si(at, at, 1, precision);
  } else {
    arb_set(at, phase);
  }
  phase_->of_phase(coefficients, at, length, precision);
  for (long j = 0; j < length; ++j)
    arb_mul_2exp_si(coefficients + j, coefficients + j, j * per_phase - spacing);
  if (grid_.shifted()) {
    number::Arb half;
    arb_one(half);
    arb_mul_2exp_si(half, half, -1);
    arb_sub(coefficients, coefficients, half, precision);
  }
}

int PhaseField::value_exponent(const number::Integer& phase) const {
  if (is_logarithm())
    return value_exponent_of(*phase_, arguments_, 0);
  constexpr long precision = 256;
  number::Arb at;
  number::ArbVector value(1);
  set_phase(at, phase);
  phase_->of_phase(value.data(), at, 1, precision);
  return static_cast<int>(number::exponent_above(arb_midref(value[0]))) - 1;
}

} // namespace tmd::engine::phase
