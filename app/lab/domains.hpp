// Options and steps that the measurements of the existence tests share.
#pragma once

#include "app/lab/lab.hpp"
#include "app/lab/production.hpp"
#include "job/job.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

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

} // namespace tmd::app
