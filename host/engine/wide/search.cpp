#include "engine/wide/search.hpp"

#include "error.hpp"
#include "engine/wide/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr std::uint64_t first_groups = std::uint64_t(1) << 14; // some milliseconds on one CPU core
constexpr std::uint64_t first_parts = std::uint64_t(1) << 10;  // a part may have very many members
constexpr std::uint64_t first_candidates = std::uint64_t(1) << 16;
constexpr std::int64_t plain_work_group_size = 64; // of the kernels that take little time
// OpenCL lets devices flush them, and so the proof does (README of this folder): it is faster.
constexpr std::string_view without_denormals = "-cl-denorms-are-zero";
constexpr int most_sweep_bits = 8;     // log2 of the arguments that a work-item sweeps
constexpr std::uint64_t most_held = 8; // candidates that an item counts whatever the list has: see append_while_few()

Stage make_stage(PhaseCount PhaseCounts::*count, std::int64_t work_group_size, std::uint64_t first_items,
                 const Tunables& tunables) {
  const double seconds = 1e-3 * static_cast<double>(tunables.launch_milliseconds);
  return {count, static_cast<std::size_t>(work_group_size), LaunchSizer(first_items, seconds), {}};
}

} // namespace

WideSearch::WideSearch(Launcher& launcher, const Tunables& tunables, Compaction compaction)
    : launcher_(launcher), tunables_(tunables), compaction_(compaction),
      groups_(make_stage(&PhaseCounts::wide_groups, tunables.wide_work_group_size, first_groups, tunables)),
      parts_(make_stage(&PhaseCounts::wide_parts, plain_work_group_size, first_parts, tunables)),
      sweep_(make_stage(&PhaseCounts::wide_sweep, plain_work_group_size, first_groups, tunables)),
      check_(make_stage(&PhaseCounts::wide_check, plain_work_group_size, first_candidates, tunables)) {
  opencl::Compute& compute = launcher_.compute();
  const std::size_t capacity = launcher_.capacity();
  found_ = compute.allocate(sizeof(std::uint64_t) * capacity);
  swept_ = compute.allocate(sizeof(std::uint64_t) * capacity);
  refused_ = compute.allocate(sizeof(std::uint32_t) * capacity);
  check_.kept = compute.allocate(sizeof(std::uint64_t) * capacity);
  sweep_.kept = check_.kept;
  groups_.lists = 2;
  groups_.together = groups_together;
  parts_.lists = 2;
}

void WideSearch::search(const DomainBatch& batch, std::vector<std::uint64_t>& candidates) {
  candidates_ = &candidates;
  make_records(batch);
  const BatchParameters& p = batch.parameters;
  const int group_bits = p.wide.polynomial->group_bits();
  groups(batch, 0, ((p.argument_limit - 1) >> group_bits) + 1);
}

void WideSearch::make_records(const DomainBatch& batch) {
  const WidePolynomial& polynomial = *batch.parameters.wide.polynomial;
  opencl::Compute& compute = launcher_.compute();
  const std::size_t bytes = record_bytes * batch.sub_intervals;
  if (bytes > records_.bytes()) {
    records_ = {}; // free the old one first
    records_ = compute.allocate(bytes);
  }
  const std::vector<std::uint64_t>& words = polynomial.coefficients();
  if (sizeof(std::uint64_t) * words.size() > coefficients_.bytes())
    coefficients_ = compute.allocate(2 * sizeof(std::uint64_t) * words.size());
  compute.write(coefficients_, words.data(), sizeof(std::uint64_t) * words.size());
  opencl::Kernel& shift = launcher_.build("wide/shift.cl", "wide_shift", {});
  shift.set(coefficients_, polynomial.size(), static_cast<std::uint32_t>(polynomial.words()), batch.first_sub_interval,
            batch.sub_intervals, static_cast<std::uint32_t>(polynomial.sub_bits()),
            static_cast<std::int32_t>(2 * (polynomial.group_bits() - 1)), records_);
  PhaseCount& count = launcher_.counts().polynomials;
  count.seconds += compute.run(shift, batch.sub_intervals, static_cast<std::size_t>(plain_work_group_size));
  count.tested += batch.sub_intervals;
  const std::uint32_t first = check_all_records_ ? 0 : batch.sub_intervals - 1; // the last is shifted furthest
  check_records(batch, first, batch.sub_intervals - first);
}

