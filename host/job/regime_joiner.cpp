#include "job/regime_joiner.hpp"

#include "job/regime_finder.hpp"
#include "number/in_parallel.hpp"

#include <algorithm>
#include <utility>

namespace tmd::job {

RegimeJoiner::RegimeJoiner(format::ArgumentSet arguments, std::function<void(const RegimeRange&)> take_regime,
                           std::function<void(const Stretch&)> take_stretch)
    : arguments_(std::move(arguments)), take_regime_(std::move(take_regime)), take_stretch_(std::move(take_stretch)) {}

void RegimeJoiner::add(const RegimeStretch& next) {
  if (!next.regime) {
    close_regime();
    add_stretch(next.arguments);
    return;
  }
  const RankInterval ranks = ranks_of(arguments_, next.arguments, 0, next.arguments.count);
  const bool joins = regime_ && regime_->regime == *next.regime &&
                     (ranks.first == regime_->ranks.last || ranks.last == regime_->ranks.first);
  if (!joins) {
    close_regime();
    regime_ = RegimeRange{ranks, *next.regime};
  } else {
    regime_->ranks = {std::min(regime_->ranks.first, ranks.first), std::max(regime_->ranks.last, ranks.last)};
  }
  if (regime_->size() < shortest_regime) {
    short_.push_back(next.arguments);
  } else {
    short_.clear();
    close_stretch();
  }
}

void RegimeJoiner::close() {
  close_regime();
  close_stretch();
}

void RegimeJoiner::close_regime() {
  if (!regime_)
    return;
  const RegimeRange done = *std::exchange(regime_, std::nullopt);
  if (done.size() >= shortest_regime) {
    take_regime_(done);
    return;
  }
  for (const Stretch& stretch : std::exchange(short_, {}))
    add_stretch(stretch);
}

void RegimeJoiner::add_stretch(const Stretch& stretch) {
  if (stretch_ && stretch_->negative == stretch.negative && stretch_->unit_exponent == stretch.unit_exponent &&
      stretch_->first + stretch_->count == stretch.first && bit_length(stretch_->first) == bit_length(stretch.first)) {
    stretch_->count += stretch.count;
    return;
  }
  close_stretch();
  stretch_ = stretch;
}

void RegimeJoiner::close_stretch() {
  if (stretch_)
    take_stretch_(*std::exchange(stretch_, std::nullopt));
}

void divide(const Job& job, const Coverage& ranks, const std::function<bool()>& interrupted,
            std::function<void(const RegimeRange&)> take_regime, std::function<void(const Stretch&)> take_stretch) {
  RegimeFinder finder(job, interrupted);
  RegimeJoiner joiner(job.arguments(), std::move(take_regime), std::move(take_stretch));
  for (const auto& [first, last] : ranks.intervals()) {
    for (const Stretch& stretch : stretches(job.arguments(), first, last))
      for (const RegimeStretch& one : finder.find(stretch))
        joiner.add(one);
    joiner.close();
  }
}

void divide_in_parallel(const Job& job, const Coverage& ranks, const std::function<bool()>& interrupted,
                        std::function<void(const RegimeRange&)> take_regime,
                        std::function<void(const Stretch&)> take_stretch) {
  constexpr std::size_t at_a_time = 16; // stretches of one finder, whatever the number of threads
  RegimeJoiner joiner(job.arguments(), std::move(take_regime), std::move(take_stretch));
  for (const auto& [first, last] : ranks.intervals()) {
    const std::vector<Stretch> all = stretches(job.arguments(), first, last);
    std::vector<std::vector<RegimeStretch>> found(all.size());
    const auto find = [&](std::uint64_t part, unsigned /*thread*/) {
      RegimeFinder finder(job, interrupted);
      for (std::size_t i = part * at_a_time; i < std::min(all.size(), (part + 1) * at_a_time); ++i)
        found[i] = finder.find(all[i]);
    };
    number::in_parallel((all.size() + at_a_time - 1) / at_a_time, number::cores(), find);
    for (const std::vector<RegimeStretch>& divided : found)
      for (const RegimeStretch& one : divided)
        joiner.add(one);
    joiner.close();
  }
}

} // namespace tmd::job
