#include "request/command.hpp"

#include "request/option_table.hpp"
#include "support/shell_words.hpp"
#include "tmd/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::request {

std::string command_of(const SearchSpec& spec) {
  std::string line = "tmd search";
  const std::string functions = support::as_shell_word(fmt::format("{}", fmt::join(spec.functions, ",")));
  const bool looks_like_option = functions.front() == '-' || functions.starts_with("'-");
  if (!spec.functions.empty() && !looks_like_option)
    line += " " + functions;
  for (const SearchOption& option : option_table())
    if (option.group != OptionGroup::function && option.group != OptionGroup::internal)
      for (const std::string& text : option.get(spec))
        line += fmt::format(" --{}{}", option.name, option.is_flag() ? "" : " " + support::as_shell_word(text));
  return looks_like_option ? line + " -- " + functions : line;
}

SearchSpec spec_of_words(std::span<const std::string> words) {
  SearchSpec spec;
  bool options_end = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!options_end && word == "--") {
      options_end = true;
    } else if (options_end || !word.starts_with("--")) {
      if (!spec.functions.empty())
        throw UsageError(fmt::format("unexpected argument '{}': one function at a time", word));
      set_option(spec, find_option("function"), word);
    } else {
      const std::size_t equals = word.find('=');
      const SearchOption& option = find_option(word.substr(2, equals == std::string::npos ? equals : equals - 2));
      if (option.is_flag())
        set_option(spec, option, "true");
      else if (equals != std::string::npos)
        set_option(spec, option, word.substr(equals + 1));
      else if (i + 1 < words.size())
        set_option(spec, option, words[++i]);
      else
        throw UsageError(fmt::format("{} needs a value", word));
    }
  }
  return spec;
}

SearchSpec spec_of_command(std::string_view line) {
  const std::vector<std::string> words = support::shell_words(line);
  if (words.size() < 2 || words[0] != "tmd" || words[1] != "search")
    throw UsageError("it is not a `tmd search` command");
  return spec_of_words(std::span(words).subspan(2));
}

} // namespace tmd::request
