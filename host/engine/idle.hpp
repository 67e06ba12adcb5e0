// The time in which a device does no work of a search, by what it waits for; a search reports it.
#pragma once

#include <array>
#include <cstddef>
#include <numeric>
#include <string_view>

namespace tmd::engine {

// The reasons for which a device waits. If its queues have different ones, each has its share of the time.
enum class IdleReason : std::size_t { kernels, polynomials, parts, self_tests, host, other };
inline constexpr std::size_t idle_reasons = 6;

// The reasons' names in records, and after "idle" in a table.
inline constexpr std::array<std::string_view, idle_reasons> idle_keys{"kernels",    "polynomials", "parts",
                                                                      "self_tests", "host",        "other"};
inline constexpr std::array<std::string_view, idle_reasons> idle_texts{
    "for kernels", "for polynomials", "for parts of the search", "for self-tests", "for the host", "otherwise"};

// Seconds for each reason.
struct Idle {
  std::array<double, idle_reasons> of{};

  [[nodiscard]] double& operator[](IdleReason reason) { return of.at(static_cast<std::size_t>(reason)); }
  [[nodiscard]] double operator[](IdleReason reason) const { return of.at(static_cast<std::size_t>(reason)); }
  [[nodiscard]] double seconds() const { return std::accumulate(of.begin(), of.end(), 0.0); }
  Idle& operator+=(const Idle& more) {
    for (std::size_t i = 0; i < of.size(); ++i)
      of.at(i) += more.of.at(i);
    return *this;
  }
};

} // namespace tmd::engine
