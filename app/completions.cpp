// tmd completions: the scripts for shells, made from the tables by which the commands parse their options.
#include "commands.hpp"
#include "options.hpp"

#include "function/catalogue.hpp"
#include "request/option_table.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::app {

namespace {

// A command with its options.
struct CompletionPlace {
  std::string name;
  std::string_view summary;
  std::vector<request::OptionText> options;
  bool takes_function = false;
  bool takes_file = false; // a job file, or a list after a function
};

std::vector<CompletionPlace> all_places() {
  constexpr std::array<std::string_view, 6> of_functions{"search", "compare", "functions", "show", "libm", "check"};
  constexpr std::array<std::string_view, 9> of_files{"resume", "status", "merge",  "run", "publish",
                                                     "libm",   "check",  "verify", "plot"};
  const auto has = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<CompletionPlace> places;
  for (const Command& one : commands())
    if (!one.summary.empty())
      places.push_back({std::string(one.name), one.summary, listed_options(one.options()), has(of_functions, one.name),
                        has(of_files, one.name)});
  return places;
}

// The named values of an option, as a list of words.
std::string completed_values(const std::string& name) {
  const auto option = std::ranges::find(request::option_table(), name, &request::SearchOption::name);
  return option == request::option_table().end() ? "" : fmt::format("{}", fmt::join(option->words, " "));
}

std::string function_names() {
  std::vector<std::string> names;
  for (const FunctionInfo& function : list_functions())
    names.push_back(function.name);
  return fmt::format("{}", fmt::join(names, " "));
}

// The text on one line, with characters escaped that are special to the shell.
std::string plain(std::string_view text, std::string_view forbidden) {
  std::string result;
  for (const char c : text.substr(0, text.find('\n')))
    result += c == '\'' || forbidden.find(c) != std::string_view::npos ? ' ' : c;
  return result;
}

constexpr std::string_view bash_files = "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\")";

std::string bash_script(const std::vector<CompletionPlace>& places) {
  std::map<std::string, std::string> replies; // completions of values, with the options that they serve
  std::string options;
  std::string commands;
  for (const CompletionPlace& place : places) {
    commands += place.name + " ";
    std::string names;
    for (const request::OptionText& option : place.options) {
      names += fmt::format(" --{}", option.name);
      if (option.value.empty())
        continue;
      const std::string values = completed_values(option.name);
      const std::string reply = option.names_file() ? std::string(bash_files)
                                : values.empty()    ? ":"
                                                    : fmt::format("_tmd_words '{}'", values);
      replies[fmt::format("--{}", option.name)] = reply;
    }
    options += fmt::format("    '{}') {}_tmd_words '{}{}'{} ;;\n", place.name,
                           !place.takes_file      ? ""
                           : place.takes_function ? "if [[ $word == -* || $COMP_CWORD -eq 2 ]]; then "
                                                  : "if [[ $word == -* ]]; then ",
                           place.takes_function ? function_names() : "", names,
                           place.takes_file ? fmt::format("; else {}; fi", bash_files) : "");
  }
  std::string values;
  for (const auto& [option, reply] : replies)
    values += fmt::format("    {}) {}; return ;;\n", option, reply);
  return fmt::format(R"(# bash completion for tmd; made by `tmd completions bash`.
_tmd_words() {{
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word")
  if [[ ${{#COMPREPLY[@]}} -eq 1 && ${{COMPREPLY[0]}} == *= ]]; then compopt -o nospace; fi
}}
_tmd() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} place=${{COMP_WORDS[1]}}
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    _tmd_words '{}help --help --version'
    return
  fi
  case ${{COMP_WORDS[COMP_CWORD - 1]}} in
{}  esac
  case $place in
    help) _tmd_words '{}' ;;
{}  esac
}}
complete -F _tmd tmd
)",
                     commands, values, commands, options);
}

std::string zsh_script(const std::vector<CompletionPlace>& places) {
  std::string described;
  std::string cases;
  for (const CompletionPlace& place : places) {
    described += fmt::format("    '{}:{}'\n", place.name, plain(place.summary, ":"));
    cases += fmt::format("    '{}') _arguments", place.name);
    for (const request::OptionText& option : place.options) {
      const std::string values = completed_values(option.name);
      const std::string action = option.names_file() ? "_files" : values.empty() ? "" : fmt::format("({})", values);
      cases += fmt::format(" \\\n      '*--{}[{}]{}'", option.name, plain(option.help, "[]:\\"),
                           option.value.empty() ? "" : fmt::format(":{}:{}", plain(option.value, ":[]\\"), action));
    }
    if (place.takes_function)
      cases += fmt::format(" \\\n      '1:function:({})'", function_names());
    if (place.takes_file)
      cases += fmt::format(" \\\n      '{}:file:_files'", place.takes_function ? 2 : 1);
    cases += " ;;\n";
  }
  return fmt::format(R"(#compdef tmd
# zsh completion for tmd; made by `tmd completions zsh`.
_tmd() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local place=$words[2]
  shift words
  (( CURRENT-- ))
  case $place in
{}  esac
}}
if [[ $funcstack[1] == _tmd ]]; then _tmd "$@"; else compdef _tmd tmd; fi
)",
                     described, cases);
}

std::string fish_script(const std::vector<CompletionPlace>& places) {
  std::string text = "# fish completion for tmd; made by `tmd completions fish`.\ncomplete -c tmd -f\n";
  for (const CompletionPlace& place : places)
    text +=
        fmt::format("complete -c tmd -n __fish_use_subcommand -a {} -d '{}'\n", place.name, plain(place.summary, "\\"));
  text += "complete -c tmd -n __fish_use_subcommand -l version\ncomplete -c tmd -n __fish_use_subcommand -l help\n";
  for (const CompletionPlace& place : places) {
    const std::string begin = fmt::format("complete -c tmd -n '__fish_seen_subcommand_from {}'", place.name);
    if (place.takes_function)
      text += fmt::format("{} -a '{}'\n", begin, function_names());
    if (place.takes_file)
      text += fmt::format("{} -F\n", begin);
    for (const request::OptionText& option : place.options) {
      const std::string values = completed_values(option.name);
      const std::string value = option.value.empty()  ? ""
                                : option.names_file() ? " -r -F"
                                : values.empty()      ? " -x"
                                                      : fmt::format(" -x -a '{}'", values);
      text += fmt::format("{} -l {}{} -d '{}'\n", begin, option.name, value, plain(option.help, "\\"));
    }
  }
  return text;
}

using Script = std::string (*)(const std::vector<CompletionPlace>&);
constexpr std::array<std::pair<std::string_view, Script>, 3> shells{
    {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}}};

} // namespace

int completions(const Arguments& arguments) {
  const std::string shell = arguments.size() == 1 ? arguments.front() : "";
  if (shell == "--help" || shell == "-h") {
    fmt::print("usage: tmd completions bash|zsh|fish\nPrints what the shell needs to complete tmd's commands.\n");
    return 0;
  }
  const auto* found =
      std::find_if(shells.begin(), shells.end(), [&](const auto& known) { return known.first == shell; });
  if (found == shells.end())
    throw UsageError("give one shell: bash, zsh or fish");
  fmt::print("{}", found->second(all_places()));
  return 0;
}

} // namespace tmd::app
