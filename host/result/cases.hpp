// The cases of a search.
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

// In which cases are listed.
enum class CaseOrder { hardest, argument };
inline constexpr std::array<std::string_view, 2> case_order_names{"hardest", "argument"};

// A sorted list. Where it is to hold no more than so many, it has the first of them in its order, whatever the order in
// which they are added, and counts the others.
class Cases {
public:
  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

  explicit Cases(CaseOrder order = CaseOrder::hardest, std::size_t most_listed = no_limit)
      : order_(order), most_listed_(most_listed) {}
  // Other cases in the same order and with the same limit.
  Cases& operator=(std::initializer_list<Case> cases) { return *this = std::span(cases.begin(), cases.size()); }
  Cases& operator=(const std::vector<Case>& cases) { return *this = std::span(cases); }
  Cases& operator=(std::span<const Case> cases);

  void push_back(const Case& one);
  void add(Cases&& others);
  // So many more, behind those that are listed.
  void add_unlisted(std::size_t count) { unlisted_ += count; }
  // Brings what was added into its order: only then is it read.
  void sort();
  void clear();

  // Of all, listed or not.
  [[nodiscard]] std::size_t size() const { return listed_.size() + unlisted_; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t unlisted() const { return unlisted_; }
  // Those that are listed.
  [[nodiscard]] std::vector<Case>::const_iterator begin() const { return listed_.begin(); }
  [[nodiscard]] std::vector<Case>::const_iterator end() const { return listed_.end(); }
  [[nodiscard]] const Case& front() const { return listed_.front(); }
  [[nodiscard]] const Case& back() const { return listed_.back(); }
  [[nodiscard]] const std::vector<Case>& to_vector() const { return listed_; }
  // The same in some order.
  [[nodiscard]] std::vector<Case> in(CaseOrder order) const;

private:
  void cut();

  CaseOrder order_;
  std::size_t most_listed_;
  std::vector<Case> listed_; // up to twice the limit before they are sorted
  std::size_t unlisted_ = 0;
};

// Algebraic functions have millions of exact cases, of which a rule tells all: 64 MB of them are listed.
inline constexpr std::size_t most_listed_exact = 1'000'000;

// What was found, by its kind.
struct Findings {
  Cases cases{CaseOrder::hardest};                     // the hard ones, hardest first
  Cases exact{CaseOrder::argument, most_listed_exact}; // by argument
  Cases undecided{CaseOrder::argument};                // by argument: neither proved to be cases nor not to be

  void add(const Case& found);
  void add(std::span<const Case> found);
  void add(Findings&& others);
  // Brings the lists into their order.
  void sort();
  // All that is listed, of every kind, once it is sorted.
  [[nodiscard]] std::vector<Case> listed() const;
};

} // namespace tmd::result
