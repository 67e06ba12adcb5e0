// Opens the devices, resumes from the journal, and searches the lines that are left. Estimates give the size of the
// units and the progress; searched lines are counted exactly and recorded in the journal. Only a search of all
// requested lines is complete.
#include "run/power_run.hpp"

#include "device/tunables.hpp"
#include "engine/boxes/self_test.hpp"
#include "number/in_parallel.hpp"
#include "number/random.hpp"
#include "pairs/pair_planner.hpp"
#include "run/kept_search.hpp"
#include "run/open_devices.hpp"
#include "run/power_ranks.hpp"
#include "support/shell_words.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <mutex>
#include <random>
#include <utility>

#include <fmt/format.h>

namespace tmd::run {

namespace {

constexpr std::uint32_t most_survivors = 1 << 22; // in a launch
// The cost of a unit, in boxes. As much is lost at most when a search is killed.
constexpr double boxes_of_gpu = 0x1p33; // a second
constexpr double boxes_of_cpu = 0x1p22;
constexpr double fewest_boxes = 0x1p16;
constexpr double usual_units = 1024;     // units of a short search
constexpr double usual_rectangles = 128; // the same, of an expression
constexpr double fewest_of_tiles = 256;

unsigned threads_of(const SearchSpec& spec) {
  return spec.host_threads ? static_cast<unsigned>(*spec.host_threads) : number::cores();
}

job::Coverage wanted_lines(const pairs::PowerLines& lines, const PowerRequest& request) {
  return pairs::lines_wanted(lines, request.job, request.spec.shard);
}

// All values of an expression may be exact; those of x^y are as its estimate says.
void refuse_too_many_found(const PowerRequest& request, double found) {
  if (request.job.ranges && found > request.spec.most_cases)
    throw UsageError(fmt::format("more than {} pairs are cases or exact: take a larger --bits or smaller ranges, or "
                                 "allow more with --most-cases",
                                 request.spec.most_cases));
}

// The cost of the units of a search, of which all together cost as much. For expressions planning takes the time, by
// rectangles of about the same size: most remain whole.
double cost_of_unit(const PowerRequest& request, double all, bool has_gpu) {
  const double usual = request.job.ranges ? std::max(all / usual_rectangles, fewest_of_tiles)
                                          : std::max(all / usual_units, fewest_boxes);
  return std::min(usual, has_gpu ? boxes_of_gpu : boxes_of_cpu);
}

bool is_same_search(const pairs::PowerJournalHeader& header, const PowerRequest& request) {
  return pairs::describe(header.job) == pairs::describe(request.job) && header.request.shard == request.spec.shard;
}

} // namespace

void refuse_early(const PowerRequest& request) {
  const pairs::PowerLines lines(request.job);
  const job::Coverage wanted = wanted_lines(lines, request);
  const double pairs = pairs::estimate_of(lines, wanted, request.job).pairs;
  const double expected = std::ldexp(pairs, 1 - request.job.K);
  if (expected > request.spec.most_cases)
    throw UsageError(fmt::format("about {:.2g} cases are to be expected, more than {}: take a larger --bits, or allow "
                                 "more with --most-cases",
                                 expected, request.spec.most_cases));
  for (const auto& [first, last] : wanted.intervals())
    pairs::refuse_singular(request.job,
                           lines.rectangles(static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last)));
}

std::string command_of(const pairs::PairJob& job, const std::optional<PartOfJob>& part) {
  const std::string ranges =
      job.ranges ? fmt::format(" --x-range {} --y-range {}", (*job.ranges)[0], (*job.ranges)[1]) : "";
  return fmt::format("tmd search {}{} --format {} --rounding {} --bits {}{}",
                     support::as_shell_word(job.function->name), ranges, job.format.name, to_string(job.rounding),
                     job.K, part ? fmt::format(" --shard {}/{}", part->index, part->count) : "");
}

