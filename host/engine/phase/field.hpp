// A stretch of arguments seen by its phases: the coordinate of a claim, and F as a function of the phase.
#pragma once

#include "engine/engine.hpp"
#include "engine/phase/parameters.hpp"
#include "number/arb.hpp"
#include "number/bound.hpp"

#include <cstdint>
#include <string>
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
  bool is_even = false;   // F's derivatives hardly change; otherwise they do towards 0 or the pole
  bool is_direct = false; // so few arguments have such phases that they are listed: one step for all of them

  [[nodiscard]] number::Integer step() const; // the phase of one
};

// Whether phases, and so values, fall as the arguments grow in size: those of exp below 0, but not of cosh.
[[nodiscard]] inline bool falls(const function::Phase& phase, const job::Stretch& stretch) {
  return phase.kind == function::Phase::Kind::doubling && stretch.negative && !phase.is_only_near();
}

// The coordinate of a stretch that the walk claims. If phases are folded, φ and −φ are the same.
class PhaseField {
public:
  // companions: other functions that the same walk serves, one at most if phases are folded, none if it is mirrored:
  // then the walk serves the arguments of opposite sign, too, and phases are not folded. Throws
  // std::bad_optional_access if the job's function has no phase.
  PhaseField(const job::Job& job, const job::Stretch& stretch, std::vector<const function::Function*> companions = {},
             bool is_mirrored = false);

  [[nodiscard]] const std::vector<PhaseZone>& zones() const { return zones_; }
  [[nodiscard]] uint128 extent() const { return zones_.back().first + zones_.back().extent; }
  // The zone that contains a place of the coordinate, and the phase at that place.
  [[nodiscard]] const PhaseZone& zone(uint128 at) const;
  [[nodiscard]] static number::Integer phase(const PhaseZone& zone, uint128 at);
  // Number of the arguments whose phases have coordinates in [first, first + count), within a zone or across several;
  // over parts that tile the coordinate these add up to all of them. of_companion: by the companion's phases.
  [[nodiscard]] uint128 arguments_at(uint128 first, uint128 count, bool of_companion = false) const;
  // The phase of an argument, by its index, or that of the companion's argument, which may be the one of opposite sign;
  // in [0, 1/2] if phases are folded.
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
  [[nodiscard]] bool has_other_phases() const { return is_mirrored_ || (is_folded() && !companions_.empty()); }
  [[nodiscard]] number::Integer first_phase_of_companion() const;
  [[nodiscard]] bool is_mirrored() const { return is_mirrored_; }
  // Targets of the function's own arguments in a window.
  [[nodiscard]] int own_targets() const { return is_folded() ? layout::targets_of_one : 1; }
  [[nodiscard]] bool is_shifted() const { return phase_->shifted; }
  [[nodiscard]] bool is_folded() const { return phase_->kind == function::Phase::Kind::folded; }
  // The end of the phases: 1/2 if they are folded, else 1.
  [[nodiscard]] number::Integer end() const;
  [[nodiscard]] const job::Stretch& arguments() const { return arguments_; }
  // Bits of the last argument's significand.
  [[nodiscard]] int significand_bits() const;
  [[nodiscard]] const format::BreakpointGrid& grid() const { return grid_; }
  [[nodiscard]] int K() const { return K_; }

  // By how much F of the function, or of a companion, may differ from that of its phase, for any of the arguments.
  [[nodiscard]] number::Bound beside() const;

  // coefficients[j] encloses F^(j)(φ)/j! for the phases of the ball, F = g/s − shift with the spacing s of values of
  // the binade of 2^exponent, j < length.
  void series(arb_ptr coefficients, arb_srcptr phase, int exponent, long length, long precision) const;
  // The binade of g at a phase. Dyadic phases other than 0, 1/6, 1/4, … are neither zeros nor powers of two, and at
  // those enclosures only decide whose binade's windows reach beyond its border.
  [[nodiscard]] int value_exponent(const number::Integer& phase) const;

private:
  [[nodiscard]] std::string hash_with(const std::string& beginning) const;

  const function::Phase* phase_;
  format::BreakpointGrid grid_;
  int K_;
  job::Stretch arguments_;
  std::vector<const function::Function*> companions_;
  bool is_mirrored_;
  number::Integer omega_;
  number::Integer first_phase_;
  std::vector<PhaseZone> zones_;
};

// ball = phase·2^−phase_bits, exactly.
void set_phase(arb_ptr ball, const number::Integer& phase);

} // namespace tmd::engine::phase
