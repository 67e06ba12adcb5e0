// A shell script as a worker.
#pragma once

#include "tune/worker.hpp"

#include <string>

namespace tmd::tune {

inline Worker script(const std::string& text, double first_seconds = 20) {
  return Worker({"/bin/sh", "-c", text}, first_seconds);
}

} // namespace tmd::tune
