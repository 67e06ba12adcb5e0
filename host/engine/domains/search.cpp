// The kernels of the three phases follow each other launch by launch: survivors of a launch are searched on before the
// next one, so that lists stay short. A launch that keeps more than its list holds is run again in halves, down to the
// arguments of one run.
#include "engine/domains/search.hpp"

#include "engine/compaction.hpp"
#include "engine/domains/reference.hpp"
#include "engine/domains/tunables.hpp"
#include "support/statistics.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::domains {

namespace {

// Size of the first launch, before anything is known of the device: some milliseconds on one CPU core.
constexpr std::uint64_t first_tests = std::uint64_t(1) << 15;
constexpr std::uint64_t first_runs = std::uint64_t(1) << 12;

constexpr const char* polynomials_program = "domains/polynomials.cl";

// The packets of a batch and their size, as cl_kernels/domains/layout.clh has them.
std::uint32_t packets_of(const DomainBatch& batch) { return batch.polynomial ? batch.packets : 1; }
std::uint32_t packet_bits_of(const DomainBatch& batch) {
  return batch.polynomial ? static_cast<std::uint32_t>(batch.polynomial->packet_bits()) : 0;
}
std::uint32_t domain_number(const DomainBatch& batch, std::uint32_t index) {
  if (index >= batch.domain_count())
    return index;
  const std::uint32_t packets = packets_of(batch);
  return batch.polynomial ? (index % packets << packet_bits_of(batch)) + index / packets : index;
}

std::uint64_t domain_size(const DomainBatch& batch) { return std::uint64_t(1) << batch.parameters.domain_bits; }

} // namespace

DomainSearch::DomainSearch(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables, Deployment deployment,
                           Compaction compaction)
    : launcher_(std::move(launcher)), tunables_(tunables), compute_(launcher_->compute()), deployment_(deployment),
      compaction_(compaction == Compaction::automatic
                      ? static_cast<Compaction>(tunables[device::shared_tunable("compaction")])
                      : compaction),
      polynomial_lanes_(std::int64_t(1) << tunables[domain_tunable("polynomials.vector-width")]),
      polynomials_(domain_stages[0], tunables[domain_tunable("polynomials.work-group-size")], first_tests,
                   tunables[device::shared_tunable("launch-milliseconds")]),
      phase1_(domain_stages[1], tunables[domain_tunable("phase1.work-group-size")], first_tests,
              tunables[device::shared_tunable("launch-milliseconds")]),
      phase2_(domain_stages[2], tunables[domain_tunable("phase2.work-group-size")], first_tests,
              tunables[device::shared_tunable("launch-milliseconds")]),
      phase3_(domain_stages[3], tunables[domain_tunable("phase3.work-group-size")], first_runs,
              tunables[device::shared_tunable("launch-milliseconds")]),
      one_(domain_stages[1], tunables[domain_tunable("phase1.work-group-size")], first_tests,
           tunables[device::shared_tunable("launch-milliseconds")]) {}

DomainSearch::DomainSearch(const opencl::DeviceDescription& device, const device::Tunables& tunables,
                           Deployment deployment, Compaction compaction)
    : DomainSearch(std::make_shared<Launcher>(
                       device, static_cast<std::uint32_t>(tunables[device::shared_tunable("survivor-capacity")])),
                   tunables, deployment, compaction) {}

Stages DomainSearch::stages() const {
  Stages result{polynomials_.counts, phase1_.counts, phase2_.counts, phase3_.counts};
  result[1].seconds += one_.counts.seconds;
  return result;
}

void DomainSearch::reset_stages(const Stages& stages) {
  one_.counts.seconds = 0; // its time counts in phase 1
  for (LaunchedStage* stage : {&polynomials_, &phase1_, &phase2_, &phase3_})
    stage->counts.reset_to(stages);
}

// Compaction by sub-group operations if the device has them, else by local memory. A CPU's sub-groups would be made of
// work-items by its vectorizer, which may be off, or useless for explicit vectors.
int DomainSearch::compaction_of(const LaunchedStage& stage) const {
  const bool scan = compaction_ == Compaction::scan ||
                    (compaction_ == Compaction::automatic &&
                     100 * stage.survivor_share >= static_cast<double>(tunables_[domain_tunable("scan-percent")]));
  return scan ? this->scan() : by_atomics;
}

