// Confirms many candidates with MPFR, on several threads.
#pragma once

#include "engine/engine.hpp"
#include "result/cases.hpp"
#include "verify/confirm.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace tmd::searches {

// An outlier: a candidate too far from every breakpoint for the test that kept it. The device has searched another
// function.
struct Outlier {
  Argument x;
  double distance; // lower bound, in spacings
};

// The result of confirming candidates.
struct Confirmed {
  result::Findings found;         // cases, undecided arguments, the first exact case and the number of the others
  std::optional<Outlier> outlier; // the first outlier, if any; `found` means nothing then
};

// Confirms argument(0) … argument(count − 1), skipping those without a value, on at most `threads` threads. A candidate
// further than `reach` spacings from a breakpoint is an outlier. Throws what the confirmation throws, and Interrupted
// when `interrupt`, called now and then, returns true.
[[nodiscard]] Confirmed confirm_all(const verify::Confirmation& confirmation, std::uint64_t count,
                                    const std::function<Argument(std::uint64_t)>& argument, double reach,
                                    unsigned threads, const engine::Interrupt& interrupt);

} // namespace tmd::searches
