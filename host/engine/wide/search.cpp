// The stages of a batch: its records are made (records.cpp), groups are tested, refused groups are tested in parts and
// runs, and the candidates are checked. A slice whose lists were too short is run again in halves.
#include "engine/wide/search.hpp"

#include "engine/compaction.hpp"
#include "engine/wide/constants.hpp"
#include "engine/wide/tunables.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::wide {

namespace {

constexpr std::uint64_t first_groups = std::uint64_t(1) << 14; // some milliseconds on one CPU core
constexpr std::uint64_t first_parts = std::uint64_t(1) << 10;  // fewer, for a part may have very many members
constexpr std::uint64_t first_candidates = std::uint64_t(1) << 16;
constexpr std::int64_t plain_work_group_size = 64; // for kernels that take little time
constexpr const char* groups_program = "wide/groups.cl";
constexpr const char* parts_program = "wide/parts.cl";
constexpr int most_bits_of_run = 8; // log2 of the arguments of a run, which a work-item evaluates
// The most that an item adds to a counter once its list is full (append.clh, shared_list.clh, put_off() of groups.cl).
constexpr std::uint64_t most_held = 8;
// A sub-interval has a multiple of so many groups: lanes never straddle two.
constexpr std::uint32_t groups_together = 16;
// OpenCL lets devices flush denormals, and the proof allows for it (doc/theory/wide-test.md): it is faster.
constexpr std::string_view float_options = "-cl-denorms-are-zero";
constexpr std::uint64_t domains_per_sub_interval = 64; // a sub-interval needs as much memory as so many domains
// The parts of a group that is refused as a whole must fit: otherwise every argument of it would be evaluated.
static_assert(device::least_survivor_capacity >= std::int64_t(1) << part_bits_of(most_group_bits));

} // namespace

std::string wide_groups_options(const Launcher& launcher, const device::Tunables& tunables) {
  return fmt::format("{} {}", float_options, launcher.register_limit(tunables[wide_tunable("wide.registers")]));
}

WideSearch::WideSearch(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables, Compaction compaction)
    : launcher_(std::move(launcher)), tunables_(tunables),
      compaction_(compaction == Compaction::automatic
                      ? static_cast<Compaction>(tunables[device::shared_tunable("compaction")])
                      : compaction),
      records_(launcher_, tunables[device::shared_tunable("launch-milliseconds")]),
      groups_(wide_stages[1], tunables[wide_tunable("wide.work-group-size")], first_groups,
              tunables[device::shared_tunable("launch-milliseconds")]),
      parts_(wide_stages[2], plain_work_group_size, first_parts,
             tunables[device::shared_tunable("launch-milliseconds")]),
      again_(wide_stages[3], plain_work_group_size, first_groups,
             tunables[device::shared_tunable("launch-milliseconds")]),
      check_(wide_stages[4], plain_work_group_size, first_candidates,
             tunables[device::shared_tunable("launch-milliseconds")]) {
  groups_.lists = 2;
  groups_.together = groups_together;
  parts_.lists = 2;
}

WideSearch::WideSearch(const opencl::DeviceDescription& device, const device::Tunables& tunables, Compaction compaction)
    : WideSearch(std::make_shared<Launcher>(
                     device, static_cast<std::uint32_t>(tunables[device::shared_tunable("survivor-capacity")])),
                 tunables, compaction) {}

std::uint64_t WideSearch::batch_sub_intervals() const {
  const std::uint64_t most = std::min(device().largest_buffer, device().global_memory / 4) / sizeof(SubIntervalRecord);
  const std::uint64_t wanted =
      static_cast<std::uint64_t>(tunables_[device::shared_tunable("batch-domains")]) / domains_per_sub_interval;
  return std::max<std::uint64_t>(1, std::min(wanted, most));
}

Stages WideSearch::stages() const {
  return {records_.counts(), groups_.counts, parts_.counts, again_.counts, check_.counts};
}

void WideSearch::reset_stages(const Stages& stages) {
  records_.reset_counts(stages);
  for (LaunchedStage* stage : {&groups_, &parts_, &again_, &check_})
    stage->counts.reset_to(stages);
}

std::vector<std::uint64_t> WideSearch::search(const WideBatch& batch, const Interrupt& interrupt,
                                              std::vector<std::uint64_t>* refused) {
  launcher_->set_interrupt(interrupt);
  records_.start(batch, build_options());
  return own_arguments(batch, search_records(batch, refused));
}

