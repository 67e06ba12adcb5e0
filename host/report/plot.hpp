// A search as a figure: how many cases there are in each bit against what chance gives, where they are, and what took
// the time.
#pragma once

#include "job/job.hpp"
#include "job/stretch.hpp"
#include "result/search_result.hpp"
#include "support/gnuplot.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tmd {

// A part of a range as a device has searched it.
struct SearchedPart {
  RankInterval ranks;
  std::string device; // what it is called in the figure: another name for each device
  double seconds = 0; // elapsed
};

// What is drawn: `cases`, those with at least k bits against k; `range`, bits against argument; `time`, that of each
// device along the range, and its rate.
enum class Panel { cases, range, time };

inline constexpr std::array<std::string_view, 3> panel_names{"cases", "range", "time"};

struct Plot {
  std::string script; // for gnuplot
  FigureSize size;
};

// The panels one above the other. result: of the job, complete or as far as it has come. parts: for `time`, which
// needs some.
[[nodiscard]] Plot plot_of(const Job& job, const SearchResult& result, std::span<const SearchedPart> parts,
                           std::span<const Panel> panels);

} // namespace tmd
