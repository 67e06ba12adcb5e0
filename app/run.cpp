// tmd run: the searches of a job file that are not done yet, each in a process of its own, and an index of the results.
#include "commands.hpp"
#include "interrupt.hpp"
#include "job_file.hpp"
#include "run_child.hpp"
#include "search.hpp"
#include "standard_streams.hpp"

#include "opencl/kernel_files.hpp"
#include "result/index.hpp"
#include "result/journal.hpp"
#include "support/atomic_file.hpp"
#include "support/compressed_file.hpp"
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

cxxopts::Options run_options() {
  cxxopts::Options options("tmd run", "Runs the searches of a job file that are not done yet, and keeps an index.");
  options.custom_help("JOBS.toml --into DIR [OPTION ...]");
  auto add = options.add_options();
  add("into", "folder of the results, NAME.jsonl and NAME.wc, and of index.md and index.json",
      cxxopts::value<std::string>(), "DIR");
  add("only", "run the search of that name; may be repeated", cxxopts::value<std::vector<std::string>>(), "NAME");
  add("foreign-kernels", "use kernels that are not those that this program was built with");
  add_mpi_option(options);
  add_other_version_option(options, "take results and journals of other programs as they are");
  add("h,help", "this text");
  options.add_options("positional")("jobs", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"jobs"});
  options.positional_help("").set_width(120);
  return options;
}

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
  const auto sentence = [&](const Mistake& mistake) {
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

// How the searches of a job file are run.
struct Ways {
  bool foreign_kernels = false;
  bool other_version = false;

  // Adds the options that say so.
  void add_to(Arguments& arguments) const {
    if (foreign_kernels)
      arguments.emplace_back("--foreign-kernels");
    if (other_version)
      arguments.emplace_back("--other-version");
  }
};

// The results of a job file in their folder.
class Results {
public:
  Results(std::filesystem::path folder, const std::vector<JobSearch>& searches, const Ways& ways)
      : folder_(std::move(folder)), program_(running_program(opencl::use_kernels(ways.foreign_kernels))),
        other_version_(ways.other_version) {
    for (const JobSearch& one : searches)
      entries_.push_back({one.name, one.options.job, std::nullopt, {}, one.options.symmetry});
    for (std::size_t i = 0; i < entries_.size(); ++i)
      (void)read(i);
    write_index();
  }

  [[nodiscard]] std::string file(const std::string& name, const char* extension) const {
    return (folder_ / (name + extension)).string();
  }
  [[nodiscard]] const IndexEntry& entry(std::size_t index) const { return entries_[index]; }
  [[nodiscard]] bool is_done(std::size_t index) const { return entries_[index].result.has_value(); }
  [[nodiscard]] std::size_t done() const {
    return static_cast<std::size_t>(
        std::count_if(entries_.begin(), entries_.end(), [](const IndexEntry& one) { return one.result.has_value(); }));
  }

  [[nodiscard]] bool is_partial() const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [](const IndexEntry& one) { return one.result && one.result->left_out != 0; });
  }

  // Looks for a search's result. False when there is none, or one of another job or program, or not all of it. What the
  // search itself says was left out belongs to it.
  bool read(std::size_t index) {
    IndexEntry& entry = entries_[index];
    entry.result.reset();
    try {
      RecordedSearch result = read_json_lines(text_of(file(entry.name, ".jsonl")), false);
      if (result.job == entry.job.identity() && (other_version_ || is_of_this_program(result)) &&
          result.covered + result.left_out == entry.job.size() && std::filesystem::exists(file(entry.name, ".wc")))
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
        return !is_of_another && (other_version_ || others_than(program_, contents.programs()).empty());
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
  bool other_version_;
  std::vector<IndexEntry> entries_;
};

std::string summary(const IndexEntry& entry) {
  const RecordedSearch& result = *entry.result;
  return fmt::format("{}: {} hard-to-round case{}, {:.1f} expected, {} exact{} in {:.2f} s", entry.name, result.cases,
                     result.cases == 1 ? "" : "s", expected_cases(entry), result.exact,
                     result.undecided == 0 ? "" : fmt::format(", {} UNDECIDED,", result.undecided), result.seconds) +
         (result.left_out == 0 ? "" : fmt::format("; PARTIAL: {} arguments left out", to_string(result.left_out)));
}

// What one process does: a search, or two of which each serves the other.
struct Turn {
  std::vector<std::size_t> searches;
  std::string name; // of the files, with % for the functions' names where there are two
  Arguments arguments;
};

// The name that two searches have but for their functions' names, and % for these; nothing where there is more to it.
std::optional<std::string> common_name(const JobSearch& one, const JobSearch& other) {
  const std::string& function = one.arguments.back();
  for (std::size_t at = one.name.find(function); at != std::string::npos; at = one.name.find(function, at + 1)) {
    std::string name = one.name;
    if (name.replace(at, function.size(), other.arguments.back()) == other.name)
      return std::string(one.name).replace(at, function.size(), 1, for_function);
  }
  return std::nullopt;
}

// Whether they are the same but for the function, which is the last of the arguments.
bool are_alike(const JobSearch& one, const JobSearch& other) {
  return std::equal(one.arguments.begin(), one.arguments.end() - 1, other.arguments.begin(),
                    other.arguments.end() - 1) &&
         are_mates(one.options, other.options);
}

Turn turn_of(const std::vector<JobSearch>& searches, std::size_t first) {
  return {{first}, searches[first].name, searches[first].arguments};
}

// That of the first search that is to be done, with its mate where that is to be done, too.
Turn turn_with_mate(const std::vector<JobSearch>& searches, std::size_t first,
                    const std::function<bool(std::size_t)>& is_to_do) {
  Turn turn = turn_of(searches, first);
  for (std::size_t i = first + 1; i < searches.size(); ++i) {
    if (!is_to_do(i) || !are_alike(searches[first], searches[i]))
      continue;
    if (auto name = common_name(searches[first], searches[i])) {
      turn.searches.push_back(i);
      turn.name = std::move(*name);
      turn.arguments.back() += "," + searches[i].arguments.back();
      return turn;
    }
  }
  return turn;
}

// The same in this process, with the ranks of an MPI job: a child process would have none.
ChildEnd run_over(Ranks& ranks, const Arguments& arguments) {
  try {
    return {ChildEnd::Kind::exited, search_with({arguments.begin() + 1, arguments.end()}, &ranks, true), {}, {}};
  } catch (const Interrupted&) {
    return {ChildEnd::Kind::interrupted, 0, {}, {}};
  } catch (const std::exception& error) {
    const Failure failure = failure_of(error);
    return {ChildEnd::Kind::exited, static_cast<int>(failure.status), {}, fmt::format("tmd: {}\n", failure.sentence)};
  }
}

ChildEnd run_turn(const Turn& turn, const Results& results, const Ways& ways, Ranks* ranks) {
  Arguments arguments = turn.arguments;
  Arguments first{"search"};
  ways.add_to(first);
  for (const std::string& one :
       {std::string("--quiet"), "--wc=" + results.file(turn.name, ".wc"), "--json=" + results.file(turn.name, ".jsonl"),
        "--journal=" + results.file(turn.name, ".journal")})
    first.push_back(one);
  arguments.insert(arguments.begin(), first.begin(), first.end());
  if (ranks != nullptr)
    return run_over(*ranks, arguments);
  std::string names;
  for (const std::size_t index : turn.searches)
    names += (names.empty() ? "" : ", ") + results.entry(index).name;
  TerminalLine line;
  const auto start = std::chrono::steady_clock::now();
  return run_child(arguments, std::numeric_limits<double>::infinity(), [&] {
    if (line.due())
      line.show(fmt::format("{}: {:.0f} s", names, seconds_since(start)));
    return interrupted();
  });
}

// Before any search: those that were done get their files from their journals, in processes of their own, and have had
// their turn. Where that fails, a search is done again.
void take_up_journals(Results& results, const std::vector<bool>& wanted, std::vector<bool>& had_turn, const Ways& ways,
                      bool with_processes) {
  for (std::size_t i = 0; i < wanted.size() && !interrupted(); ++i) {
    if (!wanted[i] || results.is_done(i) || !results.take_up_journal(i) || !with_processes)
      continue;
    const std::string& name = results.entry(i).name;
    Arguments arguments{"resume", "--quiet", "--wc=" + results.file(name, ".wc"),
                        "--json=" + results.file(name, ".jsonl"), results.file(name, ".journal")};
    ways.add_to(arguments);
    (void)run_child(arguments, std::numeric_limits<double>::infinity(), [] { return interrupted(); });
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
  const Ways ways{parsed.count("foreign-kernels") != 0, parsed.count(other_version) != 0};
  const JobFile jobs = read_without_mistakes(job_file_of(parsed));
  const std::vector<bool> wanted = choose(jobs.searches, values_of(parsed, "only"));
  const std::filesystem::path folder = make_folder(parsed);
  Results results(folder, jobs.searches, ways);

  catch_interrupts();
  // Other ranks search for one function at a time, and % has another meaning there.
  const bool with_mates = ranks == nullptr && folder.string().find(for_function) == std::string::npos;
  std::vector<bool> had_turn(jobs.searches.size());
  std::vector<bool> is_alone(jobs.searches.size(), !with_mates); // has turns of its own
  const auto is_to_do = [&](std::size_t i) { return wanted[i] && !had_turn[i] && !is_alone[i] && !results.is_done(i); };
  std::vector<std::string> failed;
  Status status = Status::done;
  take_up_journals(results, wanted, had_turn, ways, ranks == nullptr);
  for (std::size_t i = 0; i < jobs.searches.size() && !interrupted(); ++i) {
    if (!wanted[i] || had_turn[i])
      continue;
    if (results.is_done(i)) {
      fmt::print("{} (done before)\n", summary(results.entry(i)));
      continue;
    }
    keep_for_interrupt(fmt::format("tmd: interrupted: {} of {} searches are done; the same command goes on\n",
                                   results.done(), jobs.searches.size()));
    const Turn turn = is_alone[i] ? turn_of(jobs.searches, i) : turn_with_mate(jobs.searches, i, is_to_do);
    const ChildEnd end = run_turn(turn, results, ways, ranks);
    if (end.kind == ChildEnd::Kind::interrupted || interrupted()) {
      for (const std::size_t index : turn.searches) // of two, the first may have come to its end
        (void)results.read(index);
      results.write_index();
      break;
    }
    if (has_ended(end))
      fmt::print(stderr, "{}", end.errors); // warnings
    for (const std::size_t index : turn.searches) {
      had_turn[index] = true;
      if (results.read(index)) { // also where the other one has failed
        fmt::print("{}\n", summary(results.entry(index)));
        continue;
      }
      if (turn.searches.size() > 1) { // what is wrong may be wrong with one alone
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

int run(const Arguments& arguments) {
  return with_ranks(arguments, [&](Ranks* ranks) { return run_with(arguments, ranks); });
}

} // namespace tmd::app
