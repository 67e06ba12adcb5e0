// Judges exception flags and errno after a call: section 7 of IEEE 754 prescribes the flags, C prescribes errno. IEEE
// 754 lets each implementation choose whether a result is tiny by its value before or after rounding.
#pragma once

#include "library/encodings.hpp"
#include "tmd/direction.hpp"
#include "tmd/format.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace tmd::library {

struct LibraryAnswers;
struct LibraryCalls;

// The flags and errno values after a call, as bits of SharedCalls::flags().
enum CallFlag : std::uint8_t {
  flag_invalid = 1,
  flag_divide_by_zero = 2,
  flag_overflow = 4,
  flag_underflow = 8,
  flag_inexact = 16,
  errno_domain = 32, // EDOM
  errno_range = 64,  // ERANGE
  errno_other = 128
};

// Names in the order of the bits.
inline constexpr std::array<std::string_view, 8> call_flag_names{
    "invalid", "divide-by-zero", "overflow", "underflow", "inexact", "EDOM", "ERANGE", "another errno"};

// What a call should leave set.
struct RightFlags {
  std::uint8_t set = 0;
  std::uint8_t open = 0; // bits that may be set or not
  // Whether underflow depends on the definition of tininess here: raised if that is by the value before rounding.
  bool tells_tininess = false;
};

// right: empty if unknown; then the flags should be those that go with the result.
[[nodiscard]] RightFlags right_flags(const Encodings& encodings, Code argument, const std::optional<RightResult>& right,
                                     Direction direction, Code result);

struct MarkedCalls {
  std::uint64_t count = 0;
  Code argument = 0; // the least one
  Direction direction = Direction::nearest;

  void add(const MarkedCalls& other, const Encodings& encodings);
};

class FlagFindings {
public:
  explicit FlagFindings(Encodings encodings) : encodings_(std::move(encodings)) {}

  // Counts a call that returned `result` and left `flags`.
  void add(Code argument, const std::optional<RightResult>& right, Direction direction, Code result,
           std::uint8_t flags);
  void add(const FlagFindings& other);

  [[nodiscard]] const Encodings& encodings() const { return encodings_; }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  // Calls that raised a flag, given by the place of its bit, without reason.
  [[nodiscard]] const MarkedCalls& spurious(std::size_t flag) const { return spurious_.at(flag); }
  // Calls that did not raise it. Empty for errno if the library never sets it.
  [[nodiscard]] MarkedCalls missing(std::size_t flag) const;
  [[nodiscard]] bool uses_errno() const { return ever_set_ >= errno_domain; }
  // Calls which show that the library takes results for tiny by their values before or after rounding.
  [[nodiscard]] const MarkedCalls& tiny_before() const { return tiny_before_; }
  [[nodiscard]] const MarkedCalls& tiny_after() const { return tiny_after_; }
  [[nodiscard]] bool are_right() const;

private:
  Encodings encodings_;
  std::uint64_t calls_ = 0;
  std::uint8_t ever_set_ = 0;
  std::array<MarkedCalls, call_flag_names.size()> spurious_;
  std::array<MarkedCalls, call_flag_names.size()> missing_;
  MarkedCalls tiny_before_;
  MarkedCalls tiny_after_;
};

// Judges the calls of a list that returned.
[[nodiscard]] FlagFindings judge_flags(const LibraryCalls& calls, const LibraryAnswers& answers, const Format& format);

} // namespace tmd::library
