// Functions with an integer parameter, such as rootn:3.
#pragma once

#include "function/function.hpp"

#include <string>

namespace tmd::function {

// The functions NAME:N for integers N.
struct FunctionFamily {
  std::string name;
  std::string description;
  std::string parameter; // what N may be: "an integer from -8000 to 8000, not 0 or 1"
  long least;
  long greatest;
  bool (*has)(long n); // which of the integers N between have a function
  Function (*member)(long n);
};

} // namespace tmd::function