int DomainSearch::scan() const {
  // cl_khr_subgroups would need a later OpenCL C than 1.2.
  return sub_groups_build_ && !device().is_cpu && device().has_extension("cl_intel_subgroups") ? by_sub_groups
                                                                                               : by_scan;
}

DomainSearch::TestProgram DomainSearch::test_program(std::string_view name, Test test, const LaunchedStage* compacted,
                                                     int compaction) const {
  const bool second = name == "phase2";
  const auto of_phase = [&](const device::Tunable& first, const device::Tunable& other) {
    return tunables_[second ? other : first];
  };
  const auto division =
      static_cast<Division>(of_phase(domain_tunable("phase1.division"), domain_tunable("phase2.division")));
  // The seeds' baseline, only for comparison, has a folder of its own.
  const std::string_view folder = name == "one_kernel" ? "domains/baselines/" : "domains/";
  const std::int64_t items = of_phase(domain_tunable("phase1.items"), domain_tunable("phase2.items"));
  TestProgram program{fmt::format("{}{}.cl", folder, name),
                      {{"TMD_ALGORITHM", static_cast<int>(test), 1, test_names.size()},
                       {"TMD_DIVISION", static_cast<std::int64_t>(division), 1, division_names.size()},
                       {"TMD_LOGMS", of_phase(domain_tunable("phase1.logms"), domain_tunable("phase2.logms")), 0, 64},
                       {"TMD_ITEMS_PER_WORK_ITEM", items, 1, 4096}},
                      items};
  if (compacted == nullptr)
    return program;
  const std::int64_t width =
      comes_in_vectors(test, division)
          ? std::int64_t(1) << of_phase(domain_tunable("phase1.vector-width"), domain_tunable("phase2.vector-width"))
          : 1;
  program.macros.push_back({"TMD_VECTOR_WIDTH", width, 1, 16});
  program.macros.push_back({"TMD_COMPACTION", compaction, by_atomics, by_sub_groups});
  program.macros.push_back({"TMD_WORK_GROUP_SIZE", static_cast<std::int64_t>(compacted->work_group_size), 1, 1024});
  program.items *= width;
  return program;
}

ReadyKernel DomainSearch::test_kernel(std::string_view name, Test test, const LaunchedStage* compacted) {
  const int compaction = compacted != nullptr ? compaction_of(*compacted) : 0;
  has_scanned_ = has_scanned_ || compaction > by_atomics;
  const std::string_view stage = compacted != nullptr ? compacted->counts.name : phase1_.counts.name;
  const TestProgram program = test_program(name, test, compacted, compaction);
  try {
    return {launcher_->build(stage, program.file, std::string(name), program.macros),
            static_cast<std::size_t>(program.items)};
  } catch (const DeviceError&) {
    if (compaction != by_sub_groups)
      throw;
    sub_groups_build_ = false; // some devices report the extension without its functions
    return test_kernel(name, test, compacted);
  }
}

void DomainSearch::build_ahead(Test test) {
  launcher_->build_ahead("domains/phase3.cl", {});
  for (const int compaction : {static_cast<int>(by_atomics), scan()})
    for (const auto& [name, stage] : {std::pair("phase1", &phase1_), std::pair("phase2", &phase2_)}) {
      const TestProgram program = test_program(name, test, stage, compaction);
      launcher_->build_ahead(program.file, program.macros);
    }
}

void DomainSearch::build_polynomials_ahead(const DomainBatch& batch) {
  for (int row = 0; batch.polynomial && row < HierarchicalPolynomial::row_count; ++row)
    launcher_->build_ahead(polynomials_program, polynomial_macros(*batch.polynomial, row));
}

void DomainSearch::set_compaction(Compaction compaction) {
  compaction_ = compaction;
  for (LaunchedStage* stage : {&phase1_, &phase2_})
    stage->survivor_share = 0;
}

std::uint64_t DomainSearch::batch_domains() const {
  // Three coefficients a domain; half of the memory is left to others.
  const std::uint64_t most = std::min(device().largest_buffer / sizeof(std::uint64_t),
                                      device().global_memory / 2 / (3 * sizeof(std::uint64_t)));
  return std::max<std::uint64_t>(
      1, std::min(static_cast<std::uint64_t>(tunables_[device::shared_tunable("batch-domains")]), most));
}

