#include "request/spec_json.hpp"

#include "request/option_error.hpp"
#include "request/option_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::request {

namespace {

// The texts for SearchOption::set(): one for a value, or one for each element of an array.
std::vector<std::string> texts_of_value(const SearchOption& option, const Json& value) {
  if (option.is_repeated && value.is_array()) {
    std::vector<std::string> texts;
    for (const Json& one : value)
      for (std::string& text : texts_of_value(option, one))
        texts.push_back(std::move(text));
    return texts;
  }
  if (option.is_flag() && value.is_boolean())
    return value.get<bool>() ? std::vector<std::string>{"true"} : std::vector<std::string>{};
  if (!option.is_flag() && value.is_string())
    return {value.get<std::string>()};
  if (!option.is_flag() && value.is_number())
    return {value.dump()};
  throw OptionError(option.name, fmt::format("{} is not a value of '{}'", value.dump(), option.name));
}

} // namespace

Json to_json(const SearchSpec& spec) {
  Json record = Json::object();
  for (const SearchOption& option : option_table()) {
    const std::vector<std::string> texts = option.get(spec);
    if (texts.empty())
      continue;
    if (option.is_repeated)
      record[option.name] = texts;
    else if (option.is_flag())
      record[option.name] = true;
    else
      record[option.name] = option.is_number ? Json::parse(texts.front()) : Json(texts.front());
  }
  return record;
}

SearchSpec spec_of_json(const Json& record) {
  if (!record.is_object())
    throw UsageError("a request must be a JSON object");
  SearchSpec spec;
  for (const auto& [key, value] : record.items()) {
    const SearchOption& option = find_option(key);
    for (const std::string& text : texts_of_value(option, value))
      set_option(spec, option, text);
  }
  return spec;
}

SearchSpec parse_spec(std::string_view text) {
  const Json record = Json::parse(text, nullptr, false);
  if (record.is_discarded())
    throw UsageError(fmt::format("the request is not valid JSON: '{}'", text));
  return spec_of_json(record);
}

} // namespace tmd::request
