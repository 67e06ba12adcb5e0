// From stretches to pieces: bisection on enclosures of f, so that it works for any function, monotone or not.
#pragma once

#include "function/function.hpp"
#include "job/job.hpp"
#include "job/piece.hpp"
#include "tmd/error.hpp"
#include "tmd/integer.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tmd::job {

// Values of one sign in the binade [2^exponent, 2^(exponent + 1)).
struct OutputBinade {
  bool negative = false;
  int exponent = 0;

  friend bool operator==(const OutputBinade&, const OutputBinade&) = default;
};

// The binade that contains a whole ball of values, if there is one, for cases of so many bits. Binades without
// breakpoints count as one on each side, as in PieceCutter.
[[nodiscard]] std::optional<OutputBinade> binade_of(arb_srcptr value, long precision,
                                                    const format::BreakpointGrid& grid, int K);

// Consecutive arguments of a stretch: a piece if their values have one output binade; otherwise arguments to be tested
// one by one, because enclosures could not place their values (an exact power of two, zero, …) or because they are too
// few for a polynomial.
struct Cut {
  Stretch arguments;
  std::optional<OutputBinade> values;

  // The piece of a cut that has values.
  [[nodiscard]] Piece piece() const { return {arguments, values->negative, values->exponent}; }
};

// Cuts a stretch, in increasing |x|, one cut for each call. The cuts contain each of its arguments once.
class PieceCutter {
public:
  // `interrupted` is called now and then.
  PieceCutter(const function::Function& function, const Stretch& stretch, std::function<bool()> interrupted = {});

  // A cutter for the job's values. Values without breakpoints, too small or too large for the job's format, count as
  // one binade on each side that the grid does not reach.
  PieceCutter(const Job& job, const Stretch& stretch, std::function<bool()> interrupted = {});

  ~PieceCutter();
  PieceCutter(const PieceCutter&) = delete;
  PieceCutter& operator=(const PieceCutter&) = delete;

  // The next cut; nothing at the end of the stretch. Throws Interrupted when `interrupted` returns true, and UsageError
  // for values beyond 2^±most_value_exponent that the job would need.
  [[nodiscard]] std::optional<Cut> next();

  // Whether pieces of 2^bits arguments or more, less than an eighth of the stretch, lie at most of some sample places.
  // False if not even one value can be placed.
  [[nodiscard]] static bool has_long_pieces(const Job& job, const Stretch& stretch, int bits);

private:
  struct Range {
    uint128 first; // significand
    uint128 count;
  };
  struct Placed {
    Range range;
    std::optional<OutputBinade> values;
  };
  class Borders;

  PieceCutter(const function::Function& function, const format::BreakpointGrid& grid, int K, const Stretch& stretch,
              std::function<bool()> interrupted);

  [[nodiscard]] std::optional<Placed> place_next();
  [[nodiscard]] std::optional<OutputBinade> place(const Range& range) const;

  const function::Function* function_;
  format::BreakpointGrid grid_; // unbounded if values are not those of a format
  int K_;
  Stretch stretch_;
  std::function<bool()> interrupted_;
  std::vector<Range> waiting_;       // the next one at the end
  std::unique_ptr<Borders> borders_; // of the next one, if f is known to be monotone there
  std::optional<Placed> open_;       // the last cut, which the next may extend
};

// Whether a search of the job leaves out stretches that have too many pieces. It depends on the range alone: nothing is
// left out if only one binade of it has more than 2^22 arguments.
[[nodiscard]] bool leaves_out_stretches(const Job& job);

// Whether a stretch has too many pieces, some 2^12 or more: each costs the host milliseconds or more, in which a fast
// device has nothing to do.
[[nodiscard]] bool has_too_many_pieces(const Job& job, const Stretch& stretch);

// Whether a stretch is short, and so are its pieces at some sample places: then MPFR decides its arguments one by one
// as soon as they would be cut.
[[nodiscard]] bool has_only_short_pieces(const Job& job, const Stretch& stretch);

// The ranks whose values are known to lie in binades without breakpoints, so that none of them is a case. Throws what
// PieceCutter throws.
[[nodiscard]] Coverage out_of_reach(const Job& job, const Coverage& ranks,
                                    const std::function<bool()>& interrupted = {});

// Whether all values at these ranks are known to be, in absolute value, at least as great as the format's least normal
// number, and smaller than all of its greatest binade: their cases are the same with and without bounds of values.
[[nodiscard]] bool stays_within_bounds(const Job& job, const Coverage& ranks);

// All cuts of the arguments of rank first … last − 1.
[[nodiscard]] std::vector<Cut> cut_all(const function::Function& function, const format::ArgumentSet& arguments,
                                       format::ArgumentSet::Rank first, format::ArgumentSet::Rank last);
// The pieces among these cuts.
[[nodiscard]] std::vector<Piece> find_pieces(const function::Function& function, const format::ArgumentSet& arguments,
                                             format::ArgumentSet::Rank first, format::ArgumentSet::Rank last);

} // namespace tmd::job
