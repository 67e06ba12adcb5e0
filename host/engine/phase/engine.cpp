// How claims are found and a device is tested: a first batch is tried with windows in which many points pass, and the
// device's results there are compared with the host's walk before its results count.
#include "engine/phase/engine.hpp"

#include "engine/arithmetic_test.hpp"
#include "engine/phase/plants.hpp"
#include "engine/phase/reference.hpp"
#include "engine/phase/tunables.hpp"
#include "engine/self_test.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::phase {

PhaseEngine::PhaseEngine(const PhaseOptions& options, Search search, Expect expect)
    : options_(options), search_(std::move(search)), expect_(std::move(expect)) {}

std::unique_ptr<Planner> PhaseEngine::planner(const job::Job& job, const Field& field) {
  if (!field.is_claimed_by(engine_name))
    return nullptr;
  return std::make_unique<PhasePlanner>(
      std::make_shared<const PhaseField>(job, field.arguments, field.claim()->companions, field.claim()->others),
      options_);
}

void PhaseEngine::expect(const Batch& batch) {
  if (expect_)
    expect_(dynamic_cast<const PhaseBatch&>(batch));
}

BatchResult PhaseEngine::search(const Batch& batch, const Interrupt& interrupt) {
  return search_(dynamic_cast<const PhaseBatch&>(batch), interrupt);
}