void resume_from(pairs::PowerJournalContents& contents, const PowerRequest& request, const std::string& name,
                 const opencl::KernelUse& kernels, const RemarkHandler& on_remark) {
  const result::Program program = result::running_program(kernels);
  const std::vector<result::Program> others = result::others_than(program, contents.programs());
  const std::string sentence = fmt::format("the journal '{}' is of {}, and this is {}", name, result::to_string(others),
                                           result::to_string(program));
  if (!others.empty() && !request.spec.other_version)
    throw UsageError(sentence + ": --other-version goes on with it");
  if (!others.empty())
    on_remark(Remark::note, sentence);
  pairs::confirm_cases(contents, name, threads_of(request.spec));
}

KeptPowers keep_powers(const std::filesystem::path& journal, const PowerRequest& request, const OutputNames& outputs,
                       const opencl::KernelUse& kernels, const RemarkHandler& on_remark) {
  if (journal.empty())
    return {};
  KeptPowers kept{std::make_unique<pairs::PowerJournal>(journal), {}};
  std::optional<pairs::PowerJournalContents> contents = kept.journal->contents();
  const pairs::PowerLines lines(request.job);
  const bool is_same = contents && is_same_search(contents->header, request);
  const bool is_complete = contents && contents->done == contents->header.wanted;
  if (!contents || contents->done.empty() || (is_complete && !(is_same && is_unwritten(outputs)))) {
    kept.journal->begin({result::running_program(kernels), request.spec, request.job, wanted_lines(lines, request),
                         command_of(request.job, request.spec.shard), beside(journal, outputs)});
    return kept;
  }
  if (!is_same)
    throw UsageError(fmt::format("the journal '{}' is of another search, which has not ended, {}: end that with `tmd "
                                 "resume`, remove the journal, or name another with --journal",
                                 journal.string(), pairs::describe(contents->header.job)));
  resume_from(*contents, request, journal.string(), kernels, on_remark);
  on_remark(Remark::note,
            fmt::format("the search goes on from {} of {} pairs that '{}' has", to_string(lines.pairs(contents->done)),
                        to_string(lines.pairs(contents->header.wanted)), journal.string()));
  kept.so_far = std::move(contents);
  return kept;
}

pairs::PairResult power_result(const PowerRequest& request, pairs::PowerWork work, const job::Coverage& lines) {
  const pairs::PowerLines all(request.job);
  const auto of = [&](engine::boxes::TileKind kind) { return work.pairs.at(static_cast<std::size_t>(kind)); };
  pairs::BoxesDone done;
  done.pairs = all.pairs(lines);
  done.searched = of(engine::boxes::TileKind::search) + of(engine::boxes::TileKind::full);
  done.empty = of(engine::boxes::TileKind::empty);
  done.beside_one = of(engine::boxes::TileKind::beside_one);
  done.given = of(engine::boxes::TileKind::given) + of(engine::boxes::TileKind::itself);
  done.planted = work.planted;
  done.expected = std::ldexp(static_cast<double>(done.searched), 1 - request.job.K);
  done.stages = std::move(work.stages);
  if (const auto& part = request.spec.shard)
    done.part = fmt::format("part {} of {}", part->index, part->count);
  pairs::PairResult result = std::move(work.found).result();
  result.method = request.job.ranges ? "by boxes of pairs in tiles" : "by boxes of pairs";
  result.tested = done.searched;
  result.boxes = std::move(done);
  return result;
}

OpenBoxes open_boxes(const DeviceChoice& choice, bool is_compound) {
  OpenBoxes result;
  result.launcher = std::make_shared<engine::Launcher>(choice.device, most_survivors);
  result.search = std::make_unique<engine::boxes::BoxSearch>(
      result.launcher, choice.tunables[device::shared_tunable("launch-milliseconds")]);
  engine::boxes::test_boxes(*result.launcher, *result.search, is_compound);
  return result;
}

std::string name_of(const DeviceChoice& choice) {
  return fmt::format("{} ({})", choice.device.name, choice.device.platform);
}

