// An option of a command, as its parser, its help and shell completions use it.
#pragma once

#include <string>
#include <vector>

namespace tmd::request {

struct OptionText {
  std::string name; // without hyphens
  std::string help;
  std::string value = {};              // name of its value in the help; empty: it takes none
  bool is_repeated = false;            // whether it may be given several times
  std::vector<std::string> words = {}; // values that shells suggest

  [[nodiscard]] bool is_flag() const { return value.empty(); }
  [[nodiscard]] bool names_file() const { return value == "FILE" || value == "DIR"; }
};

} // namespace tmd::request
