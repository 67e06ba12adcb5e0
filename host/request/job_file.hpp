// Job files: searches to be run one after the other, in TOML.
#pragma once

#include "request/resolve.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::request {

// A search of a job file.
struct JobSearch {
  std::string name; // fit for the names of files, and no other's in the file
  SearchRequest request;
};

struct JobFileMistake {
  int line = 0;
  std::string sentence;
};

struct JobFile {
  std::vector<JobSearch> searches;      // those without mistakes, in their order
  std::vector<JobFileMistake> mistakes; // by line
};

// Reads a table `defaults` and an array of tables `search`. The keys of both are the options of `tmd search`, without
// those that say what is printed and written; a search has a `name` and a `function`, too, and what it says itself
// counts more than a default. Values are strings, integers, true and false for options without a value, and arrays for
// options that may be repeated. Of an array of functions or of roundings each is a search, NAME-FUNCTION-ROUNDING, or
// without a name FUNCTION-ROUNDING.
[[nodiscard]] JobFile parse_job_file(std::string_view text);
// The same of a file. Throws UsageError when it cannot be read.
[[nodiscard]] JobFile read_job_file(const std::filesystem::path& file);

} // namespace tmd::request
