// Converts a request to the command line that makes it, for people to read, and reads the command lines that files of
// tmd 0.1.0 have instead of a request.
#pragma once

#include "tmd/search_spec.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tmd::request {

// "tmd search exp --from 1 --bits 40", quoted for a shell. Omits what only a request's JSON can express.
[[nodiscard]] std::string command_of(const SearchSpec& spec);

// Parses the words after `tmd search`. Throws UsageError if they are no such command line.
[[nodiscard]] SearchSpec spec_of_words(std::span<const std::string> words);
// Parses a whole command line.
[[nodiscard]] SearchSpec spec_of_command(std::string_view line);

} // namespace tmd::request
