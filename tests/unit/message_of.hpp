// The message that answers a bad input.
#pragma once

#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tmd {

template <typename Action> std::string message_of(const Action& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  FAIL("no UsageError");
  return {};
}

} // namespace tmd
