#include "verify/math_library.hpp"

#include "support/text.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <cfenv>
#include <cfloat>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

namespace tmd {

namespace {

#ifdef __FLT16_MANT_DIG__
__extension__ using Float16 = _Float16;
#endif

// Arguments are exact in the type, and every result is exact in MPFR.
template <typename Real> Real to_real(mpfr_srcptr x) { return static_cast<Real>(mpfr_get_d(x, MPFR_RNDN)); }
template <> long double to_real<long double>(mpfr_srcptr x) { return mpfr_get_ld(x, MPFR_RNDN); }

template <typename Real> std::string to_text(Real y) {
  Mpfr value(64);
  mpfr_set_d(value, static_cast<double>(y), MPFR_RNDN);
  return to_hex(mpfr_srcptr(value));
}
template <> std::string to_text(long double y) {
  Mpfr value(64);
  mpfr_set_ld(value, y, MPFR_RNDN);
  return to_hex(mpfr_srcptr(value));
}

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

// Conversions, which depend on the direction, stand outside.
template <typename Real> std::string call(void* symbol, mpfr_srcptr x, Direction direction) {
  const auto function = reinterpret_cast<Real (*)(Real)>(symbol);
  const Real argument = to_real<Real>(x);
  std::fesetround(c_direction(direction));
  const Real result = function(argument);
  std::fesetround(FE_TONEAREST);
  return to_text(result);
}

// A type of C by its format.
struct CType {
  std::string_view format;
  std::string_view suffix; // of its functions' names
  std::string (*call)(void* symbol, mpfr_srcptr x, Direction direction);
};

const CType& c_type(const Format& format) {
  static const std::vector<CType> types {
    {"binary32", "f", call<float>}, {"binary64", "", call<double>},
#if LDBL_MANT_DIG == 64
        {"binary80", "l", call<long double>},
#endif
#ifdef __FLT16_MANT_DIG__
        {"binary16", "f16", call<Float16>},
#endif
  };
  const auto found =
      std::find_if(types.begin(), types.end(), [&](const CType& type) { return type.format == format.name; });
  if (found == types.end())
    throw UsageError(fmt::format("no type of C here has the format {}", format.name));
  return *found;
}

std::string to_line(const LibraryCall& call) {
  return fmt::format("{} {}\n", static_cast<int>(call.direction), to_hex(call.x));
}

std::string answer_to(const CType& type, void* symbol, const std::string& line) {
  const auto blank = line.find(' ');
  int direction = 0;
  std::from_chars(line.data(), line.data() + blank, direction);
  Mpfr x(64);
  mpfr_set_str(x, line.c_str() + blank + 1, 0, MPFR_RNDN);
  return type.call(symbol, x, static_cast<Direction>(direction));
}

constexpr char refusal = '!'; // begins an answer that is a sentence: there is nothing to be called

// One line that came through a channel, without its end.
std::optional<std::string> take_line(std::string& text) {
  const auto end = text.find('\n');
  if (end == std::string::npos)
    return std::nullopt;
  std::string line = text.substr(0, end);
  text.erase(0, end + 1);
  return line;
}

} // namespace

std::string c_name(const Function& function, const Format& format) {
  if (!function.is_in_c)
    throw UsageError(fmt::format("C has no function {}; --symbol names the library's", function.name));
  return fmt::format("{}{}", function.name, c_type(format).suffix);
}

void serve_library(const std::string& library, const std::string& symbol, const Format& format, int descriptor) {
  Descriptor channel(descriptor);
  const CType& type = c_type(format);
  const auto refuse = [&](const std::string& sentence) { (void)channel.send(refusal + on_one_line(sentence) + "\n"); };
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return refuse(fmt::format("cannot load the library: {}", ::dlerror()));
  void* function = ::dlsym(handle, symbol.c_str());
  if (function == nullptr)
    return refuse(fmt::format("{} has no function '{}'; --symbol names another", library, symbol));
  std::string text;
  while (channel.is_open()) {
    while (const auto line = take_line(text))
      if (!channel.send(answer_to(type, function, *line) + "\n"))
        return;
    channel.read(text);
  }
}

std::vector<LibraryAnswer> LibraryProcess::answer(const std::vector<LibraryCall>& calls) const {
  using namespace std::chrono_literals;
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t batch = 256; // calls in the channel, whose buffer holds more
  std::vector<LibraryAnswer> answers;
  while (answers.size() < calls.size()) {
    auto [ours, theirs] = make_socket_pair();
    ChildProcess child(program_, arguments_, {-1, -1, {theirs.number()}});
    theirs.close();
    std::string text;
    std::size_t sent = answers.size();
    std::optional<LibraryAnswer> lost;
    auto last = Clock::now();
    while (answers.size() < calls.size() && !lost) {
      if (sent == answers.size()) {
        std::string lines;
        for (; sent < calls.size() && sent < answers.size() + batch; ++sent)
          lines += to_line(calls[sent]);
        (void)ours.send(lines); // that nobody reads it shows below
      }
      (void)child.read(ours, text, 50ms);
      while (auto line = take_line(text)) {
        if (line->front() == refusal)
          throw UsageError(line->substr(1));
        answers.push_back({LibraryAnswer::Kind::returned, *std::move(line)});
        last = Clock::now();
      }
      if (!ours.is_open() && answers.size() < calls.size())
        lost = {LibraryAnswer::Kind::crashed, child.wait(10s).value_or(ProcessEnd{}).sentence()};
      else if (answers.size() < calls.size() && Clock::now() - last > patience_)
        lost = {LibraryAnswer::Kind::hung, "it did not return"};
    }
    if (lost)
      answers.push_back(*lost);
  }
  return answers;
}

} // namespace tmd
