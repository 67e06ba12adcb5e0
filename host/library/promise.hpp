// What a math library promises of its results, put to the test.
#pragma once

#include "tmd/direction.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tmd::library {

// "correct", or how many ulps a result may err by at most when it is rounded to nearest. A directed rounding may add
// half an ulp to that, as it does to the half of correctly rounded results.
class Promise {
public:
  // Throws UsageError for anything else, and for less than half an ulp.
  explicit Promise(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }
  // Whether a misrounded result keeps it. error: in ulps, of any sign.
  [[nodiscard]] bool allows(double error, Direction direction) const;

private:
  std::string text_;
  std::optional<double> ulps_;
};

} // namespace tmd::library