void DomainSearch::load(const DomainBatch& batch) {
  const std::size_t bytes = sizeof(std::uint64_t) * all_domains(batch);
  if (bytes > lines_.bytes()) {
    const std::size_t full = sizeof(std::uint64_t) * batch_domains();
    const std::size_t size = std::max(bytes, std::min(2 * lines_.bytes(), full));
    for (opencl::Buffer* buffer : {&lines_, &slopes_, &curvatures_}) {
      *buffer = {}; // frees the old buffer first
      *buffer = compute_.allocate(size);
    }
  }
  const auto write = [this](const DomainBatch& from, std::size_t at) {
    const std::size_t size = sizeof(std::uint64_t) * from.domain_count();
    compute_.write(lines_, from.lines.data(), size, sizeof(std::uint64_t) * at);
    compute_.write(slopes_, from.slopes.data(), size, sizeof(std::uint64_t) * at);
    compute_.write(curvatures_, from.curvatures.data(), size, sizeof(std::uint64_t) * at);
  };
  if (batch.polynomial)
    make_polynomials(batch);
  else
    write(batch, 0);
  if (behind_ != nullptr)
    write(*behind_, batch.domain_count());
}

// The macros are as general as most rows need, so that these share a program on devices with slow compilers. A CPU's
// compiler is fast, and makes better code with exact numbers.
std::vector<opencl::Macro> DomainSearch::polynomial_macros(const HierarchicalPolynomial& polynomial, int row) const {
  const bool fewer = !device().is_cpu;
  const int usual_differences = fewer ? 5 : 0;
  const int usual_binomial_words = fewer ? 5 : 1;
  return {{"TMD_VECTOR_WIDTH", polynomial_lanes_, 1, 16},
          {"TMD_WORDS", polynomial.words(), 2, 7},
          {"TMD_DIFFERENCES", std::max(polynomial.differences(row), usual_differences), 0, 12},
          {"TMD_FEWER", fewer ? 1 : 0, 0, 1},
          {"TMD_INTERVAL_WORDS", polynomial.interval_words(), polynomial.words(), 16},
          {"TMD_BINOMIAL_WORDS", std::max(polynomial.binomial_words(), usual_binomial_words), 1, 8}};
}

void DomainSearch::make_polynomials(const DomainBatch& batch) {
  const HierarchicalPolynomial& polynomial = *batch.polynomial;
  const std::array<const opencl::Buffer*, HierarchicalPolynomial::row_count> targets{&lines_, &slopes_, &curvatures_};
  const auto packet_bits = static_cast<std::uint32_t>(polynomial.packet_bits());
  // The host prepares a row while the device works on the one before.
  for (int row = 0; row < HierarchicalPolynomial::row_count; ++row) {
    opencl::Kernel& walk = launcher_->build(polynomials_.counts.name, polynomials_program, "shift_and_walk",
                                            polynomial_macros(polynomial, row));
    const auto& words = uploads_.emplace_back(polynomial.row_coefficients(row));
    opencl::Buffer& coefficients = row_coefficients_[static_cast<unsigned>(row)];
    if (sizeof(std::uint64_t) * words.size() > coefficients.bytes())
      coefficients = compute_.allocate(2 * sizeof(std::uint64_t) * words.size());
    compute_.write_later(coefficients, words.data(), sizeof(std::uint64_t) * words.size());
    const auto size =
        static_cast<std::uint32_t>(words.size()) / static_cast<std::uint32_t>(polynomial.interval_words());
    making_.push_back(launcher_->start({walk, static_cast<std::size_t>(polynomial_lanes_)}, polynomials_.counts.name,
                                       batch.packets, polynomials_.work_group_size, coefficients,
                                       *targets[static_cast<unsigned>(row)], size, polynomial.differences(row),
                                       static_cast<std::uint32_t>(batch.first_packet), packet_bits,
                                       polynomial.window(row)));
  }
  polynomials_.counts.tested += batch.domain_count();
  check_polynomials(batch);
}

// Counts the time and the work of the kernels that make_polynomials() started.
void DomainSearch::finish_polynomials() {
  for (Launcher::Launch& made : making_) {
    (void)made.finish();
    polynomials_.counts.seconds += made.seconds();
  }
  abandon_polynomials();
}

