#include "result/job_results.hpp"

#include "function/catalogue.hpp"
#include "request/spec_json.hpp"
#include "support/atomic_file.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tmd::result {

bool share_claims(const request::SearchRequest& one, const request::SearchRequest& other) {
  const std::vector<const function::Function*> companions = function::companions_of(*one.job.function);
  job::Job job = other.job;
  job.function = one.job.function;
  return std::find(companions.begin(), companions.end(), other.job.function) != companions.end() &&
         job.identity() == one.job.identity();
}

Turn turn_of(const std::vector<request::JobSearch>& searches, std::size_t first,
             const std::function<bool(std::size_t)>& may_be_with) {
  const request::SearchRequest& one = searches[first].request;
  const auto are_alike = [&](const request::SearchRequest& other) { // except for the function
    SearchSpec spec = other.spec;
    spec.functions = one.spec.functions;
    return request::to_json(spec) == request::to_json(one.spec);
  };
  Turn turn{first};
  for (std::size_t i = first + 1; i < searches.size(); ++i)
    if (may_be_with(i) && are_alike(searches[i].request) && share_claims(one, searches[i].request))
      turn.push_back(i);
  return turn;
}

JobResults::JobResults(std::filesystem::path folder, const std::vector<request::JobSearch>& searches, Program program,
                       SearchSpec ways)
    : folder_(std::move(folder)), program_(std::move(program)), ways_(std::move(ways)) {
  for (const request::JobSearch& one : searches)
    entries_.push_back({one.name, one.request.job, std::nullopt, {}, one.request.symmetry});
  for (std::size_t i = 0; i < entries_.size(); ++i)
    (void)read(i);
  write_index();
}

std::string JobResults::file(std::size_t index, const char* extension) const {
  return (folder_ / (entries_[index].name + extension)).string();
}

SearchSpec JobResults::with_files(std::size_t index, SearchSpec spec) const {
  spec.foreign_kernels = ways_.foreign_kernels;
  spec.other_version = ways_.other_version;
  spec.quiet = true;
  spec.wc = file(index, ".wc");
  spec.json = file(index, ".jsonl");
  return spec;
}

bool JobResults::read(std::size_t index) {
  IndexEntry& entry = entries_[index];
  entry.result.reset();
  try {
    RecordedSearch result = read_complete_search(open_result(file(index, ".jsonl")), [](const FoundEntry&) {});
    const bool is_of_this_program = is_same(result.program, program_) && result.other_programs.empty();
    if (result.said == entry.job.identity() && (ways_.other_version || is_of_this_program) &&
        result.summary->arguments + result.arguments_left_out() == entry.job.size() &&
        std::filesystem::exists(file(index, ".wc")))
      entry.result = std::move(result);
  } catch (const Error&) { // no such file, or one of something else
  }
  return is_done(index);
}

JournalDecision JobResults::decide_on_journal(std::size_t index) const {
  const std::string name = file(index, ".journal");
  std::error_code none;
  if (!std::filesystem::is_regular_file(name, none) || is_being_written(name))
    return {JournalDecision::Action::leave};
  try {
    const JournalContents contents = read_journal(name, [](const Case&) {});
    return decide_for_run(contents, {name, entries_[index].job, program_, ways_.other_version});
  } catch (const Error&) { // damaged, or empty
    return {JournalDecision::Action::leave};
  }
}

void JobResults::write_index() const {
  support::AtomicFile(folder_ / "index.md").commit(index_page(entries_));
  support::AtomicFile(folder_ / "index.json").commit(index_json(entries_));
}

std::size_t JobResults::done() const {
  return static_cast<std::size_t>(
      std::count_if(entries_.begin(), entries_.end(), [](const IndexEntry& one) { return one.result.has_value(); }));
}

bool JobResults::is_partial() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const IndexEntry& one) {
    return one.result && (one.result->summary->partial || one.result->entries.undecided > 0);
  });
}

std::string JobResults::summary(std::size_t index) const {
  const IndexEntry& entry = entries_[index];
  const auto& [hard, exact, undecided, hardest] = entry.result->entries;
  const Summary& summary = *entry.result->summary;
  return fmt::format("{}: {} hard-to-round case{}, {:.1f} expected, {} exact{} in {:.2f} s{}", entry.name, hard,
                     hard == 1 ? "" : "s", expected_cases(entry), tmd::to_string(summary.exact),
                     undecided == 0 ? "" : fmt::format(", {} UNDECIDED,", undecided), summary.seconds,
                     summary.partial ? fmt::format("; PARTIAL: {} arguments left out",
                                                   tmd::to_string(entry.result->arguments_left_out()))
                                     : "");
}

} // namespace tmd::result
