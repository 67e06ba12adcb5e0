#include "result/journal_policy.hpp"

#include "request/command.hpp"
#include "request/spec_json.hpp"
#include "result/wc.hpp"
#include "tmd/error.hpp"

#include <fmt/format.h>

namespace tmd::result {

namespace {

using Action = JournalDecision::Action;

bool is_of_job(const JournalContents& contents, const job::Job& job) {
  return contents.job().identity() == job.identity();
}

// The command is for people, but must not contradict the request; in journals of 0.1.0 it is as the user typed it.
bool says_the_same(const std::string& command, const SearchSpec& spec) {
  try {
    return command == request::command_of(spec) ||
           request::to_json(request::spec_of_command(command)) == request::to_json(spec);
  } catch (const UsageError&) {
    return false;
  }
}

} // namespace

const JournalDecision& JournalDecision::or_refuse() const {
  if (action == Action::refuse)
    throw UsageError(sentence);
  return *this;
}

JournalDecision decide_on_program(const JournalContents& contents, const JournalUse& use) {
  const std::vector<Program> others = others_than(use.program, contents.programs());
  if (others.empty())
    return {Action::go_on};
  const std::string sentence =
      fmt::format("the journal '{}' is of {}, and this is {}", use.name, to_string(others), to_string(use.program));
  if (!use.other_version)
    return {Action::refuse, sentence + ": --other-version goes on with it"};
  return {Action::go_on, sentence + ": the result names both"};
}

JournalDecision decide_for_search(const std::optional<JournalContents>& contents, const JournalUse& use, bool is_known,
                                  bool is_unwritten) {
  if (!contents || !contents->has_results())
    return {Action::begin};
  if (!is_known && contents->is_complete() && !(is_unwritten && is_of_job(*contents, use.job)))
    return {Action::begin};
  if (!is_of_job(*contents, use.job))
    return {Action::refuse,
            fmt::format("the journal '{}' is of another search, which has not ended, {}: end that with `tmd resume`, "
                        "remove the journal, or name another with --journal",
                        use.name, describe(contents->job()))};
  return decide_on_program(*contents, use);
}

JournalDecision decide_for_run(const JournalContents& contents, const JournalUse& use) {
  const bool is_wanted = is_of_job(contents, use.job);
  if (contents.is_complete())
    return {is_wanted && (use.other_version || others_than(use.program, contents.programs()).empty()) ? Action::finish
                                                                                                      : Action::leave};
  if (is_wanted)
    return {Action::leave};
  return {Action::remove, fmt::format("the journal '{}' was of {}: it is removed, and the search starts again",
                                      use.name, describe(contents.job()))};
}

JournalDecision decide_for_resume(const std::optional<JournalContents>& contents, const std::string& name) {
  if (!contents)
    return {Action::refuse, fmt::format("the journal '{}' is empty: start the search again", name)};
  return {contents->is_complete() ? Action::finish : Action::go_on,
          contents->was_torn ? fmt::format("the last line of the journal '{}' was incomplete, and is dropped", name)
                             : ""};
}

request::SearchRequest request_of(const JournalContents& contents) {
  const JournalHeader& header = contents.header;
  request::SearchRequest request = request::resolve(header.request);
  request::set_part(request, contents.job().first, contents.job().last);
  if (request.job.identity() != contents.job().identity())
    throw UsageError(
        fmt::format("the journal is of {}, but its command means {}", describe(contents.job()), describe(request.job)));
  if (!says_the_same(header.command, header.request) || header.symmetry != request.symmetry ||
      header.shard != request.shard)
    throw UsageError(fmt::format("the first line of the journal contradicts itself: its command is `{}`, but its "
                                 "request, symmetry and shard are not those of this command",
                                 header.command));
  return request;
}

} // namespace tmd::result
