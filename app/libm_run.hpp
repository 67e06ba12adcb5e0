// Runs the modes of `tmd libm` after its options are parsed: calls a function, judges the results and reports them.
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
  job::Job job;  // has function and format
  LibmTarget target;
  std::optional<LibmTarget> against;
  std::optional<job::RankInterval> range;
  std::optional<library::Promise> promise;
  nlohmann::ordered_json head; // the first record
  LibmOutput output;
  std::string where; // text after the title: which arguments

  // Sets the target and the promise that a standard makes for it, unless another one is to be tested.
  void begin(const function::Function& function, const Format& format, const LibmTarget& called);
  // The same for a function of two variables.
  void begin(const std::string& function, const Format& format, const LibmTarget& called);

  [[nodiscard]] library::ScanFindings take_samples(library::ScanRequest request) const;
  [[nodiscard]] library::AllFindings call_for_all() const;

  // The modes. Each prints its findings and returns the exit status.
  int scan(const library::ScanRequest& request) const;
  int all() const;
  int list(const result::CaseList& list) const;
  int pairs(const result::CaseList& list, const function::PairFunction& function) const;
  // At the cases that a search finds for K = bits.
  int cases(int bits, const std::vector<std::string>& devices);

private:
  [[nodiscard]] int judge(const library::LibraryCalls& calls, const std::string& function) const;
  [[nodiscard]] int tell(const library::LibraryFindings& findings, const std::string& verdict,
                         const std::string& records) const;
};

// Parses --seconds, --calls and --seed.
[[nodiscard]] library::ScanRequest scan_request(const cxxopts::ParseResult& parsed);
[[nodiscard]] std::optional<library::Promise> promise_of(const cxxopts::ParseResult& parsed);

} // namespace tmd::app
