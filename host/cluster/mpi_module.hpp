// The interface of the module mpi.so for the program that loads it. Both are built together.
#pragma once

#include "cluster/transport.hpp"
#include "tmd/api.hpp"

#include <memory>

namespace tmd::cluster {

struct MpiModule {
  const char* library = ""; // "Open MPI", for messages
  std::unique_ptr<Transport> transport;
};

inline constexpr const char* mpi_module_entry = "tmd_mpi_module";

} // namespace tmd::cluster

// Begins MPI. Throws DeviceError if it does not allow calls from another thread.
extern "C" TMD_API void tmd_mpi_module(tmd::cluster::MpiModule& module);
