// What the measurements of the existence tests share.
#pragma once

#include "app/lab/lab.hpp"
#include "app/lab/production.hpp"
#include "job/job.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace tmd::app {

// --algorithm and --domain-bits, for lab_options(). without: what is measured where no test is named.
[[nodiscard]] std::map<std::string, std::string> test_options(const std::string& without);
// The test that --algorithm names; nothing without it. Throws UsageError for another method of searches.
[[nodiscard]] std::optional<engine::domains::Test> test_asked(const SearchSpec& spec);

// --domains: how many at most.
void add_domains(cxxopts::Options& options);
[[nodiscard]] std::uint64_t domains_of(const cxxopts::ParseResult& parsed);

// The first interval that the options' test serves. Throws UsageError where there is none.
[[nodiscard]] std::unique_ptr<engine::domains::DomainPlan>
first_filtered_plan(const job::Job& job, const engine::domains::DomainOptions& options);

} // namespace tmd::app
