#include "engine/domains/search.hpp"

#include "error.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tmd {

namespace {

// First launches, before anything is known of the device: some milliseconds on one CPU core.
constexpr std::uint64_t first_tests = std::uint64_t(1) << 15;
constexpr std::uint64_t first_runs = std::uint64_t(1) << 12;

// As in cl_kernels/domains/layout.clh.
std::uint32_t domain_number(const DomainBatch& batch, std::uint32_t index) {
  if (!batch.polynomial)
    return index;
  return (index % batch.packets << batch.polynomial->packet_bits()) + index / batch.packets;
}

std::uint64_t domain_size(const DomainBatch& batch) { return std::uint64_t(1) << batch.parameters.domain_bits; }

} // namespace

DeviceSearch::DeviceSearch(const opencl::DeviceDescription& device, const Tunables& tunables, Deployment deployment,
                           Compaction compaction)
    : tunables_(tunables), launcher_(device, static_cast<std::uint32_t>(tunables.survivor_capacity)),
      compute_(launcher_.compute()), deployment_(deployment),
      compaction_(compaction == Compaction::automatic ? static_cast<Compaction>(tunables.compaction) : compaction),
      capacity_(launcher_.capacity()), phase1_{&PhaseCounts::phase1,
                                               static_cast<std::size_t>(tunables.phase1_work_group_size),
                                               LaunchSizer(first_tests,
                                                           1e-3 * static_cast<double>(tunables.launch_milliseconds)),
                                               compute_.allocate(sizeof(std::uint32_t) * capacity_)},
      phase2_{&PhaseCounts::phase2, static_cast<std::size_t>(tunables.phase2_work_group_size), phase1_.sizer,
              compute_.allocate(sizeof(std::uint32_t) * capacity_)},
      phase3_{&PhaseCounts::phase3, static_cast<std::size_t>(tunables.phase3_work_group_size),
              LaunchSizer(first_runs, 1e-3 * static_cast<double>(tunables.launch_milliseconds)),
              compute_.allocate(sizeof(std::uint64_t) * capacity_)},
      one_{&PhaseCounts::phase1, phase1_.work_group_size, phase1_.sizer, phase3_.kept} {}

// Compaction by sub-group operations where the device has them, else by local memory. A CPU's sub-groups would be made
// of work-items by its vectorizer, which may be off, or useless for explicit vectors.
int DeviceSearch::compaction_of(const Stage& stage) const {
  const bool scan =
      compaction_ == Compaction::scan || (compaction_ == Compaction::automatic &&
                                          100 * stage.survivor_share >= static_cast<double>(tunables_.scan_percent));
  if (!scan)
    return by_atomics;
  // cl_khr_subgroups would need a later OpenCL C than 1.2.
  return sub_groups_build_ && !device().is_cpu && device().has_extension("cl_intel_subgroups") ? by_sub_groups
                                                                                               : by_scan;
}

DeviceSearch::Launch DeviceSearch::test_kernel(const std::string& name, Test test, const Stage* compacted) {
  const bool second = name == "phase2";
  const auto division = static_cast<Division>(second ? tunables_.phase2_division : tunables_.phase1_division);
  const std::int64_t items = second ? tunables_.phase2_items_per_work_item : tunables_.phase1_items_per_work_item;
  std::vector<opencl::Macro> macros{{"TMD_ALGORITHM", static_cast<int>(test), 1, test_names.size()},
                                    {"TMD_DIVISION", static_cast<std::int64_t>(division), 1, division_names.size()},
                                    {"TMD_LOGMS", second ? tunables_.phase2_logms : tunables_.phase1_logms, 0, 64},
                                    {"TMD_ITEMS_PER_WORK_ITEM", items, 1, 4096}};
  std::int64_t width = 1;
  const int compaction = compacted != nullptr ? compaction_of(*compacted) : 0;
  if (compacted != nullptr) {
    if (comes_in_vectors(test, division))
      width = std::int64_t(1) << (second ? tunables_.phase2_vector_bits : tunables_.phase1_vector_bits);
    macros.push_back({"TMD_VECTOR_WIDTH", width, 1, 16});
    macros.push_back({"TMD_COMPACTION", compaction, by_atomics, by_sub_groups});
    macros.push_back({"TMD_WORK_GROUP_SIZE", static_cast<std::int64_t>(compacted->work_group_size), 1, 1024});
  }
  try {
    return {build((name == "one_kernel" ? "domains/baselines/" : "domains/") + name + ".cl", name, macros), static_cast<std::size_t>(items * width)};
  } catch (const DeviceError&) {
    if (compaction != by_sub_groups)
      throw;
    sub_groups_build_ = false; // the extension is there, its functions are not
    return test_kernel(name, test, compacted);
  }
}

