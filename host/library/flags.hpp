// Exception flags and errno after a call, and what is right for them: section 7 of IEEE 754 says it of flags, C of
// errno. A result is tiny by its value before it is rounded, or after: IEEE 754 has both definitions, and leaves the
// choice between them to each implementation.
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

// What a call leaves set, as bits of SharedCalls::flags().
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

// In the order of their bits.
inline constexpr std::array<std::string_view, 8> call_flag_names{
    "invalid", "divide-by-zero", "overflow", "underflow", "inexact", "EDOM", "ERANGE", "another errno"};

// What should be set after a call.
struct RightFlags {
  std::uint8_t set = 0;
  std::uint8_t open = 0;       // these may be set or not
  bool tells_tininess = false; // underflow is raised if it is the value before rounding that counts, else not
};

// right: nothing where it is not known what is right; then flags should be those that go
// with the result.
[[nodiscard]] RightFlags right_flags(const Encodings& encodings, Code argument, const std::optional<RightResult>& right,
                                     Direction direction, Code result);

struct MarkedCalls {
  std::uint64_t count = 0;
  Code argument = 0; // the least
  Direction direction = Direction::nearest;

  void add(const MarkedCalls& other, const Encodings& encodings);
};

class FlagFindings {
public:
  explicit FlagFindings(Encodings encodings) : encodings_(std::move(encodings)) {}

  // A call that returned `result` and left `flags`.
  void add(Code argument, const std::optional<RightResult>& right, Direction direction, Code result,
           std::uint8_t flags);
  void add(const FlagFindings& other);

  [[nodiscard]] const Encodings& encodings() const { return encodings_; }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  // Of one flag, by the place of its bit.
  [[nodiscard]] const MarkedCalls& spurious(std::size_t flag) const { return spurious_.at(flag); }
  // Of a library that never sets errno, none is.
  [[nodiscard]] MarkedCalls missing(std::size_t flag) const;
  [[nodiscard]] bool uses_errno() const { return ever_set_ >= errno_domain; }
  // Calls that show the library to take results for tiny by their values before, or after they are rounded.
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

// Of a list's calls that returned.
[[nodiscard]] FlagFindings judge_flags(const LibraryCalls& calls, const LibraryAnswers& answers, const Format& format);

} // namespace tmd::library
