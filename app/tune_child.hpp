// Runs the searches of `tmd tune` in processes of their own.
#pragma once

#include "tune/report.hpp"
#include "tune/searches.hpp"

namespace tmd::app {

// Every tunable's value, as --set takes it.
[[nodiscard]] tune::Settings values_of(const device::Tunables& tunables);

// Runs `tmd search` on the device of a tuning, with the default tunables for those that the request does not set.
// Throws Interrupted.
[[nodiscard]] tune::ChildSearch tuning_child(const tune::TuningDescription& tuning, SearchSpec spec, double patience);

} // namespace tmd::app
