// Regimes: where f hardly leaves an arithmetic progression, next to breakpoints no argument or every one is a case,
// however many there are. Proven by enclosures of what F deviates by, without a device.
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

// Where f(x) lies beside a breakpoint. `undecided`: for some or all arguments of an expression it is not known, and
// f(x) may even be the breakpoint.
enum class Side { below, above, undecided };

// Where every argument is a case: f(x) lies on one side of the breakpoint g(x) = slope·x + offset, nearer than
// 2^−K spacings. Both numbers are exact, as C hex floats.
struct BreakpointRule {
  std::string slope;
  std::string offset;
  Side side = Side::below;
  std::optional<Breakpoint> breakpoint; // what g(x) is; nothing: now one, now the other

  friend bool operator==(const BreakpointRule&, const BreakpointRule&) = default;
};

// A statement about every argument of a range. With a rule each is a hard case. Without one those that `some` lists are
// hard cases; where `some` is null too there is none, and with is_exact each is an exact case, with is_pole a pole.
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

// Some of a stretch: of one regime, or of none that is known.
struct Segment {
  Stretch arguments;
  std::optional<Regime> regime;
};

// Consecutive ranks of one regime.
struct RegimeRange {
  RankInterval ranks;
  Regime regime;

  [[nodiscard]] uint128 size() const { return static_cast<uint128>(ranks.last - ranks.first); }
  // How many of them are hard cases; and whether one of them is.
  [[nodiscard]] uint128 cases() const { return regime.rule ? size() : regime.some ? regime.some->count(ranks) : 0; }
  [[nodiscard]] bool is_case(format::ArgumentSet::Rank rank) const {
    return regime.rule || (regime.some && regime.some->contains(rank));
  }
};

// What a directed rounding, or that to nearest, makes of all values of a rule: g(x) itself, or the representable number
// next to it.
enum class Rounded { to_breakpoint, next_above, next_below };
struct RoundedValues {
  Rounded nearest;
  Rounded up;
  Rounded down;
};
// Nothing where the rule has breakpoints of both kinds, or no side.
[[nodiscard]] std::optional<RoundedValues> rounded_values(const BreakpointRule& rule);

// Finds the regimes of stretches, by bisection where one may begin or end. Where there is none, it looks at a stretch's
// ends only.
class RegimeFinder {
public:
  // The job's function must outlive the finder. `interrupted` is asked now and then.
  explicit RegimeFinder(const Job& job, std::function<bool()> interrupted = {});

  // The stretch in segments, in increasing |x|; neighbours differ. Throws Interrupted when the function says so.
  [[nodiscard]] std::vector<Segment> find(const Stretch& stretch);

private:
  struct Range {
    uint128 first; // significand
    uint128 count;
  };
  enum class Next { done, split, leave };
  struct Finding {
    Next next;
    Regime regime = {}; // when done
    long precision = 0; // bits that were needed, where that is known
  };
  class RangeValues; // of f on a range
  class Proof;       // that all of a range are cases, or none

  [[nodiscard]] Finding decide(const Stretch& stretch, const Range& range);
  [[nodiscard]] long least_precision() const;
  // Whether F, that bends so by spacings, may stay beside a line for as many arguments as are worth a look, in a
  // stretch of `whole` arguments.
  [[nodiscard]] bool stays_flat(const number::Arb& bend, uint128 whole) const;
  // What can be said where |f| lies beyond what the grid reaches, or below it, at an end or at both; nothing where it
  // lies inside.
  [[nodiscard]] std::optional<Finding> decide_reach(const Stretch& stretch, const Range& range, RangeValues& values);
  // Whether F stays so near to a line with an integer slope, if it goes on as at an end, that a proof may succeed.
  [[nodiscard]] bool is_flat(const RangeValues& values, const number::ArbVector& end, uint128 index,
                             uint128 whole) const;
  // By as many bits as it takes.
  [[nodiscard]] Finding prove(const Stretch& stretch, const Range& range);
  // Whether cases may end undecided.
  [[nodiscard]] bool may_stay_open() const;
  // An argument from which on |f| does not fall, up to those of the range and on.
  [[nodiscard]] std::optional<number::Arb> rises_from(const Stretch& stretch, const Range& range) const;
  // Whether all breakpoints number, number + step … of the range exist.
  [[nodiscard]] bool exist(const RangeValues& values, const number::Integer& number, const number::Integer& step,
                           int exponent) const;

  const function::Function* function_;
  format::BreakpointGrid grid_;
  int bits_;
  std::function<bool()> interrupted_;
  long most_if_open_;    // bits that are tried at most where values by themselves are not known either
  long precision_;       // bits that have served last
  int looks_beyond_ = 0; // that are left for the stretch
};

// Shorter ones are not worth a record: their cases are listed one by one.
inline constexpr std::uint64_t shortest_regime = 1024;

// From segments to regimes that are long enough, also across binades, and to stretches for all else.
class SegmentJoiner {
public:
  SegmentJoiner(format::ArgumentSet arguments, std::function<void(const RegimeRange&)> take_regime,
                std::function<void(const Stretch&)> take_stretch);

  // The next segment, in the order of stretches(). What is complete is passed on.
  void add(const Segment& segment);
  // No more segments come.
  void close();

private:
  void add_stretch(const Stretch& stretch);
  void close_regime();
  void close_stretch();

  format::ArgumentSet arguments_;
  std::function<void(const RegimeRange&)> take_regime_;
  std::function<void(const Stretch&)> take_stretch_;
  std::optional<Stretch> stretch_;    // that neighbours may yet join; before
  std::optional<RegimeRange> regime_; // such a one
  std::vector<Stretch> short_;        // its stretches while it is too short
};

// Passes on the regimes of these ranks of a job, and stretches of all else. Throws Interrupted when `interrupted`,
// asked now and then, says so.
void divide(const Job& job, const Coverage& ranks, const std::function<bool()>& interrupted,
            std::function<void(const RegimeRange&)> take_regime, std::function<void(const Stretch&)> take_stretch);
// The same on as many threads as there are cores; what is passed on is passed on by the caller's. Where proofs need
// many bits, borders may lie elsewhere: for estimates.
void divide_in_parallel(const Job& job, const Coverage& ranks, const std::function<bool()>& interrupted,
                        std::function<void(const RegimeRange&)> take_regime,
                        std::function<void(const Stretch&)> take_stretch);

// Brings them into the order of ranks, and joins neighbours of the same regime.
void join(std::vector<RegimeRange>& regimes);

} // namespace tmd::job
