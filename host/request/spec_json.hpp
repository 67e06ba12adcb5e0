// A request as JSON: {"function":["exp"],"from":"1","bits":40,"quiet":true}. The keys are the names of options.
#pragma once

#include "tmd/search_spec.hpp"

#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace tmd::request {

using Json = nlohmann::ordered_json;

// Contains only what differs from SearchSpec{}.
[[nodiscard]] Json to_json(const SearchSpec& spec);

// Throws OptionError for an invalid value of an option, UsageError for a key that is no option.
[[nodiscard]] SearchSpec spec_of_json(const Json& record);
// The same for a text. Throws UsageError if it is not valid JSON.
[[nodiscard]] SearchSpec parse_spec(std::string_view text);

} // namespace tmd::request
