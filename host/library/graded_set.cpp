// A neighbourhood in each binade gives some arguments of each degree of hardness. The degrees then take turns, the
// hardest first; each takes an argument from the binade that has the fewest so far.
#include "library/graded_set.hpp"

#include "number/random.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace tmd::library {

namespace {

constexpr std::size_t share = 4; // at most one in `share` arguments of the set is listed, and as many are fixed
constexpr std::size_t degrees = hardest_bits + 1 - least_graded_bits;

using Binade = std::pair<bool, int>;

// The arguments found of one degree, by binade. The queue orders binades by how many of their arguments, of all
// degrees, had been taken when they were queued.
struct Degree {
  std::map<Binade, std::vector<Code>> codes;
  std::set<std::pair<std::size_t, Binade>> waiting;
};

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
  // Takes half of them from the ends of binades.
  void take_fixed() {
    const std::span<const Code> all(strata_.fixed());
    const std::size_t before_ends = strata_.fixed_before_ends();
    const std::size_t most = request_.count / share;
    const auto take = [&](std::span<const Code> codes, std::size_t up_to) {
      for (const Code code : codes)
        if (set_.fixed < up_to && encodings_.is_number(code) && chosen_.insert(code).second)
          ++set_.fixed;
    };
    take(all.subspan(before_ends), most / 2);
    take(number::shuffled(std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before_ends)),
                          number::Random(request_.seed)),
         most);
    take(all.subspan(before_ends), most);
  }

  void take_graded() {
    std::array<Degree, degrees> found = samples(request_.count - chosen_.size());
    set_.by_bits.resize(hardest_bits + 1);
    for (bool is_left = true; is_left;) {
      is_left = false;
      for (std::size_t degree = degrees; degree-- > 0 && chosen_.size() < request_.count;) {
        const auto next = next_of(found.at(degree));
        if (!next)
          continue;
        is_left = true;
        if (chosen_.insert(next->second).second) {
          ++taken_[next->first];
          ++set_.by_bits[degree + least_graded_bits];
        }
      }
    }
    set_.binades = taken_.size();
  }

  // An argument of the binade from which the fewest have been taken.
  std::optional<std::pair<Binade, Code>> next_of(Degree& degree) {
    while (!degree.waiting.empty()) {
      const auto [count, binade] = *degree.waiting.begin();
      degree.waiting.erase(degree.waiting.begin());
      const auto taken = taken_.find(binade);
      if (taken != taken_.end() && taken->second > count) { // others were taken from it since it was queued
        degree.waiting.emplace(taken->second, binade);
        continue;
      }
      std::vector<Code>& codes = degree.codes[binade];
      const Code code = codes.back();
      codes.pop_back();
      if (!codes.empty())
        degree.waiting.emplace(count, binade);
      return std::pair(binade, code);
    }
    return std::nullopt;
  }

  // Arguments of each degree from one place in every binade, and from further places while there are too few.
  std::array<Degree, degrees> samples(std::size_t wanted) {
    constexpr std::uint64_t rounds = 8;
    std::vector<Visit> visits = strata_.graded_visits(least_graded_bits);
    set_.binades_of_function = visits.size();
    if (visits.size() > wanted)
      visits.resize(wanted);
    std::array<Degree, degrees> found;
    std::set<Code> seen;
    for (std::uint64_t round = 0; round < rounds && seen.size() < wanted; ++round)
      for (Visit& visit : visits) {
        visit.seed += round;
        visit.wanted = 1 + wanted / visits.size();
        std::vector<Sample> samples;
        (void)take_samples(*request_.function, encodings_, visit, samples);
        for (const Sample& one : samples)
          if (one.nearest.bits >= least_graded_bits && seen.insert(one.argument).second) {
            Degree& degree = found.at(static_cast<std::size_t>(one.nearest.bits - least_graded_bits));
            const Binade binade{one.negative, one.binade};
            degree.codes[binade].push_back(one.argument);
            degree.waiting.emplace(0, binade);
          }
      }
    return found;
  }

  const GradedRequest& request_;
  Encodings encodings_;
  Strata strata_;
  std::set<Code> chosen_;
  std::map<Binade, std::size_t> taken_; // graded arguments taken
  GradedSet set_;
};

} // namespace

GradedSet graded_set(const GradedRequest& request) { return Choice(request).take(); }

} // namespace tmd::library
