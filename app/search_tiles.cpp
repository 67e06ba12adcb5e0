#include "search_tiles.hpp"

#include "interrupt.hpp"
#include "search_pairs.hpp"
#include "search_powers.hpp"
#include "standard_streams.hpp"

#include "pairs/tile_search.hpp"
#include "report/progress.hpp"
#include "run/device_choice.hpp"
#include "tmd/error.hpp"

#include <optional>

#include <fmt/format.h>

namespace tmd::app {

int search_tiles(const run::PowerRequest& request, const function::Formula& formula, const run::OutputNames& outputs) {
  const pairs::PairJob& job = request.job;
  pairs::check_tiles_serve(job);
  const auto x = pairs::operands_of_range((*job.ranges)[0], job.format, "--x-range");
  const auto y = pairs::operands_of_range((*job.ranges)[1], job.format, "--y-range");
  const run::SearchFiles files = run::open_files(outputs);
  print_no_tables_beside({&files.wc, &files.json});
  const run::DeviceChoice choice = run::choose_device(request.spec, print_remark);
  const run::OpenBoxes device = run::open_boxes(choice);
  if (!request.spec.quiet)
    fmt::print("{}\non {}\n", pairs::describe(job), run::name_of(choice));
  flush_output();
  std::optional<report::ProgressLine> line;
  pairs::TileHooks hooks;
  hooks.threads = threads_of(request.spec);
  hooks.most_cases = request.spec.most_cases;
  hooks.interrupted = interrupted;
  hooks.progress = [&](const Progress& now) {
    if (!line)
      line.emplace(!request.spec.quiet, now.total, request.spec.progress, STDERR_FILENO, "pairs");
    line->show(now);
  };
  catch_interrupts();
  try {
    const pairs::PairResult result = pairs::search_tiles(job, formula, x, y, *device.search, hooks);
    line.reset();
    keep_for_interrupt("tmd: interrupted: the search was done, but not all that it found was written or printed\n");
    return finish_pairs(request, files, result);
  } catch (const Interrupted&) {
    line.reset();
    fmt::print(stderr, "tmd: interrupted: no file was written\n");
    interrupt_is_reported();
    return static_cast<int>(Status::interrupted);
  }
}

} // namespace tmd::app