PowerRun::PowerRun(const PowerRequest& request, Ranks* ranks, const RemarkHandler& on_remark)
    : request_(request), on_remark_(on_remark), lines_(request.job), work_{pairs::PairFindings(request.job)} {
  if (ranks == nullptr) {
    open(choose_devices(request.spec, on_remark));
    return;
  }
  kernels_ = opencl::use_kernels(request.spec.foreign_kernels);
  ranks_ = std::make_unique<PowerRanks>(*ranks, request, kernels_.digest);
  open_share(ranks->here);
  std::vector<std::string> without = ranks_->wait_until_opened(ranks->leader.interrupted());
  if (devices_.empty() && ranks_->devices().empty())
    throw DeviceError(without_);
  if (devices_.empty())
    without.push_back(fmt::format("rank 0 ({}) has no device: {}", ranks->here.host, without_));
  for (const std::string& sentence : without)
    on_remark(Remark::warning, sentence);
}

PowerRun::PowerRun(const PowerRequest& request, const Place& place, RemarkHandler on_remark)
    : request_(request), on_remark_(std::move(on_remark)),
      lines_(request.job), work_{pairs::PairFindings(request.job)} {
  kernels_ = opencl::use_kernels(request.spec.foreign_kernels);
  open_share(place);
}

PowerRun::~PowerRun() = default;

void PowerRun::open_share(const Place& place) {
  place_ = place;
  try {
    open(share_of(request_.spec, place, on_remark_));
  } catch (const DeviceError& error) {
    without_ = error.what();
  }
}

void PowerRun::open(const std::vector<DeviceChoice>& choices) {
  for (const DeviceChoice& choice : choices)
    try {
      OpenBoxes opened = open_boxes(choice, request_.job.function->takes_integer);
      kernels_ = choice.kernels;
      choices_.push_back(choice);
      if (place_)
        choices_.back().device.host = place_->host;
      launchers_.push_back(std::move(opened.launcher));
      devices_.push_back(std::move(opened.search));
    } catch (const DeviceError& error) {
      if (choices_.empty() && &choice == &choices.back())
        throw;
      tell_lost(on_remark_, name_of(choice), error.what());
    }
}

std::vector<result::DeviceUse> PowerRun::device_uses() const {
  std::vector<result::DeviceUse> uses;
  for (const DeviceChoice& choice : choices_) {
    result::DeviceUse use{choice.device, choice.tunables, choice.profile, ""};
    if (place_)
      use.rank = place_->rank;
    uses.push_back(use);
  }
  return uses;
}

// Ranks of a machine share its cores.
unsigned PowerRun::threads() const {
  const unsigned all = threads_of(request_.spec);
  return place_ && !request_.spec.host_threads ? std::max(1U, all / static_cast<unsigned>(place_->local_ranks)) : all;
}

std::vector<std::string> PowerRun::devices() const {
  std::vector<std::string> names;
  std::transform(choices_.begin(), choices_.end(), std::back_inserter(names), name_of);
  if (ranks_)
    for (const result::DeviceUse& use : ranks_->devices())
      names.push_back(fmt::format("{} ({}) of rank {}", use.device.name, use.device.platform, use.rank.value_or(0)));
  return names;
}

