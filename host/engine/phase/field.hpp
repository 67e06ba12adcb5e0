// A stretch of arguments seen by its phases: the coordinate of a claim, and F as a function of the phase.
#pragma once

#include "engine/engine.hpp"
#include "engine/phase/parameters.hpp"
#include "number/arb.hpp"
#include "number/bound.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tmd::engine::phase {

// Phases are integers in units of 2^−phase_bits: borders of zones and windows are exact.
inline constexpr int phase_bits = 192;

// An interval of phases, in 0 to 1/2 or to 1 (PhaseField::end), in which the coordinate counts equal steps.
struct PhaseZone {
  uint128 first = 0;     // first place of the coordinate
  uint128 extent = 0;    // number of steps
  number::Integer start; // the phase of its beginning
  int step_bits = 0;     // a step is 2^−step_bits
  bool ends_at_pole = false;
  bool is_even = false;   // F's derivatives change little; otherwise they do towards 0 or the pole
  bool is_direct = false; // so few arguments have such phases that they are listed: one step for all of them

  [[nodiscard]] number::Integer step() const; // the phase of one
};

// Arguments of a logarithm in one binade: those from its i-th on.
struct LogarithmRun {
  int exponent = 0; // of the binade
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};
[[nodiscard]] LogarithmRun run_of(const job::Stretch& stretch);

// The arguments of a logarithm that one walk serves. Those above 1 have a target, and those below.
class LogarithmRuns {
public:
  // The claim's own, then those of the others, in any order.
  explicit LogarithmRuns(std::vector<LogarithmRun> runs);

  [[nodiscard]] std::size_t size() const { return runs_.size(); }
  [[nodiscard]] const LogarithmRun& run(std::size_t number) const { return runs_.at(number); }
  // The number of the run with the i-th argument of a binade; null if none has it.
  [[nodiscard]] std::optional<std::size_t> number_of(int exponent, std::uint64_t i) const;
  [[nodiscard]] int targets() const { return static_cast<int>(middles_.size()); }
  [[nodiscard]] int target_of(int exponent) const { return targets() > 1 && exponent < 0 ? 1 : 0; }
  // The middle one of a target's binades, and how far they are from it at most.
  [[nodiscard]] int middle(int target) const { return middles_.at(static_cast<std::size_t>(target)); }
  [[nodiscard]] int reach() const { return reach_; }
  [[nodiscard]] int least_exponent() const { return runs_[sorted_.front()].exponent; }
  // The arguments of a binade from the first of some run to the last.
  [[nodiscard]] std::uint64_t first() const { return first_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }

private:
  // By which they are sorted.
  [[nodiscard]] std::pair<int, std::uint64_t> place(std::size_t number) const {
    return {runs_[number].exponent, runs_[number].first};
  }

  std::vector<LogarithmRun> runs_;
  std::vector<std::size_t> sorted_; // numbers, by exponent and first argument
  std::vector<int> middles_;
  int reach_ = 0;
  std::uint64_t first_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t end_ = 0;
};

// Whether phases, and so values, fall as the arguments grow in size: those of exp below 0, but not of cosh.
[[nodiscard]] inline bool falls(const function::Phase& phase, const job::Stretch& stretch) {
  return phase.kind == function::Phase::Kind::doubling && stretch.negative && !phase.is_only_near();
}

// The binade of a logarithm's value, or of what f is close to, at an argument where that is not 0: by its index.
[[nodiscard]] int value_exponent_of(const function::Phase& logarithm, const job::Stretch& stretch, uint128 index);

// The coordinate of a stretch that the walk claims. If phases are folded, φ and −φ are the same. Of a logarithm the
// phase of a binade's i-th argument is i·2^−64.
class PhaseField {
public:
  // companions: other functions that the same walk serves, one at most if phases are folded. others: other claims'
  // arguments that it serves. Of an exponential those are the ones of opposite sign, and it has no companions; of a
  // logarithm they are others with values in the same binade. Throws std::bad_optional_access if the job's function
  // has no phase.
  PhaseField(const job::Job& job, const job::Stretch& stretch, std::vector<const function::Function*> companions = {},
             std::vector<job::Stretch> others = {});

  [[nodiscard]] const std::vector<PhaseZone>& zones() const { return zones_; }
  [[nodiscard]] uint128 extent() const { return zones_.back().first + zones_.back().extent; }
  // The zone that contains a place of the coordinate, and the phase at that place.
  [[nodiscard]] const PhaseZone& zone(uint128 at) const;
  [[nodiscard]] static number::Integer phase(const PhaseZone& zone, uint128 at);
  // Number of the arguments whose phases have coordinates in [first, first + count), within a zone or across several;
  // over parts that tile the coordinate these add up to all of them. of_companion: by the companion's phases.
  [[nodiscard]] uint128 arguments_at(uint128 first, uint128 count, bool of_companion = false) const;
  // The phase of an argument, by its index, or that of the companion's argument, which may be the one of opposite sign;
  // in [0, 1/2] if phases are folded. Of a logarithm, here and where a plan has arguments near a phase, the index is
  // that in the whole binade.
  [[nodiscard]] number::Integer phase_of(std::uint64_t index, bool of_companion = false) const;
  // The place of the coordinate at which the argument lies: arguments_at() counts it there.
  [[nodiscard]] uint128 place_of(std::uint64_t index) const;
  // A hash of everything that determines which arguments lie where, 16 hexadecimal digits (Claim::coordinate).
  [[nodiscard]] std::string coordinate() const;
  // The same for all functions whose windows these are, whatever their shift (Claim::shared).
  [[nodiscard]] std::string windows() const;

