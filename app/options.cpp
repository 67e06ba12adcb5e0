#include "options.hpp"

#include <charconv>

#include <fmt/format.h>

namespace tmd::app {

cxxopts::ParseResult parse(cxxopts::Options& options, const std::string& command, const Arguments& arguments) {
  std::vector<const char*> argv{command.c_str()};
  for (const std::string& argument : arguments)
    argv.push_back(argument.c_str());
  try {
    cxxopts::ParseResult result = options.parse(static_cast<int>(argv.size()), argv.data());
    if (!result.unmatched().empty())
      throw UsageError(fmt::format("unexpected argument '{}'", result.unmatched().front()));
    return result;
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) { // cxxopts' own exceptions, whose names differ between its versions
    throw UsageError(fmt::format("{}: {}", command, error.what()));
  }
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