bool PowerRun::search(KeptPowers& kept, const std::function<void(const Progress&)>& progress,
                      const engine::Interrupt& interrupted) {
  const job::Coverage wanted = kept.so_far ? kept.so_far->header.wanted : wanted_lines(lines_, request_);
  if (kept.so_far) {
    done_ = std::move(kept.so_far->done);
    work_ = std::move(kept.so_far->work);
    for (const pairs::PowerJournalContents::Run& run : kept.so_far->runs)
      seconds_ += run.seconds;
  }
  std::vector<opencl::DeviceDescription> devices;
  for (const result::DeviceUse& use : device_uses())
    devices.push_back(use.device);
  if (ranks_)
    for (const result::DeviceUse& use : ranks_->devices())
      devices.push_back(use.device);
  const bool has_gpu = std::any_of(devices.begin(), devices.end(), [](const auto& one) { return one.is_gpu; });
  const double all = pairs::estimate_of(lines_, wanted, request_.job).cost();
  const double known = pairs::estimate_of(lines_, done_, request_.job).cost();
  const std::vector<pairs::PowerUnit> left =
      pairs::power_units(lines_, done_.complement_in(wanted), request_.job, cost_of_unit(request_, all, has_gpu));
  Progress now;
  now.done = now.known = static_cast<uint128>(known);
  now.total = static_cast<uint128>(std::max(known, all)) + 1;
  now.cases = work_.found.cases().size();
  now.devices = devices.size();
  if (kept.journal)
    kept.journal->begin_run(result::running_program(kernels_), devices);
  try {
    const bool is_done = search_units(left, kept.journal.get(), now, progress, interrupted);
    if (is_done && !(done_ == wanted))
      throw SoundnessError("not all pairs have been searched");
    return is_done;
  } catch (const SoundnessError&) {
    if (kept.journal)
      kept.journal->set_aside();
    throw;
  }
}

std::optional<double> PowerRun::predicted_seconds(double seconds) {
  constexpr double most = 10; // times as long, if no unit is done
  const job::Coverage wanted = wanted_lines(lines_, request_);
  const bool has_gpu = std::any_of(choices_.begin(), choices_.end(), [](const auto& one) { return one.device.is_gpu; });
  const double all = pairs::estimate_of(lines_, wanted, request_.job).cost();
  const std::vector<pairs::PowerUnit> units = number::shuffled(
      pairs::power_units(lines_, wanted, request_.job, cost_of_unit(request_, all, has_gpu)), number::Random(1));
  const auto start = std::chrono::steady_clock::now();
  std::atomic<double> first = 0; // seconds until the first unit was done, with the building of kernels
  double last = 0;
  std::size_t done = 0;
  pairs::PowerHooks hooks;
  hooks.interrupted = [&] {
    const double now = support::seconds_since(start);
    return first > 0 ? now > first + seconds : now > most * seconds;
  };
  hooks.searched = [&](const pairs::PowerPart& /*part*/) {
    last = support::seconds_since(start);
    if (done++ == 0)
      first = last;
  };
  (void)pairs::search_power_units(request_.job, lines_, units, searches(), threads(), hooks, [](std::size_t) {});
  if (done == units.size())
    return last;
  if (done < 2)
    return std::nullopt;
  return first + (last - first) / static_cast<double>(done - 1) * static_cast<double>(units.size() - 1);
}

bool PowerRun::search_units(const std::vector<pairs::PowerUnit>& units, pairs::PowerJournal* journal, Progress now,
                            const std::function<void(const Progress&)>& progress,
                            const engine::Interrupt& interrupted) {
  const auto start = std::chrono::steady_clock::now();
  auto cost = static_cast<double>(now.known);
  progress(now);
  PowerUnits left(units);
  std::mutex delivering; // devices here and other ranks deliver parts
  pairs::PowerHooks hooks;
  hooks.interrupted = [&] { return (interrupted && interrupted()) || (ranks_ && ranks_->have_failed()); };
  hooks.searched = [&](pairs::PowerPart part) {
    const std::lock_guard lock(delivering);
    if (journal != nullptr)
      journal->searched(part);
    done_.add(int128(part.first), int128(part.last));
    cost += part.cost;
    work_.add(std::move(part.work));
    refuse_too_many_found(request_,
                          static_cast<double>(work_.found.cases().size()) + static_cast<double>(work_.found.exact()));
    now.done = static_cast<uint128>(cost);
    now.cases = work_.found.cases().size();
    now.seconds = support::seconds_since(start);
    progress(now);
  };
  hooks.counted = [&](std::size_t candidates) { refuse_too_many_found(request_, static_cast<double>(candidates)); };
  const auto lose = [&](const std::string& place, std::size_t devices, const std::string& why) {
    const std::lock_guard lock(delivering);
    now.devices -= devices;
    tell_lost(on_remark_, place, why);
  };
  hooks.failed = [&](std::size_t device, const std::string& why) { lose(name_of(choices_[device]), 1, why); };
  const auto faulty = [&](std::size_t device) {
    const std::lock_guard lock(delivering);
    if (journal != nullptr)
      journal->revoked(device);
  };
  if (ranks_)
    ranks_->begin(left, {[&, first = devices_.size()](pairs::PowerPart part) {
                           part.device += first;
                           hooks.searched(std::move(part));
                         },
                         [&](int rank, std::size_t devices, const std::string& why) {
                           lose(fmt::format("rank {}", rank), devices, why);
                         },
                         [&, first = devices_.size()](std::size_t device) { faulty(first + device); }});
  bool is_done = true;
  try {
    do { // again if another rank has given units back
      if (!devices_.empty())
        is_done = pairs::search_power_units(
            request_.job, lines_, [&] { return left.next(); }, searches(), threads(), hooks, faulty);
      is_done = (!ranks_ || ranks_->finish(interrupted)) && is_done;
      if (is_done && !left.empty() && devices_.empty())
        std::rethrow_exception(ranks_->lost());
    } while (is_done && !left.empty());
  } catch (...) {
    ranks_.reset(); // their messages would still be answered from the units and hooks here
    throw;
  }
  if (journal != nullptr)
    journal->sync();
  seconds_ += support::seconds_since(start);
  require_same_kernels();
  return is_done;
}

