// tmd run: the searches of a job file that are not done yet, and an index of the results.
#include "commands.hpp"
#include "run_turns.hpp"
#include "search_options.hpp"

#include "opencl/kernel_files.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

void print_run_help(const cxxopts::Options& options) {
  fmt::print(
      "{}\nA job file is TOML: the options of `tmd search` are its keys.\n\n"
      "  [defaults]\n  bits = 40\n\n"
      "  [[search]]\n  name = \"exp-near-1\"\n  function = \"exp\"\n  from = 1\n  to = \"0x1.001p+0\"\n\n"
      "A search is done when its result is complete, of the same job, and by this program: its version, commit "
      "and\nkernels. An interrupted one is resumed from NAME.journal, and one without a file gets it from there.\n",
      options.help({""}));
}

std::filesystem::path job_file_of(const cxxopts::ParseResult& parsed) {
  const std::vector<std::string> names = values_of(parsed, "jobs");
  if (names.empty())
    throw UsageError("no job file given");
  if (names.size() > 1)
    throw UsageError(fmt::format("unexpected argument '{}': one job file at a time", names[1]));
  return names.front();
}

// Prints all mistakes, and throws the last one as an error.
request::JobFile read_without_mistakes(const std::filesystem::path& file) {
  request::JobFile result = request::read_job_file(file);
  const auto sentence = [&](const request::JobFileMistake& mistake) {
    return fmt::format("{}, line {}: {}", file.string(), mistake.line, mistake.sentence);
  };
  if (result.mistakes.empty())
    return result;
  for (std::size_t i = 0; i + 1 < result.mistakes.size(); ++i)
    fmt::print(stderr, "tmd: {}\n", sentence(result.mistakes[i]));
  throw UsageError(sentence(result.mistakes.back()));
}

// Marks the searches to run.
std::vector<bool> choose(const std::vector<request::JobSearch>& searches, const std::vector<std::string>& only) {
  std::vector<std::string_view> names;
  names.reserve(searches.size());
  for (const request::JobSearch& one : searches)
    names.push_back(one.name);
  std::vector<bool> wanted(searches.size(), only.empty());
  for (const std::string& name : only) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw UsageError(
          fmt::format("--only: the job file has no search '{}'{}", name, support::did_you_mean(name, names)));
    wanted[static_cast<std::size_t>(found - names.begin())] = true;
  }
  return wanted;
}

int run_with(const Arguments& arguments, run::Ranks* ranks) {
  cxxopts::Options options = run_options();
  const auto parsed = parse(options, "run", arguments);
  if (parsed.count("help") != 0) {
    print_run_help(options);
    return 0;
  }
  const request::JobFile jobs = read_without_mistakes(job_file_of(parsed));
  std::vector<bool> wanted = choose(jobs.searches, values_of(parsed, "only"));
  const std::filesystem::path folder = make_folder(parsed);
  const SearchSpec ways = spec_of(parsed);
  result::JobResults results(folder, jobs.searches, result::running_program(opencl::use_kernels(ways.foreign_kernels)),
                             ways);
  return run_turns(jobs.searches, results, std::move(wanted), ranks);
}

} // namespace

cxxopts::Options run_options() {
  cxxopts::Options options("tmd run", "Runs the searches of a job file that are not done yet, and keeps an index.");
  options.custom_help("JOBS.toml --into DIR [OPTION ...]");
  auto add = options.add_options();
  add("into", "folder of the results, NAME.jsonl and NAME.wc, and of index.md and index.json",
      cxxopts::value<std::string>(), "DIR");
  add("only", "run the search of that name; may be repeated", cxxopts::value<std::vector<std::string>>(), "NAME");
  add_option(options, "foreign-kernels");
  add_option(options, "mpi");
  add_option(options, "other-version", "accept results and journals of other programs as they are");
  add("h,help", "this text");
  options.add_options("positional")("jobs", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"jobs"});
  options.positional_help("").set_width(120);
  return options;
}

int run(const Arguments& arguments) {
  return with_ranks(run_options(), arguments, [&](run::Ranks* ranks) { return run_with(arguments, ranks); });
}

} // namespace tmd::app
