// tmd run: the searches of a job file that are not done yet, each in a process of its own, and an index of the results.
#include "commands.hpp"
#include "interrupt.hpp"
#include "mpi_ranks.hpp"
#include "run_child.hpp"
#include "search.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "opencl/kernel_files.hpp"
#include "request/job_file.hpp"
#include "request/spec_json.hpp"
#include "result/index.hpp"
#include "result/journal.hpp"
#include "support/atomic_file.hpp"
#include "support/stopwatch.hpp"
#include "support/terminal_line.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::app {

namespace {

void print_run_help(const cxxopts::Options& options) {
  fmt::print("{}\nA job file is TOML: the options of `tmd search` are its keys.\n\n"
             "  [defaults]\n  bits = 40\n\n"
             "  [[search]]\n  name = \"exp-near-1\"\n  function = \"exp\"\n  from = 1\n  to = \"0x1.001p+0\"\n\n"
             "A search is done when its result is complete, of the same job, and by this program: its version, commit "
             "and\nkernels. One that was ended goes on from NAME.journal, and one that has lost a file gets it from "
             "there.\n",
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

// All mistakes are told of, the last one as an error.
JobFile read_without_mistakes(const std::filesystem::path& file) {
  JobFile result = read_job_file(file);
  const auto sentence = [&](const JobFileMistake& mistake) {
    return fmt::format("{}, line {}: {}", file.string(), mistake.line, mistake.sentence);
  };
  if (result.mistakes.empty())
    return result;
  for (std::size_t i = 0; i + 1 < result.mistakes.size(); ++i)
    fmt::print(stderr, "tmd: {}\n", sentence(result.mistakes[i]));
  throw UsageError(sentence(result.mistakes.back()));
}

// Which of the searches are wanted.
std::vector<bool> choose(const std::vector<JobSearch>& searches, const std::vector<std::string>& only) {
  std::vector<std::string_view> names;
  names.reserve(searches.size());
  for (const JobSearch& one : searches)
    names.push_back(one.name);
  std::vector<bool> wanted(searches.size(), only.empty());
  for (const std::string& name : only) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw UsageError(fmt::format("--only: the job file has no search '{}'{}", name, did_you_mean(name, names)));
    wanted[static_cast<std::size_t>(found - names.begin())] = true;
  }
  return wanted;
}

// The results of a job file in their folder.
class Results {
public:
  Results(std::filesystem::path folder, const std::vector<JobSearch>& searches, SearchSpec ways)
      : folder_(std::move(folder)), program_(running_program(opencl::use_kernels(ways.foreign_kernels))),
        ways_(std::move(ways)) {
    for (const JobSearch& one : searches)
      entries_.push_back({one.name, one.request.job, std::nullopt, {}, one.request.symmetry});
    for (std::size_t i = 0; i < entries_.size(); ++i)
      (void)read(i);
    write_index();
  }

  [[nodiscard]] std::string file(const std::string& name, const char* extension) const {
    return (folder_ / (name + extension)).string();
  }
  // With the files of a search of that name, and what was said for all of them.
  [[nodiscard]] SearchSpec with_files(const std::string& name, SearchSpec spec) const {
    spec.foreign_kernels = ways_.foreign_kernels;
    spec.other_version = ways_.other_version;
    spec.quiet = true;
    spec.wc = file(name, ".wc");
    spec.json = file(name, ".jsonl");
    return spec;
  }
  [[nodiscard]] const IndexEntry& entry(std::size_t index) const { return entries_[index]; }
  [[nodiscard]] bool is_done(std::size_t index) const { return entries_[index].result.has_value(); }
  [[nodiscard]] std::size_t done() const {
    return static_cast<std::size_t>(
        std::count_if(entries_.begin(), entries_.end(), [](const IndexEntry& one) { return one.result.has_value(); }));
  }

  [[nodiscard]] bool is_partial() const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [](const IndexEntry& one) { return one.result && one.result->summary->partial; });
  }

  // Looks for a search's result. False when there is none, or one of another job or program, or not all of it. What the
  // search itself says was left out belongs to it.
  bool read(std::size_t index) {
    IndexEntry& entry = entries_[index];
    entry.result.reset();
    try {
      RecordedSearch result = read_complete_search(open_result(file(entry.name, ".jsonl")), [](const FoundEntry&) {});
      if (result.said == entry.job.identity() && (ways_.other_version || is_of_this_program(result)) &&
          result.summary->arguments + result.arguments_left_out() == entry.job.size() &&
          std::filesystem::exists(file(entry.name, ".wc")))
        entry.result = std::move(result);
    } catch (const Error&) { // no such file, or another one's
    }
    return is_done(index);
  }

