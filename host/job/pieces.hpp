// From stretches to pieces: bisection on enclosures of f, so that it serves any function, monotone or not.
#pragma once

#include "function/function.hpp"
#include "job/job.hpp"
#include "job/piece.hpp"
#include "tmd/error.hpp"
#include "tmd/integer.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace tmd::job {

// Values of one sign in the binade [2^exponent, 2^(exponent + 1)).
struct OutputBinade {
  bool negative = false;
  int exponent = 0;

  friend bool operator==(const OutputBinade&, const OutputBinade&) = default;
};

// The binade in which a whole ball of values lies, if there is one, for cases of so many bits. Binades without
// breakpoints are one on each side, as PieceCutter has them.
[[nodiscard]] std::optional<OutputBinade> binade_of(arb_srcptr value, long precision,
                                                    const format::BreakpointGrid& grid, int bits);

// A part of a stretch: a piece where the values have one output binade, else arguments that are to be tested one by
// one, because their values could not be placed by enclosures (an exact power of two, zero, …) or because there are too
// few of them for a polynomial.
struct Cut {
  Stretch arguments;
  std::optional<OutputBinade> values;

  // Of one with values.
  [[nodiscard]] Piece piece() const { return {arguments, values->negative, values->exponent}; }
};

// Cuts a stretch, in increasing |x|, as far as somebody asks for more. The cuts hold each of its arguments once.
class PieceCutter {
public:
  // `interrupted` is asked now and then.
  PieceCutter(const function::Function& function, const Stretch& stretch, std::function<bool()> interrupted = {});

  // Likewise for the job's values: those without breakpoints, too small or too large for its format, are one binade on
  // each side, which its grid does not reach.
  PieceCutter(const Job& job, const Stretch& stretch, std::function<bool()> interrupted = {});

  // The next part; nothing when the stretch is used up. Throws Interrupted when the function says so, and UsageError
  // where values lie beyond 2^±most_value_exponent and the job has a use for them.
  [[nodiscard]] std::optional<Cut> next();

  // Whether a piece has 2^bits arguments or more, less than an eighth of the stretch, at most of some places. At none
  // where not even one value can be placed.
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

  PieceCutter(const function::Function& function, const format::BreakpointGrid& grid, int bits, const Stretch& stretch,
              std::function<bool()> interrupted);

  [[nodiscard]] std::optional<Placed> place_next();
  [[nodiscard]] std::optional<OutputBinade> place(const Range& range) const;
  // Whether a first look finds the range in one binade.
  [[nodiscard]] bool is_placed(const Range& range) const;

  const function::Function* function_;
  format::BreakpointGrid grid_; // of any precision, where values are not those of a format
  int bits_;
  Stretch stretch_;
  std::function<bool()> interrupted_;
  std::vector<Range> waiting_; // the last one first
  std::optional<Placed> open_; // neighbours may yet join it
};

// Whether a stretch has so many pieces that a search of it would not end.
[[nodiscard]] bool has_too_many_pieces(const Job& job, const Stretch& stretch);

// Whether a stretch is short, and so are its pieces as far as some places tell: MPFR decides its arguments one by one
// as soon as they would be cut.
[[nodiscard]] bool has_only_short_pieces(const Job& job, const Stretch& stretch);

// The ranks whose values are known to lie in binades without breakpoints, so that none of them is a case. Throws what
// PieceCutter throws.
[[nodiscard]] Coverage out_of_reach(const Job& job, const Coverage& ranks,
                                    const std::function<bool()>& interrupted = {});

// All the cuts of the arguments of rank first … last − 1.
[[nodiscard]] std::vector<Cut> cut_all(const function::Function& function, const format::ArgumentSet& arguments,
                                       format::ArgumentSet::Rank first, format::ArgumentSet::Rank last);
// Of these, the pieces.
[[nodiscard]] std::vector<Piece> find_pieces(const function::Function& function, const format::ArgumentSet& arguments,
                                             format::ArgumentSet::Rank first, format::ArgumentSet::Rank last);

} // namespace tmd::job
