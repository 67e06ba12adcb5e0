// Plans of the phase walk: windows of one width within one binade of the values, and the parameters of their kernels.
#pragma once

#include "engine/engine.hpp"
#include "engine/phase/field.hpp"
#include "engine/phase/parameters.hpp"
#include "number/bound.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace tmd::engine::phase {

inline constexpr std::string_view phase_method = "phase";

// All terms are in units of the breakpoint spacing; doc/theory/phase-walk.md derives every one.
struct PhaseLedger {
  number::Bound epsilon;      // 2^−K
  number::Bound taylor;       // terms of F of degree 5 and more over a segment
  number::Bound group;        // errors of its coefficients over a group
  number::Bound coefficients; // these coefficients in fixed point
  number::Bound omega;        // the arguments' phases, from the rounding of one unit's phase
  number::Bound beside;       // the function beside that of its phase
  number::Bound rounding;     // the lattice's coordinates: windows with larger errors are refused

  [[nodiscard]] number::Bound test() const { return epsilon + taylor + group + coefficients + omega + beside; }
  [[nodiscard]] std::vector<LedgerLine> lines() const {
    return {{"epsilon", epsilon},         {"phase_taylor", taylor},
            {"phase_group", group},       {"phase_coefficients", coefficients},
            {"phase_omega", omega},       {"phase_beside", beside},
            {"phase_rounding", rounding}, {"phase", test() + rounding, true}};
  }
};

class PhasePlan;

// An argument that may be a case, as the kernels see it: counted from the arguments' middle, downwards if its target is
// one of −φ. Of a logarithm its binade is counted from the target's middle one.
struct PhasePoint {
  std::int64_t m = 0;
  int target = 0;
  int binade = 0;

  friend bool operator==(const PhasePoint&, const PhasePoint&) = default;
  friend bool operator<(const PhasePoint& left, const PhasePoint& right) {
    return std::tie(left.m, left.target, left.binade) < std::tie(right.m, right.target, right.binade);
  }
};

// An argument: its index, and whose it is, 0 for the function's own, or one of PhaseField::others().
struct PhaseArgument {
  std::uint64_t index = 0;
  std::size_t owner = 0;

  friend bool operator==(const PhaseArgument&, const PhaseArgument&) = default;
  friend bool operator<(const PhaseArgument& left, const PhaseArgument& right) {
    return std::tie(left.index, left.owner) < std::tie(right.index, right.owner);
  }
};

// Windows of a plan, group by group.
struct PhaseBatch : Batch {
  std::shared_ptr<const PhasePlan> plan;
  std::uint64_t first_window = 0; // number in the plan
  std::uint64_t steps = 0;        // length in the coordinate
  layout::phase_parameters parameters{};
  std::uint64_t windows = 0;
  std::vector<std::uint64_t> tables; // tables of its groups
  std::vector<std::uint64_t> starts; // starts of its groups
  double max_distance = std::numeric_limits<double>::infinity();

  [[nodiscard]] std::uint64_t count() const override { return steps; }
  [[nodiscard]] bool is_compact() const override { return tables.size() + starts.size() <= most_compact_words; }
};

// Constants that are added to F, one for each of successive groups of windows: they move a breakpoint to an argument.
struct PhaseShifts {
  std::uint64_t first_window = 0; // number in the plan
  int group_bits = 0;             // log2 of the windows of a group
  number::ArbVector of_groups{0};

  [[nodiscard]] arb_srcptr of_window(std::uint64_t window) const {
    return of_groups[static_cast<long>((window - first_window) >> group_bits)];
  }
};

class PhasePlan : public Plan {
public:
  std::shared_ptr<const PhaseField> field;
  const PhaseZone* zone = nullptr;
  int exponent = 0;          // of the values' binade
  bool is_empty = false;     // there are no breakpoints in it
  bool is_listed = false;    // it has no windows: its arguments are so few that each is a candidate
  bool meets_border = false; // it meets the binade's border: at an end, windows have values of the next one, too
  PhaseLedger ledger;
  number::Integer start;   // phase at which the first window begins
  std::uint64_t width = 0; // steps from one window to the next
  std::uint64_t windows = 0;
  layout::phase_parameters parameters{};
  std::uint64_t batch_windows = 0;
  unsigned host_threads = 1;
  double scale_z = 0;                                  // spacings of a box unit
  double half_width = 0;                               // phase of a box unit
  int m_words = 1;                                     // words of the kernels' m
  std::shared_ptr<const PhaseShifts> shifts = nullptr; // null: F is not shifted

  [[nodiscard]] PlanReport report() const override;
  [[nodiscard]] std::unique_ptr<Batch> batch(std::uint64_t done) const override;

  // The windows of these groups, which are at most as long as the plan's own, with F shifted.
  [[nodiscard]] PhaseBatch shifted_batch(PhaseShifts by) const;

  // The farthest from a breakpoint, in spacings, that a point may be which passes the test with these parameters.
  [[nodiscard]] double farthest(const layout::phase_parameters& tested) const;
  // Whether a list entry stores only part of m, so that it may stand for several lattice points, some of them not near
  // a breakpoint.
  [[nodiscard]] bool is_told_in_part() const;
  [[nodiscard]] std::uint64_t entry_of(const PhasePoint& point) const;
  // Adds the points that an entry of a batch may stand for.
  void add_points(std::uint64_t entry, const PhaseBatch& batch, std::vector<PhasePoint>& points) const;
  // The argument of a point, and the point of an argument; null if it does not belong to a stretch.
  [[nodiscard]] std::optional<PhaseArgument> argument_of(const PhasePoint& point) const;
  [[nodiscard]] PhasePoint point_of(const PhaseArgument& argument) const;
  // The indices of those that belong to an owner, given for a logarithm by their places in the binade.
  [[nodiscard]] std::vector<std::uint64_t> owned(std::vector<std::uint64_t> places, std::size_t owner) const;
  // Indices of the arguments with phases in some windows, or in all that the plan's windows reach, on both sides of 0:
  // phases of the function or of its companion.
  [[nodiscard]] std::vector<std::uint64_t> arguments_in(std::uint64_t window, std::uint64_t count,
                                                        bool of_companion = false) const;
  [[nodiscard]] std::vector<std::uint64_t> all_arguments(bool of_companion = false) const;
  // Indices of the arguments whose phases are within `radius` of this one.
  [[nodiscard]] std::vector<std::uint64_t> arguments_near(const number::Integer& phase, const number::Integer& radius,
                                                          bool of_companion = false) const;
};

} // namespace tmd::engine::phase