  // Whether the search was done and only its files are missing, which its journal has: they may be lost where a folder
  // was copied, or a disk was full. One that has not ended, of what the job file said before, is of no more use, and
  // removed: `tmd search` would refuse it. Whatever else is wrong with one, the search says itself.
  [[nodiscard]] bool take_up_journal(std::size_t index) const {
    const std::filesystem::path journal = file(entries_[index].name, ".journal");
    std::error_code none;
    if (!std::filesystem::is_regular_file(journal, none) || is_being_written(journal))
      return false;
    try {
      const JournalContents contents = read_journal(journal);
      const std::string job = contents.job().identity();
      const bool is_of_another = job != entries_[index].job.identity();
      if (contents.is_complete())
        return !is_of_another && (ways_.other_version || others_than(program_, contents.programs()).empty());
      if (is_of_another && std::filesystem::remove(journal, none))
        fmt::print(stderr, "tmd: note: the journal '{}' was of {}: it is removed, and the search begins anew\n",
                   journal.string(), job);
    } catch (const Error&) { // damaged, or there is nothing in it yet
    }
    return false;
  }

  void fail(std::size_t index, const std::string& why) { entries_[index].failure = why; }

  void write_index() const {
    AtomicFile(folder_ / "index.md").commit(index_page(entries_));
    AtomicFile(folder_ / "index.json").commit(index_json(entries_));
  }

private:
  [[nodiscard]] bool is_of_this_program(const RecordedSearch& result) const {
    return is_same(result.program, program_) && result.other_programs.empty();
  }

  std::filesystem::path folder_;
  Program program_;
  SearchSpec ways_;
  std::vector<IndexEntry> entries_;
};

std::string summary(const IndexEntry& entry) {
  const auto& [hard, exact, undecided, hardest] = entry.result->entries;
  const Summary& summary = *entry.result->summary;
  return fmt::format("{}: {} hard-to-round case{}, {:.1f} expected, {} exact{} in {:.2f} s", entry.name, hard,
                     hard == 1 ? "" : "s", expected_cases(entry), to_string(summary.exact),
                     undecided == 0 ? "" : fmt::format(", {} UNDECIDED,", undecided), summary.seconds) +
         (summary.partial
              ? fmt::format("; PARTIAL: {} arguments left out", to_string(entry.result->arguments_left_out()))
              : "");
}

// What one process does: a search, or two of which each serves the other.
using Turn = std::vector<std::size_t>;

// Whether they are the same but for the function, and each serves the other.
bool are_alike(const SearchRequest& one, const SearchRequest& other) {
  SearchSpec spec = other.spec;
  spec.functions = one.spec.functions;
  return to_json(spec) == to_json(one.spec) && are_mates(one, other);
}

// That of the first search that is to be done, with its mate where that is to be done, too.
Turn turn_of(const std::vector<JobSearch>& searches, std::size_t first,
             const std::function<bool(std::size_t)>& may_be_second) {
  for (std::size_t i = first + 1; i < searches.size(); ++i)
    if (may_be_second(i) && are_alike(searches[first].request, searches[i].request))
      return {first, i};
  return {first};
}

// The same in this process, with the ranks of an MPI job: a child process would have none.
ChildEnd run_over(Ranks& ranks, const std::vector<SearchSpec>& specs) {
  try {
    return {ChildEnd::Kind::exited, search_all(specs, &ranks, true), {}, {}};
  } catch (const Interrupted&) {
    return {ChildEnd::Kind::interrupted, 0, {}, {}};
  } catch (const std::exception& error) {
    const Failure failure = failure_of(error);
    return {ChildEnd::Kind::exited, static_cast<int>(failure.status), {}, fmt::format("tmd: {}\n", failure.sentence)};
  }
}

ChildEnd run_turn(const Turn& turn, const std::vector<JobSearch>& searches, const Results& results, Ranks* ranks) {
  std::vector<SearchSpec> specs;
  std::string names;
  for (const std::size_t index : turn) {
    const std::string& name = searches[index].name;
    specs.push_back(results.with_files(name, searches[index].request.spec));
    specs.back().journal = results.file(name, ".journal");
    names += (names.empty() ? "" : ", ") + name;
  }
  if (ranks != nullptr)
    return run_over(*ranks, specs);
  TerminalLine line;
  const auto start = std::chrono::steady_clock::now();
  return run_search(specs, std::numeric_limits<double>::infinity(), [&] {
    if (line.due())
      line.show(fmt::format("{}: {:.0f} s", names, seconds_since(start)));
    return interrupted();
  });
}

// Before any search: those that were done get their files from their journals, in processes of their own, and have had
// their turn. Where that fails, a search is done again.
void take_up_journals(Results& results, const std::vector<bool>& wanted, std::vector<bool>& had_turn,
                      bool with_processes) {
  for (std::size_t i = 0; i < wanted.size() && !interrupted(); ++i) {
    if (!wanted[i] || results.is_done(i) || !results.take_up_journal(i) || !with_processes)
      continue;
    const std::string& name = results.entry(i).name;
    (void)run_child({"resume", results.file(name, ".journal"), "--spec", to_json(results.with_files(name, {})).dump()},
                    std::numeric_limits<double>::infinity(), [] { return interrupted(); });
    if (!results.read(i))
      continue;
    fmt::print("{} (from its journal)\n", summary(results.entry(i)));
    had_turn[i] = true;
  }
}

