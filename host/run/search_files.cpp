// Both files appear complete or not at all, by AtomicFile.
#include "run/search_files.hpp"

#include "request/command.hpp"
#include "result/json_lines.hpp"
#include "result/wc.hpp"

#include <utility>

#include <fmt/format.h>

namespace tmd::run {

OutputNames output_names(const SearchSpec& spec) {
  OutputNames names;
  for (const auto& [option, file] : {std::pair("wc", &spec.wc), {"json", &spec.json}})
    if (*file)
      names[option] = **file;
  return names;
}

std::string file_of_cases(const OutputNames& names) {
  for (const char* option : {"wc", "json"})
    if (const auto file = names.find(option); file != names.end())
      return file->second.string();
  return {};
}

SearchFiles open_files(const OutputNames& names) {
  SearchFiles files{names, {}, {}};
  const auto open = [&](const char* option, std::optional<support::AtomicFile>& file) {
    if (const auto name = names.find(option); name != names.end())
      file.emplace(name->second);
  };
  open("wc", files.wc);
  open("json", files.json);
  if (files.wc && files.json && files.wc->same_target(*files.json))
    throw UsageError(fmt::format("--wc and --json name the same file, '{}'", names.at("wc").string()));
  return files;
}

result::RunDescription describe_run(const request::SearchRequest& request, const opencl::KernelUse& kernels,
                                    std::vector<result::DeviceUse> devices) {
  return {result::running_program(kernels),
          request::command_of(request.original),
          request.original,
          request.from,
          request.to,
          std::move(devices),
          {},
          request.symmetry,
          request.shard};
}

void write_files(const SearchFiles& files, const request::SearchRequest& request, const result::RunDescription& run,
                 const result::SearchResult& result) {
  const job::Job& job = request.job;
  const result::CaseOrder order = request.spec.by_argument ? result::CaseOrder::argument : result::CaseOrder::hardest;
  if (files.wc)
    files.wc->commit([&](const support::TextSink& sink) { result::write_wc(sink, job, run, result, order); });
  if (files.json)
    files.json->commit([&](const support::TextSink& sink) {
      result::write_json_lines(sink, job, run, result, request.spec.reproducible);
    });
}

} // namespace tmd::run