  // The phase of one unit of the arguments, negative where phases fall, modulo 1: rounded down, with an error below a
  // unit.
  [[nodiscard]] const number::Integer& omega() const { return omega_; }
  // The phase of the first argument, rounded likewise.
  [[nodiscard]] const number::Integer& first_phase() const { return first_phase_; }
  [[nodiscard]] std::size_t companions() const { return companions_.size(); }
  // Whether a companion's arguments have other phases: those of opposite sign have, another function's if phases are
  // folded.
  [[nodiscard]] bool has_other_phases() const { return is_mirrored() || (is_folded() && !companions_.empty()); }
  // Whether those of an owner (PhaseArgument) have.
  [[nodiscard]] bool has_other_phases(std::size_t owner) const { return owner > 0 && has_other_phases(); }
  [[nodiscard]] number::Integer first_phase_of_companion() const;
  [[nodiscard]] bool is_mirrored() const { return !is_logarithm() && !others_.empty(); }
  [[nodiscard]] bool is_logarithm() const { return phase_->kind == function::Phase::Kind::logarithm; }
  // Null if the function is no logarithm.
  [[nodiscard]] const LogarithmRuns* runs() const { return runs_ ? &*runs_ : nullptr; }
  // Sets of arguments whose cases the walk tells apart from the function's own: those with other phases are one; of a
  // logarithm each other run is one.
  [[nodiscard]] std::size_t others() const;
  // The argument with this index among those of an owner: 0 is the claim itself, or its companion, then come the
  // others.
  [[nodiscard]] Argument argument(std::uint64_t index, std::size_t owner) const;
  // The arguments in a part of the coordinate of a logarithm, of all runs together.
  [[nodiscard]] uint128 arguments_of_runs(uint128 first, uint128 count) const;
  // Number of the arguments that m counts: of a logarithm those of a binade.
  [[nodiscard]] uint128 span() const;
  // log2 of the steps from one argument of a logarithm to the next.
  [[nodiscard]] int place_bits() const;
  // Targets of the function's own arguments in a window, and of all.
  [[nodiscard]] int own_targets() const { return is_folded() ? layout::targets_of_one : 1; }
  [[nodiscard]] int targets() const;
  // The number of binades from that of 1 on by which F of a logarithm has grown in this one.
  [[nodiscard]] int lifted(int exponent) const;
  // Adds to F of a logarithm what it grows by over so many binades.
  void lift(arb_ptr value, long binades, int exponent, long precision) const;
  [[nodiscard]] bool is_shifted() const { return phase_->shifted; }
  [[nodiscard]] bool is_folded() const { return phase_->kind == function::Phase::Kind::folded; }
  // The end of the phases: 1/2 if they are folded, that of the binade for a logarithm, else 1.
  [[nodiscard]] number::Integer end() const;
  [[nodiscard]] const job::Stretch& arguments() const { return arguments_; }
  // Bits of the last argument's significand.
  [[nodiscard]] int significand_bits() const;
  [[nodiscard]] const format::BreakpointGrid& grid() const { return grid_; }
  [[nodiscard]] int K() const { return K_; }

  // By how much F of the function, or of a companion, may differ from that of its phase, for any of the arguments, with
  // values in the binade of 2^exponent.
  [[nodiscard]] number::Bound beside(int exponent) const;

  // coefficients[j] encloses F^(j)(φ)/j! for the phases of the ball, F = g/s − shift with the spacing s of values of
  // the binade of 2^exponent, j < length.
  void series(arb_ptr coefficients, arb_srcptr phase, int exponent, long length, long precision) const;
  // The binade of g at a phase. Dyadic phases other than 0, 1/6, 1/4, … are neither zeros nor powers of two, and at
  // those enclosures only decide whose binade's windows reach beyond its border.
  [[nodiscard]] int value_exponent(const number::Integer& phase) const;

private:
  [[nodiscard]] uint128 arguments_of_run(const LogarithmRun& run, uint128 first, uint128 count) const;
  [[nodiscard]] std::string hash_with(const std::string& beginning) const;

  const function::Phase* phase_;
  format::BreakpointGrid grid_;
  int K_;
  job::Stretch arguments_;
  std::vector<const function::Function*> companions_;
  std::vector<job::Stretch> others_;
  std::optional<LogarithmRuns> runs_;
  number::Integer omega_;
  number::Integer first_phase_;
  std::vector<PhaseZone> zones_;
};

// ball = phase·2^−phase_bits, exactly.
void set_phase(arb_ptr ball, const number::Integer& phase);

} // namespace tmd::engine::phase
