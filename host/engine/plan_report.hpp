// A plan in numbers and words that any report can print without knowing the engine.
#pragma once

#include "number/bound.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::engine {

// The price of one way to search an interval, per argument and relative to one regular existence test; infinite if it
// does not serve.
struct Price {
  std::string_view method; // "regular"
  double cost = std::numeric_limits<double>::infinity();
};
using Prices = std::vector<Price>;

// The price of a method; infinite if it is not among them.
[[nodiscard]] double price_of(const Prices& prices, std::string_view method);

// A whole number that a plan has chosen. After merging, it is a range.
struct PlanFact {
  std::string_view name;  // name in records: "group_bits"
  std::string_view label; // name in tables: "groups of"
  bool is_log2 = false;   // printed as a power of two
  int least = 0;
  int greatest = 0;
};

// A line of an error ledger: a bound in units of the breakpoint spacing, either a term or the sum of several.
struct LedgerLine {
  std::string_view name;
  number::Bound bound;
  bool is_sum = false;
};

struct PlanReport {
  std::string_view method; // method of the interval, a value of --algorithm if there is one
  std::vector<PlanFact> facts;
  std::vector<LedgerLine> ledger;
  std::vector<std::string> notes; // bounds in other units, beside the ledger

  // Joins another plan's report: facts become ranges, bounds the greater ones. The method stays.
  void merge(const PlanReport& other);
};

} // namespace tmd::engine
