// The table is computed by MPFR when it is first needed. That takes as long as a few thousand arguments one by one.
#include "library/periodic_results.hpp"

#include "library/coded_results.hpp"
#include "library/right_results.hpp"
#include "verify/rounded_value.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace tmd::library {

std::unique_ptr<PeriodicResults> PeriodicResults::of(const function::Function& function, const Encodings& encodings) {
  const auto& scaling = function.scaling;
  if (!scaling || scaling->argument_exponent != 0 || scaling->value_exponent != 0 || scaling->value_addend != 0)
    return nullptr;
  const auto period =
      static_cast<unsigned>(scaling->factor < 0 ? 2 * scaling->argument_addend : scaling->argument_addend);
  if (!std::has_single_bit(period))
    return nullptr;
  return std::unique_ptr<PeriodicResults>(new PeriodicResults(function, encodings, std::countr_zero(period)));
}

namespace {

constexpr int less_bits =
    10; // the table's arguments have fewer bits than those of a binade by this, so that it soon pays

} // namespace

PeriodicResults::PeriodicResults(const function::Function& function, const Encodings& encodings, int period_bits)
    : function_(function), encodings_(encodings), unit_(-std::max(encodings.format().precision - less_bits, 0)),
      size_(std::size_t(1) << (period_bits - unit_)) {}

void PeriodicResults::fill() {
  entries_.resize(size_);
  number::Mpfr x(64);
  for (std::size_t i = 0; i < size_; ++i) {
    mpfr_set_ui_2exp(x, i, unit_, MPFR_RNDN);
    const auto value = verify::rounded_value(function_, encodings_.format(), x);
    entries_[i].has_value = value.has_value();
    if (value)
      entries_[i].right = right_result(*value, encodings_);
  }
}

void PeriodicResults::find(const job::Stretch& stretch, RightResults& results) {
  if (entries_.empty())
    fill();
  const int shift = stretch.unit_exponent - unit_;
  const std::uint64_t mask = size_ - 1;
  for (std::size_t i = 0; i < results.fraction.size(); ++i) {
    const auto size = static_cast<std::uint64_t>(stretch.first) + i;
    const std::uint64_t at = shift < std::numeric_limits<std::uint64_t>::digits ? size << shift : 0;
    const Entry& entry = entries_[(stretch.negative ? 0 - at : at) & mask];
    // In C the poles of tanpi have signs in turn, so a period does not determine them.
    const auto right =
        entry.has_value ? entry.right : right_in_c(function_, encodings_, encodings_.code(stretch.argument(i)));
    if (!results.set(i, right))
      (entry.has_value ? results.undecided : results.no_value).push_back(i);
  }
}

} // namespace tmd::library