void DeviceSearch::set_compaction(Compaction compaction) {
  compaction_ = compaction;
  for (Stage* stage : {&phase1_, &phase2_})
    stage->survivor_share = 0;
  wide_.reset(); // which compacted the other way
}

opencl::Kernel& DeviceSearch::build(const std::string& file, const std::string& name,
                                    const std::vector<opencl::Macro>& macros) {
  return launcher_.build(file, name, macros, trace_ == nullptr);
}

std::uint64_t DeviceSearch::batch_domains() const {
  // Three coefficients a domain; half of the memory is left to others.
  const std::uint64_t most = std::min(device().largest_buffer / sizeof(std::uint64_t),
                                      device().global_memory / 2 / (3 * sizeof(std::uint64_t)));
  return std::max<std::uint64_t>(1, std::min(static_cast<std::uint64_t>(tunables_.batch_domains), most));
}

void DeviceSearch::load(const DomainBatch& batch) {
  const std::size_t bytes = sizeof(std::uint64_t) * batch.domain_count();
  if (bytes > lines_.bytes()) {
    const std::size_t full = sizeof(std::uint64_t) * batch_domains();
    const std::size_t size = std::max(bytes, std::min(2 * lines_.bytes(), full));
    for (opencl::Buffer* buffer : {&lines_, &slopes_, &curvatures_}) {
      *buffer = {}; // free the old one first
      *buffer = compute_.allocate(size);
    }
  }
  if (batch.polynomial) {
    make_polynomials(batch);
    return;
  }
  compute_.write(lines_, batch.lines.data(), bytes);
  compute_.write(slopes_, batch.slopes.data(), bytes);
  compute_.write(curvatures_, batch.curvatures.data(), bytes);
}

void DeviceSearch::make_polynomials(const DomainBatch& batch) {
  const HierarchicalPolynomial& polynomial = *batch.polynomial;
  const bool shift_here = tunables_.polynomials_shift == static_cast<std::int64_t>(Shift::device);
  const std::array<const opencl::Buffer*, HierarchicalPolynomial::row_count> targets{&lines_, &slopes_, &curvatures_};
  const auto packet_bits = static_cast<std::uint32_t>(polynomial.packet_bits());
  const auto work_group_size = static_cast<std::size_t>(tunables_.polynomials_work_group_size);
  const int binomial_words = polynomial.binomial_words();
  const std::int64_t width = std::int64_t(1) << tunables_.polynomials_vector_bits;
  // The host prepares a row while the device works on the one before.
  for (int row = 0; row < HierarchicalPolynomial::row_count; ++row) {
    const std::vector<opencl::Macro> macros{{"TMD_VECTOR_WIDTH", width, 1, 16},
                                            {"TMD_WORDS", polynomial.words(), 2, 7},
                                            {"TMD_DIFFERENCES", polynomial.differences(row), 0, 12},
                                            {"TMD_INTERVAL_WORDS", polynomial.interval_words(), polynomial.words(), 16},
                                            {"TMD_BINOMIAL_WORDS", binomial_words, 1, 8}};
    opencl::Kernel& walk = build("domains/polynomials.cl", shift_here ? "shift_and_walk" : "walk", macros);
    const auto& words =
        uploads_.emplace_back(shift_here ? polynomial.row_coefficients(row)
                                         : polynomial.packet_states(row, batch.first_packet, batch.packets));
    opencl::Buffer& states = states_[static_cast<unsigned>(row)];
    if (sizeof(std::uint64_t) * words.size() > states.bytes())
      states = compute_.allocate(2 * sizeof(std::uint64_t) * words.size());
    compute_.write_later(states, words.data(), sizeof(std::uint64_t) * words.size());
    const opencl::Buffer& target = *targets[static_cast<unsigned>(row)];
    if (shift_here) {
      const auto size =
          static_cast<std::uint32_t>(words.size()) / static_cast<std::uint32_t>(polynomial.interval_words());
      walk.set(states, size, static_cast<std::uint32_t>(batch.first_packet), batch.packets, packet_bits,
               polynomial.window(row), target);
    } else {
      walk.set(states, batch.packets, packet_bits, polynomial.window(row), target);
    }
    making_.push_back(compute_.start(walk, (batch.packets - 1) / static_cast<std::size_t>(width) + 1, work_group_size));
  }
  launcher_.counts().polynomials.tested += batch.domain_count();
  check_polynomials(batch);
}

