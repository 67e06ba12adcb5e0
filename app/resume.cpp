// tmd resume: resumes a search from its journal, on any devices.
#include "commands.hpp"
#include "mpi_ranks.hpp"
#include "search_options.hpp"
#include "search_powers.hpp"
#include "search_run.hpp"
#include "standard_streams.hpp"

#include "result/journal_check.hpp"
#include "result/reader.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tmd::app {

namespace {

void print_resume_help(const cxxopts::Options& options) {
  fmt::print("{}\nAll other options are those of the search, on any machine. A finished search gets its files again.\n"
             "`tmd status JOURNAL` shows its progress.\n\nexample:\n  tmd resume exp.wc.journal --device all\n",
             options.help({""}));
}

std::filesystem::path journal_to_resume(const cxxopts::ParseResult& parsed) {
  const std::vector<std::string> names = values_of(parsed, "words");
  if (names.empty())
    throw UsageError("no journal given: `tmd search` keeps one beside the files that it writes");
  if (names.size() > 1)
    throw UsageError(fmt::format("unexpected argument '{}': one journal at a time", names[1]));
  std::error_code none;
  // Opening it would create the file.
  if (std::filesystem::status(names.front(), none).type() == std::filesystem::file_type::not_found)
    throw UsageError(fmt::format("there is no journal '{}'", names.front()));
  result::require_journal(result::open_result(names.front()));
  return names.front();
}

// Overrides the options of the journal's search with those given now.
void override_with(SearchSpec& spec, const SearchSpec& now) {
  if (!now.devices.empty() || !now.tunables.empty())
    spec.tunables = now.tunables; // those of other devices do not apply here
  if (!now.devices.empty() || now.profile)
    spec.profile = now.profile;
  if (!now.devices.empty())
    spec.devices = now.devices;
  if (now.cpu_mode)
    spec.cpu_mode = now.cpu_mode;
  if (now.host_threads)
    spec.host_threads = now.host_threads;
  if (now.progress)
    spec.progress = now.progress;
  spec.foreign_kernels |= now.foreign_kernels;
  spec.quiet |= now.quiet;
  if (now.show)
    spec.show = now.show;
  spec.other_version = now.other_version;
  spec.reproducible |= now.reproducible;
}

run::OutputNames outputs_of(const std::filesystem::path& journal, const run::OutputNames& kept, const SearchSpec& now) {
  run::OutputNames names;
  for (const auto& [option, name] : kept)
    names[option] = name == "-" ? name : journal.parent_path() / name;
  if (now.wc)
    names["wc"] = *now.wc;
  if (now.json)
    names["json"] = *now.json;
  return names;
}

// Describes the run of a complete journal by what it says about devices, where their parts count.
result::RunDescription describe_earlier(const request::SearchRequest& request,
                                        const result::JournalContents& contents) {
  result::RunDescription run = run::describe_run(request, contents.header.program.kernels, {});
  run.program = contents.header.program;
  run.other_programs = result::others_than(run.program, contents.programs());
  std::copy_if(contents.devices.begin(), contents.devices.end(), std::back_inserter(run.earlier),
               [](const result::JournalDevice& device) { return device.arguments > 0; });
  return run;
}

int resume_with(const Arguments& arguments, run::Ranks* ranks) {
  cxxopts::Options options = resume_options();
  const auto parsed = parse(options, "resume", arguments);
  if (parsed.count("help") != 0) {
    print_resume_help(options);
    return 0;
  }
  const std::filesystem::path file = journal_to_resume(parsed);
  const std::string name = file.string();
  if (result::open_result(name).kind == result::FileKind::pair_journal) {
    const SearchSpec now = spec_of(parsed);
    return resume_powers(
        file, [&](SearchSpec& spec) { override_with(spec, now); },
        [&](const run::OutputNames& kept) { return outputs_of(file, kept, now); }, ranks);
  }
  run::KeptSearch kept{std::make_unique<result::Journal>(file), {}};
  kept.so_far = kept.journal->contents();
  const result::JournalDecision decision = result::decide_for_resume(kept.so_far, name).or_refuse();
  const result::JournalContents& contents = *kept.so_far;
  const result::JournalHeader header = contents.header;
  const SearchSpec now = spec_of(parsed);
  request::SearchRequest request = result::request_of(contents);
  override_with(request.spec, now);
  result::check_journal(contents, name);
  const SearchOutputs outputs = open_outputs(outputs_of(file, header.outputs, now));
  print_note(decision);
  if (decision.action == result::JournalDecision::Action::finish)
    return finish(request, outputs, describe_earlier(request, contents), contents.result, kept.journal.get());
  return run_request(
      request, outputs,
      [&](const opencl::KernelUse& kernels) {
        const result::JournalUse use{name, request.job, result::running_program(kernels), request.spec.other_version};
        print_note(result::decide_on_program(*kept.so_far, use).or_refuse());
        return std::move(kept);
      },
      ranks);
}

} // namespace

cxxopts::Options resume_options() {
  cxxopts::Options options("tmd resume", "Resumes an interrupted search from its journal.");
  options.custom_help("JOURNAL [OPTION ...]");
  add_device_options(options, DeviceCount::several);
  add_option(options, "host-threads", "threads that plan, confirm and make polynomials (default: as in the search)");
  add_option(options, "wc", "write the cases to FILE (default: as in the search)");
  add_option(options, "json", "write everything to FILE (default: as in the search)");
  add_option(options, "reproducible", "leave out of --json what differs from run to run");
  add_option(options, "progress", "as in `tmd search`");
  add_option(options, "mpi");
  add_option(options, "other-version", "resume also the journal of another program: the result names both");
  add_option(options, "show");
  add_option(options, "quiet");
  options.add_options()("h,help", "this text");
  options.add_options("internal")(spec_option, "", cxxopts::value<std::string>());
  options.add_options("positional")("words", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"words"});
  options.positional_help("").set_width(120);
  return options;
}

int resume(const Arguments& arguments) {
  return with_ranks(resume_options(), arguments, [&](run::Ranks* ranks) { return resume_with(arguments, ranks); });
}

} // namespace tmd::app
