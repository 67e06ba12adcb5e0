#include "search/tunables.hpp"

#include "error.hpp"

#include <fmt/format.h>

namespace tmd {

void set_tunable(Tunables& tunables, std::string_view name, std::int64_t value) {
  for (const Tunable& tunable : tunable_table) {
    if (tunable.name != name)
      continue;
    if (value < tunable.least || value > tunable.greatest)
      throw UsageError(
          fmt::format("tunable {} must be {} to {}, not {}", name, tunable.least, tunable.greatest, value));
    tunables.*tunable.value = value;
    return;
  }
  throw UsageError(fmt::format("unknown tunable '{}'; `tmd search --help` lists them", name));
}

} // namespace tmd
