// What a math library did at many arguments, against the correctly rounded values: as a table, and as records.
#pragma once

#include "library/library_calls.hpp"
#include "tmd/format.hpp"
#include "verify/rounded_value.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace tmd {

// A call that did not give the correctly rounded value, or did something besides.
struct LibraryFault {
  LibraryCall call;
  LibraryAnswer answer;
  std::string expected;
  double error = 0; // of what was returned, in ulps: positive where that is too large
};

// Of all calls in one direction.
struct LibraryTally {
  std::size_t calls = 0;
  std::size_t misrounded = 0;
  std::size_t undecided = 0;           // the correctly rounded value is not known
  std::size_t lost = 0;                // crashes and hangs
  std::optional<double> largest_error; // in ulps, by its size; of directed roundings only of misrounded values
  std::string at;
};

struct LibraryFindings {
  std::array<LibraryTally, directions.size()> tallies;
  std::vector<LibraryFault> faults; // lost ones first, then by error

  [[nodiscard]] const LibraryTally& in(Direction direction) const {
    return tallies.at(static_cast<std::size_t>(direction));
  }
};

// The calls, their answers, and the value at each argument, of which there is a call in every direction.
[[nodiscard]] LibraryFindings judge_library(const LibraryCalls& calls, const LibraryAnswers& answers,
                                            const Format& format);

// An error in ulps, with as many digits as tell it from half an ulp and from a whole one: "-1.855",
// "0.50000000000000485".
[[nodiscard]] std::string error_text(double error);

[[nodiscard]] std::string library_table(const LibraryFindings& findings);
// JSON Lines, after a record that says what was called.
[[nodiscard]] std::string library_records(const nlohmann::ordered_json& head, const LibraryFindings& findings);

} // namespace tmd