// Compares polynomials that the device has made with the host's: the limbs bit for bit, the floats to their last bits.
void WideSearch::check_records(const DomainBatch& batch, std::uint32_t first, std::uint32_t count) {
  const WidePolynomial& polynomial = *batch.parameters.wide.polynomial;
  std::vector<std::uint32_t> made(record_limbs * count);
  launcher_.compute().read(records_, made.data(), record_bytes * count, record_bytes * first);
  const auto expected = sub_interval_polynomials(polynomial, batch.first_sub_interval + first, count);
  const int scale = 2 * (polynomial.group_bits() - 1);
  const std::array<double, 3> factors{std::exp2(scale), 3 * std::exp2(scale + polynomial.sub_bits()),
                                      6 * std::exp2(scale + 2.0 * polynomial.sub_bits())};
  constexpr double rounding = 0x1p-21; // of a few operations in float
  constexpr double lost = 0x1p-128;    // what the coefficient's limbs do not hold
  bool same = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t* record = made.data() + record_limbs * i;
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
                                     launcher_.device().index, launcher_.device().name));
}

std::vector<opencl::Macro> WideSearch::test_macros() const {
  return {{"TMD_ROOT", tunables_.wide_root, 1, 2}, {"TMD_RECIPROCAL", tunables_.wide_reciprocal, 1, 2}};
}

void WideSearch::groups(const DomainBatch& batch, std::uint64_t first, std::uint64_t count) {
  const WideParameters& wide = batch.parameters.wide;
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
  launcher_.sweep(
      groups_, first, count, most_held,
      [&](std::uint64_t from, std::uint32_t number) {
        opencl::Kernel& test = launcher_.build("wide/groups.cl", "wide_groups", macros, true, without_denormals);
        test.set(records_, static_cast<std::uint32_t>(from), number,
                 static_cast<std::uint32_t>(wide.polynomial->sub_bits()),
                 static_cast<std::uint32_t>(wide.polynomial->group_bits()), wide.error, wide.curvature,
                 wide.denominator_limit, wide.most_lines, per_sub_interval, found_, refused_, launcher_.capacity(),
                 launcher_.counters());
        return Launcher::Launch{test, static_cast<std::size_t>(items * (sorted ? 2 : width))};
      },
      [&](const Launcher::Outcome& outcome) {
        launcher_.counts().wide_groups.tested += outcome.tested;
        launcher_.counts().wide_groups.survivors += outcome.kept[0];
        check(batch, outcome.kept[0]);
        parts(batch, outcome.kept[1]);
      },
      // So little room that not even some groups fit: every argument of them.
      [&](std::uint64_t group) {
        const std::uint64_t last = std::min<std::uint64_t>(group + groups_together, first + count);
        for (; group < last; ++group) {
          const std::uint64_t argument = group << wide.polynomial->group_bits();
          launcher_.compute().write(swept_, &argument, sizeof argument);
          sweep(batch, wide.polynomial->group_bits(), 1);
        }
      });
}

void WideSearch::check(const DomainBatch& batch, std::uint32_t count) {
  const BatchParameters& p = batch.parameters;
  launcher_.sweep(
      check_, 0, count, 1,
      [&](std::uint64_t from, std::uint32_t number) {
        opencl::Kernel& one_by_one = launcher_.build("wide/check.cl", "wide_check", {});
        one_by_one.set(records_, static_cast<std::uint32_t>(p.wide.polynomial->sub_bits()), found_,
                       static_cast<std::uint32_t>(from), number, p.offset3, p.argument_limit, check_.kept,
                       launcher_.capacity(), launcher_.counters());
        return Launcher::Launch{one_by_one, 1};
      },
      [&](const Launcher::Outcome& outcome) {
        launcher_.counts().wide_check.tested += outcome.tested;
        launcher_.counts().wide_check.survivors += outcome.kept[0];
        launcher_.append_kept(check_, outcome.kept[0], *candidates_);
      });
}

