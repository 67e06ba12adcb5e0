// tmd build-programs DEVICE: builds OpenCL programs before a search needs them; the search starts it. Not for users.
#include "commands.hpp"

#include "opencl/builders.hpp"
#include "tmd/error.hpp"

#include <string>

namespace tmd::app {

int build_programs(const Arguments& arguments) {
  if (arguments.size() != 1 || arguments[0].empty() ||
      arguments[0].find_first_not_of("0123456789") != std::string::npos)
    throw UsageError("build-programs takes the index of a device");
  opencl::serve_build_requests(std::stoul(arguments[0]));
  return static_cast<int>(Status::done);
}

} // namespace tmd::app
