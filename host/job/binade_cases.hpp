// Cases that are the same in each of many binades, as those of 1/x are: listed once, by their significands.
#pragma once

#include "format/argument.hpp"
#include "job/stretch.hpp"

#include <string>
#include <vector>

namespace tmd::job {

// An argument ±(1 + fraction·2^−fraction_bits)·2^e is a case if its fraction is listed, whatever e and the sign are.
// Ranks are those of normal numbers with 1 + fraction_bits bits.
struct BinadeCases {
  std::string beside; // the function that has these cases: "1/x"
  int fraction_bits = 0;
  std::vector<uint128> fractions; // in increasing order

  friend bool operator==(const BinadeCases&, const BinadeCases&) = default;

  // Writes the arguments in [1, 2) as C hex floats, or reads those of `precision` bits. Reading throws UsageError for
  // other texts, and if they are out of order.
  [[nodiscard]] std::vector<std::string> significands() const;
  [[nodiscard]] static BinadeCases of(std::string beside, int precision, const std::vector<std::string>& significands);

  [[nodiscard]] bool contains(format::ArgumentSet::Rank rank) const;
  // The number of cases among these ranks, which have one sign; and their ranks, in increasing order.
  [[nodiscard]] uint128 count(const RankInterval& ranks) const;
  [[nodiscard]] std::vector<format::ArgumentSet::Rank> in(const RankInterval& ranks) const;
  // The cases of the first and of the last binade of these ranks, or of the parts of those binades that the ranks have.
  [[nodiscard]] std::vector<format::ArgumentSet::Rank> at_ends(const RankInterval& ranks) const;
};

} // namespace tmd::job