// Counts the time of the kernels that make_polynomials() started.
void DeviceSearch::finish_polynomials() {
  for (const opencl::Event& event : making_)
    launcher_.counts().polynomials.seconds += compute_.finish(event);
  making_.clear();
  uploads_.clear();
}

void DeviceSearch::check_polynomials(const DomainBatch& batch) {
  // Of every 64th batch some of its last packets, which have been shifted furthest.
  constexpr std::uint64_t checked_batches = 64;
  constexpr std::uint32_t checked_packets = 4;
  if (made_batches_++ % checked_batches != 0 && !check_all_polynomials_)
    return;
  const HierarchicalPolynomial& polynomial = *batch.polynomial;
  const std::size_t size = polynomial.packet_size();
  const std::uint32_t packets = check_all_polynomials_ ? batch.packets : std::min(checked_packets, batch.packets);
  const std::uint32_t first = batch.packets - packets;
  DomainBatch made;
  DomainBatch expected;
  for (DomainBatch* target : {&made, &expected}) {
    target->lines.resize(size * packets);
    target->slopes.resize(size * packets);
    target->curvatures.resize(size * packets);
  }
  for (std::size_t step = 0; step < size; ++step) { // neighbouring packets stand side by side
    const std::size_t from = sizeof(std::uint64_t) * (step * batch.packets + first);
    const std::size_t bytes = sizeof(std::uint64_t) * packets;
    compute_.read(lines_, made.lines.data() + step * packets, bytes, from);
    compute_.read(slopes_, made.slopes.data() + step * packets, bytes, from);
    compute_.read(curvatures_, made.curvatures.data() + step * packets, bytes, from);
  }
  polynomial.generate((batch.first_packet + first) * size, size * packets,
                      {expected.lines, expected.slopes, expected.curvatures});
  for (std::size_t packet = 0; packet < packets; ++packet)
    for (std::size_t step = 0; step < size; ++step) {
      const std::size_t here = step * packets + packet;
      const std::size_t there = packet * size + step;
      if (made.lines[here] != expected.lines[there] || made.slopes[here] != expected.slopes[there] ||
          made.curvatures[here] != expected.curvatures[there])
        throw SoundnessError(fmt::format("device {} ({}) made other coefficients of a domain than the host",
                                         device().index, device().name));
    }
}

std::vector<std::uint64_t> DeviceSearch::search(const DomainBatch& batch, PhaseTrace* trace,
                                                const std::function<bool()>& interrupted) {
  candidates_.clear();
  trace_ = trace;
  launcher_.set_interrupted(interrupted);
  if (batch.parameters.method == Method::wide) {
    if (!wide_)
      wide_ = std::make_unique<WideSearch>(launcher_, tunables_, compaction_);
    wide_->check_all_records(check_all_polynomials_);
    wide_->search(batch, candidates_);
    trace_ = nullptr;
    std::sort(candidates_.begin(), candidates_.end());
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
    return std::move(candidates_);
  }
  try {
    load(batch);
    if (batch.parameters.method != Method::filtered)
      phase3(batch, batch.domain_count());
    else if (deployment_ == Deployment::one)
      all_phases(batch);
    else
      phase1(batch, 0, batch.domain_count());
  } catch (...) {
    finish_polynomials(); // the device may still be reading what was uploaded
    throw;
  }
  finish_polynomials();
  std::sort(candidates_.begin(), candidates_.end());
  if (trace != nullptr) {
    std::sort(trace->domains.begin(), trace->domains.end());
    std::sort(trace->sub_domains.begin(), trace->sub_domains.end());
  }
  trace_ = nullptr;
  return std::move(candidates_);
}

