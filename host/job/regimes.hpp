// Regimes: where f hardly leaves an arithmetic progression, no argument or every argument is a case, however many there
// are. It is proven by enclosures of F's deviation, without a device.
#pragma once

#include "format/grid.hpp"
#include "function/function.hpp"
#include "job/binade_cases.hpp"
#include "job/coverage.hpp"
#include "job/job.hpp"
#include "job/stretch.hpp"
#include "number/arb.hpp"

#include <functional>
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

// Finds the regimes of stretches, by bisection if one may begin or end inside. Otherwise it looks at a stretch's ends
// only.
class RegimeFinder {
public:
  // The job's function must outlive the finder. `interrupted` is called now and then.
  explicit RegimeFinder(const Job& job, std::function<bool()> interrupted = {});

  // The stretch divided by regimes, in increasing |x|; neighbours differ. Throws Interrupted when `interrupted` returns
  // true.
  [[nodiscard]] std::vector<RegimeStretch> find(const Stretch& stretch);

private:
  struct Range {
    uint128 first; // a significand
    uint128 count;
  };
  enum class Next { done, split, leave };
  struct Finding {
    Next next;
    Regime regime = {}; // valid if decided
    long precision = 0; // the bits that were needed, if known
  };
  class RangeValues; // values of f on a range
  class Proof;       // a proof that all of a range are cases, or none

  [[nodiscard]] Finding decide(const Stretch& stretch, const Range& range);
  [[nodiscard]] long least_precision() const;
  // Whether F, with this bend in spacings, may stay beside a line for a number of arguments that is worth a look, in a
  // stretch of `whole` arguments.
  [[nodiscard]] bool stays_flat(const number::Arb& bend, uint128 whole) const;
  // What can be decided if |f| lies above or below all breakpoints at one end or both; nothing if it lies among them.
  [[nodiscard]] std::optional<Finding> decide_reach(const Stretch& stretch, const Range& range, RangeValues& values);
  // Whether F, continued as at an end, stays so near to a line with an integer slope that a proof may succeed.
  [[nodiscard]] bool is_flat(const RangeValues& values, const number::ArbVector& end, uint128 index,
                             uint128 whole) const;
  // Tries a proof with rising precision.
  [[nodiscard]] Finding prove(const Stretch& stretch, const Range& range);
  // Whether cases may end undecided.
  [[nodiscard]] bool may_stay_open() const;
  // An argument from which on |f| does not fall, in the range and beyond it.
  [[nodiscard]] std::optional<number::Arb> rises_from(const Stretch& stretch, const Range& range) const;
  // Whether all breakpoints number, number + step … of the range exist.
  [[nodiscard]] bool exist(const RangeValues& values, const number::Integer& number, const number::Integer& step,
                           int exponent) const;

  const function::Function* function_;
  format::BreakpointGrid grid_;
  int K_;
  std::function<bool()> interrupted_;
  long most_if_open_;    // most bits that are tried if values by themselves are not known either
  long precision_;       // bits that were enough last time
  int looks_beyond_ = 0; // proofs that may still be tried beyond the grid in this stretch
};

// Shorter regimes are not worth a record: their cases are listed one by one.
inline constexpr std::uint64_t shortest_regime = 1024;

// Joins the results of RegimeFinder into regimes that are long enough, also across binades, and stretches between them.
class RegimeJoiner {
public:
  RegimeJoiner(format::ArgumentSet arguments, std::function<void(const RegimeRange&)> take_regime,
               std::function<void(const Stretch&)> take_stretch);

  // Adds the next one, in the order of stretches(). Whatever is complete is passed on.
  void add(const RegimeStretch& next);
  // No more come.
  void close();

private:
  void add_stretch(const Stretch& stretch);
  void close_regime();
  void close_stretch();

  format::ArgumentSet arguments_;
  std::function<void(const RegimeRange&)> take_regime_;
  std::function<void(const Stretch&)> take_stretch_;
  std::optional<Stretch> stretch_;    // the open stretch, before regime_; neighbours may extend it
  std::optional<RegimeRange> regime_; // the open regime, likewise
  std::vector<Stretch> short_;        // the stretches of regime_ while that is too short
};

// Passes on the regimes of these ranks of a job, and the stretches between them. Throws Interrupted when `interrupted`,
// called now and then, returns true.
void divide(const Job& job, const Coverage& ranks, const std::function<bool()>& interrupted,
            std::function<void(const RegimeRange&)> take_regime, std::function<void(const Stretch&)> take_stretch);
// Does so on all cores; the callbacks are called by the calling thread. If proofs need many bits, borders may lie
// elsewhere: for estimates only.
void divide_in_parallel(const Job& job, const Coverage& ranks, const std::function<bool()>& interrupted,
                        std::function<void(const RegimeRange&)> take_regime,
                        std::function<void(const Stretch&)> take_stretch);

// Sorts regimes by rank, and joins neighbours that are equal.
void join(std::vector<RegimeRange>& regimes);

} // namespace tmd::job