namespace {

// Whether the walk is faster than polynomials where the arguments' greatest power of two is 2^exponent. Next to a pole
// each polynomial serves very few arguments.
bool is_faster(const function::Phase& phase, int exponent, double period, bool on_gpu) {
  constexpr double fewest_periods = 32; // of an exponential up to the arguments
  if (phase.has_pole)
    return exponent >= 5;
  if (phase.kind == function::Phase::Kind::folded)
    return exponent >= (on_gpu ? 6 : 9);
  return on_gpu ? std::ldexp(1, exponent) >= fewest_periods * period : exponent >= 10; // where few values are normal
}
constexpr uint128 fewest_arguments = 64;
constexpr double least_share_of_period = 0.25; // arguments must span this much, for there are windows for all phases
constexpr std::uint64_t windows_of_core = std::uint64_t(1) << 21; // that a CPU core walks in about a second
constexpr int most_significand_bits = 64;

// Whether arguments are in the innermost zone at the pole.
bool reaches_pole(const PhaseField& field) {
  return std::any_of(field.zones().begin(), field.zones().end(), [&](const PhaseZone& zone) {
    return zone.is_direct && zone.ends_at_pole && field.arguments_at(zone.first, zone.extent) > 0;
  });
}

// The arguments at which the function is so near to that of its phase that the difference, a term of the ledger, costs
// few candidates: the last ones, or none if they are fewer than half.
job::Stretch near_phase(const job::Job& job, const job::Stretch& stretch) {
  const function::Phase& phase = *job.function->phase;
  job::Stretch result = stretch;
  if (!phase.is_only_near())
    return result;
  constexpr int margin_bits = 6; // log2 of ε over the difference, with what PhaseField::beside() rounds up
  const double bits = job.grid().number_bits() + job.K + margin_bits;
  const double least = std::ceil(std::ldexp(bits / phase.agreement * (1 + 0x1p-30), -stretch.unit_exponent));
  const auto first = static_cast<uint128>(std::min(least, 0x1p100));
  if ((stretch.negative && job.function->symmetry == Symmetry::none) || first > stretch.first + stretch.count / 2) {
    result.count = 0;
  } else if (first > stretch.first) {
    result.first = first;
    result.count -= first - stretch.first;
  }
  return result;
}

// The arguments whose values, at least 2^k, have all bits of the format.
job::Stretch with_normal_values(const job::Job& job, const job::Stretch& stretch) {
  const format::BreakpointGrid grid = job.grid();
  if (!grid.is_bounded())
    return stretch;
  constexpr long precision = 256;
  number::Arb limit; // bound of the significands
  const function::Phase& phase = *job.function->phase;
  phase.period(limit, precision);
  arb_mul_si(limit, limit, falls(phase, stretch) ? -grid.min_exponent : grid.max_exponent + (phase.halved ? 2 : 1),
             precision);
  arb_mul_2exp_si(limit, limit, -stretch.unit_exponent);
  number::Integer greatest;
  arf_get_fmpz(greatest, mid(limit), ARF_RND_FLOOR);
  number::Integer last;
  number::set(last, stretch.first + (stretch.count - 1));
  if (fmpz_cmp(greatest, last) >= 0)
    return stretch;
  number::Integer before;
  number::set(before, stretch.first);
  fmpz_sub(before, greatest, before);
  job::Stretch result = stretch;
  result.count = fmpz_sgn(before) < 0 ? 0 : fmpz_get_ui(before) + 1;
  return result;
}

// The arguments of the job at which a logarithm's values are in the binade of 2^exponent or −2^exponent, in binades.
double binades_with_values(const job::Job& job, int exponent) {
  number::Arb enclosed_period;
  job.function->phase->period(enclosed_period, 64);
  const double period = arf_get_d(mid(enclosed_period), ARF_RND_NEAR);
  const format::ArgumentSet arguments = job.arguments();
  const int precision = arguments.precision();
  const int least = job.format.min_exponent;
  const format::ArgumentSet::Rank first = arguments.rank({false, uint128(1) << (precision - 1), least - precision + 1});
  const auto rank_of = [&](double binade) {
    const double within = std::clamp<double>(binade, least, job.format.max_exponent + 1) - least;
    return first + static_cast<format::ArgumentSet::Rank>(std::ldexp(within, precision - 1));
  };
  const double from = std::ldexp(1, exponent) / period;
  uint128 count = 0;
  for (const auto& [low, high] : {std::pair(from, 2 * from), std::pair(-2 * from, -from)})
    if (low > 0 || !job.function->phase->is_only_near())
      for (const auto& [begin, end] : job.range().within(rank_of(low), rank_of(high)))
        count += static_cast<uint128>(end - begin);
  return std::ldexp(static_cast<double>(count), 1 - precision);
}

// The arguments of a logarithm from the first one on with values in the same binade, if one walk serves so many that it
// is faster than polynomials.
std::optional<Field> claim_of_logarithm(const job::Job& job, const Choices& choices, const job::Stretch& stretch) {
  const function::Phase& phase = *job.function->phase;
  const int precision = job.arguments().precision();
  const bool may_be_faster = choices.algorithm == phase_method || choices.on_gpu;
  if (!choices.joins_claims || !may_be_faster || precision > most_significand_bits || stretch.negative ||
      bit_length(stretch.first) != precision || (stretch.unit_exponent + precision - 1 == 0)) // from 1 on
    return std::nullopt;
  const int binade = stretch.unit_exponent + precision - 1;
  if (phase.is_only_near() && binade <= 0)
    return std::nullopt;
  const int exponent = value_exponent_of(phase, stretch, 0);
  constexpr int margin_bits = 6; // log2 of ε over the distance from a logarithm
  if (phase.is_only_near() && phase.agreement * binade + job.grid().spacing_exponent(exponent) < job.K + margin_bits)
    return std::nullopt;
  // That cost as much as a walk: 0.4 s of an H200 in binary64. The arguments of a window are 2^(p/3).
  const double fewest_binades = 32 * std::exp2((53 - precision) / 3.0);
  if (choices.algorithm != phase_method && binades_with_values(job, exponent) < fewest_binades)
    return std::nullopt;
  job::Stretch run = stretch;
  uint128 others = stretch.count - 1; // the first index known to be of others
  if (value_exponent_of(phase, stretch, stretch.count - 1) != exponent)
    for (run.count = 1; others - run.count > 0;) {
      const uint128 middle = run.count + (others - run.count) / 2;
      if (value_exponent_of(phase, stretch, middle) == exponent)
        run.count = middle + 1;
      else
        others = middle;
    }
  // Only the runs' places differ from those in the same binade of another function.
  const auto field = std::make_shared<const PhaseField>(job, run);
  return Field{
      run, Claim{.engine = phase_method,
                 .extent = field->extent(),
                 .arguments_at = [field](uint128 first, uint128 count) { return field->arguments_at(first, count); },
                 .coordinate = fmt::format("2^{} places of an argument", field->place_bits()),
                 .place_of = [field](std::uint64_t index) { return field->place_of(index); },
                 .family = fmt::format("values from 2^{} on", exponent)}};
}

std::optional<Field> claim(const job::Job& job, const Choices& choices, const job::Stretch& of) {
  if (!job.function->phase)
    return std::nullopt;
  if (job.function->phase->kind == function::Phase::Kind::logarithm)
    return claim_of_logarithm(job, choices, of);
  const bool is_folded = job.function->phase->kind == function::Phase::Kind::folded;
  const job::Stretch stretch = is_folded ? of : near_phase(job, with_normal_values(job, of));
  if (stretch.count < fewest_arguments)
    return std::nullopt;
  const int significand_bits = bit_length(stretch.first + (stretch.count - 1));
  if (significand_bits > most_significand_bits || bit_length(stretch.first) != significand_bits)
    return std::nullopt;
  const int exponent = stretch.unit_exponent + significand_bits - 1;
  const bool has_pole = job.function->phase->has_pole;
  number::Arb enclosed_period;
  job.function->phase->period(enclosed_period, 64);
  const double period = arf_get_d(mid(enclosed_period), ARF_RND_NEAR);
  const bool is_walked =
      choices.algorithm == phase_method || is_faster(*job.function->phase, exponent, period, choices.on_gpu);
  const double span = std::ldexp(static_cast<double>(stretch.count), stretch.unit_exponent);
  const bool serves = is_walked && span >= least_share_of_period * period;
  if (exponent < 0 || !(serves || has_pole))
    return std::nullopt;
  const auto field = std::make_shared<const PhaseField>(job, stretch);
  if (!serves && !reaches_pole(*field))
    return std::nullopt;
  return Field{stretch, Claim{.engine = phase_method,
                              .extent = field->extent(),
                              .arguments_at = [field](uint128 first,
                                                      uint128 count) { return field->arguments_at(first, count); },
                              .coordinate = field->coordinate(),
                              .place_of = [field](std::uint64_t index) { return field->place_of(index); },
                              .shared = field->windows(),
                              .family = is_folded || job.function->phase->is_only_near()
                                            ? ""
                                            : fmt::format("{} {} 2^{}", to_string(stretch.first),
                                                          to_string(stretch.count), stretch.unit_exponent)}};
}

// The number of windows at a batch's beginning that the device is tested with.
std::uint64_t windows_to_try(const PhaseBatch& batch) {
  constexpr std::uint64_t most = std::uint64_t(1) << 12;
  return std::min(batch.windows, most);
}

// Walks some windows of a batch with a tolerance that lets many points pass. The device must find what the host finds
// inside the windows' boxes (outside, either may find more), and must not refuse more than the host does, which would
// have to do that work.
std::string walk_failure(PhaseSearch& search, const PhaseBatch& batch, float tried_tolerance) {
  constexpr float inside = 1 - 0x1p-9F;
  PhaseBatch tried = batch;
  tried.windows = windows_to_try(batch);
  const std::uint64_t groups = ((tried.windows - 1) >> batch.parameters.group_bits) + 1;
  tried.tables.resize(groups * layout::table_words(batch.parameters.degree));
  tried.starts.resize(groups * layout::start_words);
  const float tolerance = std::max(batch.parameters.tolerance, tried_tolerance);
  const auto with = [&](float share, float box) {
    tried.parameters.box = box;
    tried.parameters.tolerance = share * tolerance;
    tried.parameters.thickness = batch.parameters.thickness + tried.parameters.tolerance;
  };
  for (const bool robust : {false, true}) {
    with(1 - 0x1p-8F, inside);
    std::vector<std::uint64_t> made;
    std::vector<std::uint64_t> refused;
    const std::vector<std::uint64_t> starts = starts_on_host(tried, made);
    std::vector<std::uint64_t> chunks;
    for (std::uint64_t group = 0; group < groups; ++group)
      for (std::uint64_t i = 0; i < made[group]; ++i)
        chunks.push_back((group << (batch.parameters.group_bits - batch.parameters.chunk_bits)) + i);
    const std::uint64_t not_begun = ((tried.windows - 1) >> batch.parameters.chunk_bits) + 1 - chunks.size();
    const auto expected = walk_on_host(tried, robust ? PhaseUnits::robust : PhaseUnits::plain, chunks, starts, refused);
    with(1, batch.parameters.box);
    search.reset_stages();
    const auto found = search.walk(tried, robust);
    // Chunks that the host walks in these units and the device refuses, though there was room for their points.
    const Stages stages = search.stages();
    const std::uint64_t of_chunk = std::uint64_t(1) << batch.parameters.chunk_bits;
    const std::uint64_t walked_again = stages[robust ? 3 : 2].tested;
    if (walked_again > (2 * (refused.size() + not_begun) + chunks.size() / 8 + 1 + search.overflowed()) * of_chunk)
      return fmt::format("the phase walk has refused {} of {} windows", walked_again, tried.windows);
    // Compared as arguments, for an entry of a list may stand for several points.
    const std::vector<PhaseArgument> arguments = arguments_of(*batch.plan, found);
    const auto missed = std::count_if(expected.begin(), expected.end(), [&](const PhasePoint& point) {
      const auto argument = batch.plan->argument_of(point);
      return argument && !std::binary_search(arguments.begin(), arguments.end(), *argument);
    });
    if (missed > 0)
      return fmt::format("the phase walk has missed {} of {} lattice points", missed, expected.size());
  }
  return {};
}

// Batches on a device that tests itself first.
class TrustedWalk {
public:
  TrustedWalk(const std::shared_ptr<Launcher>& launcher, const EngineSettings& settings)
      : search_(launcher, settings.tunables), test_(search_), planting_(search_) {}

