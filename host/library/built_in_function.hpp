// The process that calls a function of OpenCL C on a device. A crash of the driver ends this process, not the one that
// judges.
#pragma once

#include "library/returned.hpp"
#include "support/descriptor.hpp"
#include "tmd/format.hpp"

#include <cstddef>
#include <string>

namespace tmd::library {

struct ServedBuiltIn {
  // Arguments of a work-group. If one of them does not return, it is not known which.
  static constexpr std::size_t together = 64;

  std::string device; // as --device selects it
  std::string name;
  Format format;
  std::string options; // options of OpenCL's compiler
  Returned returned = Returned::value;
};

// Builds the kernel and calls it block by block, rounding to nearest, until the channel is closed. Refuses a name that
// OpenCL C does not have and a format that the device does not have.
void serve_built_in(const ServedBuiltIn& served, support::Descriptor channel, support::Descriptor memory);

} // namespace tmd::library
