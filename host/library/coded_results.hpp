// Results as the bits of their format, judged: comparing bits is all that most of them need, and only what is wrong
// becomes a number of MPFR.
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

inline constexpr std::size_t most_lost = 1000;    // calls: then no more are made
inline constexpr std::size_t most_besides = 1000; // that each thread keeps of what calls did besides

// What C asks of f at an argument, which may also be an infinity or no number (verify::value_in_c()).
[[nodiscard]] std::optional<verify::RoundedValue> value_in_c(const function::Function& function,
                                                             const Encodings& encodings, Code argument);

// What a value in MPFR says; nothing where it does not decide every direction.
[[nodiscard]] std::optional<RightResult> right_result(const verify::RoundedValue& value, const Encodings& encodings);

struct Misrounded {
  Code argument;
  Code result;
  double size; // of the error, nearly
  Code expected;
};

// The misrounded results of one direction that err most; of those that err alike the ones at the least arguments, so
// that it is no matter in what order they come.
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
  std::optional<Misrounded> last_; // that is kept for sure
};

// Some misrounded results of each direction, for a list of them: which ones, chance decides, and it decides the same
// for an argument whenever it is asked.
class ListedResults {
public:
  // Nothing is kept of 0.
  explicit ListedResults(std::size_t most_of_a_direction);

  void add(Direction direction, const Misrounded& one);
  void add(const ListedResults& other);
  [[nodiscard]] std::vector<LibraryFault> take(const Encodings& encodings);

private:
  bool is_asked_;
  std::array<Worst, directions.size()> kept_; // by numbers that arguments are scattered to, not by errors
};

// Arguments at which a promise was broken.
struct BrokenPromise {
  std::uint64_t arguments = 0;
  std::optional<Code> first; // the least

  void add(const BrokenPromise& other, const Encodings& encodings);
  // Nothing without a promise.
  [[nodiscard]] std::optional<TestedPromise> tested(const std::optional<Promise>& promise,
                                                    const Encodings& encodings) const;
};

// By MPFR; nothing where the result is right.
[[nodiscard]] std::optional<LibraryFault> judge_exactly(const function::Function& function, const Encodings& encodings,
                                                        Code argument, Code result, Direction direction,
                                                        LibraryTally& tally);

// Whether a misrounded result breaks a promise; its size is known nearly, and where that does not decide MPFR does.
[[nodiscard]] bool breaks(const Promise& promise, const function::Function& function, const Encodings& encodings,
                          const Misrounded& one, Direction direction);

} // namespace tmd::library
