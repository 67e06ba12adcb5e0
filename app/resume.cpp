// tmd resume: a search goes on from its journal, on whatever devices.
#include "commands.hpp"
#include "search_run.hpp"

#include "result/journal_check.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tmd::app {

namespace {

cxxopts::Options resume_options() {
  cxxopts::Options options("tmd resume", "Goes on with a search that was interrupted, from its journal.");
  options.custom_help("JOURNAL [OPTION ...]");
  add_device_options(options, DeviceCount::several);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("host-threads", "threads that plan, confirm and make polynomials (default: as the search was given)", text(),
      "T");
  add("wc", "write the cases there (default: where the search was to write them)", text(), "FILE");
  add("json", "write everything there (default: where the search was to write it)", text(), "FILE");
  add("reproducible", "leave out of --json what differs from run to run");
  add("progress", "as of `tmd search`", text(), "FORM:S");
  add_mpi_option(options);
  add_other_version_option(options, "go on also where another program has begun: the result names both");
  add("quiet", "print the cases only");
  add("h,help", "this text");
  options.add_options("positional")("journal", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"journal"});
  options.positional_help("").set_width(120);
  return options;
}

void print_resume_help(const cxxopts::Options& options) {
  fmt::print("{}\nAll else is as the search was given, on any machine. A search that has ended gets its files again.\n"
             "`tmd status JOURNAL` says how far it is.\n\nexample:\n  tmd resume exp.wc.journal --device all\n",
             options.help({""}));
}

std::filesystem::path journal_of(const cxxopts::ParseResult& parsed) {
  const std::vector<std::string> names = values_of(parsed, "journal");
  if (names.empty())
    throw UsageError("no journal given: `tmd search` keeps one beside the files that it writes");
  if (names.size() > 1)
    throw UsageError(fmt::format("unexpected argument '{}': one journal at a time", names[1]));
  if (!std::filesystem::exists(names.front())) // it would be made
    throw UsageError(fmt::format("there is no journal '{}'", names.front()));
  return names.front();
}

// As the search was given, but for what is given now.
SearchRequest request_of(const JournalContents& contents, const cxxopts::ParseResult& parsed) {
  const Arguments& words = contents.header.arguments;
  cxxopts::Options options = make_search_options();
  SearchRequest request = parse_search_request(parse(options, "search", words), words, &contents.job());
  if (request.options.job.identity() != contents.job().identity())
    throw UsageError(fmt::format("the journal is of {}, but its command means {}", contents.job().identity(),
                                 request.options.job.identity()));
  const JournalHeader& header = contents.header;
  if (header.command != command_line("search", words) || header.symmetry != request.options.symmetry ||
      header.shard != request.shard)
    throw UsageError(fmt::format("the first line of the journal contradicts itself: its command is `{}`, but its "
                                 "arguments, symmetry and shard are not those of this command",
                                 header.command));
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  const SearchOptions now = parse_device_options(parsed);
  if (given("device") || given("set"))
    request.options.tunables = now.tunables; // those of other devices say nothing here
  if (given("device"))
    request.options.devices = now.devices;
  if (given("cpu-mode"))
    request.options.cpu_mode = now.cpu_mode;
  request.options.foreign_kernels |= now.foreign_kernels;
  if (given("host-threads"))
    request.threads = parse_integer(parsed["host-threads"].as<std::string>(), "--host-threads", 1, 1024);
  if (given("progress"))
    request.progress = parse_progress(parsed["progress"].as<std::string>());
  request.quiet |= given("quiet");
  request.other_version = given(other_version);
  request.reproducible |= given("reproducible");
  return request;
}

OutputNames outputs_of(const std::filesystem::path& journal, const JournalHeader& header,
                       const cxxopts::ParseResult& parsed) {
  OutputNames names;
  for (const auto& [option, name] : header.outputs)
    names[option] = name == "-" ? name : journal.parent_path() / name;
  for (const char* option : {"wc", "json"})
    if (parsed.count(option) != 0)
      names[option] = file_name(parsed, option);
  return names;
}

// Of a journal that has all: what it says of devices, where their parts count.
RunDescription describe_earlier(const SearchRequest& request, const JournalContents& contents) {
  RunDescription run = describe_run(request, contents.header.program.kernels, {});
  run.program = contents.header.program;
  run.other_programs = others_than(run.program, contents.programs());
  std::copy_if(contents.devices.begin(), contents.devices.end(), std::back_inserter(run.earlier),
               [](const JournalDevice& device) { return device.arguments > 0; });
  return run;
}

int resume_with(const Arguments& arguments, Ranks* ranks) {
  cxxopts::Options options = resume_options();
  const auto parsed = parse(options, "resume", arguments);
  if (parsed.count("help") != 0) {
    print_resume_help(options);
    return 0;
  }
  const std::filesystem::path file = journal_of(parsed);
  KeptSearch kept{std::make_unique<Journal>(file), {}};
  kept.so_far = kept.journal->contents();
  if (!kept.so_far)
    throw UsageError(fmt::format("the journal '{}' is empty: start the search again", file.string()));
  const JournalContents& contents = *kept.so_far;
  const JournalHeader header = contents.header;
  const SearchRequest request = request_of(contents, parsed);
  check_journal(contents, file.string());
  const SearchOutputs outputs = open_outputs(outputs_of(file, header, parsed));
  if (contents.was_torn)
    fmt::print(stderr, "tmd: note: the last line of the journal '{}' was not whole, and is dropped\n", file.string());
  if (contents.is_complete())
    return finish(request, outputs, describe_earlier(request, contents), contents.result, kept.journal.get());
  return run_request(
      request, outputs,
      [&](const opencl::KernelUse& kernels) {
        require_same_program(file, *kept.so_far, kernels, request.other_version);
        return std::move(kept);
      },
      ranks);
}

} // namespace

int resume(const Arguments& arguments) {
  return with_ranks(arguments, [&](Ranks* ranks) { return resume_with(arguments, ranks); });
}

} // namespace tmd::app
