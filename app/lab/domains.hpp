// Options and steps that the measurements of the existence tests share.
#pragma once

#include "app/lab/lab.hpp"
#include "app/lab/production.hpp"
#include "job/job.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tmd::app {

// The options --algorithm and --domain-bits, for lab_options(). without: describes what is measured if no test is
// named.
[[nodiscard]] std::map<std::string, std::string> test_options(const std::string& without);
// The test that --algorithm names, or nothing without the option. Throws UsageError for a method that is no existence
// test.
[[nodiscard]] std::optional<engine::domains::Test> test_asked(const SearchSpec& spec);

// The option --domains: the greatest number of domains.
void add_domains(cxxopts::Options& options);
[[nodiscard]] std::uint64_t domains_of(const cxxopts::ParseResult& parsed);

// The first interval in which the options' test can be used. Throws UsageError if there is none.
[[nodiscard]] std::unique_ptr<engine::domains::DomainPlan>
first_filtered_plan(const job::Job& job, const engine::domains::DomainOptions& options);

// Rounds of the phase-1 test's main loop, for every domain of the batch.
[[nodiscard]] std::vector<std::uint32_t> rounds(engine::domains::DomainSearch& search,
                                                const engine::domains::DomainBatch& batch);

// Device time of phase 1 alone on a batch, in seconds: the median of `repeats` runs after one that is not counted. If
// all domains would take longer than about `patience` seconds, tests fewer and scales up.
[[nodiscard]] double time_phase1(engine::domains::DomainSearch& search, const engine::domains::DomainBatch& batch,
                                 int repeats, double patience = 2);

} // namespace tmd::app
