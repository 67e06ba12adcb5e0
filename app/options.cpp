#include "options.hpp"

#include <charconv>

#include <fmt/format.h>

#include <string_view>

namespace tmd::app {

namespace {

// What cxxopts says, without its typographic quotes. Its exceptions' names and messages differ between its
// versions.
std::string plain_sentence(std::string text) {
  for (const std::string_view quote : {"‘", "’"})
    for (auto at = text.find(quote); at != std::string::npos; at = text.find(quote))
      text.replace(at, quote.size(), "'");
  // "Option 'from' is missing an argument", "Argument '3' failed to parse": a flag was given a value.
  const auto first = text.find('\'');
  const auto last = text.rfind('\'');
  const bool quoted = first != std::string::npos && first < last;
  const std::string name = quoted ? text.substr(first + 1, last - first - 1) : std::string();
  if (quoted && text.find("missing an argument") != std::string::npos)
    return fmt::format("--{} needs a value", name);
  if (quoted && text.find("failed to parse") != std::string::npos)
    return fmt::format("'{}' is given to an option that takes no value", name);
  return text;
}

// Thrown by parse() to options_of().
struct Listed {
  std::vector<OptionDescription> options;
};

bool only_listed = false; // while options_of() calls a command

// One version of cxxopts has one long name, another several.
[[maybe_unused]] std::string long_name(const std::string& name) { return name; }
template <typename Names> std::string long_name(const Names& names) { return names.empty() ? "" : names.front(); }

// Those of the group that help texts show.
Listed list(const cxxopts::Options& options) {
  Listed listed;
  for (const cxxopts::HelpOptionDetails& option : options.group_help("").options)
    listed.options.push_back({long_name(option.l), option.desc, option.is_boolean ? "" : option.arg_help});
  return listed;
}

} // namespace

std::vector<OptionDescription> options_of(int (*command)(const Arguments&), const Arguments& arguments) {
  only_listed = true;
  std::vector<OptionDescription> options;
  try {
    (void)command(arguments);
  } catch (const Listed& listed) {
    options = listed.options;
  }
  only_listed = false;
  return options;
}

cxxopts::ParseResult parse(cxxopts::Options& options, const std::string& command, const Arguments& arguments) {
  if (only_listed)
    throw list(options);
  std::vector<const char*> argv{command.c_str()};
  for (const std::string& argument : arguments)
    argv.push_back(argument.c_str());
  options.allow_unrecognised_options();
  try {
    cxxopts::ParseResult result = options.parse(static_cast<int>(argv.size()), argv.data());
    if (!result.unmatched().empty()) {
      const std::string& first = result.unmatched().front();
      throw UsageError(fmt::format("{} '{}'", first.rfind('-', 0) == 0 ? "unknown option" : "unexpected argument",
                                   first.substr(0, first.find('='))));
    }
    return result;
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) {
    throw UsageError(plain_sentence(error.what()));
  }
}

std::string file_name(const cxxopts::ParseResult& parsed, const std::string& option) {
  auto name = parsed[option].as<std::string>();
  if (name.rfind("--", 0) == 0)
    throw UsageError(fmt::format("--{} needs the name of a file; for one named '{}' write ./{}", option, name, name));
  return name;
}

std::optional<AtomicFile> open_file(const cxxopts::ParseResult& parsed, const std::string& option) {
  std::optional<AtomicFile> file;
  if (parsed.count(option) != 0)
    file.emplace(file_name(parsed, option));
  return file;
}

int parse_integer(const std::string& text, const std::string& option, int least, int greatest) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value < least || value > greatest)
    throw UsageError(fmt::format("{} must be an integer from {} to {}, not '{}'", option, least, greatest, text));
  return value;
}

} // namespace tmd::app
