// Many candidates at once through MPFR.
#pragma once

#include "engine/engine.hpp"
#include "result/cases.hpp"
#include "verify/confirm.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace tmd::searches {

// A candidate that lies too far from every breakpoint to have been one: another function was searched.
struct Stray {
  Argument x;
  double distance; // in spacings, at least
};

// What candidates are.
struct Confirmed {
  result::Findings found;     // of the exact ones the first, and how many others
  std::optional<Stray> stray; // the first, if there is one; what was found says nothing then
};

// What argument(0) … argument(count − 1) are, of those that are something, by `threads` threads at most; those
// further than `reach` spacings from a breakpoint are strays. Throws what the confirmation throws, and Interrupted when
// `interrupt`, asked now and then, says so.
[[nodiscard]] Confirmed confirm_all(const verify::Confirmation& confirmation, std::uint64_t count,
                                    const std::function<Argument(std::uint64_t)>& argument, double reach,
                                    unsigned threads, const engine::Interrupt& interrupt);

} // namespace tmd::searches
