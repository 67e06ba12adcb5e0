#include "library/called_function.hpp"

#include <string_view>

namespace tmd::library {

std::vector<LibraryAnswer> answers_of_note(std::uint8_t note) {
  using Kind = LibraryAnswer::Kind;
  std::vector<LibraryAnswer> answers;
  const auto add = [&](LibraryNote bit, Kind kind, std::string_view sentence) {
    if ((note & bit) != 0)
      answers.push_back({kind, std::string(sentence)});
  };
  add(changed_direction, Kind::changed_environment, "it changed the rounding direction");
  add(cleared_flags, Kind::changed_environment, "it cleared exception flags that had been raised before");
  add(changed_control, Kind::changed_environment, "it changed the floating-point control");
  add(wrote_output, Kind::wrote_output, "it wrote to standard output");
  add(wrote_once, Kind::wrote_output, "it wrote to standard output, once, in this call or one behind it");
  return answers;
}

} // namespace tmd::library
