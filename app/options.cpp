// How every command parses its options with cxxopts: mistakes become sentences that name the option and suggest a
// correction, values that look like options are recognized, and files are opened before anything takes time.
#include "options.hpp"

#include "support/text.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

namespace tmd::app {

namespace {

// The message of cxxopts without typographic quotes. Its exceptions' names and messages differ between versions.
std::string plain_sentence(std::string text) {
  for (const std::string_view quote : {"‘", "’"})
    for (auto at = text.find(quote); at != std::string::npos; at = text.find(quote))
      text.replace(at, quote.size(), "'");
  // "Option 'from' is missing an argument", "Argument '3' failed to parse": the latter for a flag that was given a
  // value.
  const auto first = text.find('\'');
  const auto last = text.rfind('\'');
  const bool quoted = first != std::string::npos && first < last;
  const std::string name = quoted ? text.substr(first + 1, last - first - 1) : std::string();
  if (quoted && text.find("missing an argument") != std::string::npos)
    return fmt::format("{}{} needs a value", name.size() == 1 ? "-" : "--", name);
  return text;
}

// Some versions of cxxopts have one long name, others several.
[[maybe_unused]] std::string long_name(const std::string& name) { return name; }
template <typename Names> std::string long_name(const Names& names) { return names.empty() ? "" : names.front(); }

struct Option {
  std::string name; // "--wc"
  bool takes_value;
};

// The options that a user may give.
std::vector<Option> known_options(const cxxopts::Options& options) {
  std::vector<Option> result;
  for (const std::string& group : options.groups())
    for (const cxxopts::HelpOptionDetails& option : options.group_help(group).options)
      if (group != "positional" && group != "internal")
        if (const std::string name = long_name(option.l); !name.empty())
          result.push_back({"--" + name, !option.is_boolean});
  return result;
}

// Splits `--wc=list` into two arguments, since cxxopts does not accept line breaks in it. Throws UsageError for
// `--quiet=false`.
Arguments values_apart(const Arguments& arguments, const std::vector<Option>& known) {
  Arguments result;
  bool is_value = false; // whether it is the value of the previous option
  bool options_end = false;
  for (const std::string& argument : arguments) {
    options_end = options_end || (!is_value && argument == "--");
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const auto option =
        std::find_if(known.begin(), known.end(), [&](const Option& other) { return other.name == name; });
    if (is_value || options_end || option == known.end()) {
      result.push_back(argument);
      is_value = false;
    } else if (equals == std::string::npos) {
      result.push_back(argument);
      is_value = option->takes_value;
    } else if (option->takes_value) {
      result.push_back(name);
      result.push_back(argument.substr(equals + 1));
    } else {
      throw UsageError(fmt::format("{} takes no value: write {}, or leave it out, but not '{}'", name, name, argument));
    }
  }
  return result;
}

[[noreturn]] void refuse_option(const std::string& wanted, const std::vector<Option>& known) {
  std::vector<std::string_view> names;
  names.reserve(known.size());
  for (const Option& option : known)
    names.push_back(option.name);
  throw UsageError(fmt::format("unknown option '{}'{}", wanted, support::did_you_mean(wanted, names)));
}

} // namespace

std::vector<request::OptionText> listed_options(const cxxopts::Options& options) {
  std::vector<request::OptionText> listed;
  for (const cxxopts::HelpOptionDetails& option : options.group_help("").options)
    listed.push_back({long_name(option.l), option.desc, option.is_boolean ? "" : option.arg_help});
  return listed;
}

cxxopts::ParseResult parse(cxxopts::Options& options, const std::string& command, const Arguments& arguments) {
  const std::vector<Option> known = known_options(options);
  const Arguments apart = values_apart(arguments, known);
  std::vector<const char*> argv{command.c_str()};
  for (const std::string& argument : apart)
    argv.push_back(argument.c_str());
  options.allow_unrecognised_options();
  try {
    cxxopts::ParseResult result = options.parse(static_cast<int>(argv.size()), argv.data());
    if (!result.unmatched().empty()) {
      const std::string& first = result.unmatched().front();
      if (first.rfind('-', 0) == 0)
        refuse_option(first.substr(0, first.find('=')), known);
      throw UsageError(fmt::format("unexpected argument '{}'", first));
    }
    return result;
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) {
    throw UsageError(plain_sentence(error.what()));
  }
}

Arguments shield_negative_numbers(const Arguments& arguments) {
  Arguments result;
  for (const std::string& argument : arguments) {
    const bool negative = argument.size() > 1 && argument.front() == '-' &&
                          (argument[1] == '.' || std::isdigit(static_cast<unsigned char>(argument[1])) != 0 ||
                           argument == "-inf" || argument == "-nan");
    result.push_back(negative ? " " + argument : argument);
  }
  return result;
}

std::vector<std::string> values_of(const cxxopts::ParseResult& parsed, std::string_view option) {
  std::vector<std::string> result;
  for (const cxxopts::KeyValue& argument : parsed.arguments())
    if (argument.key() == option)
      result.push_back(argument.value());
  return result;
}

std::vector<std::string> given_options(const cxxopts::ParseResult& parsed) {
  std::vector<std::string> result;
  for (const cxxopts::KeyValue& argument : parsed.arguments())
    result.push_back(argument.key());
  return result;
}

void add_option(cxxopts::Options& options, const request::OptionText& option) {
  if (option.is_flag())
    options.add_options()(option.name, option.help);
  else
    options.add_options()(option.name, option.help, cxxopts::value<std::string>(), option.value);
}

std::string file_name(const cxxopts::ParseResult& parsed, const std::string& option) {
  auto name = parsed[option].as<std::string>();
  if (name.rfind("--", 0) == 0)
    throw UsageError(fmt::format("--{} needs the name of a file; for one named '{}' write ./{}", option, name, name));
  return name;
}

std::optional<support::AtomicFile> open_file(const cxxopts::ParseResult& parsed, const std::string& option) {
  std::optional<support::AtomicFile> file;
  if (parsed.count(option) != 0)
    file.emplace(file_name(parsed, option));
  return file;
}

std::filesystem::path folder_name(const cxxopts::ParseResult& parsed) {
  if (parsed.count("into") == 0)
    throw UsageError("--into is missing: the folder of the results");
  return file_name(parsed, "into");
}

std::filesystem::path make_folder(const cxxopts::ParseResult& parsed) {
  std::filesystem::path folder = folder_name(parsed);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    throw UsageError(fmt::format("--into: '{}' is no folder and cannot be made one", folder.string()));
  return folder;
}

} // namespace tmd::app
