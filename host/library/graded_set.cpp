// A window in each binade gives some arguments of each degree. Degrees then take turns, the hardest first, and each
// takes the argument of a binade that has fewest so far.
#include "library/graded_set.hpp"

#include "number/random.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace tmd::library {

namespace {

constexpr std::size_t share = 4; // of the set: at most one in so many is listed, and as many are fixed
constexpr std::size_t degrees = hardest_bits + 1 - least_graded_bits;

using Binade = std::pair<bool, int>;

class Choice {
public:
  explicit Choice(const GradedRequest& request)
      : request_(request), encodings_(request.format),
        strata_(*request.function, encodings_, request.ranks, request.seed) {}

  GradedSet take() {
    for (const Code code : request_.listed)
      if (chosen_.size() < request_.count / share && encodings_.is_number(code))
        chosen_.insert(code);
    set_.listed = chosen_.size();
    take_fixed();
    take_graded();
    set_.arguments.assign(chosen_.begin(), chosen_.end());
    std::sort(set_.arguments.begin(), set_.arguments.end(),
              [&](Code left, Code right) { return encodings_.is_before(left, right); });
    return std::move(set_);
  }

private:
  // Half of them at ends of binades.
  void take_fixed() {
    const std::vector<Code>& fixed = strata_.fixed();
    const auto ends = fixed.begin() + static_cast<std::ptrdiff_t>(strata_.fixed_before_ends());
    const std::size_t most = request_.count / share;
    const auto take = [&](const std::vector<Code>& codes, std::size_t up_to) {
      for (const Code code : codes)
        if (set_.fixed < up_to && encodings_.is_number(code) && chosen_.insert(code).second)
          ++set_.fixed;
    };
    take({ends, fixed.end()}, most / 2);
    std::vector<Code> others(fixed.begin(), ends);
    number::Random random(request_.seed);
    for (std::size_t i = others.size(); i > 1; --i)
      std::swap(others[i - 1], others[random.below(i)]);
    take(others, most);
    take(fixed, most);
  }

  void take_graded() {
    const std::size_t wanted = request_.count - chosen_.size();
    std::array<std::vector<Sample>, degrees> found = samples(wanted);
    std::map<Binade, std::size_t> taken;
    set_.by_bits.resize(hardest_bits + 1);
    for (bool is_empty = false; !is_empty;) {
      is_empty = true;
      for (std::size_t degree = degrees; degree-- > 0;) {
        std::vector<Sample>& all = found.at(degree);
        if (all.empty() || chosen_.size() >= request_.count)
          continue;
        is_empty = false;
        const auto least = std::min_element(all.begin(), all.end(), [&](const Sample& left, const Sample& right) {
          return taken[{left.negative, left.binade}] < taken[{right.negative, right.binade}];
        });
        if (chosen_.insert(least->argument).second) {
          ++taken[{least->negative, least->binade}];
          ++set_.by_bits[degree + least_graded_bits];
        }
        std::swap(*least, all.back());
        all.pop_back();
      }
    }
    set_.binades = static_cast<std::size_t>(
        std::count_if(taken.begin(), taken.end(), [](const auto& one) { return one.second != 0; }));
  }

  // Some of each degree, from every binade; from other places of these again as long as there are too few.
  std::array<std::vector<Sample>, degrees> samples(std::size_t wanted) {
    constexpr std::uint64_t rounds = 8;
    std::vector<Visit> visits = strata_.graded_visits(least_graded_bits);
    set_.binades_of_function = visits.size();
    if (visits.size() > wanted)
      visits.resize(wanted);
    std::array<std::vector<Sample>, degrees> found;
    std::set<Code> seen;
    for (std::uint64_t round = 0; round < rounds && seen.size() < wanted; ++round)
      for (Visit& visit : visits) {
        visit.seed += round;
        visit.wanted = 1 + wanted / visits.size();
        std::vector<Sample> samples;
        (void)take_samples(*request_.function, encodings_, visit, samples);
        for (const Sample& one : samples)
          if (one.nearest.bits >= least_graded_bits && one.right && seen.insert(one.argument).second)
            found.at(static_cast<std::size_t>(one.nearest.bits - least_graded_bits)).push_back(one);
      }
    return found;
  }

  const GradedRequest& request_;
  Encodings encodings_;
  Strata strata_;
  std::set<Code> chosen_;
  GradedSet set_;
};

} // namespace

GradedSet graded_set(const GradedRequest& request) { return Choice(request).take(); }

} // namespace tmd::library