std::vector<std::uint64_t> WideSearch::search_records(const WideBatch& batch, std::vector<std::uint64_t>* refused) {
  candidates_.clear(); // left by a batch that was not searched to its end
  for (opencl::Buffer* list : {&found_, &swept_, &refused_, &check_.kept})
    launcher_->allocate_list(*list, sizeof(std::uint64_t));
  test_groups(batch, refused);
  // A candidate may have been found at the roots of two lines.
  std::sort(candidates_.begin(), candidates_.end());
  candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
  return std::exchange(candidates_, {});
}

std::vector<opencl::Macro> WideSearch::test_macros() const { return {wide_reciprocals(device())}; }

// Whether a work-group sorts its groups.
bool WideSearch::sorts() const {
  return tunables_[wide_tunable("wide.vector-width")] == 0 &&
         tunables_[wide_tunable("wide.order")] == static_cast<std::int64_t>(Order::by_lines);
}

std::vector<opencl::Macro> WideSearch::group_macros() const {
  std::vector<opencl::Macro> macros = test_macros();
  macros.insert(macros.end(),
                {{"TMD_VECTOR_WIDTH", std::int64_t(1) << tunables_[wide_tunable("wide.vector-width")], 1, 16},
                 {"TMD_SORTED", sorts() ? 1 : 0, 0, 1},
                 {"TMD_ITEMS_PER_WORK_ITEM", tunables_[wide_tunable("wide.items")], 1, 4096},
                 {"TMD_COMPACTION", compaction_ == Compaction::scan ? by_scan : by_atomics, by_atomics, by_scan},
                 {"TMD_WORK_GROUP_SIZE", static_cast<std::int64_t>(groups_.work_group_size), 1, 1024}});
  return macros;
}

std::string WideSearch::with_haste(std::string options) const {
  return quickly_ ? std::move(options) + " -cl-opt-disable" : options;
}

opencl::Kernel& WideSearch::build(const LaunchedStage& stage, const char* program, const char* name,
                                  const std::vector<opencl::Macro>& macros, std::string_view options) {
  return launcher_->build(stage.counts.name, program, name, macros, with_haste(std::string(options)));
}

void WideSearch::build_ahead() {
  launcher_->build_ahead(wide_scalar_program, {}, build_options()); // needed first
  launcher_->build_ahead(groups_program, group_macros(), with_haste(wide_groups_options(*launcher_, tunables_)));
}

void WideSearch::build_refused_ahead() {
  launcher_->build_ahead(parts_program, test_macros(), with_haste(std::string(float_options)));
}

// Tests all groups of the batch. The candidates of each launch are checked, and the parts of refused groups are tested,
// unless `refused` is to list them.
void WideSearch::test_groups(const WideBatch& batch, std::vector<std::uint64_t>* refused) {
  const int group_bits = batch.parameters.group_bits;
  const std::uint64_t count = batch.groups();
  const std::int64_t lanes = std::int64_t(1) << tunables_[wide_tunable("wide.vector-width")];
  const std::int64_t side_by_side = sorts() ? 2 : lanes;
  const std::vector<opencl::Macro> macros = group_macros();
  const std::string options = wide_groups_options(*launcher_, tunables_);
  layout::wide_parameters parameters = kernel_parameters(batch);
  parameters.unfiltered_lines = batch.parameters.unfiltered_lines.value_or(unfiltered_lines(lanes));
  for (Sweep sweep(*launcher_, groups_, 0, count, most_held); const auto slice = sweep.next();) {
    opencl::Kernel& test = build(groups_, groups_program, "wide_groups", macros, options);
    test.set(records_.buffer(), found_, refused_, parameters, *slice, launcher_->counters());
    sweep.start({test, static_cast<std::size_t>(tunables_[wide_tunable("wide.items")] * side_by_side)});
    records_.finish(batch);
    if (const auto kept = sweep.finish()) {
      groups_.counts.tested += batch.own_groups(slice->first, slice->count);
      groups_.counts.kept += kept->count[0];
      check_candidates(batch, kept->count[0], kept->sum[0]);
      if (refused != nullptr)
        launcher_->append_kept(refused_, *kept, *refused, 1);
      else
        test_parts(batch, kept->count[1], kept->sum[1]);
    } else if (sweep.overflowed()) { // if not even one group fits: evaluates every argument of it
      every_argument_at(batch, group_bits, slice->first << group_bits);
    }
  }
}

