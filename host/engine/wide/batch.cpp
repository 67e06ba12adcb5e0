#include "engine/wide/batch.hpp"

#include "engine/wide/constants.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tmd {

namespace {

constexpr std::uint64_t most_groups = std::uint64_t(1) << 31; // of a batch: kernels count them with 32 bits

} // namespace

int coefficient_words_of(const WideBatch& batch) {
  int words = usual_coefficient_words;
  for (const WideSource& source : batch.sources)
    words = std::max(words, source.polynomial->words());
  return words;
}

std::vector<std::uint64_t> source_words_of(const WideBatch& batch) {
  const auto all_words = static_cast<std::size_t>(coefficient_words_of(batch));
  std::vector<std::uint64_t> words(source_words * batch.sources.size());
  std::uint64_t sub_intervals = 0;
  for (std::size_t i = 0; i < batch.sources.size(); ++i) {
    const WideSource& source = batch.sources[i];
    const WidePolynomial& polynomial = *source.polynomial;
    const std::array<std::uint64_t, source_words> description{sub_intervals, source.first, words.size(),
                                                              polynomial.size()};
    std::copy(description.begin(), description.end(), words.begin() + static_cast<std::ptrdiff_t>(source_words * i));
    const auto own_words = static_cast<std::size_t>(polynomial.words());
    for (auto from = polynomial.coefficients().begin(); from != polynomial.coefficients().end();) {
      const auto to = from + static_cast<std::ptrdiff_t>(own_words);
      words.insert(words.end(), from, to);
      words.resize(words.size() + all_words - own_words); // below their last bits
      from = to;
    }
    sub_intervals += source.count;
  }
  return words;
}

WideBatch make_wide_batch(const WidePlan& plan, std::uint64_t first, std::uint64_t count) {
  const int bits = plan.sub_bits();
  count = std::min(count, std::max<std::uint64_t>(1, most_groups >> (bits - plan.group_bits())));
  WideBatch batch;
  batch.parameters = plan.parameters;
  batch.first_argument = plan.first + (static_cast<uint128>(first) << bits);
  std::uint64_t before = 0; // of the plan's sub-intervals
  for (const WideSource& source : plan.sources) {
    const std::uint64_t from = std::max(before, first);
    const std::uint64_t to = std::min(before + source.count, first + count);
    if (from < to)
      batch.sources.push_back({source.polynomial, source.first + (from - before), to - from});
    before += source.count;
  }
  batch.sub_intervals = static_cast<std::uint32_t>(count);
  batch.argument_limit = std::min(count << bits, plan.count - (first << bits));
  return batch;
}

} // namespace tmd