void DeviceSearch::phase1(const DomainBatch& batch, std::uint64_t first, std::uint64_t count) {
  const BatchParameters& p = batch.parameters;
  launcher_.sweep(
      phase1_, first, count, 1,
      [&](std::uint64_t from, std::uint32_t items) {
        Launch test = test_kernel("phase1", p.test, &phase1_);
        test.kernel.set(lines_, slopes_, static_cast<std::uint32_t>(from), items, domain_size(batch), p.offset1,
                        phase1_.kept, capacity_, launcher_.counters());
        return test;
      },
      [&](const Outcome& outcome) {
        launcher_.counts().phase1.tested += outcome.tested;
        launcher_.counts().phase1.survivors += outcome.kept[0];
        if (trace_ != nullptr) {
          for (std::size_t i = launcher_.append_kept(phase1_, outcome.kept[0], trace_->domains);
               i < trace_->domains.size(); ++i)
            trace_->domains[i] = domain_number(batch, trace_->domains[i]);
        }
        phase2(batch, outcome.kept[0]);
      });
}

void DeviceSearch::phase2(const DomainBatch& batch, std::uint32_t survivors) {
  const BatchParameters& p = batch.parameters;
  launcher_.sweep(
      phase2_, 0, std::uint64_t(survivors) << p.split_bits, 1,
      [&](std::uint64_t from, std::uint32_t items) {
        Launch test = test_kernel("phase2", p.test, &phase2_);
        test.kernel.set(lines_, slopes_, curvatures_, static_cast<std::uint32_t>(p.scale), phase1_.kept,
                        static_cast<std::uint32_t>(from), items, domain_size(batch),
                        static_cast<std::uint32_t>(p.split_bits), p.offset2, phase2_.kept, capacity_,
                        launcher_.counters());
        return test;
      },
      [&](const Outcome& outcome) {
        launcher_.counts().phase2.tested += outcome.tested;
        launcher_.counts().phase2.survivors += outcome.kept[0];
        if (trace_ != nullptr) {
          for (std::size_t i = launcher_.append_kept(phase2_, outcome.kept[0], trace_->sub_domains);
               i < trace_->sub_domains.size(); ++i) {
            std::uint32_t& id = trace_->sub_domains[i];
            id = (domain_number(batch, id >> p.split_bits) << p.split_bits) | (id & ((1U << p.split_bits) - 1));
          }
        }
        phase3(batch, outcome.kept[0]);
      });
}

void DeviceSearch::phase3(const DomainBatch& batch, std::uint64_t sub_domains) {
  const BatchParameters& p = batch.parameters;
  const int sub_bits = p.domain_bits - p.split_bits;
  const int run_bits = std::min(most_run_bits, sub_bits);
  launcher_.counts().phase3.tested += sub_domains;
  phase3_runs(batch, 0, sub_domains << (sub_bits - run_bits), run_bits);
}

void DeviceSearch::phase3_runs(const DomainBatch& batch, std::uint64_t first, std::uint64_t count, int run_bits) {
  const BatchParameters& p = batch.parameters;
  const auto run_split_bits = static_cast<std::uint32_t>(p.domain_bits - p.split_bits - run_bits);
  launcher_.sweep(
      phase3_, first, count, std::uint64_t(1) << run_bits,
      [&](std::uint64_t from, std::uint32_t items) {
        const std::uint32_t all_domains = p.method == Method::exhaustive ? 1 : 0;
        opencl::Kernel& search = build("domains/phase3.cl", "phase3", {});
        search.set(lines_, slopes_, curvatures_, static_cast<std::uint32_t>(p.scale), phase2_.kept, all_domains, from,
                   items, domain_size(batch), static_cast<std::uint32_t>(p.split_bits), run_split_bits, p.offset3,
                   p.argument_limit, packets_of(batch), packet_bits_of(batch), phase3_.kept, capacity_,
                   launcher_.counters());
        return Launch{search, 1};
      },
      [&](const Outcome& outcome) { take_candidates(phase3_, outcome.kept[0]); },
      // More candidates in one run than the capacity: the run in halves.
      [&](std::uint64_t run) { phase3_runs(batch, 2 * run, 2, run_bits - 1); });
}

