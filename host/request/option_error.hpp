// Which option a mistake is in.
#pragma once

#include "tmd/error.hpp"

#include <string>

namespace tmd::request {

// What `step` returns. Whatever UsageError it throws becomes one of that option.
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
