// tmd search: finds the hard-to-round cases of a range or of a whole function.
#include "search.hpp"

#include "commands.hpp"
#include "mpi_ranks.hpp"
#include "search_options.hpp"
#include "search_pairs.hpp"
#include "search_run.hpp"
#include "search_survey.hpp"
#include "standard_streams.hpp"

#include "result/job_results.hpp"
#include "search/part.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

void print_search_help(const cxxopts::Options& options) {
  fmt::print(
      "{}\n`tmd functions` lists the functions. FUNCTION may also be an expression of them in x, with + - * / ^ ( ) "
      "pi e:\n'log(1+exp(x))', or a list of names, sin,cos: in the names of files % then stands for each of them\n\n"
      "tunables (`tmd devices --tunables` prints the values of each device here):\n{}"
      "\nexamples:\n"
      "  tmd search exp --from 1 --to 0x1.008p+0 --bits 44 --wc exp.wc\n"
      "  tmd search log10 --format binary32 --wc log10.wc\n"
      "  tmd search sin --from 0.5 --to 0x1.0001p-1 --rounding nearest --bits 34 --device cpu --ledger\n"
      "  tmd search 'exp(x)/x' --from 1 --to 0x1.001p+0 --bits 40\n"
      "  tmd search log --format binary16 --from 0x1p-14 --to 65536 --bits 8 --json log.jsonl\n"
      "  tmd search sin,cos --format binary32 --from 0x1p+12 --to 0x1p+13 --wc %.wc\n"
      "  tmd search hypot --format binary32 --bits 44 --wc hypot.wc\n",
      options.help({""}), tunable_list());
}

// A search that is ready to run: its files can be written.
struct ReadySearch {
  request::SearchRequest request;
  SearchOutputs outputs;
  std::filesystem::path journal;
  bool is_known = false;                            // the previous search has found some of its cases
  std::vector<result::PartialClaim> partial_claims; // these findings, if no journal keeps them

  [[nodiscard]] run::Keep keep() {
    return [this](const opencl::KernelUse& kernels) {
      run::KeptSearch kept = run::keep_search(journal, request, outputs.files.names, is_known, kernels, print_remark);
      kept.partial_claims = std::exchange(partial_claims, {});
      return kept;
    };
  }
};

ReadySearch make_ready(const SearchSpec& spec, bool silent) {
  ReadySearch search{request::resolve(spec), {}, {}, false, {}}; // before anything takes time
  searches::cut_to_part(search.request);
  search.outputs = open_outputs(run::output_names(spec));
  search.outputs.silent = silent;
  search.journal = run::journal_of(spec, search.outputs.files.names);
  return search;
}

} // namespace

int search_all(const std::vector<SearchSpec>& specs, run::Ranks* ranks, bool silent) {
  std::vector<ReadySearch> searches;
  searches.reserve(specs.size());
  for (const SearchSpec& spec : specs)
    searches.push_back(make_ready(spec, silent));
  bool is_told = false;
  for (const ReadySearch& one : searches)
    is_told = survey_before(one.request) || is_told;
  if (is_told)
    return 0;
  int status = 0;
  for (auto search = searches.begin(); search != searches.end(); ++search) {
    std::vector<ReadySearch*> served;
    std::vector<run::LaterRun> later;
    for (auto other = search + 1; other != searches.end(); ++other)
      if (ranks == nullptr && result::share_claims(search->request, other->request)) { // ranks search for one at a time
        served.push_back(&*other);
        later.push_back({other->request, other->keep(), {}});
      }
    const int of_this = run_request(search->request, search->outputs, search->keep(), ranks, later);
    for (std::size_t i = 0; i < served.size(); ++i) {
      served[i]->is_known = true;
      served[i]->partial_claims = std::move(later[i].partial_claims);
    }
    status = std::max(status, of_this);
    if (of_this == static_cast<int>(Status::interrupted))
      break;
  }
  return status;
}

cxxopts::Options search_options() {
  cxxopts::Options options("tmd search", "Finds every hard-to-round case of FUNCTION on [X, Y), or on all arguments.");
  options.custom_help("FUNCTION [--from X] [--to Y] [OPTION ...]");
  add_search_options(options, DeviceCount::several);
  add_option(options,
             {"x-range", "with an expression of x and y: the range of x; TO is not itself searched", "FROM:TO"});
  add_option(options, {"y-range", "the range of y", "FROM:TO"});
  add_options_of(options, {request::OptionGroup::engine, request::OptionGroup::run, request::OptionGroup::mpi,
                           request::OptionGroup::output});
  options.add_options()("h,help", "this text");
  return options;
}

int search(const Arguments& arguments) {
  return with_ranks(search_options(), arguments, [&](run::Ranks* ranks) {
    cxxopts::Options options = search_options();
    const auto parsed = parse(options, "search", arguments);
    if (parsed.count("help") == 0) {
      const std::optional<int> status = search_pair_function(parsed, ranks);
      return status ? *status : search_all(specs_of(parsed), ranks);
    }
    print_search_help(options);
    return 0;
  });
}

} // namespace tmd::app
