// Whether the costs that a worker measures serve the planner better than those it has without.
#pragma once

#include "tune/tuner.hpp"

namespace tmd::tune {

// Has the costs measured with the tuned values and compared with `before`; they are kept unless searches are slower
// with them, beyond the noise. Whatever fails leaves them out, with a note. Throws what `ask` throws, Interrupted among
// it. `base`: the default, for a worker that begins with this.
[[nodiscard]] CostTuning tune_costs(const Tunables& base, const Tunables& tuned, const Costs& before, const Ask& ask);

} // namespace tmd::tune
