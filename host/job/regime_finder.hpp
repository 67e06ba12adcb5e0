// Finds where f hardly leaves an arithmetic progression: there no argument or every argument is a case. It is proven by
// enclosures of F's deviation, without a device.
#pragma once

#include "job/job.hpp"
#include "job/range_values.hpp"
#include "job/regime.hpp"
#include "job/regime_proof.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace tmd::job {

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
  // A range of a stretch of `whole` arguments.
  [[nodiscard]] Finding decide(const Stretch& range, uint128 whole);
  [[nodiscard]] long least_precision() const;
  // Whether F, with this bend in spacings, may stay beside a line for a number of arguments that is worth a look, in a
  // stretch of `whole` arguments.
  [[nodiscard]] bool stays_flat(const number::Arb& bend, uint128 whole) const;
  // What Function::most_left_of decides: whether all values vanish below the first breakpoint; nothing if they do not,
  // or if only those far out in a small part of the stretch do.
  [[nodiscard]] std::optional<Finding> decide_vanishing(const Stretch& range, uint128 whole) const;
  // What can be decided if |f| lies above or below all breakpoints at one end or both; nothing if it lies among them.
  [[nodiscard]] std::optional<Finding> decide_reach(const Stretch& range, RangeValues& values);
  // Whether F, continued as at an end, stays so near to a line with an integer slope that a proof may succeed.
  [[nodiscard]] bool is_flat(const RangeValues& values, const number::ArbVector& end, uint128 index,
                             uint128 whole) const;
  // Tries a proof with rising precision.
  [[nodiscard]] Finding prove(const Stretch& range);
  // Whether cases may end undecided.
  [[nodiscard]] bool may_stay_open() const;
  // An argument from which on |f| does not fall, in the range and beyond it.
  [[nodiscard]] std::optional<number::Arb> rises_from(const Stretch& range) const;

  const function::Function* function_;
  format::BreakpointGrid grid_;
  int K_;
  std::function<bool()> interrupted_;
  long most_if_open_;    // most bits that are tried if values by themselves are not known either
  long precision_;       // bits that were enough last time
  int looks_beyond_ = 0; // proofs that may still be tried beyond the grid in this stretch
};

} // namespace tmd::job
