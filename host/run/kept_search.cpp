// A repeated command finds its journal, whose contents decide whether the search is resumed.
#include "run/kept_search.hpp"

#include "request/command.hpp"
#include "result/journal_check.hpp"
#include "result/journal_policy.hpp"
#include "support/atomic_file.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tmd::run {

OutputNames beside(const std::filesystem::path& journal, const OutputNames& outputs) {
  const std::filesystem::path folder = std::filesystem::absolute(journal).parent_path();
  OutputNames result;
  for (const auto& [option, name] : outputs)
    result[option] = name == "-" ? name : std::filesystem::absolute(name).lexically_proximate(folder);
  return result;
}

bool is_unwritten(const OutputNames& outputs) {
  std::error_code none;
  return !outputs.empty() && std::none_of(outputs.begin(), outputs.end(), [&](const auto& output) {
    return output.second == "-" || std::filesystem::exists(output.second, none);
  });
}

std::filesystem::path journal_of(const SearchSpec& spec, const OutputNames& outputs) {
  if (spec.journal)
    for (const auto& [option, name] : outputs)
      if (name != "-" && support::AtomicFile(*spec.journal).same_target(support::AtomicFile(name)))
        throw UsageError(fmt::format("--journal and --{} name the same file, '{}'", option, name.string()));
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

KeptSearch keep_search(const std::filesystem::path& journal, const request::SearchRequest& request,
                       const OutputNames& outputs, bool is_known, const opencl::KernelUse& kernels,
                       const RemarkHandler& on_remark) {
  if (journal.empty())
    return {};
  const std::string name = journal.string();
  KeptSearch kept{std::make_unique<result::Journal>(journal), {}};
  auto contents = kept.journal->contents();
  const result::JournalUse use{name, request.job, result::running_program(kernels), request.spec.other_version};
  const result::JournalDecision decision = // an audit needs all records of the search
      result::decide_for_search(contents, use, is_known, !request.spec.audit && is_unwritten(outputs)).or_refuse();
  if (decision.action == result::JournalDecision::Action::begin) {
    kept.journal->begin({use.program, request.spec, request::command_of(request.spec), beside(journal, outputs),
                         request.symmetry, request.shard},
                        request.job);
    return kept;
  }
  if (!decision.sentence.empty())
    on_remark(Remark::note, decision.sentence);
  if (!is_known) {
    result::check_journal(*contents, name);
    on_remark(Remark::note, fmt::format("the search goes on from {} of {} arguments that '{}' has",
                                        to_string(contents->result.arguments() + contents->result.partial_arguments()),
                                        to_string(request.job.size()), name));
  }
  kept.so_far = std::move(contents);
  return kept;
}

} // namespace tmd::run