void PowerRun::search_units_of(const pairs::NextUnit& next,
                               const std::function<void(const pairs::PowerPart&)>& searched,
                               const std::function<void(std::size_t)>& faulty, const engine::Interrupt& interrupted) {
  pairs::PowerHooks hooks;
  hooks.searched = searched;
  hooks.failed = [&](std::size_t device, const std::string& why) {
    tell_lost(on_remark_, name_of(choices_[device]), why);
  };
  hooks.interrupted = interrupted;
  hooks.counted = [&](std::size_t candidates) { refuse_too_many_found(request_, static_cast<double>(candidates)); };
  (void)pairs::search_power_units(request_.job, lines_, next, searches(), threads(), hooks, faulty);
  require_same_kernels();
}

void PowerRun::require_same_kernels() const {
  for (const auto& launcher : launchers_)
    if (launcher->compute().kernel_digest().value_or(kernels_.digest) != kernels_.digest)
      throw DeviceError("the kernel files changed while the search began");
}

std::vector<engine::boxes::BoxSearch*> PowerRun::searches() const {
  std::vector<engine::boxes::BoxSearch*> all;
  for (const auto& one : devices_)
    all.push_back(one.get());
  return all;
}

namespace {

// Parts of units, of about this cost each, drawn at random; all of the units if share is 1.
std::vector<pairs::PowerUnit> sample_of(const std::vector<pairs::PowerUnit>& units, double share, double cost,
                                        number::Random& random) {
  constexpr int most_parts = 4096;
  if (share >= 1)
    return units;
  double all = 0;
  for (const pairs::PowerUnit& unit : units)
    all += unit.cost;
  job::Coverage taken;
  std::vector<pairs::PowerUnit> parts;
  double sum = 0;
  for (int i = 0; i < most_parts && (share == 0 || sum < share * all); ++i) {
    pairs::PowerUnit part = units[random.below(units.size())];
    const std::uint64_t lines = part.last - part.first;
    const auto some = static_cast<std::uint64_t>(
        std::clamp(cost / std::max(part.cost, 1.0) * static_cast<double>(lines), 1.0, static_cast<double>(lines)));
    part.first += random.below(lines - some + 1);
    part.last = part.first + some;
    part.cost *= static_cast<double>(some) / static_cast<double>(lines);
    if (!taken.within(int128(part.first), int128(part.last)).empty())
      continue;
    taken.add(int128(part.first), int128(part.last));
    parts.push_back(part);
    sum += part.cost;
  }
  return parts;
}

} // namespace

