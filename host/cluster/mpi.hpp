// Ranks over MPI, by its C interface. MPI is not loaded before begin_mpi() is called.
#pragma once

#include "cluster/transport.hpp"

#include <memory>

namespace tmd::cluster {

// Begins MPI; destroying the result ends it, which all ranks must do. Call once in a process, in its first thread.
// Throws UsageError if this program is without MPI, or if a launcher of another MPI has started several ranks that do
// not find each other; DeviceError if MPI does not allow calls from another thread.
[[nodiscard]] std::unique_ptr<Transport> begin_mpi();

} // namespace tmd::cluster
