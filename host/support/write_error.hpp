// The error of a place that exists and could not take the text.
#pragma once

#include "tmd/error.hpp"

#include <string>

namespace tmd::support {

// For instance no space left: another command line would not help.
struct WriteError : UsageError {
  explicit WriteError(const std::string& sentence) : UsageError(sentence) {}
};

} // namespace tmd::support