  BatchResult operator()(const PhaseBatch& batch, const Interrupt& interrupt) {
    self_test::require(search_.launcher()->device(), test_.failure(batch));
    return planting_.result(batch, interrupt);
  }

  // The first batch may be queued long behind those of other engines.
  void expect(const PhaseBatch& batch) {
    if (batch.windows == 0 || expected_.exchange(true))
      return;
    build_arithmetic_ahead(*search_.launcher());
    search_.build_ahead(batch);
  }

private:
  PhaseSearch search_;
  WalkTest test_;
  PlantingWalk planting_;
  std::atomic<bool> expected_ = false;
};

std::unique_ptr<Engine> open_phase(const std::shared_ptr<Launcher>& launcher, const EngineSettings& settings) {
  if (const std::string why = why_no_wide_test(launcher->device()); !why.empty()) {
    if (settings.choices.algorithm != phase_method)
      return nullptr;
    throw DeviceError(
        fmt::format("device {} ({}) cannot walk phases: {}", launcher->device().index, launcher->device().name, why));
  }
  const auto walk = std::make_shared<TrustedWalk>(launcher, settings);
  return std::make_unique<PhaseEngine>(
      phase_options(settings, launcher->device()),
      [walk](const PhaseBatch& batch, const Interrupt& interrupt) { return (*walk)(batch, interrupt); },
      [walk](const PhaseBatch& batch) { walk->expect(batch); });
}

std::unique_ptr<Engine> open_to_plan(const EngineSettings& settings) {
  return std::make_unique<PhaseEngine>(phase_options(settings, {}), PhaseEngine::Search());
}

} // namespace

