// A request as JSON: {"function":["exp"],"from":"1","bits":40,"quiet":true}. The keys are the options' names.
#pragma once

#include "tmd/search_spec.hpp"

#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace tmd::request {

using Json = nlohmann::ordered_json;

// Only what is not as in SearchSpec{}.
[[nodiscard]] Json to_json(const SearchSpec& spec);

// Throws OptionError for a value that an option cannot have, UsageError for a key that no option has.
[[nodiscard]] SearchSpec spec_of_json(const Json& record);
// The same of a text. Throws UsageError for one that is no JSON.
[[nodiscard]] SearchSpec parse_spec(std::string_view text);

} // namespace tmd::request
