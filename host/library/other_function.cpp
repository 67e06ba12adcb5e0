#include "library/other_function.hpp"

#include "number/random.hpp"

namespace tmd::library {

namespace {

constexpr std::size_t most_differences = 250; // limit in each direction, for each answer to the question who is right

WhoIsRight who_is_right(const Encodings& encodings, const std::optional<RightResult>& right, Direction direction,
                        Code result, Code other) {
  if (!right)
    return WhoIsRight::unknown;
  const bool one_is = encodings.is_right(*right, direction, result);
  const bool other_is = encodings.is_right(*right, direction, other);
  return one_is && other_is ? WhoIsRight::both
         : one_is           ? WhoIsRight::library
         : other_is         ? WhoIsRight::other
                            : WhoIsRight::neither;
}

std::string result_text(const Encodings& encodings, Code code) {
  return encodings.is_nan(code) ? "nan" : encodings.text(code);
}

} // namespace

void DifferingResults::count(Direction direction, std::uint64_t compared, std::uint64_t lost) {
  DifferenceTally& tally = tallies_.at(static_cast<std::size_t>(direction));
  tally.compared += compared;
  tally.lost += lost;
}

void DifferingResults::add(const Encodings& encodings, Code argument, const std::optional<RightResult>& right,
                           Direction direction, Code result, Code other) {
  const WhoIsRight who = who_is_right(encodings, right, direction, result, other);
  ++tallies_.at(static_cast<std::size_t>(direction)).differ.at(static_cast<std::size_t>(who));
  std::vector<Kept>& kept = kept_[{who, direction}];
  const auto folded = static_cast<std::uint64_t>(argument) ^ static_cast<std::uint64_t>(argument >> 64);
  kept.push_back({argument, result, other, right ? std::optional(encodings.expected(*right, direction)) : std::nullopt,
                  number::Random(folded).next()});
  if (kept.size() >= 4 * most_differences)
    shrink(kept, most_differences);
}

void DifferingResults::add(const DifferingResults& more) {
  for (std::size_t i = 0; i < tallies_.size(); ++i) {
    DifferenceTally& sum = tallies_.at(i);
    const DifferenceTally& part = more.tallies_.at(i);
    sum.compared += part.compared;
    sum.lost += part.lost;
    for (std::size_t who = 0; who < sum.differ.size(); ++who)
      sum.differ.at(who) += part.differ.at(who);
  }
  for (const auto& [key, part] : more.kept_)
    kept_[key].insert(kept_[key].end(), part.begin(), part.end());
}

// An argument may have been sampled twice.
void DifferingResults::shrink(std::vector<Kept>& kept, std::size_t most) {
  const auto order = [](const Kept& one) { return std::pair(one.order, one.argument); };
  std::sort(kept.begin(), kept.end(), [&](const Kept& left, const Kept& right) { return order(left) < order(right); });
  kept.erase(std::unique(kept.begin(), kept.end(),
                         [](const Kept& left, const Kept& right) { return left.argument == right.argument; }),
             kept.end());
  kept.resize(std::min(kept.size(), most), Kept{});
}

Differences DifferingResults::take(const Encodings& encodings) {
  Differences result;
  result.tallies = tallies_;
  for (auto& [key, kept] : kept_) {
    shrink(kept, most_differences);
    for (const Kept& one : kept)
      result.some.push_back({encodings.text(one.argument), key.second, result_text(encodings, one.result),
                             result_text(encodings, one.other), one.expected ? encodings.text(*one.expected) : "",
                             key.first});
  }
  return result;
}

UseOfBlock compare_with(OtherFunction& other, const LibraryCalls& calls, const Encodings& encodings) {
  return [&](const CalledFunction& one, std::size_t first, std::size_t count, const std::vector<LostCall>& lost) {
    const auto right = [&](std::size_t i) { return right_result(calls.values[first + i], encodings); };
    with_c_type(encodings.format(), [&](auto zero) { other.compare<decltype(zero)>(one, count, lost, right); });
  };
}

} // namespace tmd::library
