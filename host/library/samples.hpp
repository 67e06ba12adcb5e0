// Where a math library is called: arguments of every binade and every degree of hardness, and those at which something
// changes. For each of them it is known what is right.
#pragma once

#include "function/function.hpp"
#include "job/stretch.hpp"
#include "library/coded_results.hpp"
#include "library/window.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tmd::library {

struct Sample {
  Code argument = 0;
  std::optional<RightResult> right; // nothing where it is not known what is
  NearestBreakpoint nearest;
  bool negative = false; // the argument
  int binade = 0;        // of the argument: see binade_of_argument()
};

// log2 of the binade; subnormal numbers count as one, below the least normal one.
[[nodiscard]] int binade_of_argument(const Argument& argument, const Format& format);

// What one thread does at a time: it looks at some arguments, or at a place that the seed decides of a binade, or of a
// part of one. There it takes `wanted` arguments of each degree of hardness, as long as it has steps left (window.hpp).
struct Visit {
  std::vector<Code> arguments;
  job::Stretch stretch{};
  std::uint64_t seed = 0;
  int window_bits = 0;
  int first_bits = 1;
  int last_bits = 0;
  std::size_t wanted = 0;
  std::uint64_t steps = 0;
};

// Adds its arguments; of these so many were decided by MPFR.
[[nodiscard]] std::size_t take_samples(const function::Function& function, const Encodings& encodings,
                                       const Visit& visit, std::vector<Sample>& samples);

class Strata {
public:
  // Of a range of ranks, or of all the function's domain, with infinities and what is no number. Throws UsageError
  // where there is nothing to call.
  Strata(const function::Function& function, const Encodings& encodings, const std::optional<job::RankInterval>& ranks,
         std::uint64_t seed);

  // The arguments that are looked at in any case, if there is time: first what is no number, zeros and infinities, then
  // thresholds and numbers of few bits, last the ends of binades, in any order.
  [[nodiscard]] const std::vector<Code>& fixed() const { return fixed_; }
  // How many of these come before the ends of binades.
  [[nodiscard]] std::size_t fixed_before_ends() const { return before_ends_; }
  // So many, one after the other, are spread evenly: over binades around 1 half of them, far ones a quarter; results
  // that are subnormal an eighth.
  [[nodiscard]] Visit visit(std::uint64_t number) const;
  // More arguments of those bits in a binade; nothing where it has none.
  [[nodiscard]] std::optional<Visit> closer_visit(bool negative, int binade, int first_bits, int last_bits,
                                                  std::uint64_t number) const;

  // A visit to each binade, those around 1 first and else as the seed decides: arguments from so many bits on.
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
  std::vector<std::vector<job::Stretch>> classes_; // as visit() takes turns with them
  std::map<std::pair<bool, int>, job::Stretch> binades_;
};

} // namespace tmd::library
