// The device makes the records from the polynomials of intervals. Neighbours are compared there, since their
// polynomials must meet; the host compares the last of each interval, which has been shifted furthest, with its own.
#include "engine/wide/records.hpp"

#include "engine/wide/reference.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::wide {

namespace {

constexpr std::size_t record_bytes = sizeof(SubIntervalRecord);
constexpr std::int64_t work_group_size = 64;
constexpr std::uint64_t first_items = std::uint64_t(1) << 14; // some milliseconds on one CPU core

} // namespace

WideShift wide_shift(int words) {
  if (words == usual_coefficient_words)
    return {wide_scalar_program, {}};
  return {"wide/shift.cl", {{"TMD_COEFFICIENT_WORDS", words, least_coefficient_words, most_coefficient_words}}};
}

WideRecords::WideRecords(std::shared_ptr<Launcher> launcher, std::int64_t milliseconds)
    : launcher_(std::move(launcher)), stage_(wide_stages[0], work_group_size, first_items, milliseconds) {}

void WideRecords::allocate(std::size_t count) {
  if (record_bytes * count <= buffer_.bytes())
    return;
  buffer_ = {}; // frees the old buffers first
  buffer_ = launcher_->compute().allocate(record_bytes * count);
}

void WideRecords::write(std::span<const SubIntervalRecord> records, std::size_t at) {
  abandon(); // left by a batch that was not searched to its end
  allocate(at + records.size());
  std::vector<SubIntervalRecord> answering(records.begin(), records.end());
  for (std::size_t i = 0; i < answering.size(); ++i)
    answering[i].back() = sum_of_record(answering[i], at + i);
  launcher_->compute().write(buffer_, answering.data(), records.size_bytes(), record_bytes * at);
}

void WideRecords::start(const WideBatch& batch, const std::string& options) {
  abandon(); // left by a batch that was not searched to its end
  opencl::Compute& compute = launcher_->compute();
  allocate(std::size_t(batch.sub_intervals) + batch.gap);
  source_words_ = source_words_of(batch);
  if (sizeof(std::uint64_t) * source_words_.size() > sources_.bytes())
    sources_ = compute.allocate(2 * sizeof(std::uint64_t) * source_words_.size());
  compute.write_later(sources_, source_words_.data(), sizeof(std::uint64_t) * source_words_.size());
  const layout::wide_parameters parameters = kernel_parameters(batch);
  const auto launch = [&](const char* program, const char* name, const std::vector<opencl::Macro>& macros) {
    making_.push_back(launcher_->start({launcher_->build(stage_.counts.name, program, name, macros, options)},
                                       stage_.counts.name, batch.sub_intervals, stage_.work_group_size, sources_,
                                       buffer_, parameters));
  };
  const WideShift shift = wide_shift(coefficient_words_of(batch));
  launch(shift.program, "wide_shift", shift.macros);
  read_last(batch);
  launch(wide_scalar_program, "wide_seams", {});
  stage_.counts.tested += batch.sub_intervals;
}

// Begins to read the last record of each interval, which is shifted furthest: all of them together, since on a GPU each
// transfer takes as long as a short kernel.
void WideRecords::read_last(const WideBatch& batch) {
  opencl::Compute& compute = launcher_->compute();
  last_records_.resize(batch.sources.size());
  std::vector<std::uint64_t> slots;
  std::uint64_t behind = 0;
  for (const WideSource& source : batch.sources) {
    behind += source.count;
    slots.push_back(behind - 1 + (behind > batch.gap_at ? batch.gap : 0));
  }
  const std::size_t bytes = record_bytes * slots.size();
  if (bytes > last_of_each_.bytes())
    last_of_each_ = compute.allocate(2 * bytes);
  for (std::size_t first = 0, last = 0; first < slots.size(); first = last) { // equally distant ones
    const std::uint64_t stride = first + 1 < slots.size() ? slots[first + 1] - slots[first] : 1;
    for (last = first + 1; last < slots.size() && slots[last] - slots[last - 1] == stride; ++last) {
    }
    compute.copy_rows_later(buffer_, record_bytes * slots[first], record_bytes * stride, last - first, record_bytes,
                            last_of_each_, record_bytes * first);
  }
  reading_ = compute.read_later(last_of_each_, last_records_.data(), bytes, making_.back().event());
}

void WideRecords::finish(const WideBatch& batch) {
  if (making_.empty())
    return;
  std::vector<Launcher::Launch> making = std::exchange(making_, {});
  std::array<std::uint32_t, 2> counted{};
  for (std::size_t i = 0; i < making.size(); ++i) {
    counted.at(i) = making[i].finish().count[0];
    stage_.counts.seconds += making[i].seconds();
  }
  if (const auto reading = std::exchange(reading_, {}))
    (void)launcher_->compute().finish(*reading);
  if (counted[1] != 0)
    throw launcher_->fault(
        fmt::format("{} of {} polynomials of sub-intervals do not meet the next", counted[1], batch.sub_intervals));
  std::vector<SubIntervalPolynomial> last;
  for (const WideSource& source : batch.sources)
    last.push_back(sub_interval_polynomials(*source.polynomial, source.first + source.count - 1, 1).front());
  require_right(batch, last_records_, last);
  if (check_all_)
    (void)checked(batch, 0, batch.sub_intervals);
}

// Waits until the device writes nothing more.
void WideRecords::abandon() {
  making_.clear();
  try {
    if (const auto reading = std::exchange(reading_, {}))
      (void)launcher_->compute().finish(*reading);
  } catch (const Error&) { // the error that has ended the search is reported
  }
}

std::vector<SubIntervalRecord> WideRecords::checked(const WideBatch& batch, std::uint32_t first, std::uint32_t count) {
  finish(batch);
  const std::uint32_t before = first < batch.gap_at ? std::min(count, batch.gap_at - first) : 0;
  std::vector<SubIntervalRecord> made(count);
  launcher_->compute().read(buffer_, made.data(), record_bytes * before, record_bytes * first);
  launcher_->compute().read(buffer_, made.data() + before, record_bytes * (count - before),
                            record_bytes * (first + before + batch.gap));
  require_right(batch, made, polynomials_of(batch, first, count));
  return made;
}

// Compares records with the host's polynomials: the limbs bit for bit, the floats up to their last bits.
void WideRecords::require_right(const WideBatch& batch, std::span<const SubIntervalRecord> made,
                                std::span<const SubIntervalPolynomial> expected) const {
  const std::array<double, 3> factors = float_factors(batch.parameters.sub_bits, batch.parameters.group_bits);
  constexpr double rounding = 0x1p-21;        // relative error of a few operations in float
  constexpr double lost = 0x1p-128;           // error of the coefficient's truncation to limbs
  bool same = made.size() == expected.size(); // the sum is compared by groups
  for (std::size_t i = 0; same && i < made.size(); ++i) {
    const std::uint32_t* record = made[i].data();
    same = std::equal(expected[i].begin(), expected[i].end(), record);
    for (std::size_t k = 0; k < factors.size(); ++k) {
      float value = 0;
      std::memcpy(&value, record + expected[i].size() + k, sizeof value);
      const double exact = coefficient_in(expected[i], static_cast<int>(k) + 2) * factors.at(k);
      same = same && std::fabs(value - exact) <= rounding * std::fabs(exact) + lost * factors.at(k) + 0x1p-120;
    }
  }
  if (!same)
    throw launcher_->fault("it made another polynomial of a sub-interval than the host");
}

} // namespace tmd::engine::wide
