#include "engine/wide/search.hpp"

#include "engine/compaction.hpp"
#include "engine/wide/reference.hpp"
#include "error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr std::uint64_t first_groups = std::uint64_t(1) << 14; // some milliseconds on one CPU core
constexpr std::uint64_t first_parts = std::uint64_t(1) << 10;  // a part may have very many members
constexpr std::uint64_t first_candidates = std::uint64_t(1) << 16;
constexpr std::int64_t plain_work_group_size = 64; // of the kernels that take little time
// OpenCL lets devices flush them, and so the proof does (doc/wide-test.md): it is faster.
constexpr std::string_view without_denormals = "-cl-denorms-are-zero";
constexpr int most_bits_of_run = 8;    // log2 of the arguments of a run, which a work-item evaluates
constexpr std::uint64_t most_held = 8; // what one item may add to a counter once its list is full (append.clh)
// Groups begin in multiples of that in one sub-interval: lanes never straddle two.
constexpr std::uint32_t groups_together = 16;
constexpr std::size_t record_bytes = sizeof(std::uint32_t) * record_size;
constexpr std::uint64_t domains_per_sub_interval = 64; // in the memory of as many domains a batch has one sub-interval

} // namespace

WideSearch::WideSearch(std::shared_ptr<Launcher> launcher, const Tunables& tunables, Compaction compaction)
    : launcher_(std::move(launcher)), tunables_(tunables),
      compaction_(compaction == Compaction::automatic ? static_cast<Compaction>(tunables.compaction) : compaction),
      polynomials_(wide_stages[0], plain_work_group_size, first_groups, tunables.launch_milliseconds),
      groups_(wide_stages[1], tunables.wide_work_group_size, first_groups, tunables.launch_milliseconds),
      parts_(wide_stages[2], plain_work_group_size, first_parts, tunables.launch_milliseconds),
      again_(wide_stages[3], plain_work_group_size, first_groups, tunables.launch_milliseconds),
      check_(wide_stages[4], plain_work_group_size, first_candidates, tunables.launch_milliseconds) {
  groups_.lists = 2;
  groups_.together = groups_together;
  parts_.lists = 2;
}

WideSearch::WideSearch(const opencl::DeviceDescription& device, const Tunables& tunables, Compaction compaction)
    : WideSearch(std::make_shared<Launcher>(device, static_cast<std::uint32_t>(tunables.survivor_capacity)), tunables,
                 compaction) {}

std::uint64_t WideSearch::batch_sub_intervals() const {
  const std::uint64_t most = std::min(device().largest_buffer, device().global_memory / 4) / record_bytes;
  const std::uint64_t wanted = static_cast<std::uint64_t>(tunables_.batch_domains) / domains_per_sub_interval;
  return std::max<std::uint64_t>(1, std::min(wanted, most));
}

Stages WideSearch::stages() const {
  return {polynomials_.counts, groups_.counts, parts_.counts, again_.counts, check_.counts};
}

void WideSearch::reset_stages(const Stages& stages) {
  for (LaunchedStage* stage : {&polynomials_, &groups_, &parts_, &again_, &check_})
    stage->counts.reset_to(stages);
}

std::vector<std::uint64_t> WideSearch::search(const WideBatch& batch, const Interrupt& interrupt,
                                              std::vector<std::uint32_t>* refused) {
  candidates_.clear();
  launcher_->set_interrupt(interrupt);
  launcher_->allocate_list(found_, sizeof(std::uint64_t));
  launcher_->allocate_list(swept_, sizeof(std::uint64_t));
  launcher_->allocate_list(refused_, sizeof(std::uint32_t));
  launcher_->allocate_list(check_.kept, sizeof(std::uint64_t));
  make_records(batch);
  test_groups(batch, refused);
  // A candidate may have been found at the roots of two lines.
  std::sort(candidates_.begin(), candidates_.end());
  candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
  return std::move(candidates_);
}

void WideSearch::make_records(const WideBatch& batch) {
  const WidePolynomial& polynomial = *batch.parameters.polynomial;
  opencl::Compute& compute = launcher_->compute();
  const std::size_t bytes = record_bytes * batch.sub_intervals;
  if (bytes > records_.bytes()) {
    records_ = {}; // free the old one first
    records_ = compute.allocate(bytes);
  }
  const std::vector<std::uint64_t>& words = polynomial.coefficients();
  if (sizeof(std::uint64_t) * words.size() > coefficients_.bytes())
    coefficients_ = compute.allocate(2 * sizeof(std::uint64_t) * words.size());
  compute.write(coefficients_, words.data(), sizeof(std::uint64_t) * words.size());
  opencl::Kernel& shift = launcher_->build(polynomials_.counts.name, "wide/shift.cl", "wide_shift", {});
  shift.set(coefficients_, polynomial.size(), static_cast<std::uint32_t>(polynomial.words()), batch.first_sub_interval,
            batch.sub_intervals, static_cast<std::uint32_t>(polynomial.sub_bits()),
            static_cast<std::int32_t>(2 * (polynomial.group_bits() - 1)), records_);
  polynomials_.counts.seconds += compute.run(shift, batch.sub_intervals, polynomials_.work_group_size);
  polynomials_.counts.tested += batch.sub_intervals;
  const std::uint32_t first = check_all_records_ ? 0 : batch.sub_intervals - 1; // the last is shifted furthest
  check_records(batch, first, batch.sub_intervals - first);
}

