// What the subcommands' option parsers share.
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

// Parses the arguments after a subcommand's name. Throws UsageError instead of cxxopts' exceptions, also for arguments
// that belong to no option.
[[nodiscard]] cxxopts::ParseResult parse(cxxopts::Options& options, const std::string& command,
                                         const Arguments& arguments);

// The arguments with a blank before negative numbers, so that they are taken for no options; trimmed() takes it off.
[[nodiscard]] Arguments shield_negative_numbers(const Arguments& arguments);

// Every value that an option was given. An option that is repeated is no list to cxxopts, which splits at commas.
[[nodiscard]] std::vector<std::string> values_of(const cxxopts::ParseResult& parsed, std::string_view option);
// The names of those that were given.
[[nodiscard]] std::vector<std::string> given_options(const cxxopts::ParseResult& parsed);
// Those that its help text lists.
[[nodiscard]] std::vector<request::OptionText> listed_options(const cxxopts::Options& options);

// The file that an option names. Throws UsageError for what looks like the next option, taken for a file's name.
[[nodiscard]] std::string file_name(const cxxopts::ParseResult& parsed, const std::string& option);

// That file, tried at once; nothing without the option. Throws UsageError when it cannot be written.
[[nodiscard]] std::optional<support::AtomicFile> open_file(const cxxopts::ParseResult& parsed,
                                                           const std::string& option);

// The folder of --into. Throws UsageError without the option.
[[nodiscard]] std::filesystem::path folder_name(const cxxopts::ParseResult& parsed);
// The same, made where there is none. Throws UsageError when that fails.
[[nodiscard]] std::filesystem::path make_folder(const cxxopts::ParseResult& parsed);

// Adds an option, whose value is read by values_of().
void add_option(cxxopts::Options& options, const request::OptionText& option);

} // namespace tmd::app
