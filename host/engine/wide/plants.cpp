#include "engine/wide/plants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace tmd {

namespace {

constexpr int groups_bits = 4;                // of a record: as many groups as a vector may have lanes
constexpr std::uint64_t origins = 64;         // places where records begin
constexpr std::uint64_t hits_per_origin = 20; // more than a thousand in all: a list that loses one of so many is found

} // namespace

std::array<double, 3> float_factors(int sub_bits, int group_bits) {
  const int scale = 2 * (group_bits - 1);
  return {std::exp2(scale), 3 * std::exp2(scale + sub_bits), 6 * std::exp2(scale + 2.0 * sub_bits)};
}

SubIntervalRecord record_of(const SubIntervalPolynomial& polynomial, int sub_bits, int group_bits) {
  SubIntervalRecord record{};
  std::copy(polynomial.begin(), polynomial.end(), record.begin());
  const std::array<double, 3> factors = float_factors(sub_bits, group_bits);
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const auto value = static_cast<float>(coefficient_in(polynomial, static_cast<int>(k) + 2) * factors.at(k));
    std::memcpy(record.data() + polynomial.size() + k, &value, sizeof value);
  }
  return record;
}

std::uint64_t place_to_plant(int sub_bits, int group_bits, Random& random) {
  const std::uint64_t t = random.below(std::uint64_t(1) << sub_bits);
  const std::uint64_t size = std::uint64_t(1) << group_bits;
  const std::uint64_t group = t / size * size;
  switch (random.below(8)) {
  case 0:
    return group;
  case 1:
    return group + size - 1;
  case 2:
    return group + size / 2;
  default:
    return t;
  }
}

void plant(SubIntervalRecord& record, std::uint64_t t, std::uint64_t value) {
  SubIntervalPolynomial polynomial{};
  std::copy_n(record.begin(), polynomial.size(), polynomial.begin());
  const std::uint64_t b0 = (std::uint64_t(record[0]) << 32 | record[1]) + value - value_in(polynomial, t);
  record[0] = static_cast<std::uint32_t>(b0 >> 32);
  record[1] = static_cast<std::uint32_t>(b0);
}

PlantedRecords planted_records(const WideBatch& batch, std::uint64_t closest, Random& random) {
  PlantedRecords result;
  const int group_bits = batch.parameters.group_bits;
  const int sub_bits = batch.parameters.sub_bits;
  result.sub_bits = group_bits + groups_bits;
  for (std::uint64_t origin = 0; origin < origins; ++origin) {
    auto source = batch.sources.begin();
    std::uint64_t sub_interval = random.below(batch.sub_intervals);
    for (; sub_interval >= source->count; ++source)
      sub_interval -= source->count;
    const std::uint64_t place = ((source->first + sub_interval) << sub_bits) +
                                (random.below(std::uint64_t(1) << (sub_bits - result.sub_bits)) << result.sub_bits);
    const SubIntervalRecord plain =
        record_of(polynomials_at(*source->polynomial, {&place, 1}).front(), result.sub_bits, group_bits);
    for (std::uint64_t i = 0; i < hits_per_origin; ++i) {
      const std::uint64_t t = place_to_plant(result.sub_bits, group_bits, random);
      result.hits.push_back((std::uint64_t(result.records.size()) << result.sub_bits) + t);
      plant(result.records.emplace_back(plain), t, random.around_zero(closest));
    }
  }
  return result;
}

} // namespace tmd
