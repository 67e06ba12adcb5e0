// Many candidates at once through MPFR.
#pragma once

#include "engine/engine.hpp"
#include "verify/confirm.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace tmd {

// What argument(0) … argument(count − 1) are, of those that are something, by `threads` threads at most. Throws what
// the confirmation throws, and Interrupted when `interrupt`, asked now and then, says so.
[[nodiscard]] std::vector<Case> confirm_all(const Confirmation& confirmation, std::uint64_t count,
                                            const std::function<Argument(std::uint64_t)>& argument, unsigned threads,
                                            const Interrupt& interrupt);

} // namespace tmd
