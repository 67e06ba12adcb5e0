#include "mpi_ranks.hpp"

#include "interrupt.hpp"
#include "standard_streams.hpp"

#include "cluster/mpi.hpp"
#include "result/program.hpp"
#include "run/power_ranks.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace tmd::app {

namespace {

// MPI warns about handlers that it finds, so they are set later.
std::unique_ptr<cluster::Transport> begin_mpi() {
  leave_crashes();
  auto transport = cluster::begin_mpi();
  end_at_interrupts();
  return transport;
}

// A command line with a mistake may contain --mpi, too: then rank 0 alone reports it.
bool asks_for_ranks(cxxopts::Options& options, const Arguments& arguments) {
  try {
    return parse(options, "", arguments).count("mpi") != 0;
  } catch (const UsageError&) {
    return std::find(arguments.begin(), arguments.end(), "--mpi") != arguments.end();
  }
}

} // namespace

int with_ranks(cxxopts::Options options, const Arguments& arguments, const std::function<int(run::Ranks*)>& command) {
  if (!asks_for_ranks(options, arguments))
    return command(nullptr);
  const std::unique_ptr<cluster::Transport> transport = begin_mpi();
  const run::Place place{transport->rank(), transport->host(), transport->local_rank(), transport->local_ranks()};
  if (place.rank == 0) {
    cluster::Leader leader(*transport, interrupted);
    run::Ranks ranks{place, leader};
    return command(&ranks);
  }
  catch_interrupts(); // rank 0 reports the interrupt
  interrupt_is_reported();
  try {
    cluster::serve(
        *transport, result::version_text(),
        [&](const result::OwnedJob& job, const result::Json& request) {
          return run::open_for_leader(job, request, place, print_remark);
        },
        interrupted,
        [&](const result::Json& request, cluster::Mailbox& mailbox) {
          run::serve_powers(request, mailbox, place, print_remark, interrupted);
        });
  } catch (const std::exception& error) { // the other ranks would wait for this one
    const Failure failure = failure_of(error);
    fmt::print(stderr, "tmd: rank {} ({}): {}\n", place.rank, place.host, failure.sentence);
    transport->abort(static_cast<int>(failure.status));
  }
  return static_cast<int>(Status::done);
}

} // namespace tmd::app