// Compares polynomials that the device has made with the host's: the limbs bit for bit, the floats to their last bits.
void WideSearch::check_records(const WideBatch& batch, std::uint32_t first, std::uint32_t count) {
  const WidePolynomial& polynomial = *batch.parameters.polynomial;
  std::vector<std::uint32_t> made(record_size * count);
  launcher_->compute().read(records_, made.data(), record_bytes * count, record_bytes * first);
  const auto expected = sub_interval_polynomials(polynomial, batch.first_sub_interval + first, count);
  const int scale = 2 * (polynomial.group_bits() - 1);
  const std::array<double, 3> factors{std::exp2(scale), 3 * std::exp2(scale + polynomial.sub_bits()),
                                      6 * std::exp2(scale + 2.0 * polynomial.sub_bits())};
  constexpr double rounding = 0x1p-21; // of a few operations in float
  constexpr double lost = 0x1p-128;    // what the coefficient's limbs do not hold
  bool same = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t* record = made.data() + record_size * i;
    same = same && std::equal(expected[i].begin(), expected[i].end(), record);
    for (std::size_t k = 0; k < factors.size(); ++k) {
      float value = 0;
      std::memcpy(&value, record + expected[i].size() + k, sizeof value);
      const double exact = coefficient_in(expected[i], static_cast<int>(k) + 2) * factors.at(k);
      same = same && std::fabs(value - exact) <= rounding * std::fabs(exact) + lost * factors.at(k) + 0x1p-120;
    }
  }
  if (!same)
    throw SoundnessError(fmt::format("device {} ({}) made another polynomial of a sub-interval than the host",
                                     launcher_->device().index, launcher_->device().name));
}

std::vector<opencl::Macro> WideSearch::test_macros() const {
  return {{"TMD_ROOT", tunables_.wide_root, 1, 2}, {"TMD_RECIPROCAL", tunables_.wide_reciprocal, 1, 2}};
}

// All groups of the batch; the candidates of each launch are checked, and the groups that it refuses taken up in parts,
// unless somebody wants to know them.
void WideSearch::test_groups(const WideBatch& batch, std::vector<std::uint32_t>* refused) {
  const WideParameters& wide = batch.parameters;
  const int group_bits = wide.polynomial->group_bits();
  const std::uint64_t count = ((batch.argument_limit - 1) >> group_bits) + 1;
  const std::int64_t width = std::int64_t(1) << tunables_.wide_vector_bits;
  const bool sorted = width == 1 && tunables_.wide_order == static_cast<std::int64_t>(Order::by_lines);
  const std::int64_t items = tunables_.wide_items_per_work_item;
  std::vector<opencl::Macro> macros = test_macros();
  macros.insert(macros.end(),
                {{"TMD_VECTOR_WIDTH", width, 1, 16},
                 {"TMD_SORTED", sorted ? 1 : 0, 0, 1},
                 {"TMD_ITEMS_PER_WORK_ITEM", items, 1, 4096},
                 {"TMD_COMPACTION", compaction_ == Compaction::scan ? by_scan : by_atomics, by_atomics, by_scan},
                 {"TMD_WORK_GROUP_SIZE", static_cast<std::int64_t>(groups_.work_group_size), 1, 1024}});
  const auto per_sub_interval = static_cast<float>(std::ldexp(1.0, -wide.polynomial->sub_bits()));
  for (Sweep sweep(*launcher_, groups_, 0, count, most_held); const auto slice = sweep.next();) {
    opencl::Kernel& test =
        launcher_->build(groups_.counts.name, "wide/groups.cl", "wide_groups", macros, without_denormals);
    test.set(records_, static_cast<std::uint32_t>(slice->first), slice->count,
             static_cast<std::uint32_t>(wide.polynomial->sub_bits()), static_cast<std::uint32_t>(group_bits),
             wide.error, wide.curvature, wide.denominator_limit, wide.most_lines, per_sub_interval, found_, refused_,
             launcher_->capacity(), launcher_->counters());
    const auto kept = sweep.run({test, static_cast<std::size_t>(items * (sorted ? 2 : width))});
    if (kept) {
      groups_.counts.tested += slice->count;
      groups_.counts.kept += (*kept)[0];
      check_candidates(batch, (*kept)[0]);
      if (refused != nullptr)
        launcher_->append_kept(refused_, (*kept)[1], *refused);
      else
        test_parts(batch, (*kept)[1]);
    } else if (sweep.overflowed()) { // so little room that not even some groups fit: every argument of them
      for (std::uint64_t group = slice->first; group < slice->first + slice->count; ++group)
        every_argument_at(batch, group_bits, group << group_bits);
    }
  }
}

