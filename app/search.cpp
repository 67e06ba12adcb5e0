// tmd search: a range to confirmed hard-to-round cases.
#include "search.hpp"

#include "commands.hpp"
#include "search_options.hpp"
#include "search_run.hpp"
#include "search_survey.hpp"

#include "request/command.hpp"
#include "result/journal_check.hpp"
#include "search/part.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
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
      "  tmd search sin --from 0.5 --to 0x1.0001p-1 --rounding nearest --device cpu --ledger\n"
      "  tmd search 'exp(x)/x' --from 1 --to 0x1.001p+0 --bits 40\n"
      "  tmd search log --format binary16 --from 0x1p-14 --to 65536 --bits 8 --json log.jsonl\n"
      "  tmd search sin,cos --format binary32 --from 0x1p+12 --to 0x1p+13 --wc %.wc\n",
      options.help({""}), tunable_list());
}

// Where the search is kept: beside its first file, unless that is a terminal, a pipe or the like. Empty: nowhere.
std::filesystem::path journal_of(const SearchSpec& spec, const OutputNames& outputs) {
  if (spec.journal || spec.no_journal)
    return spec.journal.value_or("");
  for (const char* option : {"wc", "json"})
    if (const auto name = outputs.find(option); name != outputs.end() && name->second != "-") {
      std::error_code none;
      const auto status = std::filesystem::status(name->second, none);
      if (std::filesystem::is_regular_file(status) || !std::filesystem::exists(status))
        return name->second.string() + ".journal";
    }
  return {};
}

// As they are kept: whoever moves the files takes the journal with them.
OutputNames beside(const std::filesystem::path& journal, const OutputNames& outputs) {
  const std::filesystem::path folder = std::filesystem::absolute(journal).parent_path();
  OutputNames result;
  for (const auto& [option, name] : outputs)
    result[option] = name == "-" ? name : std::filesystem::absolute(name).lexically_proximate(folder);
  return result;
}

// Whether a search has ended, and none of its files is there.
bool is_unwritten(const JournalContents& contents, const Job& job, const OutputNames& outputs) {
  std::error_code none;
  return contents.job().identity() == job.identity() && !outputs.empty() &&
         std::none_of(outputs.begin(), outputs.end(), [&](const auto& output) {
           return output.second == "-" || std::filesystem::exists(output.second, none);
         });
}

// A search that has not ended goes on, one that has lost its files or not yet written them, and one of which this
// process knows more; of any other the journal begins anew.
KeptSearch keep(const std::filesystem::path& file, const SearchRequest& request, const OutputNames& outputs,
                bool is_known, const opencl::KernelUse& kernels) {
  if (file.empty())
    return {};
  const Job& job = request.job;
  KeptSearch kept{std::make_unique<Journal>(file), {}};
  auto contents = kept.journal->contents();
  const bool goes_on =
      contents && contents->has_results() &&
      (is_known || !contents->is_complete() ||
       (!request.spec.audit && is_unwritten(*contents, job, outputs))); // an audit needs what was searched
  if (goes_on) {
    if (contents->job().identity() != job.identity())
      throw UsageError(fmt::format("the journal '{}' is of another search, which has not ended, {}: end that with `tmd "
                                   "resume`, remove the journal, or name another with --journal",
                                   file.string(), contents->job().identity()));
    require_same_program(file, *contents, kernels, request.spec.other_version);
    if (!is_known) {
      check_journal(*contents, file.string());
      fmt::print(stderr, "tmd: note: the search goes on from {} of {} arguments that '{}' has\n",
                 to_string(contents->result.arguments() + contents->result.begun_arguments()), to_string(job.size()),
                 file.string());
    }
    kept.so_far = std::move(contents);
    return kept;
  }
  kept.journal->begin({running_program(kernels), request.spec, command_of(request.spec), beside(file, outputs),
                       request.symmetry, request.shard},
                      job);
  return kept;
}

// A search that may run: its files can be written.
struct ReadySearch {
  SearchRequest request;
  OutputNames names;
  SearchOutputs outputs;
  std::filesystem::path journal;
  bool is_known = false;         // the search before it has found some of it on its way
  std::vector<BegunClaim> begun; // that, where no journal keeps it

  [[nodiscard]] Keep keep() {
    return [this](const opencl::KernelUse& kernels) {
      KeptSearch kept = app::keep(journal, request, names, is_known, kernels);
      kept.begun = std::exchange(begun, {});
      return kept;
    };
  }
};

ReadySearch make_ready(const SearchSpec& spec, bool silent) {
  ReadySearch search{resolve(spec), {}, {}, {}, false, {}}; // before anything takes time
  cut_to_part(search.request);
  for (const auto& [option, file] : {std::pair("wc", &spec.wc), {"json", &spec.json}})
    if (*file)
      search.names[option] = **file;
  search.outputs = open_outputs(search.names);
  search.outputs.silent = silent;
  search.journal = journal_of(spec, search.names);
  return search;
}

} // namespace

bool are_mates(const SearchRequest& one, const SearchRequest& other) {
  const auto& phase = one.job.function->phase;
  Job job = other.job;
  job.function = one.job.function;
  return phase && phase->mate == other.job.function->name && job.identity() == one.job.identity();
}

int search_all(const std::vector<SearchSpec>& specs, Ranks* ranks, bool silent) {
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
    // Other ranks search for one function at a time.
    const auto next =
        ranks != nullptr ? searches.end() : std::find_if(search + 1, searches.end(), [&](const ReadySearch& other) {
          return are_mates(search->request, other.request);
        });
    std::optional<MateRun> mate;
    if (next != searches.end())
      mate.emplace(MateRun{next->request, next->keep(), {}});
    const int of_this = run_request(search->request, search->outputs, search->keep(), ranks, mate ? &*mate : nullptr);
    if (mate) {
      next->is_known = true;
      next->begun = std::move(mate->begun);
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
  add_options_of(options, {OptionGroup::engine, OptionGroup::run, OptionGroup::mpi, OptionGroup::output});
  options.add_options()("h,help", "this text");
  return options;
}

int search(const Arguments& arguments) {
  return with_ranks(arguments, [&](Ranks* ranks) {
    cxxopts::Options options = search_options();
    const auto parsed = parse(options, "search", arguments);
    if (parsed.count("help") == 0)
      return search_all(specs_of(parsed), ranks);
    print_search_help(options);
    return 0;
  });
}

} // namespace tmd::app
