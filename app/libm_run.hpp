// What `tmd libm` does once its options are read: a function is called, judged and told of.
#pragma once

#include "libm_output.hpp"
#include "libm_target.hpp"

#include "function/pairs.hpp"
#include "job/job.hpp"
#include "library/all_arguments.hpp"
#include "library/library_findings.hpp"
#include "library/scan.hpp"
#include "result/case_list.hpp"

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tmd::app {

struct LibmRun { // NOLINT(bugprone-exception-escape): moving JSON throws nothing
  job::Job job;  // function and format
  LibmTarget target;
  std::optional<LibmTarget> against;
  std::optional<job::RankInterval> range;
  std::optional<library::Promise> promise;
  nlohmann::ordered_json head; // the first record
  LibmOutput output;
  std::string where; // behind the title: which arguments

  // Sets what is called, and what a standard promises of that, unless something else is to be tested.
  void begin(const function::Function& function, const Format& format, const LibmTarget& called);
  // The same of a function of two variables.
  void begin(const std::string& function, const Format& format, const LibmTarget& called);

  [[nodiscard]] library::ScanFindings take_samples(library::ScanRequest request) const;
  [[nodiscard]] library::AllFindings call_for_all() const;

  // Each prints what it has found and returns the exit status.
  int scan(const library::ScanRequest& request) const;
  int all() const;
  int list(const result::CaseList& list) const;
  int pairs(const result::CaseList& list, const function::PairFunction& function) const;
  // At the cases of K bits of a search.
  int cases(int bits, const std::vector<std::string>& devices);

private:
  [[nodiscard]] int judge(const library::LibraryCalls& calls, const std::string& function) const;
  [[nodiscard]] int tell(const library::LibraryFindings& findings, const std::string& verdict,
                         const std::string& records) const;
};

// --seconds, --calls and --seed.
[[nodiscard]] library::ScanRequest scan_request(const cxxopts::ParseResult& parsed);
[[nodiscard]] std::optional<library::Promise> promise_of(const cxxopts::ParseResult& parsed);

} // namespace tmd::app
