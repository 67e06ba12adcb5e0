// Names the option in which a mistake was made.
#pragma once

#include "tmd/error.hpp"

#include <string>

namespace tmd::request {

// Returns what `step` returns. A UsageError from it becomes an OptionError for the option.
template <typename Step> auto blaming(const std::string& option, const Step& step) {
  try {
    return step();
  } catch (const OptionError&) {
    throw;
  } catch (const UsageError& error) {
    throw OptionError(option, error.what());
  }
}

} // namespace tmd::request
