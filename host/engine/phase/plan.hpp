// Plans of the phase walk: windows of one width within one binade of the values, and what their kernels are told.
#pragma once

#include "engine/engine.hpp"
#include "engine/phase/field.hpp"
#include "engine/phase/parameters.hpp"
#include "number/bound.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tmd::engine::phase {

inline constexpr std::string_view phase_method = "phase";

struct PhaseOptions {
  double width = 1;     // the lattice points that a window's box has, to the power 1/3
  int segment_bits = 6; // log2 of the windows after which coordinates are made anew from integers, at most
  int chunk_bits = 10;  // log2 of the windows of a work-item, at most
  std::uint64_t batch_windows = std::uint64_t(1) << 30; // at most
  double window_cost = 1;                               // relative to one regular existence test
  bool long_m = false;                                  // m has two words, also where one would do
  unsigned host_threads = 1;                            // that make the groups of a batch
};

// All in units of the breakpoint spacing; doc/theory/phase-walk.md derives every term.
struct PhaseLedger {
  number::Bound epsilon;      // 2^−K: what is searched
  number::Bound taylor;       // F of degree 5 and more over a segment
  number::Bound group;        // its coefficients over a group
  number::Bound coefficients; // these in fixed point
  number::Bound omega;        // the arguments' phases, by the rounding of that of one unit
  number::Bound rounding;     // of the lattice's coordinates, at most: windows with more are refused

  [[nodiscard]] number::Bound test() const { return epsilon + taylor + group + coefficients + omega; }
  [[nodiscard]] std::vector<LedgerLine> lines() const {
    return {{"epsilon", epsilon},
            {"phase_taylor", taylor},
            {"phase_group", group},
            {"phase_coefficients", coefficients},
            {"phase_omega", omega},
            {"phase_rounding", rounding},
            {"phase", test() + rounding, true}};
  }
};

class PhasePlan;

// An argument that may be a case, as the kernels say it: counted from the arguments' middle, downwards where its target
// is that of −φ.
struct PhasePoint {
  std::int64_t m = 0;
  int target = 0;

  [[nodiscard]] bool of_mate() const { return target >= layout::targets_of_one; }
  friend bool operator==(const PhasePoint&, const PhasePoint&) = default;
  friend bool operator<(const PhasePoint& left, const PhasePoint& right) {
    return std::pair(left.m, left.target) < std::pair(right.m, right.target);
  }
};

// Windows of a plan, group by group.
struct PhaseBatch : Batch {
  std::shared_ptr<const PhasePlan> plan;
  std::uint64_t first_window = 0; // of the plan's
  std::uint64_t steps = 0;        // of the coordinate
  layout::phase_parameters parameters{};
  std::uint64_t windows = 0;
  std::vector<std::uint64_t> tables; // of its groups
  std::vector<std::uint64_t> starts; // likewise
  double reach = std::numeric_limits<double>::infinity();

  [[nodiscard]] std::uint64_t count() const override { return steps; }
  [[nodiscard]] bool is_compact() const override { return tables.size() + starts.size() <= most_compact_words; }
};

// Constants that are added to F, one for each of successive groups of windows: they move a breakpoint to an argument.
struct PhaseShifts {
  std::uint64_t first_window = 0; // of the plan's
  int group_bits = 0;             // log2 of the windows of a group
  number::ArbVector of_groups{0};
};

class PhasePlan : public Plan {
public:
  std::shared_ptr<const PhaseField> field;
  const PhaseZone* zone = nullptr;
  int exponent = 0;          // of the values' binade
  bool is_empty = false;     // no breakpoints there
  bool is_listed = false;    // so few arguments that each is a candidate: no windows
  bool meets_border = false; // of the binade: at an end, windows have values of the next one, too
  PhaseLedger ledger;
  number::Integer start;   // the phase at which the first window begins
  std::uint64_t width = 0; // steps from a window to the next
  std::uint64_t windows = 0;
  layout::phase_parameters parameters{};
  std::uint64_t batch_windows = 0;
  unsigned host_threads = 1;
  double scale_z = 0;                                  // spacings of a box unit
  double half_width = 0;                               // phase of a box unit
  int m_words = 1;                                     // of the kernels' m
  std::shared_ptr<const PhaseShifts> shifts = nullptr; // null: F as it is

  [[nodiscard]] PlanReport report() const override;
  [[nodiscard]] std::unique_ptr<Batch> batch(std::uint64_t done) const override;

  // The windows of these groups, with F shifted: as long as the plan's own groups at most.
  [[nodiscard]] PhaseBatch shifted_batch(PhaseShifts by) const;

  // A walk's start at the plan's window of that number.
  [[nodiscard]] std::array<std::uint64_t, layout::start_words> start_at(std::uint64_t window) const;
  // Whether there are so many arguments that a kernel's list tells of a point's m less than all: then several points
  // are what an entry may stand for, also such as were not near a breakpoint.
  [[nodiscard]] bool is_told_in_part() const;
  // Adds what an entry stands for.
  void add_points(std::uint64_t entry, std::vector<PhasePoint>& points) const;
  // The index of the argument that a point is, and the other way round; null where it is none of the stretch's.
  [[nodiscard]] std::optional<std::uint64_t> index_of(const PhasePoint& point) const;
  [[nodiscard]] PhasePoint point_at(std::uint64_t index, bool of_mate) const;
  // Indices of the arguments with phases within some windows, or where all of the plan's would reach, on both sides of
  // 0: of the function's phases or its mate's.
  [[nodiscard]] std::vector<std::uint64_t> arguments_in(std::uint64_t window, std::uint64_t count,
                                                        bool of_mate = false) const;
  [[nodiscard]] std::vector<std::uint64_t> all_arguments(bool of_mate = false) const;
  // Indices of the arguments whose phases are within `radius` of this one.
  [[nodiscard]] std::vector<std::uint64_t> arguments_near(const number::Integer& phase, const number::Integer& radius,
                                                          bool of_mate = false) const;

private:
  struct Middle { // of a window
    explicit Middle(long length) : f(length) {}
    number::Integer phase;       // of F
    number::Integer of_argument; // of mω
    number::ArbVector f;
  };
  [[nodiscard]] Middle middle_of(std::uint64_t window, long length) const;
  [[nodiscard]] std::array<std::uint64_t, layout::start_words> start_at(const Middle& middle) const;
  void fill(PhaseBatch& batch) const;
  void fill_group(PhaseBatch& batch, std::uint64_t group, const number::ArbVector& widths,
                  const number::ArbVector& reaches) const;
};

// Plans a claimed stretch zone by zone and binade by binade.
class PhasePlanner : public Planner {
public:
  PhasePlanner(std::shared_ptr<const PhaseField> field, const PhaseOptions& options);

  [[nodiscard]] std::unique_ptr<Offer> offer(uint128 first, uint128 most) override;
  // The plan that begins at `first`, of `most` steps or fewer.
  [[nodiscard]] std::unique_ptr<PhasePlan> plan(uint128 first, uint128 most);

private:
  class Making;

  std::shared_ptr<const PhaseField> field_;
  PhaseOptions options_;
};

} // namespace tmd::engine::phase
