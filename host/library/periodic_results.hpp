// The right results at numbers far from zero for functions whose period is a power of two, such as sinpi. Neighbouring
// arguments lie parts of a period or whole periods apart, so no polynomial serves them. But there are few different
// values, and a table holds them all.
#pragma once

#include "function/function.hpp"
#include "job/stretch.hpp"
#include "library/encodings.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace tmd::library {

struct RightResults;

class PeriodicResults {
public:
  // Nothing for a function without such a period.
  [[nodiscard]] static std::unique_ptr<PeriodicResults> of(const function::Function& function,
                                                           const Encodings& encodings);

  // Whether the table covers the arguments of a stretch.
  [[nodiscard]] bool serves(const job::Stretch& stretch) const { return stretch.unit_exponent >= unit_; }
  // Fills the results, which must have the size of the stretch.
  void find(const job::Stretch& stretch, RightResults& results);

private:
  struct Entry {
    bool has_value = false;
    std::optional<RightResult> right; // empty if undecided
  };

  PeriodicResults(const function::Function& function, const Encodings& encodings, int period_bits);
  void fill();

  const function::Function& function_;
  const Encodings& encodings_;
  int unit_; // log2 of the distance between the table's arguments
  std::size_t size_;
  std::vector<Entry> entries_; // for a period from 0 on; filled when first needed
};

} // namespace tmd::library
