// Regimes: ranges in which no argument or every argument is a case, however many there are, and those whose cases are
// listed.
#pragma once

#include "format/grid.hpp"
#include "job/binade_cases.hpp"
#include "job/stretch.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tmd::job {

// The side of a breakpoint on which f(x) lies. `undecided`: for some or all arguments of an expression it is not known,
// and f(x) may even be the breakpoint.
enum class Side { below, above, undecided };

// A rule by which every argument is a case: f(x) lies on one side of the breakpoint g(x) = slope·x + offset, nearer
// than 2^−K spacings. Both numbers are exact, as C hex floats.
struct BreakpointRule {
  std::string slope;
  std::string offset;
  Side side = Side::below;
  std::optional<Breakpoint> breakpoint; // the kind of g(x); nothing: sometimes one, sometimes the other

  friend bool operator==(const BreakpointRule&, const BreakpointRule&) = default;
};

// A statement about every argument of a range. With a rule each is a hard case. Without one, the arguments listed in
// `some` are hard cases; if `some` is null too there is none, and with is_exact each is an exact case, with is_pole a
// pole.
struct Regime {
  std::optional<BreakpointRule> rule;
  bool is_exact = false;
  bool is_pole = false;
  std::shared_ptr<const BinadeCases> some = nullptr;

  friend bool operator==(const Regime& left, const Regime& right) {
    const bool same_some = left.some == right.some || (left.some && right.some && *left.some == *right.some);
    return left.rule == right.rule && left.is_exact == right.is_exact && left.is_pole == right.is_pole && same_some;
  }
};

// Consecutive arguments of a stretch with one regime, or with none that is known.
struct RegimeStretch {
  Stretch arguments;
  std::optional<Regime> regime;
};

// Consecutive ranks with one regime.
struct RegimeRange {
  RankInterval ranks;
  Regime regime;

  [[nodiscard]] uint128 size() const { return static_cast<uint128>(ranks.last - ranks.first); }
  // The number of hard cases among them; and whether there is one.
  [[nodiscard]] uint128 cases() const { return regime.rule ? size() : regime.some ? regime.some->count(ranks) : 0; }
  [[nodiscard]] bool is_case(format::ArgumentSet::Rank rank) const {
    return regime.rule || (regime.some && regime.some->contains(rank));
  }
};

// The rounded value under a rule, by a directed rounding or to nearest: g(x) itself, or the representable number next
// to it.
enum class Rounded { to_breakpoint, next_above, next_below };
struct RoundedValues {
  Rounded nearest;
  Rounded up;
  Rounded down;
};
// Nothing if the rule has breakpoints of both kinds, or no side.
[[nodiscard]] std::optional<RoundedValues> rounded_values(const BreakpointRule& rule);

// Shorter regimes are not worth a record: their cases are listed one by one.
inline constexpr std::uint64_t shortest_regime = 1024;

// Sorts regimes by rank, and joins neighbours that are equal.
void join(std::vector<RegimeRange>& regimes);

} // namespace tmd::job
