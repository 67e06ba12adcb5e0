#include "options.hpp"

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

} // namespace tmd::app
