// tmd publish: what searches have found, as pages and lists to be kept.
#include "commands.hpp"
#include "options.hpp"
#include "standard_streams.hpp"

#include "publish/page.hpp"
#include "result/result_check.hpp"
#include "support/atomic_file.hpp"
#include "support/compressed_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

namespace fs = std::filesystem;

constexpr int usual_list_bytes = 200'000;
constexpr std::string_view records_ending = ".jsonl.xz";
constexpr std::string_view list_ending = ".wc.xz";

cxxopts::Options publish_options() {
  cxxopts::Options options("tmd publish",
                           "Adds results of whole functions, or of blocks of them, to a folder of pages.");
  options.custom_help("RESULT|DIR ... --into DIR [OPTION ...]");
  auto add = options.add_options();
  add("into", "folder of the pages: README.md, and FORMAT/FUNCTION.md, .wc.xz and .jsonl.xz",
      cxxopts::value<std::string>(), "DIR");
  add("list-bytes", "most bytes of a .wc.xz, which has the cases from the least K on with which they fit",
      cxxopts::value<std::string>()->default_value(std::to_string(usual_list_bytes)), "N");
  add("h,help", "this text");
  options.add_options("positional")("results", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"results"});
  options.positional_help("").set_width(120);
  return options;
}

void print_publish_help(const cxxopts::Options& options) {
  fmt::print("{}\nRESULT is a file of `tmd search --json`; of a folder, such as that of `tmd run`, all *.jsonl and "
             "*.jsonl.xz are taken.\nBlocks of a function that were searched apart come together on one page, which "
             "says what is missing.\n\nexample:\n  tmd run configs/jobs/core-math-binary64.toml --into out\n"
             "  tmd publish out --into results\n",
             options.help({""}));
}

bool has_ending(const fs::path& file, std::string_view ending) { return file.filename().string().ends_with(ending); }

// In the order of their names, so that the same folders make the same pages.
std::vector<fs::path> files_with(const fs::path& folder, const std::vector<std::string_view>& endings) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator one(folder, error), end; !error && one != end; one.increment(error))
    if (std::any_of(endings.begin(), endings.end(), [&](auto ending) { return has_ending(one->path(), ending); }))
      files.push_back(one->path());
  if (error)
    throw UsageError(fmt::format("cannot read the folder '{}': {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> result_files(const std::vector<std::string>& names) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const std::string& name : names) {
    if (!fs::is_directory(name, none)) {
      files.emplace_back(name);
      continue;
    }
    const std::vector<fs::path> found = files_with(name, {".jsonl", records_ending});
    if (found.empty())
      throw UsageError(fmt::format("the folder '{}' has no result: no *.jsonl", name));
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

// The files of a function, without what comes behind their dots.
fs::path stem_of(const fs::path& folder, const Job& job) { return folder / job.format.name / publication_name(job); }

fs::path with(const fs::path& stem, std::string_view ending) { return stem.string() + std::string(ending); }

std::optional<Publication> read_published(const fs::path& stem) {
  const fs::path records = with(stem, records_ending);
  const fs::path list = with(stem, list_ending);
  if (!fs::exists(records))
    return std::nullopt;
  Publication published = read_publication(read_file(records), records.string());
  read_list(published, read_file(list), list.string());
  return published;
}

// Adds a result; the file of records, which says that there is something, comes last.
void publish_one(const fs::path& file, const fs::path& folder, std::size_t list_bytes) {
  const ResultFile result = read_records(text_of(file), file.string());
  const fs::path stem = stem_of(folder, result.job());
  fs::create_directories(stem.parent_path());
  std::optional<Publication> published = read_published(stem);
  try {
    add_to(published, result, list_bytes);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("'{}': {}", file.string(), error.what()));
  }
  PublishedPage page{stem.filename().string(), std::move(*published)};
  AtomicFile(with(stem, ".md")).commit(function_page(page));
  AtomicFile(with(stem, list_ending)).commit(list_text(page.published));
  AtomicFile(with(stem, records_ending)).commit(publication_records(page.published));
  fmt::print("{}: {} cases in {} arguments, listed from K = {} on\n", with(stem, ".md").string(),
             page.published.cases(), to_string(page.published.covered().size()), page.published.listed_from);
  flush_output();
}

std::vector<PublishedPage> all_pages(const fs::path& folder) {
  std::vector<fs::path> formats;
  for (const fs::directory_entry& one : fs::directory_iterator(folder))
    if (one.is_directory())
      formats.push_back(one.path());
  std::sort(formats.begin(), formats.end());
  std::vector<PublishedPage> pages;
  for (const fs::path& format : formats)
    for (const fs::path& records : files_with(format, {records_ending})) {
      std::string name = records.filename().string();
      name.erase(name.size() - records_ending.size());
      pages.push_back({name, read_publication(read_file(records), records.string())});
    }
  return pages;
}

} // namespace

int publish(const Arguments& arguments) {
  cxxopts::Options options = publish_options();
  const auto parsed = parse(options, "publish", arguments);
  if (parsed.count("help") != 0) {
    print_publish_help(options);
    return 0;
  }
  const std::vector<std::string> names = values_of(parsed, "results");
  if (names.empty())
    throw UsageError("no result given: `tmd run JOBS.toml --into DIR` makes a folder of them");
  const int list_bytes = parse_integer(parsed["list-bytes"].as<std::string>(), "--list-bytes", 1000, 1 << 30);
  const std::vector<fs::path> files = result_files(names);
  const fs::path folder = make_folder(parsed);
  for (const fs::path& file : files)
    publish_one(file, folder, static_cast<std::size_t>(list_bytes));
  const fs::path readme = folder / "README.md";
  AtomicFile(readme).commit(results_page(all_pages(folder)));
  fmt::print("{}\n", readme.string());
  return static_cast<int>(Status::done);
}

} // namespace tmd::app