void DeviceSearch::all_phases(const DomainBatch& batch) {
  const BatchParameters& p = batch.parameters;
  launcher_.sweep(
      one_, 0, batch.domain_count(), domain_size(batch),
      [&](std::uint64_t from, std::uint32_t items) {
        Launch search = test_kernel("one_kernel", p.test, nullptr);
        search.kernel.set(lines_, slopes_, curvatures_, static_cast<std::uint32_t>(p.scale),
                          static_cast<std::uint32_t>(from), items, domain_size(batch),
                          static_cast<std::uint32_t>(p.split_bits), p.offset1, p.offset2, p.offset3, p.argument_limit,
                          packets_of(batch), packet_bits_of(batch), one_.kept, capacity_, launcher_.counters());
        return search;
      },
      [&](const Outcome& outcome) {
        launcher_.counts().phase1.tested += outcome.tested;
        launcher_.counts().phase1.survivors += outcome.kept[1];
        launcher_.counts().phase2.tested += std::uint64_t(outcome.kept[1]) << p.split_bits;
        launcher_.counts().phase2.survivors += outcome.kept[2];
        launcher_.counts().phase3.tested += outcome.kept[2];
        take_candidates(one_, outcome.kept[0]);
      },
      // More candidates in one domain than the capacity: that domain with three kernels, whose launches can be halved
      // down to an argument.
      [&](std::uint64_t domain) { phase1(batch, domain, 1); });
}

void DeviceSearch::take_candidates(const Stage& stage, std::uint32_t kept) {
  launcher_.counts().phase3.survivors += kept;
  launcher_.append_kept(stage, kept, candidates_);
}

std::vector<std::uint32_t> DeviceSearch::rounds(const DomainBatch& batch) {
  load(batch);
  std::vector<std::uint32_t> result(batch.domain_count());
  const opencl::Buffer target = compute_.allocate(sizeof(std::uint32_t) * result.size());
  opencl::Kernel counting = test_kernel("rounds", batch.parameters.test, nullptr).kernel;
  counting.set(lines_, slopes_, batch.domain_count(), domain_size(batch), batch.parameters.offset1, target);
  compute_.run(counting, result.size(), phase1_.work_group_size);
  finish_polynomials();
  compute_.read(target, result.data(), sizeof(std::uint32_t) * result.size());
  return result;
}

double DeviceSearch::time_phase1(const DomainBatch& batch, int repeats, double patience) {
  load(batch);
  Launch test = test_kernel("phase1", batch.parameters.test, &phase1_);
  const auto run = [&](std::uint32_t count) {
    compute_.clear(launcher_.counters());
    test.kernel.set(lines_, slopes_, std::uint32_t(0), count, domain_size(batch), batch.parameters.offset1,
                    phase1_.kept, capacity_, launcher_.counters());
    return compute_.run(test.kernel, (count - 1) / test.items_per_work_item + 1, phase1_.work_group_size);
  };
  // A strategy may be ten thousand times slower than another: probe before running all.
  std::uint32_t count = std::min<std::uint32_t>(batch.domain_count(), 1024);
  for (double seconds = run(count); count < batch.domain_count() && seconds * 8 < patience / repeats;
       seconds = run(count))
    count = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t(count) * 8, batch.domain_count()));
  std::vector<double> times(static_cast<std::size_t>(repeats));
  for (double& time : times)
    time = run(count);
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return times[static_cast<std::size_t>(repeats) / 2] * batch.domain_count() / count;
}

double DeviceSearch::time_polynomials(const DomainBatch& batch, int repeats) {
  const PhaseCounts before = counts();
  std::vector<double> times(static_cast<std::size_t>(repeats) + 1);
  for (double& time : times) {
    launcher_.counts().polynomials.seconds = 0;
    load(batch);
    finish_polynomials();
    time = launcher_.counts().polynomials.seconds;
  }
  reset_counts(before);
  times.erase(times.begin()); // the first builds kernels and touches memory
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return times[static_cast<std::size_t>(repeats) / 2];
}

std::vector<opencl::Compute::Timeline> DeviceSearch::polynomials_timeline(const DomainBatch& batch) {
  load(batch);
  std::vector<opencl::Compute::Timeline> result;
  for (const opencl::Event& event : making_) {
    (void)compute_.finish(event);
    result.push_back(compute_.timeline(event));
  }
  finish_polynomials();
  return result;
}

} // namespace tmd
