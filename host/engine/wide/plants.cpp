// A sub-interval's record is copied and its constant shifted, so that one of its arguments becomes a hit. A device must
// find these hits once in records of their own, for each shape of groups, and then now and then in a gap among a
// batch's.
#include "engine/wide/plants.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace tmd::engine::wide {

namespace {

constexpr int groups_bits = 4;                // of a record: as many groups as the longest vector has lanes
constexpr std::uint64_t origins = 64;         // places where records begin
constexpr std::uint64_t hits_per_origin = 20; // over a thousand in all: a list that loses one in 1000 is found

} // namespace

std::uint64_t place_to_plant(int sub_bits, int group_bits, number::Random& random) {
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

PlantedRecords planted_records(const WideBatch& batch, std::uint64_t closest, number::Random& random) {
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

BatchResult PlantingGroups::search(const WideBatch& batch, const Interrupt& interrupt) {
  constexpr std::uint32_t fewest_sub_intervals = 512; // sub-intervals of a batch for one that is planted
  search_.launcher()->set_interrupt(interrupt);
  audit_shape(batch);
  const AuditShare::Timed all = share_.batch();
  search_.reset_stages();
  BatchResult result;
  if (share_.is_due() && batch.sub_intervals >= fewest_sub_intervals) {
    result.candidates = search_with_planted(batch);
  } else {
    search_.records().start(batch, search_.build_options());
    compare_records(batch);
    result.candidates = own_arguments(batch, search_.search_records(batch));
  }
  result.stages = search_.stages();
  return result;
}

// Called before the batch with which there are many groups of a kind: more than a thousand hits are planted in groups
// like those that are searched, with a tiny ε and again with that of the search.
void PlantingGroups::audit_shape(const WideBatch& batch) {
  const WideParameters& wide = batch.parameters;
  std::uint64_t& searched = searched_[{wide.group_bits, std::ilogb(wide.denominator_limit)}];
  const std::uint64_t before_it = std::exchange(searched, searched + batch.groups());
  if (before_it >= from_ || searched < from_)
    return;
  const Launcher::Unrecorded unrecorded(*search_.launcher());
  number::Random random(static_cast<std::uint64_t>(batch.first_argument) ^ wide.epsilon);
  for (const bool alone : {true, false}) {
    constexpr std::uint64_t next_to_nothing = 8; // 2^−61
    WideBatch planted;
    const PlantedRecords records = planted_records(batch, alone ? next_to_nothing : wide.epsilon, random);
    planted.parameters = wide;
    planted.parameters.sub_bits = records.sub_bits;
    planted.parameters.error = alone ? wide.error_alone : wide.error;
    planted.argument_limit = std::uint64_t(records.records.size()) << records.sub_bits;
    search_.records().write(records.records, 0);
    require_found(planted, records.hits, search_.search_records(planted));
  }
}

// Compares a batch's last records, until enough of a build have been compared.
void PlantingGroups::compare_records(const WideBatch& batch) {
  constexpr std::uint32_t first_compared = 1024;
  std::uint32_t& of_build = compared_[coefficient_words_of(batch)];
  const std::uint32_t count = std::min(batch.sub_intervals, first_compared - of_build);
  of_build += count;
  if (count > 0)
    (void)search_.records().checked(batch, batch.sub_intervals - count, count);
}

// Copies of some of a batch's records, shifted by constants, are put anywhere among its own: few enough to cost
// nothing.
std::vector<std::uint64_t> PlantingGroups::search_with_planted(WideBatch batch) {
  constexpr std::uint32_t sub_intervals_per_record = 512;
  constexpr std::uint32_t most_records = 8;
  const int sub_bits = batch.parameters.sub_bits;
  number::Random random(static_cast<std::uint64_t>(batch.first_argument) ^ batch.sub_intervals);
  batch.gap = std::min(batch.sub_intervals / sub_intervals_per_record, most_records);
  batch.gap_at = static_cast<std::uint32_t>(random.below(batch.sub_intervals));
  batch.argument_limit += std::uint64_t(batch.gap) << sub_bits;
  const auto like = static_cast<std::uint32_t>(random.below(batch.sub_intervals - batch.gap + 1));
  std::vector<std::uint64_t> places; // places in the planted records
  for (std::uint32_t i = 0; i < batch.gap; ++i)
    places.push_back(place_to_plant(sub_bits, batch.parameters.group_bits, random));
  const std::uint64_t value = random.around_zero(batch.parameters.epsilon);
  std::vector<std::uint64_t> hits;
  search_.records().start(batch, search_.build_options());
  compare_records(batch);
  search_.records().finish(batch);
  {
    const AuditShare::Timed time = share_.audit();
    std::vector<SubIntervalRecord> planted = search_.records().checked(batch, like, batch.gap);
    for (std::size_t i = 0; i < planted.size(); ++i) {
      plant(planted[i], places[i], value);
      hits.push_back(batch.gap_begin() + (std::uint64_t(i) << sub_bits) + places[i]);
    }
    search_.records().write(planted, batch.gap_at);
  }
  const std::vector<std::uint64_t> found = search_.search_records(batch);
  require_found(batch, hits, found);
  return own_arguments(batch, found);
}

void PlantingGroups::require_found(const WideBatch& batch, std::span<const std::uint64_t> planted,
                                   std::span<const std::uint64_t> found) const {
  const auto missed = std::count_if(planted.begin(), planted.end(), [&](std::uint64_t hit) {
    return !std::binary_search(found.begin(), found.end(), hit);
  });
  if (missed > 0)
    throw search_.launcher()->fault(fmt::format("the wide test has missed {} of {} hits that were planted (groups of "
                                                "2^{} arguments, denominators to {:g})",
                                                missed, planted.size(), batch.parameters.group_bits,
                                                batch.parameters.denominator_limit));
}

} // namespace tmd::engine::wide
