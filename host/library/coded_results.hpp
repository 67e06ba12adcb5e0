// Results as the bits of their format, and what is right for them: comparing bits is all that most results need, and
// only what is wrong becomes a number of MPFR.
#pragma once

#include "format/argument.hpp"
#include "library/library_findings.hpp"
#include "library/promise.hpp"
#include "tmd/direction.hpp"
#include "tmd/integer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tmd {

// The rank of a number's size, beyond it that of infinity and of what is no number, and a bit for the sign: the
// encoding of IEEE 754. (x87's has a bit more, which says nothing; see code_of().)
using Code = uint128;

// What f(x) is rounded to toward zero, and how far f(x) is from there to the next number away from zero, in units of
// the last place. What is said of a fraction by its place among 0, 1/2 and 1 is certain. 1: f(x) lies beyond the
// largest number. Not a number: only that is right.
struct RightResult {
  Code toward_zero = 0;
  double fraction = std::numeric_limits<double>::quiet_NaN();
};

inline constexpr std::size_t most_lost = 1000;    // calls: then no more are made
inline constexpr std::size_t most_besides = 1000; // that each thread keeps of what calls did besides

class Encodings {
public:
  explicit Encodings(const Format& format);

  [[nodiscard]] const Format& format() const { return format_; }
  [[nodiscard]] const ArgumentSet& set() const { return set_; }
  [[nodiscard]] Code infinity() const { return infinity_; }
  [[nodiscard]] Code sign() const { return sign_; }
  // The quiet one.
  [[nodiscard]] Code not_a_number() const { return infinity_ | Code(1) << (format_.precision - 2); }
  [[nodiscard]] bool is_number(Code code) const { return magnitude(code) < infinity_; }
  [[nodiscard]] bool is_nan(Code code) const { return magnitude(code) > infinity_; }
  [[nodiscard]] bool is_zero(Code code) const { return magnitude(code) == 0; }
  [[nodiscard]] bool is_negative(Code code) const { return (code & sign_) != 0; }
  [[nodiscard]] Code magnitude(Code code) const { return code & ~sign_; }
  [[nodiscard]] Code code(const Argument& argument) const;
  // Whether one number is less than another.
  [[nodiscard]] bool is_before(Code one, Code other) const;

  [[nodiscard]] Argument argument(Code code) const;
  // "0x1.8p+1", "-inf", "snan".
  [[nodiscard]] std::string text(Code code) const;

  // The correctly rounded result; where no number is right, one that is none.
  [[nodiscard]] Code expected(const RightResult& right, Direction direction) const;
  // A zero that is exact may have either sign.
  [[nodiscard]] bool is_right(const RightResult& right, Direction direction, Code result) const;

private:
  Format format_;
  ArgumentSet set_;
  Code infinity_;
  Code sign_; // the bit
};

// What a value in MPFR says; nothing where it does not decide every direction.
[[nodiscard]] std::optional<RightResult> right_result(const RoundedValue& value, const Encodings& encodings);

struct Misrounded {
  Code argument;
  Code result;
  double size; // of the error, nearly
  Code expected;
};

// The misrounded results of one direction that err most.
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
  double least_ = -1;
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
[[nodiscard]] std::optional<LibraryFault> judge_exactly(const Function& function, const Encodings& encodings,
                                                        Code argument, Code result, Direction direction,
                                                        LibraryTally& tally);

// Whether a misrounded result breaks a promise; its size is known nearly, and where that does not decide MPFR does.
[[nodiscard]] bool breaks(const Promise& promise, const Function& function, const Encodings& encodings,
                          const Misrounded& one, Direction direction);

} // namespace tmd
