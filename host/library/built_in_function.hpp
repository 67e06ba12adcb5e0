// The process that calls a function of OpenCL C, as a device has it: what a driver does to a process does nothing to
// ours.
#pragma once

#include "library/returned.hpp"
#include "support/descriptor.hpp"
#include "tmd/format.hpp"

#include <cstddef>
#include <string>

namespace tmd::library {

struct ServedBuiltIn {
  // Arguments of a work-group: of fewer it is not found out which one does not return.
  static constexpr std::size_t together = 64;

  std::string device; // as --device selects one
  std::string name;
  Format format;
  std::string options; // of OpenCL's compiler
  Returned returned = Returned::value;
};

// Builds the kernel and calls it for block after block, to nearest, until the channel is closed. It refuses a name that
// OpenCL C does not have, or a format that the device does not have.
void serve_built_in(const ServedBuiltIn& served, support::Descriptor channel, support::Descriptor memory);

} // namespace tmd::library
