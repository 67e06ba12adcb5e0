// The device makes the starts of all runs of a batch in one launch, and walks through them in as many as their time
// asks for. The runs that the host walks through, too, tell whether the device computes as it should; that each run
// ends where the next one starts tells the same of the others.
#include "engine/differences/search.hpp"

#include "engine/differences/layout.hpp"
#include "number/random.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::differences {

namespace {

constexpr const char* program = "differences/runs.cl";
constexpr std::int64_t work_group_size = 64;
constexpr std::uint64_t first_runs = std::uint64_t(1) << 10; // of the first launch: some milliseconds on one CPU core
constexpr std::uint64_t place_mask = (std::uint64_t(1) << layout::place_bits) - 1;
static_assert(std::uint64_t(1) << most_run_bits <= layout::wrong_end);

// The candidates of a run, by the host.
std::vector<std::uint64_t> walked(const DifferenceBatch& batch, const DifferenceStretch& stretch, std::uint64_t run) {
  std::vector<std::uint64_t> near;
  if (!stretch.walk(run, batch.tolerance(), batch.seam_tolerance(), near))
    throw SoundnessError(
        fmt::format("a run of {} arguments does not end where the next one starts", stretch.length(run)));
  for (std::uint64_t& place : near)
    place += run << stretch.run_bits;
  return near;
}

} // namespace

DifferencePlaces search_on_host(const DifferenceBatch& batch) {
  DifferencePlaces result;
  for (const DifferenceStretch& stretch : batch.stretches) {
    auto& places = result.emplace_back();
    for (std::uint64_t run = 0; run < stretch.runs(); ++run) {
      const std::vector<std::uint64_t> near = walked(batch, stretch, run);
      places.insert(places.end(), near.begin(), near.end());
    }
  }
  return result;
}

DifferenceSearch::DifferenceSearch(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables)
    : launcher_(std::move(launcher)), walk_(differences_stages[0], work_group_size, first_runs,
                                            tunables[device::shared_tunable("launch-milliseconds")]) {}

DifferencePlaces DifferenceSearch::search(const DifferenceBatch& batch, const Interrupt& interrupt) {
  launcher_->set_interrupt(interrupt);
  DifferencePlaces result(batch.stretches.size());
  const auto runs = static_cast<std::uint32_t>(batch.runs());
  if (runs == 0)
    return result;
  make_starts(batch, runs);
  std::vector<std::uint64_t> entries = walk(batch, runs);
  std::sort(entries.begin(), entries.end());
  std::size_t at = 0;
  std::uint64_t first_run = 0;
  for (const std::uint64_t entry : entries) {
    const std::uint64_t run = entry >> layout::place_bits;
    if (run >= runs || (entry & place_mask) == layout::wrong_end)
      throw launcher_->fault("a run of differences does not end where the next one starts");
    for (; run - first_run >= batch.stretches[at].runs(); ++at)
      first_run += batch.stretches[at].runs();
    result[at].push_back(((run - first_run) << batch.stretches[at].run_bits) + (entry & place_mask));
  }
  check(batch, result);
  return result;
}

