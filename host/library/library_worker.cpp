// The child process: it loads the library, then calls it for each block of the shared memory. Before each call it
// stores the call's number, so that its owner knows which call crashed or hung. After the call it compares the rounding
// direction and the floating-point control with their former state and, if asked, reads flags and errno.
#include "library/library_worker.hpp"

#include "library/c_type.hpp"
#include "library/flags.hpp"
#include "library/shared_calls.hpp"
#include "library/vector_call.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cfenv>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

namespace tmd::library {

namespace {

int c_direction(Direction direction) {
  switch (direction) {
  case Direction::upward:
    return FE_UPWARD;
  case Direction::downward:
    return FE_DOWNWARD;
  case Direction::toward_zero:
    return FE_TOWARDZERO;
  case Direction::nearest:
    break;
  }
  return FE_TONEAREST;
}

// Reads exception flags and errno after a call.
class CallFlags {
public:
  static void clear() {
    errno = 0;
#ifdef __x86_64__
    if (const unsigned sse = __builtin_ia32_stmxcsr(); (sse & all) != 0)
      __builtin_ia32_ldmxcsr(sse & ~all);
    if ((x87_flags() & all) != 0)
      __asm__ volatile("fnclex"); // NOLINT(hicpp-no-assembler)
#else
    std::feclearexcept(FE_ALL_EXCEPT);
#endif
  }

  [[nodiscard]] static std::uint8_t read() {
    const int number = errno;
#ifdef __x86_64__
    const auto raised = static_cast<int>(__builtin_ia32_stmxcsr() | x87_flags());
#else
    const int raised = std::fetestexcept(FE_ALL_EXCEPT);
#endif
    const auto bit = [&](int flag, CallFlag name) { return (raised & flag) != 0 ? name : 0; };
    return static_cast<std::uint8_t>(bit(FE_INVALID, flag_invalid) | bit(FE_DIVBYZERO, flag_divide_by_zero) |
                                     bit(FE_OVERFLOW, flag_overflow) | bit(FE_UNDERFLOW, flag_underflow) |
                                     bit(FE_INEXACT, flag_inexact) |
                                     (number == 0        ? 0
                                      : number == EDOM   ? errno_domain
                                      : number == ERANGE ? errno_range
                                                         : errno_other));
  }

private:
#ifdef __x86_64__
  static constexpr unsigned all = 0x3f; // the same bits in both units and in C's constants

  static unsigned x87_flags() {
    unsigned short status = 0;
    __asm__ volatile("fnstsw %0" : "=m"(status)); // NOLINT(hicpp-no-assembler)
    return status;
  }
#endif
};

// Sets the floating-point environment for calls: the rounding direction and, unless flags are checked, every flag
// raised, so that a call which clears one is noticed. That costs two instructions a call on x86-64.
class CallEnvironment {
public:
  CallEnvironment(Direction direction, bool raises_flags) {
    std::fesetround(c_direction(direction));
    if (raises_flags)
      raise_all();
    else
      CallFlags::clear();
    std::fegetenv(&saved_);
    state_ = state();
  }

  // Returns what the last call changed of it, and restores it.
  [[nodiscard]] std::uint8_t changed() const {
    const State now = state();
    const unsigned control = now.control ^ state_.control;
    const unsigned cleared = state_.flags & ~now.flags;
    if (control == 0 && cleared == 0)
      return 0;
    std::fesetenv(&saved_);
    return static_cast<std::uint8_t>(((control & direction_bits) != 0 ? changed_direction : 0) |
                                     ((control & ~direction_bits) != 0 ? changed_control : 0) |
                                     (cleared != 0 ? cleared_flags : 0));
  }

private:
  struct State {
    unsigned control;
    unsigned flags;
  };

#ifdef __x86_64__
  static constexpr unsigned sse_flags = 0x3d; // but the one for subnormal operands, which C does not know
  static constexpr unsigned sse_control = 0xffc0;
  static constexpr int x87_shift = 16;
  static constexpr unsigned direction_bits = 0x6000U | 0xc00U << x87_shift;

  // feraiseexcept() of glibc would raise some in the x87 unit only.
  static void raise_all() { __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | sse_flags); }
  static State state() {
    unsigned short x87 = 0;
    __asm__ volatile("fnstcw %0" : "=m"(x87)); // NOLINT(hicpp-no-assembler)
    const unsigned sse = __builtin_ia32_stmxcsr();
    return {(sse & sse_control) | static_cast<unsigned>(x87) << x87_shift, sse & sse_flags};
  }
#else
  static constexpr unsigned direction_bits = ~0U;

