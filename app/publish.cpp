// tmd publish: turns the findings of searches into pages and lists. python/tmd/publish.py makes them, and asks this
// program for facts that follow from the functions' mathematics.
#include "commands.hpp"
#include "options.hpp"
#include "standard_streams.hpp"

#include "report/tally.hpp"
#include "result/result_check.hpp"
#include "support/child_process.hpp"
#include "support/compressed_file.hpp"
#include "support/python.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

// Answers python/tmd/publish.py about a published file of records, or about a result and its list.
void print_tally(const std::string& file, const std::string& list) {
  const result::ResultText text = result::open_result(file);
  if (text.kind == result::FileKind::publication) {
    fmt::print("{}", report::tally_record(result::read_search(text).job()));
    return;
  }
  const result::RecordedSearch result = result::read_sound_search(text);
  const job::Job job = report::job_to_publish(result);
  fmt::print("{}", report::tally_record(job));
  fmt::print("{}", list.empty() ? report::binade_records(result)
                                : report::listed_records(job, support::read_file(list), list));
}

} // namespace

cxxopts::Options publish_options() {
  cxxopts::Options options("tmd publish",
                           "Adds results of whole functions, or of blocks of them, to a folder of pages.");
  options.custom_help("RESULT|DIR ... --into DIR [OPTION ...]").positional_help("").set_width(120);
  const auto text = [](const char* usual) { return cxxopts::value<std::string>()->default_value(usual); };
  auto add = options.add_options();
  add("into", "folder of the pages: README.md, and FORMAT/FUNCTION.md, .wc.xz and .jsonl.xz",
      cxxopts::value<std::string>(), "DIR");
  add("list-bytes", "size limit of a .wc.xz; it lists the cases from the smallest K that fits", text("200000"), "N");
  add("h,help", "this text");
  options.add_options("internal")("tally", "", text(""))("list", "", text(""));
  options.add_options("positional")("results", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"results"});
  return options;
}

int publish(const Arguments& arguments) {
  cxxopts::Options options = publish_options();
  const auto parsed = parse(options, "publish", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}\nRESULT is a file of `tmd search --json`; of a folder, such as that of `tmd run`, all *.jsonl and "
               "*.jsonl.xz are taken.\nBlocks of a function that were searched apart come together on one page, which "
               "says what is missing.\n\nexample:\n  tmd run configs/jobs/core-math-binary64.toml --into out\n"
               "  tmd publish out --into results\n",
               options.help({""}));
    return 0;
  }
  if (parsed.count("tally") != 0) {
    print_tally(parsed["tally"].as<std::string>(), parsed["list"].as<std::string>());
    return 0;
  }
  Arguments request = values_of(parsed, "results");
  if (request.empty())
    throw UsageError("no result given: `tmd run JOBS.toml --into DIR` makes a folder of them");
  const int bytes = request::parse_integer(parsed["list-bytes"].as<std::string>(), "--list-bytes", 1000, 1 << 30);
  request.insert(request.begin(), {"--into", folder_name(parsed).string(), "--list-bytes", std::to_string(bytes),
                                   "--tmd", std::filesystem::read_symlink(support::this_program).string(), "--"});
  support::PythonModule("publish").run(request, [](std::string_view piece) {
    fmt::print("{}", piece);
    flush_output();
  });
  return 0;
}

} // namespace tmd::app
