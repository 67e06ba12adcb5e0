// Batches with similar parameters become one, with the greater bounds; places in it are distinguished by its runs. The
// file also writes the kernels' input for a batch: its parameters, and the words of its polynomials.
#include "engine/wide/batch.hpp"

#include "engine/wide/constants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace tmd::engine::wide {

namespace {

constexpr std::uint64_t most_groups = std::uint64_t(1) << 31; // most groups of a batch: kernels count them with 32 bits

// Whether the greater bounds serve each as well as its own: a group then has hardly more lines, and hardly more
// candidates.
bool are_alike(const WideParameters& left, const WideParameters& right) {
  constexpr double alike = 1.25;
  constexpr double few = 1.0 / 16;
  const auto [least_limit, limit] = std::minmax(left.denominator_limit, right.denominator_limit);
  const auto candidates = [](const WideParameters& p) { // proportional to the candidates, if there are as many classes
                                                        // as denominators
    return (p.error + wide_line_rounding * p.curvature) * p.denominator_limit * std::exp2(p.group_bits - 1);
  };
  const auto [fewer, more] = std::minmax({candidates(left), candidates(right)});
  return limit <= alike * least_limit && (more <= few || more <= alike * fewer);
}

} // namespace

bool WideBatch::join(const Batch& other) {
  constexpr std::uint64_t most_beyond = std::uint64_t(1) << 16; // groups behind a run's end, which are tested, too
  const auto* next = dynamic_cast<const WideBatch*>(&other);
  if (next == nullptr || !next->runs.empty() || !parameters.have_sizes_of(next->parameters) ||
      coefficient_words_of(*next) != coefficient_words_of(*this))
    return false;
  const std::uint64_t all = std::uint64_t(sub_intervals) + next->sub_intervals;
  const std::uint64_t begin = std::uint64_t(sub_intervals) << parameters.sub_bits;
  if (!are_alike(parameters, next->parameters) || all > most_sub_intervals ||
      all << (parameters.sub_bits - parameters.group_bits) > most_groups ||
      (begin - argument_limit) >> parameters.group_bits > most_beyond)
    return false;
  if (runs.empty())
    runs.push_back({0, argument_limit, first_argument});
  runs.push_back({begin, next->argument_limit, next->first_argument});
  sources.insert(sources.end(), next->sources.begin(), next->sources.end());
  sub_intervals = static_cast<std::uint32_t>(all);
  argument_limit = begin + next->argument_limit;
  parameters.widen_to(next->parameters);
  return true;
}

std::optional<std::uint64_t> WideBatch::own_argument(std::uint64_t place) const {
  if (place >= gap_end())
    place -= gap_end() - gap_begin();
  else if (place >= gap_begin())
    return std::nullopt;
  const auto next = std::upper_bound(runs.begin(), runs.end(), place,
                                     [](std::uint64_t argument, const Run& run) { return argument < run.begin; });
  if (next != runs.begin() && place - std::prev(next)->begin >= std::prev(next)->count)
    return std::nullopt;
  return place;
}

std::uint64_t WideBatch::own_groups(std::uint64_t first, std::uint64_t count) const {
  const std::uint64_t begin = std::clamp(gap_begin() >> parameters.group_bits, first, first + count);
  const std::uint64_t end = std::clamp(gap_end() >> parameters.group_bits, first, first + count);
  return count - (end - begin);
}

std::vector<std::uint64_t> own_arguments(const WideBatch& batch, const std::vector<std::uint64_t>& places) {
  std::vector<std::uint64_t> arguments;
  for (const std::uint64_t place : places)
    if (const auto argument = batch.own_argument(place))
      arguments.push_back(*argument);
  return arguments;
}

std::vector<std::vector<std::uint64_t>> indices_by_run(const WideBatch& batch,
                                                       const std::vector<std::uint64_t>& arguments) {
  const std::vector<WideBatch::Run> alone{{0, batch.argument_limit, batch.first_argument}};
  std::vector<std::vector<std::uint64_t>> result;
  for (const WideBatch::Run& run : batch.runs.empty() ? alone : batch.runs) {
    std::vector<std::uint64_t>& indices = result.emplace_back();
    for (auto at = std::lower_bound(arguments.begin(), arguments.end(), run.begin);
         at != arguments.end() && *at - run.begin < run.count; ++at)
      indices.push_back(static_cast<std::uint64_t>(run.first_argument + (*at - run.begin)));
  }
  return result;
}

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
      words.resize(words.size() + all_words - own_words); // zeros below their last bits
      from = to;
    }
    sub_intervals += source.count;
  }
  return words;
}

layout::wide_parameters kernel_parameters(const WideBatch& batch) {
  const WideParameters& wide = batch.parameters;
  layout::wide_parameters result{};
  result.bound = wide.offset;
  result.argument_limit = batch.argument_limit;
  result.seam_value = wide.seam_value;
  result.seam_slope = wide.seam_slope;
  result.sub_bits = static_cast<std::uint32_t>(wide.sub_bits);
  result.group_bits = static_cast<std::uint32_t>(wide.group_bits);
  result.part_bits = static_cast<std::uint32_t>(wide.part_bits);
  result.source_count = static_cast<std::uint32_t>(batch.sources.size());
  result.gap_at = batch.gap_at;
  result.gap = batch.gap;
  result.per_sub_interval = std::ldexp(1.0F, -wide.sub_bits);
  result.bounds = {std::ldexp(1.0F, wide.group_bits - 1), wide.error, wide.curvature, wide.denominator_limit,
                   wide.most_lines};
  return result;
}

WideBatch make_wide_batch(const WidePlan& plan, std::uint64_t first, std::uint64_t count) {
  const int bits = plan.sub_bits();
  count = std::min(count, std::max<std::uint64_t>(1, most_groups >> (bits - plan.group_bits())));
  WideBatch batch;
  batch.parameters = plan.parameters;
  batch.first_argument = plan.first + (static_cast<uint128>(first) << bits);
  batch.sources = plan.sources_of(first, count);
  batch.sub_intervals = static_cast<std::uint32_t>(count);
  batch.argument_limit = std::min(count << bits, plan.count - (first << bits));
  batch.most_sub_intervals = plan.batch_sub_intervals;
  return batch;
}

} // namespace tmd::engine::wide