// Takes the entries that a launch has listed; `counts` gets only the batch's own.
void WideSearch::keep(const WideBatch& batch, const Launcher::Counters& kept, Stage& counts) {
  for (std::size_t i = launcher_->append_kept(check_.kept, kept, candidates_); i < candidates_.size(); ++i)
    counts.kept += batch.own_argument(candidates_[i]) ? 1 : 0;
}

// Evaluates the first `count` candidates in found_ one by one.
void WideSearch::check_candidates(const WideBatch& batch, std::uint32_t count, std::uint32_t sum) {
  for (Sweep sweep(*launcher_, check_, 0, count, 1, sum); const auto slice = sweep.next();) {
    opencl::Kernel& one_by_one = build(check_, wide_scalar_program, "wide_check");
    one_by_one.set(records_.buffer(), found_, check_.kept, kernel_parameters(batch), *slice, launcher_->counters());
    if (const auto kept = sweep.run({one_by_one, 1})) {
      check_.counts.tested += slice->count;
      keep(batch, *kept, check_.counts);
    }
  }
}

// Tests the first `count` parts in refused_; the arguments of a part that is refused again are evaluated one by one.
void WideSearch::test_parts(const WideBatch& batch, std::uint32_t count, std::uint32_t sum) {
  const int bits = batch.parameters.group_bits - batch.parameters.part_bits;
  layout::wide_parameters parameters = kernel_parameters(batch);
  parameters.bounds.half_width = std::ldexp(1.0F, bits - 1);
  parameters.bounds.most_lines = wide_most_lines;
  for (Sweep sweep(*launcher_, parts_, 0, count, most_held, sum); const auto slice = sweep.next();) {
    opencl::Kernel& test = build(parts_, parts_program, "wide_parts", test_macros(), float_options);
    test.set(records_.buffer(), refused_, found_, swept_, parameters, *slice, launcher_->counters());
    if (const auto kept = sweep.run({test, 1})) {
      parts_.counts.tested += slice->count;
      parts_.counts.kept += kept->count[0];
      check_candidates(batch, kept->count[0], kept->sum[0]);
      every_argument(batch, bits, kept->count[1], kept->sum[1]);
    } else if (sweep.overflowed()) { // more candidates than there is room for
      std::uint64_t part = 0;
      launcher_->compute().read(refused_, &part, sizeof part, sizeof part * slice->first);
      every_argument_at(batch, bits, part << bits);
    }
  }
}

// Evaluates every argument of the first `count` parts in swept_, each of 2^bits arguments.
void WideSearch::every_argument(const WideBatch& batch, int bits, std::uint32_t count, std::uint32_t sum) {
  const int run_bits = std::min(most_bits_of_run, bits);
  runs(batch, bits, 0, std::uint64_t(count) << (bits - run_bits), run_bits, sum << (bits - run_bits));
}

// Evaluates the 2^bits arguments from `first` on.
void WideSearch::every_argument_at(const WideBatch& batch, int bits, std::uint64_t first) {
  launcher_->compute().write(swept_, &first, sizeof first);
  every_argument(batch, bits, 1, Launcher::entry_sum(first));
}

// Evaluates runs of 2^run_bits arguments in the parts of swept_, numbered consecutively.
void WideSearch::runs(const WideBatch& batch, int bits, std::uint64_t first, std::uint64_t count, int run_bits,
                      std::optional<std::uint32_t> read_sum) {
  for (Sweep sweep(*launcher_, again_, first, count, std::uint64_t(1) << run_bits, read_sum);
       const auto slice = sweep.next();) {
    opencl::Kernel& every = build(again_, wide_scalar_program, "wide_sweep");
    every.set(records_.buffer(), swept_, check_.kept, static_cast<std::uint32_t>(bits - run_bits),
              static_cast<std::uint32_t>(run_bits), kernel_parameters(batch), *slice, launcher_->counters());
    if (const auto kept = sweep.run({every, 1})) {
      again_.counts.tested += slice->count;
      keep(batch, *kept, again_.counts);
    } else if (sweep.overflowed()) {
      runs(batch, bits, 2 * slice->first, 2, run_bits - 1, {});
    }
  }
}

} // namespace tmd::engine::wide
