// Ranks over MPI, by its C interface. Nothing here loads MPI before it is asked to.
#pragma once

#include "cluster/transport.hpp"

#include <memory>

namespace tmd::cluster {

// Begins MPI, and ends it when it is destroyed, which all ranks do. Once in a process, in its first thread. Throws
// UsageError where this program is without MPI, or a launcher of another MPI has started several ranks that do
// not find each other, DeviceError where MPI does not take calls from another thread.
[[nodiscard]] std::unique_ptr<Transport> begin_mpi();

} // namespace tmd::cluster
