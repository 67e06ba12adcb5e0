// Loads the MPI module. If the program was built without MPI, begin_mpi() says so.
#include "cluster/mpi.hpp"

#include "cluster/mpi_module.hpp"
#include "support/installed_files.hpp"
#include "support/text.hpp"
#include "tmd/error.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <dlfcn.h>

#include <fmt/format.h>

namespace tmd::cluster {

namespace {

// Environment variables in which launchers tell a process the number of ranks: Open MPI's mpirun, MPICH's, and a step
// of Slurm. (Not SLURM_NTASKS: a job's script has it, too, and may start fewer ranks.)
constexpr std::array launched_ranks{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};

// A launcher of another MPI starts ranks that do not find each other: each would search everything, and all would write
// the same files. Throws UsageError if a launcher says that there are several ranks and none says that there is only
// one, as a launcher does that runs inside another one's rank.
void require_launched_alone(const char* library) {
  const char* several = nullptr;
  for (const char* name : launched_ranks)
    if (const char* value = std::getenv(name)) {
      if (std::string_view(value) == "1")
        return;
      several = several == nullptr ? name : several;
    }
  if (several != nullptr)
    throw UsageError(
        fmt::format("{1} ranks were started ({0}={1}), but {2}, which this tmd is built with, finds only one: "
                    "start tmd with that MPI's mpirun, or an `srun --mpi=KIND` that it knows (`srun "
                    "--mpi=list`), or build tmd with the launcher's MPI",
                    several, support::on_one_line(std::getenv(several)), library));
}

} // namespace

std::unique_ptr<Transport> begin_mpi() {
  const std::filesystem::path file = support::module_folder() / "mpi.so";
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw UsageError(
        fmt::format("this tmd is without MPI: there is no '{}'; install the package tmd-mpi, build tmd where "
                    "Open MPI or MPICH is installed, or leave out --mpi",
                    file.string()));
  // Never unloaded. Parts that Open MPI loads itself look for its functions among those that all modules see.
  void* const module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* const entry = module != nullptr ? ::dlsym(module, mpi_module_entry) : nullptr;
  if (entry == nullptr)
    throw UsageError(fmt::format("MPI cannot be loaded: {}", support::on_one_line(::dlerror())));
  MpiModule mpi;
  reinterpret_cast<decltype(&tmd_mpi_module)>(entry)(mpi);
  if (mpi.transport->ranks() == 1)
    require_launched_alone(mpi.library);
  return std::move(mpi.transport);
}

} // namespace tmd::cluster