// Takes up the refused groups, `count` of them, in parts.
void WideSearch::parts(const DomainBatch& batch, std::uint32_t count) {
  const WideParameters& wide = batch.parameters.wide;
  const int part_bits = wide.part_bits;
  const int bits = wide.polynomial->group_bits() - part_bits;
  const auto first_argument = [&](std::uint64_t part) {
    std::uint32_t group = 0;
    launcher_.compute().read(refused_, &group, sizeof group, sizeof group * (part >> part_bits));
    return (std::uint64_t(group) << (bits + part_bits)) + ((part & ((1U << part_bits) - 1)) << bits);
  };
  launcher_.sweep(
      parts_, 0, std::uint64_t(count) << part_bits, most_held,
      [&](std::uint64_t from, std::uint32_t number) {
        opencl::Kernel& test = launcher_.build("wide/parts.cl", "wide_parts", test_macros(), true, without_denormals);
        test.set(records_, refused_, from, number, static_cast<std::uint32_t>(wide.polynomial->sub_bits()),
                 static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(part_bits), wide.error, wide.curvature,
                 wide.denominator_limit, wide_most_lines,
                 static_cast<float>(std::ldexp(1.0, -wide.polynomial->sub_bits())), found_, swept_,
                 launcher_.capacity(), launcher_.counters());
        return Launcher::Launch{test, 1};
      },
      [&](const Launcher::Outcome& outcome) {
        launcher_.counts().wide_parts.tested += outcome.tested;
        launcher_.counts().wide_parts.survivors += outcome.kept[0];
        check(batch, outcome.kept[0]);
        sweep(batch, bits, outcome.kept[1]);
      },
      [&](std::uint64_t part) { // more candidates than there is room for
        const std::uint64_t argument = first_argument(part);
        launcher_.compute().write(swept_, &argument, sizeof argument);
        sweep(batch, bits, 1);
      });
}

// Every argument of the first `count` listed parts, of 2^bits arguments each.
void WideSearch::sweep(const DomainBatch& batch, int bits, std::uint32_t count) {
  const int run_bits = std::min(most_sweep_bits, bits);
  sweep_runs(batch, bits, 0, std::uint64_t(count) << (bits - run_bits), run_bits);
}

void WideSearch::sweep_runs(const DomainBatch& batch, int bits, std::uint64_t first, std::uint64_t count,
                            int run_bits) {
  const BatchParameters& p = batch.parameters;
  launcher_.sweep(
      sweep_, first, count, std::uint64_t(1) << run_bits,
      [&](std::uint64_t from, std::uint32_t number) {
        opencl::Kernel& every = launcher_.build("wide/check.cl", "wide_sweep", {});
        every.set(records_, static_cast<std::uint32_t>(p.wide.polynomial->sub_bits()), swept_, from, number,
                  static_cast<std::uint32_t>(bits - run_bits), static_cast<std::uint32_t>(run_bits), p.offset3,
                  p.argument_limit, sweep_.kept, launcher_.capacity(), launcher_.counters());
        return Launcher::Launch{every, 1};
      },
      [&](const Launcher::Outcome& outcome) {
        launcher_.counts().wide_sweep.tested += outcome.tested;
        launcher_.counts().wide_sweep.survivors += outcome.kept[0];
        launcher_.append_kept(sweep_, outcome.kept[0], *candidates_);
      },
      [&](std::uint64_t run) { sweep_runs(batch, bits, 2 * run, 2, run_bits - 1); });
}

} // namespace tmd
