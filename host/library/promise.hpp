// A promise of a math library about its results, and whether a result keeps it.
#pragma once

#include "tmd/direction.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tmd::library {

// "correct", or the largest error in ulps of a result rounded to nearest. Directed roundings may add half an ulp, as
// they do for correctly rounded results.
class Promise {
public:
  // Throws UsageError for anything else, and for less than half an ulp.
  explicit Promise(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }
  // Whether a misrounded result keeps the promise. error: in ulps, of any sign.
  [[nodiscard]] bool allows(double error, Direction direction) const;

private:
  std::string text_;
  std::optional<double> ulps_;
};

} // namespace tmd::library
