// A mistake in what a user asked for, and the option that it is in.
#pragma once

#include "tmd/error.hpp"

#include <string>
#include <utility>

namespace tmd {

// A UsageError that knows its option: whoever reads options from a file can say where it stands there.
class OptionError : public UsageError {
public:
  OptionError(std::string option, const std::string& sentence) : UsageError(sentence), option_(std::move(option)) {}
  // Without hyphens.
  [[nodiscard]] const std::string& option() const noexcept { return option_; }

private:
  std::string option_;
};

// What `step` returns. Whatever UsageError it throws becomes one of that option.
template <typename Step> auto blaming(const std::string& option, const Step& step) {
  try {
    return step();
  } catch (const OptionError&) {
    throw;
  } catch (const UsageError& error) {
    throw OptionError(option, error.what());
  }
}

} // namespace tmd
