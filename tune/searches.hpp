// The searches that settings are timed with: `tmd search` in processes of their own, which may hang or crash.
#pragma once

#include "tmd/search_spec.hpp"
#include "tune/tuner.hpp"

#include <functional>
#include <string>
#include <utility>

namespace tmd::tune {

// The outcome of a `tmd search`, and its records.
struct ChildSearch {
  State state = State::ok;
  std::string records;
  std::string message; // why it is not `ok`
};
using RunChild = std::function<ChildSearch(const SearchSpec& spec, double patience)>;

// The searches: exp on [1, 1 + 2^−13), 2^40 arguments in phases, as in the seeds (`quick`: its first 16th); exp from 1
// on by the wide test and sin by the phase walk. The latter two have as many arguments as take the device 30 ms with
// the first settings (quick: 10 ms), and at least about 64 cases.
class TuningSearches {
public:
  TuningSearches(RunChild run_child, bool quick) : run_child_(std::move(run_child)), quick_(quick) {}

  // This is a RunSearch.
  [[nodiscard]] SearchRun run(Work work, const Settings& settings, double patience);
  [[nodiscard]] std::string text() const;

private:
  [[nodiscard]] SearchRun run_sized(Work work, int size, const Settings& settings, double patience) const;

  RunChild run_child_;
  bool quick_;
  std::map<Work, int> sizes_; // log2 of the number of arguments, for searches that have been run
};

} // namespace tmd::tune
