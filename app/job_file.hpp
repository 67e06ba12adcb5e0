// Job files: searches to be run one after the other, in TOML.
#pragma once

#include "search_options.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace tmd::app {

// A search of a job file.
struct JobSearch {
  std::string name;      // fit for the names of files, and no other's in the file
  Arguments arguments;   // of `tmd search`
  SearchOptions options; // the same, parsed
};

struct Mistake {
  int line = 0;
  std::string sentence;
};

struct JobFile {
  std::vector<JobSearch> searches; // those without mistakes, in their order
  std::vector<Mistake> mistakes;   // by line
};

// Reads a table `defaults` and an array of tables `search`. The keys of both are the options of `tmd search`, without
// those that say what is printed and written; a search has a `name` and a `function`, too, and what it says itself
// counts more than a default. Values are strings, integers, true and false for options without a value, and arrays for
// options that may be repeated. Of an array of functions or of roundings each is a search, NAME-FUNCTION-ROUNDING, or
// without a name FUNCTION-ROUNDING. Throws UsageError when the file cannot be read.
[[nodiscard]] JobFile read_job_file(const std::filesystem::path& file);

} // namespace tmd::app
