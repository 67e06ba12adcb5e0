// A place that was there and could not take what was written.
#pragma once

#include "tmd/error.hpp"

#include <string>

namespace tmd::support {

// No space left, for instance: nothing that another command line would mend.
struct WriteError : UsageError {
  explicit WriteError(const std::string& sentence) : UsageError(sentence) {}
};

} // namespace tmd::support
