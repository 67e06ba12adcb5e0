// Memory that the judging process shares with the process calling a math library, for a block of calls: arguments need
// not become text, and results survive a crash.
#pragma once

#include "support/descriptor.hpp"
#include "tmd/direction.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tmd::library {

// Side effects of a call, as bits of a note.
enum LibraryNote : std::uint8_t {
  changed_direction = 1, // it returned with another rounding direction
  cleared_flags = 2,     // it cleared exception flags that had been raised
  changed_control =
      4,            // it changed another part of the floating-point control, such as the treatment of subnormal numbers
  wrote_output = 8, // it wrote to standard output
  wrote_once = 16   // it or a later call of the block wrote; which one was not observed
};

// A block of at most `most` arguments, each called in every direction: first all in one direction, then in the next.
class SharedCalls {
public:
  static constexpr std::size_t most = std::size_t(1) << 16;

  struct Header {
    std::atomic<std::uint64_t> cursor; // the current call: direction·count + index
    std::uint64_t count;               // arguments
    std::uint64_t calls;               // count in each direction, or only to nearest
    std::uint64_t noted;               // calls with a note
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free); // so that it works between processes

  // Creates the memory, to be inherited by a child. size: bytes of an argument; operands: number of the function's
  // arguments, 1 or 2. Both constructors throw DeviceError if there is no memory.
  explicit SharedCalls(std::size_t size, std::size_t operands = 1);
  // Maps the memory of the parent.
  SharedCalls(support::Descriptor memory, std::size_t size, std::size_t operands = 1);
  SharedCalls(const SharedCalls&) = delete;
  SharedCalls& operator=(const SharedCalls&) = delete;
  ~SharedCalls();

  [[nodiscard]] int descriptor() const { return memory_.number(); }
  [[nodiscard]] Header& header() const { return *reinterpret_cast<Header*>(bytes_); }
  // Arrays of the C type, or of integers with its bits.
  template <typename Real> [[nodiscard]] Real* arguments(std::size_t operand = 0) const {
    return reinterpret_cast<Real*>(bytes_ + header_bytes) + operand * most;
  }
  template <typename Real> [[nodiscard]] Real* results(Direction direction) const {
    return arguments<Real>() + (operands_ + index_of(direction)) * most;
  }
  [[nodiscard]] std::uint8_t* notes(Direction direction) const {
    return reinterpret_cast<std::uint8_t*>(bytes_ + header_bytes + (operands_ + directions.size()) * most * size_) +
           index_of(direction) * most;
  }
  // The exception flags and errno after each call (flags.hpp), if they are checked.
  [[nodiscard]] std::uint8_t* flags(Direction direction) const { return notes(direction) + directions.size() * most; }

private:
  static constexpr std::size_t header_bytes = 4096; // a page
  static std::size_t index_of(Direction direction) { return static_cast<std::size_t>(direction); }
  [[nodiscard]] std::size_t bytes() const {
    return header_bytes + (operands_ + directions.size()) * most * size_ + 2 * directions.size() * most;
  }
  void map();

  support::Descriptor memory_;
  std::size_t size_;
  std::size_t operands_;
  std::byte* bytes_ = nullptr;
};

} // namespace tmd::library
