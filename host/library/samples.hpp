// Chooses arguments at which to call a math library: arguments of every binade and every degree of hardness, and
// arguments where something changes. The right result of each is computed.
#pragma once

#include "function/function.hpp"
#include "job/stretch.hpp"
#include "library/coded_results.hpp"
#include "library/neighbourhood.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tmd::library {

struct Sample {
  Code argument = 0;
  std::optional<RightResult> right; // empty if unknown
  NearestBreakpoint nearest;
  bool negative = false; // sign of the argument
  int binade = 0;        // binade of the argument: see binade_of_argument()
};

// log2 of the binade. All subnormal numbers count as one binade, below the least normal one.
[[nodiscard]] int binade_of_argument(const Argument& argument, const Format& format);

// A unit of work for a thread: some given arguments, or a place in a binade or a part of one, which the seed chooses.
// From there it takes `wanted` arguments of each degree of hardness, while it has steps left (neighbourhood.hpp).
struct Visit {
  std::vector<Code> arguments;
  job::Stretch stretch{};
  std::uint64_t seed = 0;
  int neighbourhood_bits = 0;
  int first_bits = 1;
  int last_bits = 0;
  std::size_t wanted = 0;
  std::uint64_t steps = 0;
};

// Adds the samples of a visit; returns how many of them MPFR decided.
[[nodiscard]] std::size_t take_samples(const function::Function& function, const Encodings& encodings,
                                       const Visit& visit, std::vector<Sample>& samples);

class Strata {
public:
  // For a range of ranks, or the function's whole domain with infinities and NaN. Throws UsageError if there is nothing
  // to call.
  Strata(const function::Function& function, const Encodings& encodings, const std::optional<job::RankInterval>& ranks,
         std::uint64_t seed);

  // Arguments that are always called if there is time: first NaN, zeros and infinities, then thresholds and numbers of
  // few bits, last the ends of binades, in any order.
  [[nodiscard]] const std::vector<Code>& fixed() const { return fixed_; }
  // The number of these before the ends of binades.
  [[nodiscard]] std::size_t fixed_before_ends() const { return before_ends_; }
  // Visit `number` of an endless sequence spread evenly: half of the visits go to binades around 1, a quarter to
  // distant ones, an eighth to subnormal results.
  [[nodiscard]] Visit visit(std::uint64_t number) const;
  // A visit for more arguments with such hardness in a binade; nothing if it has none.
  [[nodiscard]] std::optional<Visit> closer_visit(bool negative, int binade, int first_bits, int last_bits,
                                                  std::uint64_t number) const;

  // A visit to each binade, those around 1 first and the others in an order that the seed decides, for arguments with a
  // hardness from first_bits on.
  [[nodiscard]] std::vector<Visit> graded_visits(int first_bits) const;

private:
  enum class Size { none, tiny, subnormal, normal, huge };

  [[nodiscard]] Size size_at(format::ArgumentSet::Rank rank) const;
  void add_thresholds(const std::vector<job::Stretch>& all);
  void add_binades(const std::vector<job::Stretch>& all);
  void add_fixed(const std::vector<job::Stretch>& all, const job::RankInterval& inside, bool is_whole);
  void add_rank(format::ArgumentSet::Rank rank) { fixed_ranks_.push_back(rank); }

  const function::Function& function_;
  const Encodings& encodings_;
  std::uint64_t seed_;
  std::vector<format::ArgumentSet::Rank> fixed_ranks_;
  std::vector<Code> fixed_;
  std::size_t before_ends_ = 0;
  std::vector<std::vector<job::Stretch>> classes_; // the classes that visit() takes turns with
  std::map<std::pair<bool, int>, job::Stretch> binades_;
};

} // namespace tmd::library
