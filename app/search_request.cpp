#include "search_request.hpp"
#include "engine/domains/tunables.hpp"

#include "mpi_ranks.hpp"

#include "search/workload.hpp"
#include "support/shell_words.hpp"

#include <limits>

#include <fmt/format.h>

namespace tmd::app {

namespace {

// Less than a gigabyte of memory.
constexpr int usual_most_cases = 10'000'000;

// From "I/N".
void set_shard(SearchRequest& request, const std::string& text, const Job* known) {
  constexpr int most_shards = 100'000;
  const auto slash = text.find('/');
  if (slash == std::string::npos)
    throw UsageError(fmt::format("--shard takes I/N, the number of a part and how many there are, not '{}'", text));
  Shard shard;
  shard.count = parse_integer(text.substr(slash + 1), "the N of --shard I/N", 1, most_shards);
  shard.index = parse_integer(text.substr(0, slash), "the I of --shard I/N", 1, shard.count);
  Job& job = request.options.job;
  shard.first = job.first;
  shard.last = job.last;
  request.shard = shard;
  if (known != nullptr) {
    job.first = known->first;
    job.last = known->last;
  } else {
    const auto borders =
        shard_borders(job, predicted_work(job, request.options.is_whole, usual_settings()), shard.count);
    const auto index = static_cast<std::size_t>(shard.index);
    job.first = borders[index - 1];
    job.last = borders[index];
  }
  request.options.from = to_hex(job.arguments().at(job.first));
  request.options.to = to_hex(job.arguments().at(job.last));
}

} // namespace

cxxopts::Options make_search_options() {
  cxxopts::Options options("tmd search", "Finds every hard-to-round case of FUNCTION on [X, Y), or on all arguments.");
  options.custom_help("FUNCTION [--from X] [--to Y] [OPTION ...]");
  add_search_options(options, DeviceCount::several);
  add_engine_options(options);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("host-threads", "threads that plan and confirm (default: as many as cores), and make polynomials (of a CPU: 1)",
      text(), "T");
  add("wc", "write the cases in CORE-MATH's format", text(), "FILE");
  add_order_option(options);
  add("json", "write everything as JSON Lines", text(), "FILE");
  add("shard", "search only part I of N, of equal predicted cost, the same on every machine; see `tmd merge`", text(),
      "I/N");
  add("reproducible", "leave out of --json what differs from run to run: devices, the planner's choices, times");
  add("journal", "keep what is done there (default: FILE.journal beside --wc or else --json)", text(), "FILE");
  add("no-journal", "keep nothing of a search that does not end");
  add("audit",
      "share of the arguments that another test searches again, 0 to 1 (default: what takes 1 % of the time of a "
      "search of a minute or more)",
      text(), "SHARE");
  add("no-symmetry", "of whole functions, search also what symmetry and scaling decide: x < 0, other periods");
  add_mpi_option(options);
  add_other_version_option(options, "go on also with the journal of another program: the result names both");
  add("most-cases", "refuse searches with more cases to be expected (default: 10000000)", text(), "N");
  add("dry-run", "say what would be searched, and end");
  add("progress", "say on stderr every so many seconds how far it is: lines:SECONDS or json:SECONDS", text(), "FORM:S");
  add("ledger", "print every term of the error ledger for every piece");
  add("quiet", "print the cases only");
  add("h,help", "this text");
  options.add_options("internal")("test-all-kernels", ""); // how `tmd doctor` starts it; in no help text
  return options;
}

void add_other_version_option(cxxopts::Options& options, const char* text) {
  options.add_options()(other_version, text);
}

void add_order_option(cxxopts::Options& options) {
  options.add_options()("order", "order of the cases in --wc: hardest (first) or argument",
                        cxxopts::value<std::string>()->default_value("hardest"), "ORDER");
}

CaseOrder parse_order(const cxxopts::ParseResult& parsed) {
  return static_cast<CaseOrder>(find_name("order", parsed["order"].as<std::string>(), case_order_names));
}

SearchRequest parse_search_request(const cxxopts::ParseResult& parsed, const Arguments& arguments, const Job* known) {
  const auto text = [&](const char* name) { return parsed[name].as<std::string>(); };
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  SearchRequest request;
  request.arguments = arguments;
  request.options = parse_search_options(parsed, BoundsUse::optional);
  if (given("host-threads"))
    request.threads = parse_integer(text("host-threads"), "--host-threads", 1, 1024);
  if (given("audit"))
    request.audited = parse_share(text("audit"), "--audit");
  request.most_cases = given("most-cases")
                           ? parse_integer(text("most-cases"), "--most-cases", 1, std::numeric_limits<int>::max())
                           : usual_most_cases;
  request.is_dry = given("dry-run");
  request.quiet = given("quiet");
  request.with_ledger = given("ledger");
  request.reproducible = given("reproducible");
  request.other_version = given(other_version);
  request.order = parse_order(parsed);
  if (given("progress"))
    request.progress = parse_progress(text("progress"));
  if (given("journal") && given("no-journal"))
    throw UsageError("--journal and --no-journal exclude each other");
  if (given("shard"))
    set_shard(request, text("shard"), known);
  return request;
}

std::string command_line(const std::string& command, const Arguments& arguments) {
  std::string line = "tmd " + command;
  for (const std::string& argument : arguments)
    line += " " + as_shell_word(argument);
  return line;
}

} // namespace tmd::app
