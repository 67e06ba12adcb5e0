// What the measurements of the existence tests share.
#pragma once

#include "app/lab/production.hpp"
#include "job/job.hpp"

#include <memory>

namespace tmd::app {

// The first interval that the options' test serves. Throws UsageError where there is none.
[[nodiscard]] std::unique_ptr<DomainPlan> first_filtered_plan(const Job& job, const DomainOptions& options);

} // namespace tmd::app
