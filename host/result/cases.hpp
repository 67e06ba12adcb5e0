// Lists of the cases of a search.
#pragma once

#include "verify/confirm.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace tmd::result {

// The order in which cases are listed.
enum class CaseOrder { hardest, argument };
inline constexpr std::array<std::string_view, 2> case_order_names{"hardest", "argument"};

// A sorted list. With a limit it holds the first cases in its order, whatever the order in which they are added, and
// only counts the others.
class Cases {
public:
  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

  explicit Cases(CaseOrder order = CaseOrder::hardest, std::size_t most_listed = no_limit)
      : order_(order), most_listed_(most_listed) {}
  // Replaces the cases; order and limit stay.
  Cases& operator=(std::initializer_list<Case> cases) { return *this = std::span(cases.begin(), cases.size()); }
  Cases& operator=(const std::vector<Case>& cases) { return *this = std::span(cases); }
  Cases& operator=(std::span<const Case> cases);

  void push_back(const Case& one);
  void add(Cases&& others);
  // Counts further cases that come after the listed ones.
  void add_unlisted(std::size_t count) { unlisted_ += count; }
  // Sorts what was added; must be called before reading.
  void sort();
  void clear();

  // The number of all cases, listed or not.
  [[nodiscard]] std::size_t size() const { return listed_.size() + unlisted_; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t unlisted() const { return unlisted_; }
  // The listed cases.
  [[nodiscard]] std::vector<Case>::const_iterator begin() const { return listed_.begin(); }
  [[nodiscard]] std::vector<Case>::const_iterator end() const { return listed_.end(); }
  [[nodiscard]] const Case& front() const { return listed_.front(); }
  [[nodiscard]] const Case& back() const { return listed_.back(); }
  [[nodiscard]] const std::vector<Case>& to_vector() const { return listed_; }
  // The listed cases in an order.
  [[nodiscard]] std::vector<Case> in(CaseOrder order) const;

private:
  void cut();

  CaseOrder order_;
  std::size_t most_listed_;
  std::vector<Case> listed_; // up to twice the limit before they are sorted
  std::size_t unlisted_ = 0;
};

// Algebraic functions have millions of exact cases, which a rule describes. So many are listed, in 64 MB.
inline constexpr std::size_t most_listed_exact = 1'000'000;

// The cases found, by kind.
struct Findings {
  Cases cases{CaseOrder::hardest};                     // hard cases, hardest first
  Cases exact{CaseOrder::argument, most_listed_exact}; // by argument
  Cases undecided{CaseOrder::argument};                // by argument: neither proven to be cases nor proven to be none

  void add(const Case& found);
  void add(std::span<const Case> found);
  void add(Findings&& others);
  // Sorts the lists.
  void sort();
  // All listed cases of every kind; requires sorted lists.
  [[nodiscard]] std::vector<Case> listed() const;
};

} // namespace tmd::result