PhaseOptions phase_options(const EngineSettings& settings, const opencl::DeviceDescription& device) {
  PhaseOptions options;
  options.width = static_cast<double>(settings.tunables[phase_tunable("phase.width-percent")]) / 100;
  options.segment_bits = static_cast<int>(settings.tunables[phase_tunable("phase.segment-bits")]);
  options.chunk_bits = static_cast<int>(settings.tunables[phase_tunable("phase.chunk-bits")]);
  options.host_threads = settings.host_threads;
  if (device.is_cpu) // so that less is lost when it is stopped
    options.batch_windows = windows_of_core * std::max(device.compute_units, 1U);
  return options;
}

std::string WalkTest::failure(const PhaseBatch& batch) {
  constexpr std::uint64_t much_larger = 8;
  std::uint64_t& tested = windows_[{batch.parameters.targets, batch.plan->m_words, batch.plan->field->is_logarithm()}];
  if (batch.windows == 0 || windows_to_try(batch) <= much_larger * tested)
    return {};
  const Launcher::Unrecorded unrecorded(*search_.launcher());
  std::string failure;
  if (!has_tested_)
    failure = arithmetic_failure(*search_.launcher());
  // With the first tolerance, lines' points are looked at one by one; with the second their roots decide which.
  for (const float tolerance : {0x1p-4F, 0x1p-10F})
    if (failure.empty())
      failure = walk_failure(search_, batch, tolerance);
  if (failure.empty()) {
    has_tested_ = true;
    tested = windows_to_try(batch);
  }
  return failure;
}

namespace {

// Tunables for an audit: windows of another width, and coordinates renewed elsewhere make another lattice in each
// window.
device::Setting varied(const device::Tunables& used, number::Random& random) {
  constexpr std::int64_t least_width = 90; // percent
  constexpr std::uint64_t widths = 91;
  constexpr std::int64_t least_segment_bits = 2;
  constexpr std::uint64_t segments = 4;
  constexpr std::int64_t too_like = 5;
  std::int64_t width = used[phase_tunable("phase.width-percent")];
  while (std::abs(width - used[phase_tunable("phase.width-percent")]) < too_like)
    width = least_width + static_cast<std::int64_t>(random.below(widths));
  const std::int64_t segment_bits = least_segment_bits + static_cast<std::int64_t>(random.below(segments));
  return {{"phase.width-percent", std::to_string(width)}, {"phase.segment-bits", std::to_string(segment_bits)}};
}

} // namespace

const EngineKind phase_engine{.name = PhaseEngine::engine_name,
                              .algorithms = phase_methods,
                              .stages = phase_stages,
                              .claim = claim,
                              .open = open_phase,
                              .open_to_plan = open_to_plan,
                              .trial = {"sin", "1024", "2048", "p20", 10},
                              .varied = varied,
                              .tuning = phase_tuning};

} // namespace tmd::engine::phase