PowerRun::Sample PowerRun::search_again(const job::Coverage& lines, double share, double seconds, std::uint64_t seed,
                                        const std::function<void(std::size_t)>& lost,
                                        const engine::Interrupt& interrupted) {
  const auto start = std::chrono::steady_clock::now();
  const bool has_gpu = std::any_of(choices_.begin(), choices_.end(), [](const auto& one) { return one.device.is_gpu; });
  const double boxes = has_gpu ? boxes_of_gpu : boxes_of_cpu;
  number::Random random(seed);
  const std::vector<pairs::PowerUnit> parts = sample_of(
      pairs::power_units(lines_, lines, request_.job, share < 1 ? boxes_of_gpu : boxes), share, boxes / 16, random);
  Sample sample;
  result::AuditReport& report = sample.found.report;
  std::atomic<bool> has_some = false;
  pairs::PowerHooks hooks;
  hooks.interrupted = [&] {
    return (share == 0 && has_some && support::seconds_since(start) > seconds) || (interrupted && interrupted());
  };
  hooks.searched = [&](const pairs::PowerPart& part) {
    sample.lines.add(int128(part.first), int128(part.last));
    const std::vector<pairs::PairCase>& found = part.work.found.cases();
    sample.found.cases.insert(sample.found.cases.end(), found.begin(), found.end());
    report.planted += part.work.planted;
    has_some = true;
  };
  hooks.failed = [&](std::size_t device, const std::string& why) {
    tell_lost(on_remark_, name_of(choices_[device]), why);
  };
  engine::boxes::BoxOptions others;
  others.lambda3 /= 2;
  (void)pairs::search_power_units(request_.job, lines_, parts, searches(), threads(), hooks, lost, others);
  report.algorithm = "boxes";
  report.way = "by other boxes";
  report.arguments = lines_.pairs(sample.lines);
  report.cases = sample.found.cases.size();
  report.seconds = support::seconds_since(start);
  report.seed = seed;
  return sample;
}

void PowerRun::audit(const KeptPowers& kept, const engine::Interrupt& interrupted) {
  constexpr double long_search = 60; // seconds
  constexpr double share_of_time = 0.01;
  constexpr std::uint64_t usual_pairs = 1 << 17; // of a share, as for one variable
  const std::optional<double> share = request_.spec.audit;
  if (share.value_or(seconds_ >= long_search ? 1 : 0) == 0 || done_.empty())
    return;
  const double seconds = share ? 0 : share_of_time * seconds_ / 2;
  number::Random random(std::random_device{}());
  const auto lost = [&](std::size_t device) {
    if (kept.journal)
      kept.journal->revoked(device);
  };
  const std::vector<pairs::PairCase>& cases = work_.found.cases();
  try {
    if (!devices_.empty()) {
      const Sample boxes = search_again(done_, share.value_or(0), seconds, random.next(), lost, interrupted);
      pairs::require_same_cases(request_.job, cases, boxes.found, [&](const pairs::Operands& operands) {
        return boxes.lines.contains(int128(lines_.line_of(operands)));
      });
      audits_.push_back(boxes.found.report);
    }
    const auto most = static_cast<double>(lines_.pairs(done_)) * share.value_or(1);
    const pairs::AuditedPairs single = pairs::decide_random_pairs(
        request_.job, lines_, done_, static_cast<std::uint64_t>(std::min(std::ceil(most), double(usual_pairs))),
        seconds, threads(), random.next(), interrupted);
    pairs::require_same_cases(request_.job, cases, single, [](const pairs::Operands&) { return false; });
    audits_.push_back(single.report);
  } catch (const SoundnessError&) {
    if (kept.journal)
      kept.journal->set_aside();
    throw;
  }
  if (share && interrupted && interrupted())
    on_remark_(Remark::warning, "the audit was interrupted: less was searched again than --audit asks for");
}

pairs::PairResult PowerRun::result() && {
  const double seconds = seconds_;
  pairs::PairResult result = power_result(request_, std::move(work_), done_);
  result.seconds = seconds;
  result.boxes->audits = std::move(audits_);
  return result;
}

} // namespace tmd::run
