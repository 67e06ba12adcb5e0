// Job files in TOML: several searches that are run one after the other.
#pragma once

#include "request/resolve.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::request {

// A search of a job file.
struct JobSearch {
  std::string name; // unique in the file, and valid in file names
  SearchRequest request;
};

struct JobFileMistake {
  int line = 0;
  std::string sentence;
};

struct JobFile {
  std::vector<JobSearch> searches;      // those without mistakes, in the file's order
  std::vector<JobFileMistake> mistakes; // ordered by line
};

// Reads a table `defaults` and an array of tables `search`. The keys of both are the options of `tmd search`, except
// those for printing and writing; a search also has a `name` and a `function`, and its own values override the
// defaults. Values are strings, integers, true and false for options without a value, and arrays for repeatable
// options. An array of functions or of roundings stands for a search with each, named NAME-FUNCTION-ROUNDING, or
// FUNCTION-ROUNDING without a name.
[[nodiscard]] JobFile parse_job_file(std::string_view text);
// The same for a file. Throws UsageError if it cannot be read.
[[nodiscard]] JobFile read_job_file(const std::filesystem::path& file);

} // namespace tmd::request