  static void raise_all() { std::feraiseexcept(FE_ALL_EXCEPT); }
  static State state() {
    return {static_cast<unsigned>(std::fegetround()), static_cast<unsigned>(std::fetestexcept(FE_ALL_EXCEPT))};
  }
#endif

  std::fenv_t saved_{};
  State state_{};
};

// Whether standard output has been written to since the last time this was asked.
bool has_written() {
  std::fflush(stdout);
  if (::lseek(STDOUT_FILENO, 0, SEEK_END) <= 0)
    return false;
  (void)!::ftruncate(STDOUT_FILENO, 0);
  ::lseek(STDOUT_FILENO, 0, SEEK_SET);
  return true;
}

template <typename Real> class Calls {
public:
  Calls(void* function, const ServedFunction& served, const SharedCalls& shared)
      : function_(function), returned_(served.returned), flags_(served.flags), lanes_(served.lanes),
        operands_(served.operands), shared_(shared) {
    if constexpr (has_vectors)
      if (lanes_ > 1)
        vector_call_ = vector_call<Real>(lanes_);
  }

  // Makes the calls of the block from that number on.
  void run(std::uint64_t first) {
    (void)call(first, false);
    if (!has_written())
      return;
    if (named_blocks_++ >= most_named_blocks || !call(first, true))
      note(first, wrote_once);
  }

private:
  static constexpr bool has_vectors = std::is_same_v<Real, float> || std::is_same_v<Real, double>;
  static constexpr int most_named_blocks = 8; // checking after each call takes long

  void note(std::uint64_t call, std::uint8_t note) const {
    const std::uint64_t count = shared_.header().count;
    std::uint8_t& all = shared_.notes(directions.at(call / count))[call % count];
    shared_.header().noted += all == 0 ? 1 : 0;
    all |= note;
  }

  // Whether a call was found to write to standard output; only checked on request.
  bool call(std::uint64_t first, bool looks_at_output) const {
    if (vector_call_ != nullptr)
      return call_vectors(first, looks_at_output);
    const auto call_each = [&](const auto& value) {
      return flags_ ? call_with<true>(value, first, looks_at_output) : call_with<false>(value, first, looks_at_output);
    };
    const Real* const x = shared_.arguments<Real>();
    if (operands_ == 2)
      return call_each([x, y = shared_.arguments<Real>(1),
                        of_two = function_as<Real (*)(Real, Real)>()](std::uint64_t i) { return of_two(x[i], y[i]); });
    if (returned_ == Returned::value)
      return call_each([x, of_one = function_as<Real (*)(Real)>()](std::uint64_t i) { return of_one(x[i]); });
    return call_each([x, both = function_as<void (*)(Real, Real*, Real*)>(),
                      is_first = returned_ == Returned::first](std::uint64_t i) {
      std::array<Real, 2> values{static_cast<Real>(NAN), static_cast<Real>(NAN)};
      both(x[i], values.data(), values.data() + 1);
      return is_first ? values[0] : values[1];
    });
  }

  template <typename Pointer> [[nodiscard]] Pointer function_as() const { return reinterpret_cast<Pointer>(function_); }

  // value: returns the argument of an index.
  template <bool with_flags, typename Value>
  bool call_with(const Value& value, std::uint64_t first, bool looks_at_output) const {
    bool writes = false;
    SharedCalls::Header& header = shared_.header();
    const std::uint64_t count = header.count;
    for (std::uint64_t at = first; at < header.calls;) {
      const Direction direction = directions.at(at / count);
      Real* const results = shared_.results<Real>(direction);
      std::uint8_t* const flags = shared_.flags(direction);
      const CallEnvironment environment(direction, !with_flags);
      for (std::uint64_t i = at % count; i < count; ++i, ++at) {
        header.cursor.store(at, std::memory_order_relaxed);
        if constexpr (with_flags)
          CallFlags::clear();
        results[i] = value(i);
        if constexpr (with_flags)
          flags[i] = CallFlags::read();
        if (const std::uint8_t changed = environment.changed(); changed != 0)
          note(at, changed);
        if (looks_at_output && has_written()) {
          note(at, wrote_output);
          writes = true;
        }
      }
    }
    std::fesetround(FE_TONEAREST);
    return writes;
  }

  // Calls a vector function, with an argument in each lane. The last vector is filled up with its last argument. Side
  // effects of a call are noted for all arguments of the vector.
  bool call_vectors(std::uint64_t first, bool looks_at_output) const {
    constexpr std::size_t most_lanes = 16;
    bool writes = false;
    SharedCalls::Header& header = shared_.header();
    const std::uint64_t count = header.count;
    std::array<Real, most_lanes> arguments;
    std::array<Real, most_lanes> results;
    for (std::uint64_t at = first; at < header.calls;) {
      const Direction direction = directions.at(at / count);
      const CallEnvironment environment(direction, true);
      for (std::uint64_t i = at % count; i < count;) {
        const std::size_t size = std::min<std::uint64_t>(lanes_, count - i);
        header.cursor.store(at, std::memory_order_relaxed);
        arguments.fill(shared_.arguments<Real>()[i + size - 1]);
        std::copy_n(shared_.arguments<Real>() + i, size, arguments.begin());
        vector_call_(function_, arguments.data(), results.data());
        std::copy_n(results.begin(), size, shared_.results<Real>(direction) + i);
        std::uint8_t noted = environment.changed();
        if (looks_at_output && has_written()) {
          noted |= wrote_output;
          writes = true;
        }
        for (std::size_t lane = 0; lane < size && noted != 0; ++lane)
          note(at + lane, noted);
        i += size;
        at += size;
      }
    }
    std::fesetround(FE_TONEAREST);
    return writes;
  }

  void* function_;
  Returned returned_;
  bool flags_;
  std::size_t lanes_;
  std::size_t operands_;
  VectorCall<Real> vector_call_ = nullptr;
  const SharedCalls& shared_;
  int named_blocks_ = 0;
};

// Whether the function is from the library itself: dlsym() also looks in the libraries that it is linked with, which
// may include another math library.
bool is_own(void* library, void* function) {
  link_map* map = nullptr;
  Dl_info of_function;
  return ::dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || ::dladdr(function, &of_function) == 0 ||
         std::string_view(of_function.dli_fname) == map->l_name;
}

} // namespace

