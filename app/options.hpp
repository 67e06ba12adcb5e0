// Functions that the subcommands' option parsers share.
#pragma once

#include "commands.hpp"
#include "request/numbers.hpp"
#include "request/option_text.hpp"
#include "support/atomic_file.hpp"
#include "tmd/error.hpp"

#include <cxxopts.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::app {

// Parses the arguments after a subcommand's name. Throws UsageError instead of cxxopts' exceptions, and for arguments
// that belong to no option.
[[nodiscard]] cxxopts::ParseResult parse(cxxopts::Options& options, const std::string& command,
                                         const Arguments& arguments);

// The arguments with a blank before negative numbers, so that they do not look like options; trimmed() removes it.
[[nodiscard]] Arguments shield_negative_numbers(const Arguments& arguments);

// All values of a repeatable option. It is no list to cxxopts, which would split values at commas.
[[nodiscard]] std::vector<std::string> values_of(const cxxopts::ParseResult& parsed, std::string_view option);
// The names of the options that were given.
[[nodiscard]] std::vector<std::string> given_options(const cxxopts::ParseResult& parsed);
// The options that the help text lists.
[[nodiscard]] std::vector<request::OptionText> listed_options(const cxxopts::Options& options);

// The file of an option. Throws UsageError if it looks like another option.
[[nodiscard]] std::string file_name(const cxxopts::ParseResult& parsed, const std::string& option);

// That file, opened; nothing without the option. Throws UsageError if it cannot be written.
[[nodiscard]] std::optional<support::AtomicFile> open_file(const cxxopts::ParseResult& parsed,
                                                           const std::string& option);

// The folder of --into. Throws UsageError without the option.
[[nodiscard]] std::filesystem::path folder_name(const cxxopts::ParseResult& parsed);
// The same; creates it if necessary. Throws UsageError if that fails.
[[nodiscard]] std::filesystem::path make_folder(const cxxopts::ParseResult& parsed);

// Adds an option whose values are read by values_of().
void add_option(cxxopts::Options& options, const request::OptionText& option);

} // namespace tmd::app
