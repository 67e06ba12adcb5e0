#include "report/failing_list.hpp"

#include "support/text.hpp"

#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace tmd::report {

namespace {

// Orders numbers by value, with NaN after all others.
struct Place {
  bool is_number;
  long double value;
  std::string x;

  explicit Place(const std::string& text)
      : is_number(!text.ends_with("nan")), value(is_number ? std::strtold(text.c_str(), nullptr) : 0), x(text) {}
  friend bool operator<(const Place& left, const Place& right) {
    return std::tuple(!left.is_number, left.value, left.x) < std::tuple(!right.is_number, right.value, right.x);
  }
};

} // namespace

std::string failing_list(std::string_view title, const library::LibraryFindings& findings) {
  std::map<Place, std::map<std::pair<Direction, bool>, std::string>> lines; // each result is listed once
  const auto add = [&](const library::LibraryFault& fault) {
    const bool returned = fault.answer.kind == library::LibraryAnswer::Kind::returned;
    lines[Place(fault.x)][{fault.direction, !returned}] =
        fmt::format("{}: {}", to_string(fault.direction),
                    returned ? fmt::format("{} instead of {}", fault.answer.text, fault.expected)
                             : support::on_one_line(fault.answer.text));
  };
  for (const library::LibraryFault& fault : findings.listed)
    add(fault);
  for (const library::LibraryFault& fault : findings.faults)
    add(fault);
  std::string text = fmt::format("# {}: {} at which it fails", support::on_one_line(std::string(title)),
                                 support::counted(lines.size(), "argument", "arguments"));
  if (findings.more_faults > findings.listed.size())
    text += fmt::format(", chosen at random from {} faults", findings.faults.size() + findings.more_faults);
  text += "\n";
  for (const auto& [place, faults] : lines) {
    text += place.x;
    const char* separator = " # ";
    for (const auto& [call, what] : faults)
      text += std::exchange(separator, "; ") + what;
    text += "\n";
  }
  return text;
}

} // namespace tmd::report
