// The cases of a search, of which there may be more than memory is to hold.
#pragma once

#include "support/scratch_file.hpp"
#include "verify/confirm.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace tmd {

// In which cases are listed.
enum class CaseOrder { hardest, argument };
inline constexpr std::array<std::string_view, 2> case_order_names{"hardest", "argument"};

// How many cases a list keeps in memory, and where it puts the others: lists that are filled side by side may share a
// file.
struct CaseRoom {
  std::size_t most_in_memory = std::size_t(1) << 20; // 64 bytes each; 1 at least
  std::shared_ptr<ScratchFile> file = nullptr;       // null: one of its own, when it is needed
};

// A list in one of the orders. Cases beyond its room are written to a temporary file as sorted runs, 32 bytes each, and
// merged when they are read; memory then holds no more than the room and some 16 MB while reading. What adds cases and
// what reads them throws WriteError where the file cannot take or give them.
class Cases {
public:
  class Iterator;

  explicit Cases(CaseOrder order = CaseOrder::hardest, CaseRoom room = {});
  // Other cases in the same order and room.
  Cases& operator=(std::initializer_list<Case> cases) { return *this = std::span(cases.begin(), cases.size()); }
  Cases& operator=(const std::vector<Case>& cases) { return *this = std::span(cases); }
  Cases& operator=(std::span<const Case> cases);

  void push_back(const Case& one);
  // Adds them all, without reading what is in a file where both have the same order.
  void add(Cases&& others);
  // Brings what was added into its order: only then is it read in order.
  void sort();
  void clear();

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }
  // One after the other, while the list does not change.
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] static Iterator end();
  [[nodiscard]] Case front() const;
  // The same cases in some order.
  [[nodiscard]] Cases in(CaseOrder order) const;
  [[nodiscard]] std::vector<Case> to_vector() const;

private:
  // Sorted cases in a file.
  struct Run {
    std::shared_ptr<const ScratchFile> file;
    std::uint64_t offset = 0; // bytes
    std::size_t count = 0;
  };
  class Source;
  class Merged;
  class RunWriter;

  [[nodiscard]] const std::shared_ptr<ScratchFile>& file();
  void spill();
  void join_runs();

  CaseOrder order_;
  CaseRoom room_;
  std::vector<Run> runs_;
  std::vector<Case> recent_; // in memory
};

// Reads each case once: an input iterator.
class Cases::Iterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Case;
  using difference_type = std::ptrdiff_t;
  using pointer = const Case*;
  using reference = const Case&;

  Iterator() = default; // the end of any list
  reference operator*() const { return *now_; }
  pointer operator->() const { return now_; }
  Iterator& operator++();
  void operator++(int) { ++*this; }
  friend bool operator==(const Iterator& left, const Iterator& right) { return left.now_ == right.now_; }

private:
  friend class Cases;
  explicit Iterator(std::shared_ptr<Merged> merged);

  std::shared_ptr<Merged> merged_;
  const Case* now_ = nullptr; // at the end
};

// What was found, by its kind.
struct Findings {
  Findings() = default;
  explicit Findings(const CaseRoom& room);

  Cases cases{CaseOrder::hardest};      // the hard ones, hardest first
  Cases exact{CaseOrder::argument};     // by argument
  Cases undecided{CaseOrder::argument}; // by argument: neither proved to be cases nor not to be

  void add(const Case& found);
  void add(std::span<const Case> found);
  void add(Findings&& others);
  // Brings the lists into their order.
  void sort();
};

} // namespace tmd
