// What `tmd search` is asked for.
#pragma once

#include "search_options.hpp"

#include "report/progress.hpp"
#include "result/journal.hpp"
#include "result/wc.hpp"

#include <cxxopts.hpp>

#include <optional>
#include <string>

namespace tmd::app {

struct SearchRequest {
  Arguments arguments; // all of them
  SearchOptions options;
  std::optional<Shard> shard;
  std::optional<int> threads;    // of the host
  std::optional<double> audited; // share
  int most_cases = 0;
  bool is_dry = false;
  bool quiet = false;
  bool silent = false; // prints nothing on standard output
  bool with_ledger = false;
  bool reproducible = false;
  bool other_version = false;           // goes on with what another program has begun
  CaseOrder order = CaseOrder::hardest; // of --wc
  std::optional<ProgressReports> progress;
};

[[nodiscard]] cxxopts::Options make_search_options();

// Adds --other-version, with what it does for the command.
inline constexpr const char* other_version = "other-version";
void add_other_version_option(cxxopts::Options& options, const char* text);

// Adds --order.
void add_order_option(cxxopts::Options& options);
[[nodiscard]] CaseOrder parse_order(const cxxopts::ParseResult& parsed);

// Touches no file and no device. Throws UsageError for anything wrong. known: what the arguments mean, of a shard,
// which takes time to be cut.
[[nodiscard]] SearchRequest parse_search_request(const cxxopts::ParseResult& parsed, const Arguments& arguments,
                                                 const Job* known = nullptr);

// The command line with these arguments, as a shell takes it.
[[nodiscard]] std::string command_line(const std::string& command, const Arguments& arguments);

} // namespace tmd::app
