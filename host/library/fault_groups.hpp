// Summarizes the faults that samples showed: the directions, the binades, the distance from which breakpoints, and how
// often.
#pragma once

#include "library/samples.hpp"
#include "tmd/direction.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tmd::library {

// Misrounded results of one direction whose arguments have one sign and lie in neighbouring binades.
struct FaultGroup {
  Direction direction = Direction::nearest;
  bool negative = false; // sign of the arguments
  bool has_both_signs = false;
  int first_binade = 0; // log2 of the arguments' size
  int last_binade = 0;
  int least_bits = 0; // hardness of the results, in spacings of half a unit (NearestBreakpoint)
  int most_bits = 0;
  std::array<bool, 4> sides{}; // sides of the breakpoint, by on_side()
  std::uint64_t calls = 0;     // calls with results of this kind
  std::uint64_t faults = 0;
  std::uint64_t harder = 0; // calls with harder results of this kind, all right
  double rate =
      0; // share of misrounded ones among all results of this kind, weighted by how often each hardness occurs
  double rate_of_all = 0; // share among all results in these binades
  Code argument = 0;      // one of the arguments
  Code result = 0;
};

class Evidence {
public:
  // Counts the calls at a sample; `wrong` says for each direction whether the result was wrong.
  void add(const Sample& sample, const std::array<bool, directions.size()>& wrong,
           const std::array<Code, directions.size()>& results);
  void add(const Evidence& other);

  [[nodiscard]] std::vector<FaultGroup> groups() const;
  void add_to(MisroundedCounts& counts) const;

  static std::size_t on_side(const NearestBreakpoint& nearest) {
    return (nearest.is_midpoint ? 2U : 0U) + (nearest.is_above ? 0U : 1U);
  }

private:
  struct Stratum { // in the order of groups
    bool negative;
    int binade;
    int bits;
    std::size_t side;

    friend auto operator<=>(const Stratum&, const Stratum&) = default; // NOLINT(modernize-use-nullptr): of C++20
  };
  struct Hash {
    std::size_t operator()(const Stratum& stratum) const;
  };
  struct Example {
    Code argument = 0;
    Code result = 0;
  };
  struct Count {
    std::uint64_t calls = 0;
    std::array<std::uint64_t, directions.size()> faults{};
    std::array<Example, directions.size()> examples{};
  };
  using Entry = std::pair<Stratum, const Count*>;
  static constexpr std::size_t degrees = 65; // degrees of hardness for bits in 64-bit integers
  using ShareTable = std::array<std::array<std::array<double, 4>, degrees>, 2>; // by sign, bits and side

  [[nodiscard]] static std::vector<FaultGroup> groups_of(const std::vector<Entry>& entries, Direction direction);
  // The shares of faults among the results of each sign, degree and side, from the first to the last binade with a
  // fault.
  [[nodiscard]] static ShareTable shares_of(const std::vector<Entry>& entries, Direction direction);
  static void count(FaultGroup& group, const std::vector<Entry>& entries);

  std::unordered_map<Stratum, Count, Hash> counts_;
};

} // namespace tmd::library