// Evaluates the first `count` candidates in found_ one by one.
void WideSearch::check_candidates(const WideBatch& batch, std::uint32_t count) {
  for (Sweep sweep(*launcher_, check_, 0, count); const auto slice = sweep.next();) {
    opencl::Kernel& one_by_one = launcher_->build(check_.counts.name, "wide/check.cl", "wide_check", {});
    one_by_one.set(records_, static_cast<std::uint32_t>(batch.parameters.polynomial->sub_bits()), found_,
                   static_cast<std::uint32_t>(slice->first), slice->count, batch.parameters.offset,
                   batch.argument_limit, check_.kept, launcher_->capacity(), launcher_->counters());
    if (const auto kept = sweep.run({one_by_one, 1})) {
      check_.counts.tested += slice->count;
      check_.counts.kept += (*kept)[0];
      launcher_->append_kept(check_.kept, (*kept)[0], candidates_);
    }
  }
}

// Takes up the refused groups in parts; what a part refuses again is searched argument by argument.
void WideSearch::test_parts(const WideBatch& batch, std::uint32_t refused_groups) {
  const WideParameters& wide = batch.parameters;
  const int part_bits = wide.part_bits;
  const int bits = wide.polynomial->group_bits() - part_bits;
  const auto per_sub_interval = static_cast<float>(std::ldexp(1.0, -wide.polynomial->sub_bits()));
  for (Sweep sweep(*launcher_, parts_, 0, std::uint64_t(refused_groups) << part_bits, most_held);
       const auto slice = sweep.next();) {
    opencl::Kernel& test =
        launcher_->build(parts_.counts.name, "wide/parts.cl", "wide_parts", test_macros(), without_denormals);
    test.set(records_, refused_, slice->first, slice->count, static_cast<std::uint32_t>(wide.polynomial->sub_bits()),
             static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(part_bits), wide.error, wide.curvature,
             wide.denominator_limit, wide_most_lines, per_sub_interval, found_, swept_, launcher_->capacity(),
             launcher_->counters());
    if (const auto kept = sweep.run({test, 1})) {
      parts_.counts.tested += slice->count;
      parts_.counts.kept += (*kept)[0];
      check_candidates(batch, (*kept)[0]);
      every_argument(batch, bits, (*kept)[1]);
    } else if (sweep.overflowed()) { // more candidates than there is room for
      std::uint32_t group = 0;
      launcher_->compute().read(refused_, &group, sizeof group, sizeof group * (slice->first >> part_bits));
      const std::uint64_t part = slice->first & ((1U << part_bits) - 1);
      every_argument_at(batch, bits, (std::uint64_t(group) << (bits + part_bits)) + (part << bits));
    }
  }
}

// Every argument of the first `count` parts in swept_, of 2^bits arguments each.
void WideSearch::every_argument(const WideBatch& batch, int bits, std::uint32_t count) {
  const int run_bits = std::min(most_bits_of_run, bits);
  runs(batch, bits, 0, std::uint64_t(count) << (bits - run_bits), run_bits);
}

// Every argument of the 2^bits from `first` on.
void WideSearch::every_argument_at(const WideBatch& batch, int bits, std::uint64_t first) {
  launcher_->compute().write(swept_, &first, sizeof first);
  every_argument(batch, bits, 1);
}

// Runs of 2^run_bits arguments of the parts in swept_, numbered through.
void WideSearch::runs(const WideBatch& batch, int bits, std::uint64_t first, std::uint64_t count, int run_bits) {
  for (Sweep sweep(*launcher_, again_, first, count, std::uint64_t(1) << run_bits); const auto slice = sweep.next();) {
    opencl::Kernel& every = launcher_->build(again_.counts.name, "wide/check.cl", "wide_sweep", {});
    every.set(records_, static_cast<std::uint32_t>(batch.parameters.polynomial->sub_bits()), swept_, slice->first,
              slice->count, static_cast<std::uint32_t>(bits - run_bits), static_cast<std::uint32_t>(run_bits),
              batch.parameters.offset, batch.argument_limit, check_.kept, launcher_->capacity(), launcher_->counters());
    if (const auto kept = sweep.run({every, 1})) {
      again_.counts.tested += slice->count;
      again_.counts.kept += (*kept)[0];
      launcher_->append_kept(check_.kept, (*kept)[0], candidates_);
    } else if (sweep.overflowed()) {
      runs(batch, bits, 2 * slice->first, 2, run_bits - 1);
    }
  }
}

} // namespace tmd
