// What values at numbers far from zero round to where a function repeats with a period that is a power of two, such as
// those of sinpi: neighbours lie parts of a period apart, or whole periods, and no polynomial serves them. But there
// are few different values, and a table has all of them.
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
  // Nothing for a function that does not repeat so.
  [[nodiscard]] static std::unique_ptr<PeriodicResults> of(const function::Function& function,
                                                           const Encodings& encodings);

  // Whether the table has the arguments of a stretch.
  [[nodiscard]] bool serves(const job::Stretch& stretch) const { return stretch.unit_exponent >= unit_; }
  // Results have room for the stretch.
  void find(const job::Stretch& stretch, RightResults& results);

private:
  struct Entry {
    bool has_value = false;
    std::optional<RightResult> right; // nothing where it is not decided
  };

  PeriodicResults(const function::Function& function, const Encodings& encodings, int period_bits);
  void fill();
  [[nodiscard]] std::optional<RightResult> at_pole(const Argument& argument) const;

  const function::Function& function_;
  const Encodings& encodings_;
  int unit_; // log2 of the distance of the table's arguments
  std::size_t size_;
  std::vector<Entry> entries_; // of a period from 0 on; none before they are first asked for
};

} // namespace tmd::library
