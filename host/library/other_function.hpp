// Calls a second function at the same arguments as the first, and finds where their results differ and which one is
// right.
#pragma once

#include "library/c_type.hpp"
#include "library/called_function.hpp"
#include "library/coded_results.hpp"
#include "library/library_calls.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tmd::library {

// The differing results: counts, and a choice of them that is random but the same in every run.
class DifferingResults {
public:
  void count(Direction direction, std::uint64_t compared, std::uint64_t lost);
  void add(const Encodings& encodings, Code argument, const std::optional<RightResult>& right, Direction direction,
           Code result, Code other);
  void add(const DifferingResults& more);
  [[nodiscard]] Differences take(const Encodings& encodings);

private:
  struct Kept {
    Code argument;
    Code result;
    Code other;
    std::optional<Code> expected;
    std::uint64_t order;
  };
  static void shrink(std::vector<Kept>& kept, std::size_t most);

  std::array<DifferenceTally, directions.size()> tallies_{};
  std::map<std::pair<WhoIsRight, Direction>, std::vector<Kept>> kept_;
};

class OtherFunction {
public:
  // called: empty if there is no second function. The encodings must outlive this object.
  OtherFunction(std::unique_ptr<CalledFunction> called, const Encodings& encodings)
      : called_(std::move(called)), encodings_(encodings) {}

  // Calls it for the first arguments of the block of `one`, which has been called for them; `lost` lists the calls that
  // `one` did not return from. right: gives the right result for an index, as far as it is known. Real: the type of C,
  // or its bits. After too many lost calls it calls nothing any more.
  template <typename Real, typename Right>
  void compare(const CalledFunction& one, std::size_t count, const std::vector<LostCall>& lost, const Right& right) {
    if (!called_)
      return;
    const SharedCalls& here = one.block();
    const SharedCalls& there = called_->block();
    std::memcpy(there.arguments<Real>(), here.arguments<Real>(), count * sizeof(Real));
    const std::vector<LostCall> lost_there = called_->call(count, most_lost);
    is_lost_.assign(count * directions.size(), false);
    for (const std::vector<LostCall>* calls : {&lost, &lost_there})
      for (const LostCall& call : *calls)
        is_lost_[call_of(call.direction, call.index, count)] = true;
    for (const Direction direction : directions)
      if (one.rounds(direction) && called_->rounds(direction) && lost_there.size() <= most_lost)
        compare<Real>(here, there, count, direction, right);
    if (lost_there.size() > most_lost)
      called_.reset();
  }

  [[nodiscard]] const DifferingResults& found() const { return found_; }

private:
  static std::size_t call_of(Direction direction, std::size_t index, std::size_t count) {
    return static_cast<std::size_t>(direction) * count + index;
  }
  template <typename Real, typename Right>
  void compare(const SharedCalls& here, const SharedCalls& there, std::size_t count, Direction direction,
               const Right& right) {
    const Real* const results = here.results<Real>(direction);
    const Real* const others = there.results<Real>(direction);
    for (std::size_t i = 0; i < count; ++i) {
      const Code result = code_of(results[i]);
      const Code other = code_of(others[i]);
      if (result != other && !is_lost_[call_of(direction, i, count)] &&
          !(encodings_.is_nan(result) && encodings_.is_nan(other)))
        found_.add(encodings_, code_of(here.arguments<Real>()[i]), right(i), direction, result, other);
    }
    const auto first = is_lost_.begin() + static_cast<std::ptrdiff_t>(call_of(direction, 0, count));
    const auto lost = std::count(first, first + static_cast<std::ptrdiff_t>(count), true);
    found_.count(direction, count - static_cast<std::uint64_t>(lost), static_cast<std::uint64_t>(lost));
  }

  std::unique_ptr<CalledFunction> called_;
  const Encodings& encodings_;
  DifferingResults found_;
  std::vector<bool> is_lost_;
};

// Makes the comparison part of call_library(), which calls the first function. All three arguments must outlive the
// result.
[[nodiscard]] UseOfBlock compare_with(OtherFunction& other, const LibraryCalls& calls, const Encodings& encodings);

} // namespace tmd::library