bool take_line(std::string& text, std::string& line) {
  const auto end = text.find('\n');
  if (end == std::string::npos)
    return false;
  line = text.substr(0, end);
  text.erase(0, end + 1);
  return true;
}

void serve_blocks(support::Descriptor& channel, const std::function<RunCalls()>& begin) {
  const auto say = [&](const std::string& words) { return channel.send(support::on_one_line(words) + "\n"); };
  try {
    const RunCalls run = begin();
    std::string text;
    std::string line;
    for (bool serves = say(std::string(worker_is_ready)); serves && channel.is_open(); channel.read(text))
      while (serves && take_line(text, line)) {
        std::uint64_t first = 0;
        std::from_chars(line.data(), line.data() + line.size(), first);
        run(first);
        serves = say(std::string(worker_is_done));
      }
  } catch (const UsageError& refusal) {
    (void)say(worker_refuses + std::string(refusal.what()));
  } catch (const DeviceError& failure) {
    (void)say(worker_fails + std::string(failure.what()));
  }
}

void serve_library(const ServedFunction& served, support::Descriptor channel, support::Descriptor memory) {
  serve_blocks(channel, [&]() -> RunCalls {
    void* const handle = ::dlopen(served.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr)
      throw UsageError(fmt::format("cannot load the library: {}", ::dlerror()));
    void* const function = ::dlsym(handle, served.symbol.c_str());
    if (function == nullptr)
      throw UsageError(fmt::format("{} has no function '{}'; --symbol names another", served.library, served.symbol));
    if (!is_own(handle, function))
      throw UsageError(fmt::format("{} does not define '{}' itself, only a library that it uses does", served.library,
                                   served.symbol));
    (void)has_written(); // discards the output of its constructors
    return with_c_type(served.format, [&](auto zero) -> RunCalls {
      using Real = decltype(zero);
      const auto shared = std::make_shared<SharedCalls>(std::move(memory), sizeof(Real), served.operands);
      return [shared, calls = std::make_shared<Calls<Real>>(function, served, *shared)](std::uint64_t first) {
        calls->run(first);
      };
    });
  });
}

} // namespace tmd::library