// Waits, for the device may still be reading what was uploaded.
void DomainSearch::abandon_polynomials() {
  making_.clear();
  uploads_.clear();
}

void DomainSearch::check_polynomials(const DomainBatch& batch) {
  // Some packets of every 64th batch are checked: of the first batch its last packet, which has been shifted furthest,
  // then any.
  constexpr std::uint64_t checked_batches = 64;
  constexpr std::uint32_t checked_packets = 4;
  if (made_batches_++ % checked_batches != 0 && !check_all_polynomials_)
    return;
  const HierarchicalPolynomial& polynomial = *batch.polynomial;
  const std::size_t size = polynomial.packet_size();
  const std::uint32_t packets = check_all_polynomials_ ? batch.packets : std::min(checked_packets, batch.packets);
  number::Random random(static_cast<std::uint64_t>(batch.first_argument));
  const std::uint32_t first = made_batches_ == 1 || check_all_polynomials_
                                  ? batch.packets - packets
                                  : static_cast<std::uint32_t>(random.below(batch.packets - packets + 1));
  DomainBatch made;
  DomainBatch expected;
  for (DomainBatch* target : {&made, &expected}) {
    target->lines.resize(size * packets);
    target->slopes.resize(size * packets);
    target->curvatures.resize(size * packets);
  }
  for (std::size_t step = 0; step < size; ++step) { // neighbouring packets are side by side
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
        throw launcher_->fault("it made other coefficients of a domain than the host");
    }
}

std::uint64_t DomainSearch::all_domains(const DomainBatch& batch) const {
  return batch.domain_count() + (behind_ != nullptr ? behind_->domain_count() : 0);
}

layout::domain_parameters DomainSearch::kernel_parameters(const DomainBatch& batch) const {
  const BatchParameters& p = batch.parameters;
  const std::uint64_t size = domain_size(batch);
  const std::uint64_t limit = behind_ == nullptr ? p.argument_limit : all_domains(batch) * size;
  const auto split_bits = static_cast<std::uint32_t>(p.split_bits);
  return {size, p.offset1, p.offset2, p.offset3, limit, p.scale, split_bits, packets_of(batch), packet_bits_of(batch)};
}

std::vector<std::uint64_t> DomainSearch::try_out(const DomainBatch& batch, PhaseTrace& trace,
                                                 const Interrupt& interrupt) {
  const Stages before = stages();
  // All planted hits survive, which would choose another compaction.
  const Compaction asked = compaction_;
  const std::array<double, 2> shares{phase1_.survivor_share, phase2_.survivor_share};
  if (asked == Compaction::automatic)
    compaction_ = compaction_of(phase1_) == by_atomics ? Compaction::atomic : Compaction::scan;
  std::vector<std::uint64_t> candidates = search(batch, &trace, interrupt);
  compaction_ = asked;
  phase1_.survivor_share = shares[0];
  phase2_.survivor_share = shares[1];
  reset_stages(before);
  return candidates;
}

DomainSearch::Coefficients DomainSearch::searched_coefficients(const DomainBatch& batch, std::uint32_t domain) {
  const std::uint32_t packet = domain >> packet_bits_of(batch);
  const std::size_t at =
      batch.polynomial ? std::size_t(domain - (packet << packet_bits_of(batch))) * batch.packets + packet : domain;
  Coefficients result;
  compute_.read(lines_, &result.line, sizeof result.line, sizeof result.line * at);
  compute_.read(slopes_, &result.slope, sizeof result.slope, sizeof result.slope * at);
  compute_.read(curvatures_, &result.curvature, sizeof result.curvature, sizeof result.curvature * at);
  return result;
}

std::vector<std::uint64_t> DomainSearch::search(const DomainBatch& batch, PhaseTrace* trace, const Interrupt& interrupt,
                                                const DomainBatch* behind) {
  launcher_->set_interrupt(interrupt);
  candidates_.clear();
  trace_ = trace;
  behind_ = behind;
  std::optional<Launcher::Unrecorded> unrecorded;
  if (trace != nullptr)
    unrecorded.emplace(*launcher_);
  try {
    load(batch);
    if (batch.parameters.exhaustive)
      phase3(batch, all_domains(batch), {});
    else if (deployment_ == Deployment::one)
      all_phases(batch);
    else
      phase1(batch, 0, all_domains(batch));
  } catch (...) {
    abandon_polynomials();
    behind_ = nullptr;
    throw;
  }
  finish_polynomials();
  std::sort(candidates_.begin(), candidates_.end());
  if (trace != nullptr) {
    std::sort(trace->domains.begin(), trace->domains.end());
    std::sort(trace->sub_domains.begin(), trace->sub_domains.end());
  }
  trace_ = nullptr;
  behind_ = nullptr;
  return std::move(candidates_);
}

