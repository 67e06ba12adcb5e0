// A combination that fails is shown with its own message, and the others continue.
#include "compare_runs.hpp"

#include "interrupt.hpp"
#include "standard_streams.hpp"

#include "engine/domains/tunables.hpp"
#include "report/comparison_plan.hpp"
#include "request/spec_json.hpp"
#include "result/reader.hpp"
#include "result/recorded_search.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

using State = report::ComparisonCell::State;

void ComparisonRuns::run(int runs) {
  const std::size_t cells = comparison_.cells.size();
  for (std::size_t turn = 0; turn < static_cast<std::size_t>(runs); ++turn)
    for (std::size_t i = 0; i < cells && !interrupted(); ++i) {
      const report::ComparisonCell& cell = comparison_.cells[i];
      if (cell.state == State::failed || cell.state == State::differing)
        continue;
      status_.show(fmt::format("run {} of {}: {}", turn * cells + i + 1, static_cast<std::size_t>(runs) * cells,
                               comparison_.describe(cell)));
      run_cell(i);
    }
  status_.clear();
}

void ComparisonRuns::run_cell(std::size_t index) {
  report::ComparisonCell& cell = comparison_.cells[index];
  const ChildEnd end = run_search({report::spec_of_cell(comparison_, cell, spec_)}, timeout_, interrupted);
  if (end.kind == ChildEnd::Kind::interrupted || interrupted())
    return; // the child may have got the interrupt first
  std::string failure;
  if (end.has_ended()) {
    try {
      comparison_.add(index,
                      result::read_complete_search(result::recognize(support::source_of(end.records), "the records")));
      return;
    } catch (const DeviceError& error) {
      failure = error.what();
    }
  } else {
    failure = end.kind == ChildEnd::Kind::timed_out ? fmt::format("it took more than {:g} s (--timeout)", timeout_)
                                                    : end.sentence();
    unsound_ = unsound_ || (end.kind == ChildEnd::Kind::exited && end.number == static_cast<int>(Status::unsound));
  }
  cell.state = State::failed;
  cell.failure = failure;
}

void ComparisonRuns::measure_divergence() {
  const report::ComparisonCell* fastest = comparison_.fastest();
  if (fastest == nullptr)
    return;
  for (const report::ComparisonCell& cell : comparison_.cells) {
    if (cell.state != State::done || comparison_.nmdm.contains(cell.algorithm) ||
        std::find(engine::domains::test_names.begin(), engine::domains::test_names.end(), cell.algorithm) ==
            engine::domains::test_names.end() ||
        interrupted())
      continue;
    report::ComparisonCell where = *fastest;
    where.algorithm = cell.algorithm;
    count_rounds(where);
  }
  status_.clear();
}

void ComparisonRuns::require_success() const {
  const std::size_t cells = comparison_.cells.size();
  const std::size_t differing = comparison_.count(State::differing);
  const std::size_t failed = comparison_.count(State::failed);
  if (differing > 0)
    throw SoundnessError(
        fmt::format("{} of {} combinations found other cases than the first: trust none", differing, cells));
  if (unsound_)
    throw SoundnessError("a soundness check failed in one of the combinations: trust none");
  if (failed > 0)
    throw DeviceError(fmt::format("{} of {} combinations failed; the table says how", failed, cells));
}

void ComparisonRuns::count_rounds(const report::ComparisonCell& where) {
  status_.show(fmt::format("counting the rounds of {}", where.algorithm));
  const std::filesystem::path laboratory =
      std::filesystem::read_symlink(support::this_program).parent_path() / "tmd-lab";
  const std::string spec = request::to_json(report::spec_of_cell(comparison_, where, spec_)).dump();
  const ChildEnd end =
      run_child({"divergence", "--spec", spec, "--json", child_records}, timeout_, interrupted, laboratory.string());
  auto& nmdm = comparison_.nmdm[where.algorithm];
  std::string failure;
  try {
    failure = end.done() ? "" : end.sentence();
    if (end.done())
      nmdm = report::read_divergence_record(end.records);
  } catch (const DeviceError& error) {
    failure = error.what();
  }
  if (failure.empty() || interrupted())
    return;
  status_.clear();
  print_remark(Remark::note, fmt::format("the NMDM of {} is not known: {}", where.algorithm, failure));
}

} // namespace tmd::app
