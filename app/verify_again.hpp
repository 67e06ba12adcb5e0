// Searches part of a result again for `tmd verify`: by another method and, if possible, on another device; claims by
// their engine in other steps and argument by argument.
#pragma once

#include "search_options.hpp"

#include "report/verification.hpp"
#include "search/audit.hpp"

#include <vector>

namespace tmd::app {

struct Again {
  searches::AuditSize size;
  SearchSpec spec;
  bool chooses_device = true;
  bool chooses_algorithm = true;

  [[nodiscard]] bool is_asked_for() const { return size.share > 0 || size.seconds > 0 || size.runs > 0; }
};

// Adds --share, --seconds, --runs, --no-search, --algorithm and the options of devices.
void add_again_options(cxxopts::Options& options);
[[nodiscard]] Again parse_again(const cxxopts::ParseResult& parsed);

// Adds a row for each way. cases: the file's entries that are cases.
void check_by_search(report::VerifyReport& report, const result::RecordedSearch& file, const std::vector<Case>& cases,
                     Again again);

} // namespace tmd::app