// Tests the domains first … first + count − 1; survivors of each launch go on to phase 2.
void DomainSearch::phase1(const DomainBatch& batch, std::uint64_t first, std::uint64_t count) {
  launcher_->allocate_list(phase1_.kept, sizeof(std::uint32_t));
  for (Sweep sweep(*launcher_, phase1_, first, count); const auto slice = sweep.next();) {
    ReadyKernel test = test_kernel("phase1", batch.parameters.test, &phase1_);
    test.kernel.set(lines_, slopes_, phase1_.kept, kernel_parameters(batch), *slice, launcher_->counters());
    const auto kept = sweep.run(test);
    if (!kept)
      continue;
    phase1_.counts.tested += slice->count;
    phase1_.counts.kept += kept->count[0];
    trace_domains(batch, *kept);
    phase2(batch, *kept);
  }
}

// Tests the sub-domains of the domains that phase 1 has kept; survivors of each launch go on to phase 3.
void DomainSearch::phase2(const DomainBatch& batch, const Launcher::Counters& survivors) {
  const BatchParameters& p = batch.parameters;
  launcher_->allocate_list(phase2_.kept, sizeof(std::uint32_t));
  for (Sweep sweep(*launcher_, phase2_, 0, std::uint64_t(survivors.count[0]) << p.split_bits, 1,
                   survivors.sum[0] << p.split_bits);
       const auto slice = sweep.next();) {
    ReadyKernel test = test_kernel("phase2", p.test, &phase2_);
    test.kernel.set(lines_, slopes_, curvatures_, phase1_.kept, phase2_.kept, kernel_parameters(batch), *slice,
                    launcher_->counters());
    const auto kept = sweep.run(test);
    if (!kept)
      continue;
    phase2_.counts.tested += slice->count;
    phase2_.counts.kept += kept->count[0];
    trace_sub_domains(batch, *kept);
    phase3(batch, kept->count[0], kept->sum[0]);
  }
}

// sum: the sum of the entries in phase 2's list, if that is read.
void DomainSearch::phase3(const DomainBatch& batch, std::uint64_t sub_domains, std::optional<std::uint32_t> sum) {
  const BatchParameters& p = batch.parameters;
  const int sub_bits = p.domain_bits - p.split_bits;
  const int run_bits = std::min(most_run_bits, sub_bits);
  phase3_.counts.tested += sub_domains;
  if (sum)
    *sum <<= sub_bits - run_bits;
  phase3_runs(batch, 0, sub_domains << (sub_bits - run_bits), run_bits, sum);
}

// Evaluates every argument of the runs first … first + count − 1, each of 2^run_bits arguments, in the sub-domains of
// phase 2's list or in all domains.
void DomainSearch::phase3_runs(const DomainBatch& batch, std::uint64_t first, std::uint64_t count, int run_bits,
                               std::optional<std::uint32_t> read_sum) {
  const BatchParameters& p = batch.parameters;
  const auto run_split_bits = static_cast<std::uint32_t>(p.domain_bits - p.split_bits - run_bits);
  const std::uint32_t all_domains = p.exhaustive ? 1 : 0;
  launcher_->allocate_list(phase2_.kept, sizeof(std::uint32_t));
  launcher_->allocate_list(phase3_.kept, sizeof(std::uint64_t));
  for (Sweep sweep(*launcher_, phase3_, first, count, std::uint64_t(1) << run_bits, read_sum);
       const auto slice = sweep.next();) {
    opencl::Kernel& search = launcher_->build(phase3_.counts.name, "domains/phase3.cl", "phase3", {});
    search.set(lines_, slopes_, curvatures_, phase2_.kept, phase3_.kept, all_domains, run_split_bits,
               kernel_parameters(batch), *slice, launcher_->counters());
    if (const auto kept = sweep.run({search, 1})) {
      phase3_.counts.kept += kept->count[0];
      launcher_->append_kept(phase3_.kept, *kept, candidates_);
    } else if (sweep.overflowed()) { // more candidates in one run than the capacity: halves the run
      phase3_runs(batch, 2 * slice->first, 2, run_bits - 1, {});
    }
  }
}