void DifferenceSearch::make_starts(const DifferenceBatch& batch, std::uint32_t runs) {
  std::vector<std::uint64_t> descriptions;
  std::vector<std::uint64_t> words;
  std::uint64_t first_run = 0;
  for (const DifferenceStretch& stretch : batch.stretches) {
    const std::array<std::uint64_t, layout::stretch_words> description{first_run,
                                                                       words.size(),
                                                                       static_cast<std::uint64_t>(stretch.size),
                                                                       static_cast<std::uint64_t>(stretch.differences),
                                                                       static_cast<std::uint64_t>(stretch.run_bits),
                                                                       stretch.count};
    descriptions.insert(descriptions.end(), description.begin(), description.end());
    words.insert(words.end(), stretch.words.begin(), stretch.words.end());
    first_run += stretch.runs();
  }
  opencl::Compute& compute = launcher_->compute();
  const auto reserve = [&](opencl::Buffer& buffer, std::size_t bytes) {
    if (bytes > buffer.bytes()) {
      buffer = {}; // frees the old buffer first
      buffer = compute.allocate(2 * bytes);
    }
  };
  const auto upload = [&](opencl::Buffer& buffer, const std::vector<std::uint64_t>& from) {
    reserve(buffer, sizeof(std::uint64_t) * from.size());
    compute.write(buffer, from.data(), sizeof(std::uint64_t) * from.size());
  };
  upload(stretches_, descriptions);
  upload(words_, words);
  const auto orders = static_cast<std::uint32_t>(batch.differences() + 1);
  reserve(rows_, 2 * sizeof(std::uint64_t) * orders * runs);
  opencl::Kernel& starts =
      launcher_->build(walk_.counts.name, program, "starts",
                       {{"TMD_DIFFERENCES", batch.differences(), 1, DifferenceTable::most_degree}});
  Launcher::Launch launch =
      launcher_->start({starts, 1}, walk_.counts.name, orders * runs, walk_.work_group_size, stretches_,
                       static_cast<std::uint32_t>(batch.stretches.size()), words_, rows_, runs);
  (void)launch.finish();
  walk_.counts.seconds += launch.seconds();
}

std::vector<std::uint64_t> DifferenceSearch::walk(const DifferenceBatch& batch, std::uint32_t runs) {
  launcher_->allocate_list(walk_.kept, sizeof(std::uint64_t));
  std::vector<std::uint64_t> entries;
  for (Sweep sweep(*launcher_, walk_, 0, runs, (std::uint64_t(1) << most_run_bits) + 1);
       const auto slice = sweep.next();) {
    opencl::Kernel& walk =
        launcher_->build(walk_.counts.name, program, "walk",
                         {{"TMD_DIFFERENCES", batch.differences(), 1, DifferenceTable::most_degree}});
    walk.set(stretches_, static_cast<std::uint32_t>(batch.stretches.size()), rows_, runs, batch.tolerance(),
             batch.seam_tolerance(), walk_.kept, *slice, launcher_->counters());
    if (const auto kept = sweep.run({walk, 1})) {
      launcher_->append_kept(walk_.kept, *kept, entries);
    } else if (sweep.overflowed()) { // more candidates in one run than the capacity
      std::uint64_t run = slice->first;
      auto stretch = batch.stretches.begin();
      for (; run >= stretch->runs(); ++stretch)
        run -= stretch->runs();
      for (const std::uint64_t place : walked(batch, *stretch, run))
        entries.push_back((slice->first << layout::place_bits) + (place - (run << stretch->run_bits)));
    }
  }
  for (const DifferenceStretch& stretch : batch.stretches)
    walk_.counts.tested += stretch.count;
  walk_.counts.kept += entries.size();
  return entries;
}

void DifferenceSearch::check(const DifferenceBatch& batch, const DifferencePlaces& found) {
  constexpr int checked_at_first = 32;
  const int checks = std::exchange(is_new_, false) ? checked_at_first : 1;
  number::Random random(static_cast<std::uint64_t>(batch.stretches.front().first) + batch.stretches.size());
  for (int i = 0; i < checks; ++i) {
    const auto at = static_cast<std::size_t>(random.below(batch.stretches.size()));
    const DifferenceStretch& stretch = batch.stretches[at];
    const std::uint64_t run = random.below(stretch.runs());
    const std::uint64_t begin = run << stretch.run_bits;
    const auto from = std::lower_bound(found[at].begin(), found[at].end(), begin);
    const auto to = std::lower_bound(from, found[at].end(), begin + stretch.length(run));
    if (std::vector<std::uint64_t>(from, to) != walked(batch, stretch, run))
      throw launcher_->fault("it found other arguments of a run of differences than the host");
  }
}

} // namespace tmd::engine::differences
