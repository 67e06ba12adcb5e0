#include "engine/wide/batch.hpp"

#include <algorithm>

namespace tmd {

namespace {

constexpr std::uint64_t most_groups = std::uint64_t(1) << 31; // of a batch: kernels count them with 32 bits

} // namespace

WideBatch make_wide_batch(const WidePlan& plan, std::uint64_t first, std::uint64_t count) {
  const int bits = plan.sub_bits();
  count = std::min(count, std::max<std::uint64_t>(1, most_groups >> (bits - plan.group_bits())));
  WideBatch batch;
  batch.parameters = plan.parameters;
  batch.first_argument = plan.first + (static_cast<uint128>(first) << bits);
  batch.first_sub_interval = first;
  batch.sub_intervals = static_cast<std::uint32_t>(count);
  batch.argument_limit = std::min(count << bits, plan.count - (first << bits));
  return batch;
}

} // namespace tmd