// The graver of two: a soundness check that failed, a device, a bad value.
Status graver(Status left, Status right) { return static_cast<int>(left) < static_cast<int>(right) ? right : left; }

// Whether it has done all that it can.
bool has_ended(const ChildEnd& end) {
  return end.done() || (end.kind == ChildEnd::Kind::exited && end.number == static_cast<int>(Status::partial));
}

Status status_of(const ChildEnd& end) {
  const bool said_so = end.kind == ChildEnd::Kind::exited;
  for (const Status status : {Status::usage, Status::unsound})
    if (said_so && end.number == static_cast<int>(status))
      return status;
  return Status::device;
}

int run_with(const Arguments& arguments, Ranks* ranks) {
  cxxopts::Options options = run_options();
  const auto parsed = parse(options, "run", arguments);
  if (parsed.count("help") != 0) {
    print_run_help(options);
    return 0;
  }
  const JobFile jobs = read_without_mistakes(job_file_of(parsed));
  const std::vector<bool> wanted = choose(jobs.searches, values_of(parsed, "only"));
  const std::filesystem::path folder = make_folder(parsed);
  Results results(folder, jobs.searches, spec_of(parsed));

  catch_interrupts();
  std::vector<bool> had_turn(jobs.searches.size());
  // Has turns of its own: other ranks search for one function at a time.
  std::vector<bool> is_alone(jobs.searches.size(), ranks != nullptr);
  const auto is_to_do = [&](std::size_t i) { return wanted[i] && !had_turn[i] && !is_alone[i] && !results.is_done(i); };
  std::vector<std::string> failed;
  Status status = Status::done;
  take_up_journals(results, wanted, had_turn, ranks == nullptr);
  for (std::size_t i = 0; i < jobs.searches.size() && !interrupted(); ++i) {
    if (!wanted[i] || had_turn[i])
      continue;
    if (results.is_done(i)) {
      fmt::print("{} (done before)\n", summary(results.entry(i)));
      continue;
    }
    keep_for_interrupt(fmt::format("tmd: interrupted: {} of {} searches are done; the same command goes on\n",
                                   results.done(), jobs.searches.size()));
    const Turn turn = turn_of(jobs.searches, i, [&](std::size_t other) { return !is_alone[i] && is_to_do(other); });
    const ChildEnd end = run_turn(turn, jobs.searches, results, ranks);
    if (end.kind == ChildEnd::Kind::interrupted || interrupted()) {
      for (const std::size_t index : turn) // of two, the first may have come to its end
        (void)results.read(index);
      results.write_index();
      break;
    }
    if (has_ended(end))
      fmt::print(stderr, "{}", end.errors); // warnings
    for (const std::size_t index : turn) {
      had_turn[index] = true;
      if (results.read(index)) { // also where the other one has failed
        fmt::print("{}\n", summary(results.entry(index)));
        continue;
      }
      if (turn.size() > 1) { // what is wrong may be wrong with one alone
        is_alone[index] = true;
        had_turn[index] = false;
        continue;
      }
      const std::string why = has_ended(end) ? "its result is not that of the job" : end.sentence();
      results.fail(index, why);
      fmt::print(stderr, "tmd: warning: the search {} has failed: {}\n", jobs.searches[index].name, why);
      failed.push_back(jobs.searches[index].name);
      status = graver(status, status_of(end));
    }
    results.write_index();
    flush_output();
    if (!had_turn[i])
      --i; // it has one now
  }
  if (interrupted()) {
    fmt::print(stderr, "tmd: interrupted: {} of {} searches are done; the same command goes on\n", results.done(),
               jobs.searches.size());
    interrupt_is_told();
    return static_cast<int>(Status::interrupted);
  }
  if (!failed.empty())
    throw Error(status,
                fmt::format("of {} searches {} failed: {}; the same command tries again",
                            std::count(wanted.begin(), wanted.end(), true), failed.size(), fmt::join(failed, ", ")));
  fmt::print("{} of {} searches are done: {}\n", results.done(), jobs.searches.size(), (folder / "index.md").string());
  return static_cast<int>(results.is_partial() ? Status::partial : Status::done);
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
  add_option(options, "other-version", "take results and journals of other programs as they are");
  add("h,help", "this text");
  options.add_options("positional")("jobs", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"jobs"});
  options.positional_help("").set_width(120);
  return options;
}

int run(const Arguments& arguments) {
  return with_ranks(arguments, [&](Ranks* ranks) { return run_with(arguments, ranks); });
}

} // namespace tmd::app
