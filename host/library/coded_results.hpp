// Judges results given as the bits of their format. Most need only a comparison of bits; only wrong ones become MPFR
// numbers.
#pragma once

#include "library/encodings.hpp"
#include "library/library_findings.hpp"
#include "library/promise.hpp"
#include "tmd/direction.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tmd::library {

inline constexpr std::size_t most_lost = 1000;    // limit for lost calls: after more of them no further calls are made
inline constexpr std::size_t most_besides = 1000; // limit for the side effects of calls that each thread keeps

// What C requires of f at an argument, which may be an infinity or NaN (verify::value_in_c()).
[[nodiscard]] std::optional<verify::RoundedValue> value_in_c(const function::Function& function,
                                                             const Encodings& encodings, Code argument);

// The right result for a value in MPFR; nothing if the value does not decide every direction.
[[nodiscard]] std::optional<RightResult> right_result(const verify::RoundedValue& value, const Encodings& encodings);

// The right result by value_in_c(); nothing where that is nothing or undecided.
[[nodiscard]] std::optional<RightResult> right_in_c(const function::Function& function, const Encodings& encodings,
                                                    Code argument);

struct Misrounded {
  Code argument;
  Code result;
  double size; // of the error, nearly
  Code expected;
};

// The misrounded results of one direction with the largest errors. Among equal errors the least arguments are kept, so
// that the order in which results arrive does not matter.
class Worst {
public:
  explicit Worst(std::size_t most = 64) : most_(most) {}

  void add(const Misrounded& one);
  void add(const Worst& other);
  [[nodiscard]] const std::vector<Misrounded>& take();

private:
  void shrink();

  std::size_t most_;
  std::vector<Misrounded> kept_;
  std::optional<Misrounded> last_; // the last one that is certainly kept
};

// A random choice of misrounded results of each direction, for a list. The choice depends on the argument only, so it
// is the same in every run.
class ListedResults {
public:
  // With a limit of 0 nothing is kept.
  explicit ListedResults(std::size_t most_of_a_direction);

  void add(Direction direction, const Misrounded& one);
  void add(const ListedResults& other);
  [[nodiscard]] std::vector<LibraryFault> take(const Encodings& encodings);

private:
  bool is_asked_;
  std::array<Worst, directions.size()> kept_; // ordered by a hash of the argument, not by error
};

// The arguments at which a promise was broken.
struct BrokenPromise {
  std::uint64_t arguments = 0;
  std::optional<Code> first; // the least of them

  void add(const BrokenPromise& other, const Encodings& encodings);
  // Nothing if there is no promise.
  [[nodiscard]] std::optional<TestedPromise> tested(const std::optional<Promise>& promise,
                                                    const Encodings& encodings) const;
};

// The fault as MPFR finds it; nothing if the result is right.
[[nodiscard]] std::optional<LibraryFault> judge_exactly(const function::Function& function, const Encodings& encodings,
                                                        Code argument, Code result, Direction direction,
                                                        LibraryTally& tally);

// Whether a misrounded result breaks a promise. Its error is nearly known; if that does not decide, MPFR does.
[[nodiscard]] bool breaks(const Promise& promise, const function::Function& function, const Encodings& encodings,
                          const Misrounded& one, Direction direction);

} // namespace tmd::library
