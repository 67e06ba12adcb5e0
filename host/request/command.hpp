// A request as the command line that makes it, for people to read; and the command lines that files made by tmd 0.1.0
// have in the place of a request.
#pragma once

#include "tmd/search_spec.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tmd::request {

// "tmd search exp --from 1 --bits 40", as a shell takes it. What only a request's JSON can say is not in it.
[[nodiscard]] std::string command_of(const SearchSpec& spec);

// From the words that follow `tmd search`. Throws UsageError for what is no such command line.
[[nodiscard]] SearchSpec spec_of_words(std::span<const std::string> words);
// From a whole command line.
[[nodiscard]] SearchSpec spec_of_command(std::string_view line);

} // namespace tmd::request
