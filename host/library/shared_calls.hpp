// The memory through which a process and the one that calls a math library for it share a block of calls: an argument
// is not turned into text, and what has been done before a crash is not lost.
#pragma once

#include "support/descriptor.hpp"
#include "tmd/direction.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tmd::library {

// What a call did beside its result: these bits of a note.
enum LibraryNote : std::uint8_t {
  changed_direction = 1, // it returned with another rounding direction
  cleared_flags = 2,     // floating-point exception flags that had been raised were so no longer
  changed_control = 4,   // something else of the processor's floating-point control, such as subnormal numbers
  wrote_output = 8,      // it wrote to standard output
  wrote_once = 16        // this call or one behind it in the block did so, which one was not seen
};

// A block of at most `most` arguments, each for a call in every direction: first all in one direction, then the next.
class SharedCalls {
public:
  static constexpr std::size_t most = std::size_t(1) << 16;

  struct Header {
    std::atomic<std::uint64_t> cursor; // the call that has begun: direction·count + index
    std::uint64_t count;               // arguments
    std::uint64_t calls;               // count of them in each direction, or to nearest alone
    std::uint64_t noted;               // calls with a note
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free); // so that it works between processes

  // The memory itself, made here, to be inherited by a child; size: bytes of an argument; operands: of the function, 1
  // or 2. Both throw DeviceError where there is none.
  explicit SharedCalls(std::size_t size, std::size_t operands = 1);
  // That of the parent.
  SharedCalls(support::Descriptor memory, std::size_t size, std::size_t operands = 1);
  SharedCalls(const SharedCalls&) = delete;
  SharedCalls& operator=(const SharedCalls&) = delete;
  ~SharedCalls();

  [[nodiscard]] int descriptor() const { return memory_.number(); }
  [[nodiscard]] Header& header() const { return *reinterpret_cast<Header*>(bytes_); }
  // Arrays of the C type, or of its bits.
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
  // What calls left set of exception flags and errno (flags.hpp), if that is looked at.
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