void DomainSearch::all_phases(const DomainBatch& batch) {
  const BatchParameters& p = batch.parameters;
  launcher_->allocate_list(phase3_.kept, sizeof(std::uint64_t));
  for (Sweep sweep(*launcher_, one_, 0, all_domains(batch), domain_size(batch)); const auto slice = sweep.next();) {
    ReadyKernel search = test_kernel("one_kernel", p.test, nullptr);
    search.kernel.set(lines_, slopes_, curvatures_, phase3_.kept, kernel_parameters(batch), *slice,
                      launcher_->counters());
    if (const auto kept = sweep.run(search)) {
      phase1_.counts.tested += slice->count;
      const auto [candidates, domains, sub_domains] = kept->count;
      phase1_.counts.kept += domains;
      phase2_.counts.tested += std::uint64_t(domains) << p.split_bits;
      phase2_.counts.kept += sub_domains;
      phase3_.counts.tested += sub_domains;
      phase3_.counts.kept += candidates;
      launcher_->append_kept(phase3_.kept, *kept, candidates_);
    } else if (sweep.overflowed()) {
      // If there are more candidates in one domain than the capacity, that domain is searched with three kernels, whose
      // launches can be halved down to an argument.
      phase1(batch, slice->first, 1);
    }
  }
}

void DomainSearch::trace_domains(const DomainBatch& batch, const Launcher::Counters& kept) {
  if (trace_ == nullptr)
    return;
  for (std::size_t i = launcher_->append_kept(phase1_.kept, kept, trace_->domains); i < trace_->domains.size(); ++i)
    trace_->domains[i] = domain_number(batch, trace_->domains[i]);
}

void DomainSearch::trace_sub_domains(const DomainBatch& batch, const Launcher::Counters& kept) {
  if (trace_ == nullptr)
    return;
  const int split_bits = batch.parameters.split_bits;
  for (std::size_t i = launcher_->append_kept(phase2_.kept, kept, trace_->sub_domains); i < trace_->sub_domains.size();
       ++i) {
    std::uint32_t& id = trace_->sub_domains[i];
    id = (domain_number(batch, id >> split_bits) << split_bits) | (id & ((1U << split_bits) - 1));
  }
}

std::vector<std::uint32_t> DomainSearch::rounds(const DomainBatch& batch) {
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

double DomainSearch::time_phase1(const DomainBatch& batch, int repeats, double patience) {
  load(batch);
  finish_polynomials();
  launcher_->allocate_list(phase1_.kept, sizeof(std::uint32_t));
  ReadyKernel test = test_kernel("phase1", batch.parameters.test, &phase1_);
  const auto run = [&](std::uint32_t count) {
    compute_.clear(launcher_->counters());
    test.kernel.set(lines_, slopes_, phase1_.kept, kernel_parameters(batch), launcher_->next_slice(0, count),
                    launcher_->counters());
    return compute_.run(test.kernel, (count - 1) / test.items_per_work_item + 1, phase1_.work_group_size);
  };
  // One strategy may be ten thousand times slower than another: a probe comes first.
  std::uint32_t count = std::min<std::uint32_t>(batch.domain_count(), 1024);
  for (double seconds = run(count); count < batch.domain_count() && seconds * 8 < patience / repeats;
       seconds = run(count))
    count = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t(count) * 8, batch.domain_count()));
  std::vector<double> times(static_cast<std::size_t>(repeats));
  for (double& time : times)
    time = run(count);
  return support::median(std::move(times)) * batch.domain_count() / count;
}

double DomainSearch::time_polynomials(const DomainBatch& batch, int repeats) {
  const Stage before = polynomials_.counts;
  std::vector<double> times(static_cast<std::size_t>(repeats) + 1);
  for (double& time : times) {
    polynomials_.counts.seconds = 0;
    load(batch);
    finish_polynomials();
    time = polynomials_.counts.seconds;
  }
  polynomials_.counts = before;
  times.erase(times.begin()); // the first builds kernels and touches memory
  return support::median(std::move(times));
}

} // namespace tmd::engine::domains
