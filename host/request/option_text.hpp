// An option of a command as its parser, its help and a shell's completions know it.
#pragma once

#include <string>
#include <vector>

namespace tmd::request {

struct OptionText {
  std::string name; // without hyphens
  std::string help;
  std::string value = {};              // what stands for its value in the help; empty: it takes none
  bool is_repeated = false;            // may be given several times, and each counts
  std::vector<std::string> words = {}; // that shells complete its value by

  [[nodiscard]] bool is_flag() const { return value.empty(); }
  [[nodiscard]] bool names_file() const { return value == "FILE" || value == "DIR"; }
};

} // namespace tmd::request
