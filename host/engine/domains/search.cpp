// The kernels of the three phases follow each other launch by launch: survivors of a launch are searched on before the
// next one, so that lists stay short. A launch that keeps more than its list holds is run again in halves, down to the
// arguments of one run.
#include "engine/domains/search.hpp"

#include "engine/compaction.hpp"
#include "engine/domains/tunables.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tmd::engine::domains {

namespace {

constexpr std::uint64_t first_runs = std::uint64_t(1) << 12;

std::uint32_t domain_number(const DomainBatch& batch, std::uint32_t index) {
  if (index >= batch.domain_count())
    return index;
  const std::uint32_t packets = batch.packet_count();
  return batch.polynomial ? (index % packets << batch.packet_bits()) + index / packets : index;
}

} // namespace

DomainSearch::DomainSearch(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables, Deployment deployment,
                           Compaction compaction)
    : launcher_(std::move(launcher)), deployment_(deployment), coefficients_(launcher_, tunables),
      kernels_(launcher_, tunables, compaction),
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
  Stages result{coefficients_.counts(), phase1_.counts, phase2_.counts, phase3_.counts};
  result[1].seconds += one_.counts.seconds;
  return result;
}

void DomainSearch::reset_stages(const Stages& stages) {
  one_.counts.seconds = 0; // its time counts in phase 1
  coefficients_.reset_counts(stages);
  for (LaunchedStage* stage : {&phase1_, &phase2_, &phase3_})
    stage->counts.reset_to(stages);
}

void DomainSearch::set_compaction(Compaction compaction) {
  kernels_.set_compaction(compaction);
  for (LaunchedStage* stage : {&phase1_, &phase2_})
    stage->survivor_share = 0;
}

std::uint64_t DomainSearch::all_domains(const DomainBatch& batch) const {
  return batch.domain_count() + (behind_ != nullptr ? behind_->domain_count() : 0);
}

std::vector<std::uint64_t> DomainSearch::try_out(const DomainBatch& batch, PhaseTrace& trace,
                                                 const Interrupt& interrupt) {
  const Stages before = stages();
  // All planted hits survive, which would choose another compaction.
  const Compaction asked = kernels_.compaction();
  const std::array<double, 2> shares{phase1_.survivor_share, phase2_.survivor_share};
  if (asked == Compaction::automatic)
    kernels_.set_compaction(kernels_.compaction_of(phase1_) == by_atomics ? Compaction::atomic : Compaction::scan);
  std::vector<std::uint64_t> candidates = search(batch, &trace, interrupt);
  kernels_.set_compaction(asked);
  phase1_.survivor_share = shares[0];
  phase2_.survivor_share = shares[1];
  reset_stages(before);
  return candidates;
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
    coefficients_.load(batch, behind);
    if (batch.parameters.exhaustive)
      phase3(batch, all_domains(batch), {});
    else if (deployment_ == Deployment::one)
      all_phases(batch);
    else
      phase1(batch, 0, all_domains(batch));
  } catch (...) {
    coefficients_.abandon();
    behind_ = nullptr;
    throw;
  }
  coefficients_.finish();
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
    ReadyKernel test = kernels_.kernel("phase1", batch.parameters.test, &phase1_);
    test.kernel.set(coefficients_.lines(), coefficients_.slopes(), phase1_.kept, kernel_parameters(batch, behind_),
                    *slice, launcher_->counters());
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
    ReadyKernel test = kernels_.kernel("phase2", p.test, &phase2_);
    test.kernel.set(coefficients_.lines(), coefficients_.slopes(), coefficients_.curvatures(), phase1_.kept,
                    phase2_.kept, kernel_parameters(batch, behind_), *slice, launcher_->counters());
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
    search.set(coefficients_.lines(), coefficients_.slopes(), coefficients_.curvatures(), phase2_.kept, phase3_.kept,
               all_domains, run_split_bits, kernel_parameters(batch, behind_), *slice, launcher_->counters());
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
  for (Sweep sweep(*launcher_, one_, 0, all_domains(batch), std::uint64_t(1) << p.domain_bits);
       const auto slice = sweep.next();) {
    ReadyKernel search = kernels_.kernel("one_kernel", p.test, nullptr);
    search.kernel.set(coefficients_.lines(), coefficients_.slopes(), coefficients_.curvatures(), phase3_.kept,
                      kernel_parameters(batch, behind_), *slice, launcher_->counters());
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

} // namespace tmd::engine::domains
