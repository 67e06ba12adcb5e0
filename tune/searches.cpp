#include "tune/searches.hpp"

#include "result/recorded_search.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tmd::tune {

namespace {

constexpr int most_bits = 52; // log2 of a search's arguments
constexpr int fewest_bits_of_wide = 36;
constexpr int fewest_bits_of_walk = 12;
constexpr int binades_cases = 44; // K for a whole binade
constexpr int spare_bits = 5;     // 2·2^bits·2^−K = 2^(1 + spare_bits) cases are expected

SearchSpec spec_of(Work work, int size, bool quick) {
  SearchSpec spec;
  spec.functions = {work == Work::walk ? "sin" : "exp"};
  spec.from = "1";
  spec.bits = std::min(size - spare_bits, binades_cases);
  switch (work) {
  case Work::wide:
    spec.to = fmt::format("1+2^{}", size - most_bits);
    spec.choices.algorithm = "wide";
    break;
  case Work::walk: // from a power of two to 64 above it
    spec.from = fmt::format("2^{}", most_bits + 6 - size);
    spec.to = *spec.from + "+64";
    spec.choices.algorithm = "phase";
    break;
  case Work::phases:
    spec.to = quick ? "1+2^-17" : "1+2^-13";
    spec.argument_precision = 54;
    spec.rounding = Rounding::directed;
    spec.bits = 33;
    spec.choices.algorithm = "regular";
    spec.choices.polynomials = Polynomials::hybrid;
    break;
  }
  return spec;
}

Seconds seconds_of(Work work, const result::RecordedSearch& search) {
  const double device = tmd::engine::seconds_of(search.summary->stages);
  if (work != Work::phases) { // 0 if other methods have searched everything
    const bool is_of_it =
        engine::stage(search.summary->stages, work == Work::wide ? "wide_groups" : "phase_walk").seconds > 0;
    return {{work == Work::wide ? Part::wide : Part::walk, is_of_it ? device : 0}};
  }
  Seconds seconds{{Part::whole, device + search.summary->planning_seconds}};
  for (const auto& [part, name] :
       {std::pair(Part::phase1, "phase1"), std::pair(Part::phase2, "phase2"), std::pair(Part::phase3, "phase3"),
        std::pair(Part::polynomials, "polynomials_on_device")})
    seconds[part] = engine::stage(search.summary->stages, name).seconds;
  return seconds;
}

} // namespace

SearchRun TuningSearches::run_sized(Work work, int size, const Settings& settings, double patience) const {
  SearchSpec spec = spec_of(work, size, quick_);
  spec.tunables.assign(settings.begin(), settings.end());
  const ChildSearch child = run_child_(spec, patience);
  SearchRun run;
  run.state = child.state;
  run.message = child.message;
  if (child.state == State::ok)
    try {
      const result::RecordedSearch search = result::read_complete_search(
          result::recognize(support::source_of(child.records), "the records"), [&](const result::FoundEntry& one) {
            run.found.push_back(result::case_record(result::case_of(one), one.bits.value_or(0)).dump());
          });
      run.seconds = seconds_of(work, search);
      const std::size_t cases = quick_ ? 11 : 243; // as known from independent computations
      if (work == Work::phases && search.entries.hard != cases) {
        run.state = State::incorrect;
        run.message = fmt::format("it finds {} cases, and there are {}", search.entries.hard, cases);
      }
    } catch (const DeviceError& error) {
      run.state = State::runtime;
      run.message = error.what();
    }
  return run;
}

SearchRun TuningSearches::run(Work work, const Settings& settings, double patience) {
  if (const auto known = sizes_.find(work); known != sizes_.end()) {
    SearchRun run = run_sized(work, known->second, settings, patience);
    if (run.state == State::ok && work != Work::phases && run.seconds.begin()->second == 0)
      return {State::runtime, {}, {}, "it was searched by other methods"};
    return run;
  }
  const double shortest = quick_ ? 0.01 : 0.03;
  int size = work == Work::wide ? fewest_bits_of_wide : fewest_bits_of_walk;
  for (;;) {
    SearchRun run = run_sized(work, size, settings, patience);
    const double seconds = run.seconds.empty() ? 0 : run.seconds.begin()->second;
    if (run.state != State::ok || work == Work::phases || size == most_bits || seconds >= shortest) {
      sizes_[work] = size;
      return run;
    }
    // Grows step by step, because the time of a search grows faster than its arguments at first.
    constexpr int most_at_once = 2;
    size = std::min(
        size + std::clamp(static_cast<int>(std::log2(shortest / std::max(seconds, 1e-9))) - 1, 1, most_at_once),
        most_bits);
  }
}

std::string TuningSearches::text() const {
  return fmt::format("exp on [1, 1 + 2^-{}), arguments of 54 bits, breakpoints: directed, K = 33; exp from 1 on by the "
                     "wide test and sin by the phase walk, {} ms of the device",
                     quick_ ? 17 : 13, quick_ ? 10 : 30);
}

} // namespace tmd::tune
