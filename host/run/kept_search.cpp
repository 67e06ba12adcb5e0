// A search that is given again finds its journal, and decides by what that says whether to go on.
#include "run/kept_search.hpp"

#include "request/command.hpp"
#include "result/journal_check.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

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

} // namespace

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

KeptSearch keep_search(const std::filesystem::path& journal, const SearchRequest& request, const OutputNames& outputs,
                       bool is_known, const opencl::KernelUse& kernels, const Tell& tell) {
  if (journal.empty())
    return {};
  const Job& job = request.job;
  KeptSearch kept{std::make_unique<Journal>(journal), {}};
  auto contents = kept.journal->contents();
  const bool goes_on =
      contents && contents->has_results() &&
      (is_known || !contents->is_complete() ||
       (!request.spec.audit && is_unwritten(*contents, job, outputs))); // an audit needs what was searched
  if (!goes_on) {
    kept.journal->begin({running_program(kernels), request.spec, command_of(request.spec), beside(journal, outputs),
                         request.symmetry, request.shard},
                        job);
    return kept;
  }
  if (contents->job().identity() != job.identity())
    throw UsageError(fmt::format("the journal '{}' is of another search, which has not ended, {}: end that with `tmd "
                                 "resume`, remove the journal, or name another with --journal",
                                 journal.string(), contents->job().identity()));
  require_same_program(journal, *contents, kernels, request.spec.other_version, tell);
  if (!is_known) {
    check_journal(*contents, journal.string());
    tell(Remark::note, fmt::format("the search goes on from {} of {} arguments that '{}' has",
                                   to_string(contents->result.arguments() + contents->result.begun_arguments()),
                                   to_string(job.size()), journal.string()));
  }
  kept.so_far = std::move(contents);
  return kept;
}

void require_same_program(const std::filesystem::path& journal, const JournalContents& contents,
                          const opencl::KernelUse& kernels, bool other_version, const Tell& tell) {
  const Program here = running_program(kernels);
  const std::vector<Program> others = others_than(here, contents.programs());
  if (others.empty())
    return;
  const std::string sentence =
      fmt::format("the journal '{}' is of {}, and this is {}", journal.string(), to_string(others), to_string(here));
  if (!other_version)
    throw UsageError(sentence + ": --other-version goes on with it");
  tell(Remark::note, sentence + ": the result names both");
}

} // namespace tmd
