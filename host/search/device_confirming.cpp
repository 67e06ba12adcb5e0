// The candidates of a batch go through MPFR. One that is further from a breakpoint than its test keeps proves that the
// device has searched another function.
#include "search/device_confirming.hpp"

#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::searches {

namespace {

void found_in_part(result::PartResult& result, const result::Findings& found) {
  result.found = found.listed();
  result.exact_unlisted = found.exact.unlisted();
}

} // namespace

void DeviceWorker::Confirming::confirm_searched() {
  while (auto work = searched_.pop()) {
    const auto start = std::chrono::steady_clock::now();
    const unsigned busy = ++confirming_;
    result::PartResult& result = work->result;
    const bool direct = result.direct > 0;
    const auto all_of = [&](const function::Function& function, const verify::Confirmation& confirmation,
                            std::uint64_t count, const auto& index, double reach, const job::Stretch& arguments) {
      Confirmed confirmed = confirm_all(
          confirmation, count, [&](std::uint64_t i) { return arguments.argument(index(i)); }, reach,
          worker_.host_threads_ / busy, [this] { return exchange_.interrupted(); });
      if (confirmed.outlier)
        throw FaultError(outlier_sentence(*confirmed.outlier, function, reach, *work));
      confirmed.found.sort();
      return std::move(confirmed.found);
    };
    if (direct) {
      found_in_part(result, all_of(
                                *job_.function, confirmation_, static_cast<std::uint64_t>(result.part.count),
                                [&](std::uint64_t i) { return result.part.first + i; },
                                std::numeric_limits<double>::infinity(), work->field.arguments));
    } else {
      const engine::BatchResult& found = work->found;
      found_in_part(result, all_of(
                                *job_.function, confirmation_, found.candidates.size(),
                                [&](std::uint64_t i) { return found.candidates[i]; }, found.max_distance,
                                work->field.arguments));
      for (std::size_t i = 0; i < found.of_companions.size(); ++i) {
        const engine::Claim& claim = *work->field.claim();
        const std::size_t functions = claim.companions.size();
        const auto other = i < functions ? std::nullopt : std::optional(i - functions);
        const function::Function& function = other ? *job_.function : *claim.companions[i];
        const std::vector<std::uint64_t>& candidates = found.of_companions[i];
        const result::Findings cases = all_of(
            function, verify::Confirmation(function, job_.grid(), job_.K), candidates.size(),
            [&](std::uint64_t place) { return candidates[place]; }, found.max_distance,
            other ? claim.others.at(*other) : work->field.arguments);
        result.of_companions.push_back({&function, cases.listed(), candidates.size(), other});
      }
    }
    --confirming_;
    if (!direct) {
      const double on_host = (result.planning_seconds + support::seconds_since(start)) / worker_.planning_threads_;
      result.seconds = std::max(on_host, work->seconds);
    }
    exchange_.deliver(result);
  }
}

std::string DeviceWorker::Confirming::outlier_sentence(const Outlier& outlier, const function::Function& function,
                                                       double reach, const Work& work) const {
  const std::string device = worker_.launcher_ ? fmt::format("device {} ({})", worker_.launcher_->device().index,
                                                             worker_.launcher_->device().name)
                                               : "a device";
  const result::Part& part = work.result.part;
  return fmt::format(
      "{} has kept {} as closer than 2^{:.2f} spacings to a breakpoint, but it is 2^{:.2f} away: its "
      "{} test has searched another function than {} in the part of {} arguments from {} on, and "
      "its results cannot be trusted",
      device, to_hex(outlier.x), std::log2(reach), std::log2(outlier.distance), work.engine->name(), function.name,
      to_string(part.count),
      to_hex(work.field.is_claimed() ? work.field.arguments.argument(0) : work.field.arguments.argument(part.first)));
}

} // namespace tmd::searches
